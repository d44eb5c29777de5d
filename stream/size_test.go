package stream_test

import (
	"errors"
	"io"
	"math"
	"testing"

	"github.com/cipherwalk/cipherwalk/stream"
)

// maxText is the longest plaintext, 2^38 chunks of which the last is a byte short
// of a full one.
const maxText = 1<<52 - 1

// TestSizes goes through all sizes of up to three chunks byte by byte. B98: the
// functions are monotonic, and inverse where both are defined.
func TestSizes(t *testing.T) {
	last := int64(0)
	for n := int64(0); n < 4*16384; n++ {
		want := 56 + n + 16*(n/16384+1) // by definition
		got, err := stream.EncryptedSize(n)
		if got != want || err != nil || got <= last {
			t.Fatalf("%d encrypted: %d, %v, want %d", n, got, err, want)
		}
		if back, err := stream.DecryptedSize(got); back != n || err != nil {
			t.Fatalf("%d decrypted: %d, %v, want %d", got, back, err, n)
		}
		// The lengths between are none.
		for between := last + 1; between < got; between++ {
			if n, err := stream.DecryptedSize(between); n != 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%d decrypted: %d, %v", between, n, err)
			}
		}
		last = got
	}
}

// TestSizeLimits. B99: nothing overflows.
func TestSizeLimits(t *testing.T) {
	top, err := stream.EncryptedSize(maxText)
	if want := int64(56 + maxText + 16<<38); top != want || err != nil {
		t.Errorf("the longest text: %d, %v, want %d", top, err, want)
	}
	if n, err := stream.DecryptedSize(top); n != maxText || err != nil {
		t.Errorf("the longest message: %d, %v", n, err)
	}
	for _, n := range []int64{maxText + 1, maxText + 2, 1 << 53, math.MaxInt64 - 1, math.MaxInt64} {
		if got, err := stream.EncryptedSize(n); got != 0 || !errors.Is(err, stream.ErrTooLong) {
			t.Errorf("%d encrypted: %d, %v", n, got, err)
		}
	}
	for _, n := range []int64{top + 1, top + 16, top + 17, 1 << 53, math.MaxInt64 - 1, math.MaxInt64} {
		if got, err := stream.DecryptedSize(n); got != 0 || !errors.Is(err, stream.ErrTooLong) {
			t.Errorf("%d decrypted: %d, %v", n, got, err)
		}
	}
	for _, n := range []int64{-1, -16384, math.MinInt64} {
		if got, err := stream.EncryptedSize(n); got != 0 || err == nil {
			t.Errorf("%d encrypted: %d, %v", n, got, err)
		}
		if got, err := stream.DecryptedSize(n); got != 0 || err == nil {
			t.Errorf("%d decrypted: %d, %v", n, got, err)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, n := range []int64{0, 1, 16383, 16384, 16400, 16456, 16457, maxText, math.MaxInt64, -1} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		sealed, err := stream.EncryptedSize(n)
		if (err == nil) != (n >= 0 && n <= maxText) {
			t.Fatalf("%d encrypted: %v", n, err)
		}
		if err == nil {
			if back, err := stream.DecryptedSize(sealed); back != n || err != nil {
				t.Fatalf("%d to %d and back: %d, %v", n, sealed, back, err)
			}
			if n > 0 {
				if less, err := stream.EncryptedSize(n - 1); err != nil || less >= sealed {
					t.Fatalf("%d and %d encrypted: %d and %d, %v", n-1, n, less, sealed, err)
				}
			}
		}
		text, err := stream.DecryptedSize(n)
		if err == nil {
			if back, err := stream.EncryptedSize(text); back != n || err != nil {
				t.Fatalf("%d decrypted to %d and back: %d, %v", n, text, back, err)
			}
		} else if text != 0 {
			t.Fatalf("%d decrypted: %d, %v", n, text, err)
		}
	})
}
