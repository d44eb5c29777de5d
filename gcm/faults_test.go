package gcm_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// These tests come from faults that other libraries had.

func mustNew(t testing.TB) *gcm.AEAD {
	t.Helper()
	a, err := gcm.New(testKey(32))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestOutputSizes has every total of dst around that of src: only the same
// length, without room for the tag, is right, and nothing is written otherwise.
func TestOutputSizes(t *testing.T) {
	const n = 40
	a := mustNew(t)
	src := sg.Split(make([]byte, n), 7, 20)
	for total := range n + 18 {
		for _, cuts := range [][]int{nil, {total / 2}, {1, 2, total / 3}} {
			if len(cuts) == 3 && total < 12 {
				continue
			}
			mem, tag := make([]byte, total), make([]byte, 16)
			err := a.SealList(sg.Split(mem, cuts...), src, tag, make([]byte, 12), nil)
			if total == n {
				if err != nil {
					t.Errorf("dst of %d bytes: %v", total, err)
				}
			} else if !errors.Is(err, walk.ErrLength) || bytes.Count(mem, []byte{0}) != total || bytes.Count(tag, []byte{0}) != 16 {
				t.Errorf("dst of %d bytes: %v, or something was written", total, err)
			}
		}
	}
}

// TestSegmentCounts has as many segments as some had caps for.
func TestSegmentCounts(t *testing.T) {
	a, nonce := mustNew(t), make([]byte, 12)
	for _, n := range []int{17, 257, 1025, 65536} {
		text := cryptotest.Bytes(rand.New(rand.NewPCG(1, uint64(n))), n)
		ones := slices.Repeat([]int{1}, n)
		dst, tag := sg.Split(make([]byte, n), ones...), make([]byte, 16)
		if err := a.SealList(dst, sg.Split(text, ones...), tag, nonce, sg.Split(text, ones...)); err != nil {
			t.Fatal(err)
		}
		if got := append(bytes.Join(dst, nil), tag...); !bytes.Equal(got, a.Seal(nil, nonce, text, text)) {
			t.Errorf("%d segments: wrong", n)
		}
	}
}

// TestNothing has every way to pass nothing: they all mean the same.
func TestNothing(t *testing.T) {
	a, nonce := mustNew(t), make([]byte, 12)
	want := a.Seal(nil, nonce, nil, nil)
	if got := a.Seal([]byte{}, nonce, []byte{}, []byte{}); !bytes.Equal(got, want) {
		t.Errorf("empty slices: %x, want %x", got, want)
	}
	for _, l := range []sg.List{nil, {}, {nil}, {{}, nil, {}}} {
		for _, m := range []sg.List{nil, {nil, {}}} {
			tag := make([]byte, 16)
			if err := a.SealList(l, m, tag, nonce, l); err != nil || !bytes.Equal(tag, want) {
				t.Errorf("%v to %v: %x, %v, want %x", m, l, tag, err, want)
			}
			if err := a.OpenList(l, m, tag, nonce, m); err != nil {
				t.Errorf("%v to %v: %v", m, l, err)
			}
		}
	}
	if text, err := a.Open(nil, nonce, want, nil); err != nil || len(text) != 0 {
		t.Errorf("open: %x, %v", text, err)
	}
	for n := range 16 {
		if _, err := a.Open(nil, nonce, make([]byte, n), nil); err != gcm.ErrOpen {
			t.Errorf("ciphertext of %d bytes: %v", n, err)
		}
	}
}

// TestOffsets has every offset of text, output, data and nonce modulo 64.
func TestOffsets(t *testing.T) {
	a := mustNew(t)
	r := rand.New(rand.NewPCG(5, 13))
	text, aad, nonce := cryptotest.Bytes(r, 700), cryptotest.Bytes(r, 30), cryptotest.Bytes(r, 12)
	mem := make([]byte, 4096)
	for _, n := range []int{0, 1, 16, 129, 300, 530, 700} {
		want := a.Seal(nil, nonce, text[:n], aad)
		for off := range 64 {
			at := func(base int, p []byte) []byte { return mem[base+off : base+off+copy(mem[base+off:], p)] }
			dst := mem[64-off:][:0:800]
			got := a.Seal(dst, at(3800, nonce), at(1200, text[:n]), at(3000, aad))
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes at offset %d: wrong", n, off)
			}
		}
	}
}

// TestOneObject alternates directions on one object, and then 64 goroutines use a
// fresh one at once.
func TestOneObject(t *testing.T) {
	a, nonce := mustNew(t), make([]byte, 12)
	text := cryptotest.Bytes(rand.New(rand.NewPCG(6, 6)), 100)
	want := a.Seal(nil, nonce, text, nil)
	for i := range 1000 {
		back, err := a.Open(nil, nonce, a.Seal(nil, nonce, text, nil), nil)
		if err != nil || !bytes.Equal(back, text) {
			t.Fatalf("round %d: %v", i, err)
		}
	}
	fresh := mustNew(t)
	var wg sync.WaitGroup
	start := make(chan bool)
	for range 64 {
		wg.Go(func() {
			<-start
			if !bytes.Equal(fresh.Seal(nil, nonce, text, nil), want) {
				t.Error("wrong at first use")
			}
		})
	}
	close(start)
	wg.Wait()
}

// TestZeroValues: an AEAD that was not made by New says so.
func TestZeroValues(t *testing.T) {
	var a gcm.AEAD
	for name, f := range map[string]func() error{
		"SealList":   func() error { return a.SealList(nil, nil, make([]byte, 16), make([]byte, 12), nil) },
		"OpenList":   func() error { return a.OpenList(nil, nil, nil, nil, nil) },
		"VerifyList": func() error { return a.VerifyList(nil, nil, nil, nil) },
		"NewSealer":  func() error { _, err := a.NewSealer(nil); return err },
		"NewUnverifiedOpener": func() error {
			_, err := a.NewUnverifiedOpener(nil)
			return err
		},
	} {
		if err := f(); err == nil || !strings.HasPrefix(err.Error(), "gcm: ") {
			t.Errorf("%s of the zero value: %v", name, err)
		}
	}
	for name, f := range map[string]func(){
		"Seal": func() { a.Seal(nil, nil, nil, nil) },
		"Open": func() { a.Open(nil, nil, nil, nil) },
	} {
		if got := panicOf(f); !strings.HasPrefix(got, "gcm: ") {
			t.Errorf("%s of the zero value: panic %q", name, got)
		}
	}
}
