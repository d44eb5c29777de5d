package kernels_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// sealStd is the standard library's AES-GCM.
func sealStd(t testing.TB, key, nonce, text, aad []byte) []byte {
	t.Helper()
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	std, err := cipher.NewGCMWithNonceSize(block, len(nonce))
	if err != nil {
		t.Fatal(err)
	}
	return std.Seal(nil, nonce, text, aad)
}

// TestGCMEveryLength compares every level with crypto/cipher: every length of
// text of two groups of the widest level and more, all key sizes, every
// misalignment, in place and not, between guard pages.
func TestGCMEveryLength(t *testing.T) {
	const most = 1150
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(10, uint64(level)))
		a, b, c := cryptotest.NewGuard(t, most+16), cryptotest.NewGuard(t, most+16), cryptotest.NewGuard(t, 100)
		for _, size := range []int{16, 24, 32} {
			key := cryptotest.Bytes(r, size)
			k := kernels.NewGCMKey(level, key)
			for n := range most + 1 {
				text, nonce := cryptotest.Bytes(r, n), cryptotest.Bytes(r, 12)
				aad := c.Place(r.IntN(66), n%2 == 0)
				copy(aad, cryptotest.Bytes(r, len(aad)))
				want := sealStd(t, key, nonce, text, aad)
				var tag [16]byte
				check := func(dst, src []byte) {
					t.Helper()
					copy(src, text)
					kernels.GCMSealMessage(k, &tag, dst, src, nonce, aad)
					if !bytes.Equal(dst, want[:n]) {
						t.Fatalf("seal %d bytes, key of %d: wrong from %d on", n, size, firstDifference(dst, want))
					}
					if !bytes.Equal(tag[:], want[n:]) {
						t.Fatalf("seal %d bytes, %d of additional data, key of %d: tag %x, want %x", n, len(aad), size, tag, want[n:])
					}
					copy(src, want[:n])
					kernels.GCMOpenMessage(k, &tag, dst, src, nonce, aad)
					if !bytes.Equal(dst, text) || !bytes.Equal(tag[:], want[n:]) {
						t.Fatalf("open %d bytes, %d of additional data, key of %d: wrong text or tag %x, want %x", n, len(aad), size, tag, want[n:])
					}
				}
				back := n % 16
				check(a.At(n, back), b.At(n, (back*7)%16))
				check(a.End(n), b.End(n))
				check(a.Start(n), b.Start(n))
				check(a.End(n), a.End(n))
				check(a.Start(n), a.Start(n))
			}
		}
	})
}

// TestGCMSwitch feeds a message in pieces, each at another level, split around
// the sizes that levels work in.
func TestGCMSwitch(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	key := cryptotest.Bytes(r, 32)
	var keys []*kernels.GCMKey
	for _, level := range kernels.Levels() {
		keys = append(keys, kernels.NewGCMKey(level, key))
	}
	any := func() *kernels.GCMKey { return keys[r.IntN(len(keys))] }
	for range 1500 {
		nonce := cryptotest.Bytes(r, []int{12, 12, 8, 16, 33}[r.IntN(5)])
		text, aad := cryptotest.Bytes(r, r.IntN(3000)), cryptotest.Bytes(r, r.IntN(700))
		want := sealStd(t, key, nonce, text, aad)
		var s kernels.GCMState
		pieces := func(p []byte, f func(k *kernels.GCMKey, from, to int)) {
			for at := 0; at < len(p); {
				n := min(16*(1+r.IntN(70)), len(p)-at)
				f(any(), at, at+n)
				at += n
			}
		}
		got := make([]byte, len(text))
		var tag [16]byte
		kernels.GCMStart(any(), &s, nonce)
		pieces(aad, func(k *kernels.GCMKey, i, j int) { kernels.GCMHash(k, &s, aad[i:j]) })
		pieces(text, func(k *kernels.GCMKey, i, j int) { kernels.GCMSeal(k, &s, got[i:j], text[i:j]) })
		kernels.GCMTag(any(), &s, uint64(len(aad)), uint64(len(text)), &tag)
		if !bytes.Equal(append(got, tag[:]...), want) {
			t.Fatalf("seal %d bytes, %d of additional data, nonce of %d: wrong", len(text), len(aad), len(nonce))
		}
		back := make([]byte, len(text))
		kernels.GCMStart(any(), &s, nonce)
		pieces(aad, func(k *kernels.GCMKey, i, j int) { kernels.GCMHash(k, &s, aad[i:j]) })
		pieces(text, func(k *kernels.GCMKey, i, j int) { kernels.GCMOpen(k, &s, back[i:j], got[i:j]) })
		kernels.GCMTag(any(), &s, uint64(len(aad)), uint64(len(text)), &tag)
		if !bytes.Equal(back, text) || !bytes.Equal(tag[:], want[len(text):]) {
			t.Fatalf("open %d bytes, %d of additional data, nonce of %d: wrong", len(text), len(aad), len(nonce))
		}
	}
}

// TestGCMThresholds splits messages at every number of groups of every width, and
// goes on with few bytes: what a level keeps from one call to the next must be all
// that counts.
func TestGCMThresholds(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(13, uint64(level)))
		key := cryptotest.Bytes(r, 32)
		k := kernels.NewGCMKey(level, key)
		for _, first := range []int{16, 32, 64, 128, 256, 512, 1024, 1536} {
			for rest := 1; rest <= 33; rest++ {
				text, nonce := cryptotest.Bytes(r, first+rest), cryptotest.Bytes(r, 12)
				aad := cryptotest.Bytes(r, 16*r.IntN(40))
				want := sealStd(t, key, nonce, text, aad)
				var s kernels.GCMState
				var tag [16]byte
				got := make([]byte, len(text))
				kernels.GCMStart(k, &s, nonce)
				for p := aad; len(p) > 0; p = p[16:] { // pieces whose sum is whole blocks
					kernels.GCMHash(k, &s, p[:16])
				}
				kernels.GCMSeal(k, &s, got[:first], text[:first])
				kernels.GCMSeal(k, &s, got[first:], text[first:])
				kernels.GCMTag(k, &s, uint64(len(aad)), uint64(len(text)), &tag)
				if !bytes.Equal(append(got, tag[:]...), want) {
					t.Fatalf("%d and %d bytes: wrong from %d on", first, rest, firstDifference(got, want))
				}
			}
		}
	})
}

// TestGCMCounterWrap has the nonces that were solved so that the counter wraps
// early: it is 32 bits wide and has no carry.
func TestGCMCounterWrap(t *testing.T) {
	var corpus struct {
		GCM []struct {
			ID                        string
			Key, IV, AAD, PT, CT, Tag cryptotest.Hex
		}
	}
	cryptotest.Corpus(t, "edge-generated-vectors.json", &corpus)
	if len(corpus.GCM) != 48 {
		t.Errorf("%d vectors, want 48", len(corpus.GCM))
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		for _, v := range corpus.GCM {
			k := kernels.NewGCMKey(level, v.Key)
			got := make([]byte, len(v.PT))
			var tag [16]byte
			kernels.GCMSealMessage(k, &tag, got, v.PT, v.IV, v.AAD)
			if !bytes.Equal(got, v.CT) || !bytes.Equal(tag[:], v.Tag) {
				t.Errorf("%s: wrong from %d on, tag %x, want %x", v.ID, firstDifference(got, v.CT), tag, v.Tag)
			}
		}
	})
}

// TestGCMPieces has lengths around the bound of a call of assembly.
func TestGCMPieces(t *testing.T) {
	const piece = 64 << 10
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(12, uint64(level)))
		key, nonce := cryptotest.Bytes(r, 16), cryptotest.Bytes(r, 12)
		k := kernels.NewGCMKey(level, key)
		for _, n := range []int{piece - 1, piece, piece + 1, piece + 16, 2 * piece, 2*piece + 515} {
			text, aad := cryptotest.Bytes(r, n), cryptotest.Bytes(r, n)
			want := sealStd(t, key, nonce, text, aad)
			var tag [16]byte
			got := make([]byte, n)
			kernels.GCMSealMessage(k, &tag, got, text, nonce, aad)
			if !bytes.Equal(append(got, tag[:]...), want) {
				t.Fatalf("%d bytes: wrong from %d on", n, firstDifference(got, want))
			}
		}
	})
}

func TestGCMNoAllocs(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		k := kernels.NewGCMKey(level, make([]byte, 32))
		cryptotest.NoAllocs(t, "kernels on stack buffers", func() {
			var a, b [700]byte
			var nonce [12]byte
			var tag [16]byte
			kernels.GCMSealMessage(k, &tag, b[:], a[:], nonce[:], a[:20])
			kernels.GCMOpenMessage(k, &tag, b[:], b[:], nonce[:], a[:20])
		})
	})
}
