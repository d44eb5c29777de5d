package kernels_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

var aegisNames = map[string]kernels.AEGIS{
	"AEGIS-128": kernels.AEGIS128, "AEGIS-128L": kernels.AEGIS128L,
	"AEGIS-128X2": kernels.AEGIS128X2, "AEGIS-128X4": kernels.AEGIS128X4,
	"AEGIS-256": kernels.AEGIS256, "AEGIS-256X2": kernels.AEGIS256X2,
	"AEGIS-256X4": kernels.AEGIS256X4,
}

// TestAEGISGenerated has the generated messages around the rates.
func TestAEGISGenerated(t *testing.T) {
	var corpus struct {
		Vectors []struct {
			Alg            string
			Key, Nonce     cryptotest.Hex
			AD             int `json:"ad_len"`
			Msg            int `json:"msg_len"`
			CT             cryptotest.Hex
			Tag128, Tag256 cryptotest.Hex
		}
	}
	cryptotest.Corpus(t, "aegis-generated-vectors.json", &corpus)
	if len(corpus.Vectors) != 258 {
		t.Errorf("%d vectors, want 258", len(corpus.Vectors))
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		for _, v := range corpus.Vectors {
			k := kernels.NewAEGISKey(level, aegisNames[v.Alg], v.Key)
			aad, msg := cryptotest.Pattern(0, v.AD, 3), cryptotest.Pattern(0, v.Msg, 4)
			for _, want := range [][]byte{v.Tag128, v.Tag256} {
				if want == nil {
					continue // AEGIS-128
				}
				what := fmt.Sprintf("%s, %d and %d bytes, tag of %d", v.Alg, v.AD, v.Msg, len(want))
				got, tag := make([]byte, len(msg)), make([]byte, len(want))
				kernels.AEGISMessage(k, kernels.Encrypt, tag, got, msg, v.Nonce, aad)
				if !bytes.Equal(got, v.CT) || !bytes.Equal(tag, want) {
					t.Errorf("seal %s: wrong from %d on, tag %x, want %x", what, firstDifference(got, v.CT), tag, want)
				}
				kernels.AEGISMessage(k, kernels.Decrypt, tag, got, v.CT, v.Nonce, aad)
				if !bytes.Equal(got, msg) || !bytes.Equal(tag, want) {
					t.Errorf("open %s: wrong from %d on, tag %x, want %x", what, firstDifference(got, msg), tag, want)
				}
			}
		}
	})
}

// TestAEGISPublished has what the specification publishes about the inside: an
// AES round, updates, and states behind the initialization.
func TestAEGISPublished(t *testing.T) {
	var corpus struct {
		AESRound struct{ In, RK, Out cryptotest.Hex }
		States   []struct {
			Alg, Kind string
			Data      map[string]cryptotest.Hex
		} `json:"internal_states"`
	}
	cryptotest.Shared(t, "published/aegis-vectors.json", &corpus)
	if len(corpus.States) != 10 {
		t.Errorf("%d states, want 10", len(corpus.States))
	}
	words := func(data map[string]cryptotest.Hex, lanes int, name func(word, lane int) string) (s kernels.AEGISState) {
		for word := range 8 {
			for lane := range lanes {
				copy(s[64*word+16*lane:], data[name(word, lane)])
			}
		}
		return s
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		// Of a state whose first words are the block and the key, the second
		// becomes the round.
		k := kernels.NewAEGISKey(level, kernels.AEGIS128, make([]byte, 16))
		var s kernels.AEGISState
		copy(s[:], corpus.AESRound.In)
		copy(s[64:], corpus.AESRound.RK)
		kernels.AEGISAbsorb(k, &s, make([]byte, 16))
		if !bytes.Equal(s[64:80], corpus.AESRound.Out) {
			t.Errorf("AES round: %x, want %x", s[64:80], corpus.AESRound.Out)
		}
		updates, starts := 0, 0
		for _, v := range corpus.States {
			alg := aegisNames[v.Alg]
			switch {
			case v.Kind == "Update Test Vector":
				updates++
				k := kernels.NewAEGISKey(level, alg, make([]byte, alg.KeySize()))
				s := words(v.Data, 1, func(word, _ int) string { return fmt.Sprintf("S%d", word) })
				want := words(v.Data, 1, func(word, _ int) string { return fmt.Sprintf("S%d_2", word) })
				message := append(append(append([]byte{}, v.Data["M"]...), v.Data["M0"]...), v.Data["M1"]...)
				if len(message) != alg.Rate() {
					t.Fatalf("%s: message of %d bytes", v.Alg, len(message))
				}
				kernels.AEGISAbsorb(k, &s, message)
				if s != want {
					t.Errorf("update of %s: wrong", v.Alg)
				}
			case v.Data["V[0,0]"] != nil:
				starts++
				k := kernels.NewAEGISKey(level, alg, v.Data["key"])
				lanes := 2
				if v.Data["V[0,2]"] != nil {
					lanes = 4
				}
				want := words(v.Data, lanes, func(word, lane int) string { return fmt.Sprintf("V[%d,%d]", word, lane) })
				var s kernels.AEGISState
				kernels.AEGISStart(k, &s, v.Data["nonce"])
				if s != want {
					t.Errorf("initial state of %s: wrong", v.Alg)
				}
			}
		}
		if updates != 2 || starts != 4 {
			t.Errorf("%d updates and %d initial states, want 2 and 4", updates, starts)
		}
	})
}

// aegisPair is a message sealed by the portable twin.
type aegisPair struct{ key, nonce, aad, text, cipher, tag []byte }

func newAEGISPair(r *rand.Rand, alg kernels.AEGIS, text, aad, tag int) (p aegisPair) {
	p.key, p.nonce = cryptotest.Bytes(r, alg.KeySize()), cryptotest.Bytes(r, alg.KeySize())
	p.text, p.aad = cryptotest.Bytes(r, text), cryptotest.Bytes(r, aad)
	p.cipher, p.tag = make([]byte, text), make([]byte, tag)
	k := kernels.NewAEGISKey(kernels.Generic, alg, p.key)
	kernels.AEGISMessage(k, kernels.Encrypt, p.tag, p.cipher, p.text, p.nonce, p.aad)
	return p
}

// TestAEGISEveryLength compares every level with the portable twin: every length
// of text up to four blocks and more, random ones of additional data, every
// misalignment, in place and not, between guard pages.
func TestAEGISEveryLength(t *testing.T) {
	const most = 4*128 + 20
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(30, uint64(level)))
		a, b, c, d := cryptotest.NewGuard(t, most+16), cryptotest.NewGuard(t, most+16), cryptotest.NewGuard(t, most), cryptotest.NewGuard(t, 32)
		for name, alg := range aegisNames {
			for n := range 4*alg.Rate() + 20 {
				// The other length and the tag go along.
				p := newAEGISPair(r, alg, n, r.IntN(3*alg.Rate()+2), 16)
				if alg != kernels.AEGIS128 && n%2 == 0 {
					p = newAEGISPair(r, alg, n, r.IntN(3*alg.Rate()+2), 32)
				}
				k := kernels.NewAEGISKey(level, alg, p.key)
				aad, nonce := c.Place(len(p.aad), n%3 > 0), d.Place(len(p.nonce), n%5 > 0)
				copy(aad, p.aad)
				copy(nonce, p.nonce)
				check := func(dst, src []byte) {
					t.Helper()
					tag := make([]byte, len(p.tag))
					copy(src, p.text)
					kernels.AEGISMessage(k, kernels.Encrypt, tag, dst, src, nonce, aad)
					if !bytes.Equal(dst, p.cipher) || !bytes.Equal(tag, p.tag) {
						t.Fatalf("%s: seal %d bytes, %d of additional data: wrong from %d on, tag %x, want %x", name, n, len(aad), firstDifference(dst, p.cipher), tag, p.tag)
					}
					copy(src, p.cipher)
					clear(tag)
					kernels.AEGISMessage(k, kernels.Decrypt, tag, dst, src, nonce, aad)
					if !bytes.Equal(dst, p.text) || !bytes.Equal(tag, p.tag) {
						t.Fatalf("%s: open %d bytes, %d of additional data: wrong from %d on, tag %x, want %x", name, n, len(aad), firstDifference(dst, p.text), tag, p.tag)
					}
				}
				back := n % 16
				check(a.At(n, back), b.At(n, back*7%16))
				check(a.End(n), b.End(n))
				check(a.Start(n), b.Start(n))
				check(a.End(n), a.End(n))
				check(a.Start(n), a.Start(n))
			}
		}
	})
}

// TestAEGISSwitch feeds a message in pieces, each at another level: whole blocks,
// and in the end a ragged one.
func TestAEGISSwitch(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 0))
	for name, alg := range aegisNames {
		for range 150 {
			size := 16
			if alg != kernels.AEGIS128 && r.IntN(2) == 0 {
				size = 32
			}
			p := newAEGISPair(r, alg, r.IntN(12*alg.Rate()), r.IntN(5*alg.Rate()), size)
			var keys []*kernels.AEGISKey
			for _, level := range kernels.Levels() {
				keys = append(keys, kernels.NewAEGISKey(level, alg, p.key))
			}
			any := func() *kernels.AEGISKey { return keys[r.IntN(len(keys))] }
			pieces := func(p []byte, f func(k *kernels.AEGISKey, from, to int)) {
				for at := 0; at < len(p); {
					n := min(alg.Rate()*(1+r.IntN(5)), len(p)-at)
					f(any(), at, at+n)
					at += n
				}
			}
			var s kernels.AEGISState
			got, back, tag := make([]byte, len(p.text)), make([]byte, len(p.text)), make([]byte, size)
			kernels.AEGISStart(any(), &s, p.nonce)
			pieces(p.aad, func(k *kernels.AEGISKey, i, j int) { kernels.AEGISAbsorb(k, &s, p.aad[i:j]) })
			pieces(p.text, func(k *kernels.AEGISKey, i, j int) {
				kernels.AEGISCrypt(k, kernels.Encrypt, &s, got[i:j], p.text[i:j])
			})
			kernels.AEGISTag(any(), &s, uint64(len(p.aad)), uint64(len(p.text)), tag)
			if !bytes.Equal(got, p.cipher) || !bytes.Equal(tag, p.tag) {
				t.Fatalf("%s: seal %d bytes, %d of additional data: wrong", name, len(p.text), len(p.aad))
			}
			kernels.AEGISStart(any(), &s, p.nonce)
			pieces(p.aad, func(k *kernels.AEGISKey, i, j int) { kernels.AEGISAbsorb(k, &s, p.aad[i:j]) })
			pieces(p.text, func(k *kernels.AEGISKey, i, j int) {
				kernels.AEGISCrypt(k, kernels.Decrypt, &s, back[i:j], got[i:j])
			})
			kernels.AEGISTag(any(), &s, uint64(len(p.aad)), uint64(len(p.text)), tag)
			if !bytes.Equal(back, p.text) || !bytes.Equal(tag, p.tag) {
				t.Fatalf("%s: open %d bytes, %d of additional data: wrong", name, len(p.text), len(p.aad))
			}
		}
	}
}

// TestAEGISPieces has lengths around the bounds of a call of assembly, for text
// and for additional data.
func TestAEGISPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 0))
	for name, alg := range aegisNames {
		for _, piece := range []int{16 << 10, 64 << 10} {
			for _, n := range []int{piece - 1, piece, piece + 1, piece + alg.Rate()} {
				p := newAEGISPair(r, alg, n, n/2+1, 16)
				q := newAEGISPair(r, alg, 100, n, 16)
				for _, level := range kernels.Levels()[1:] {
					for _, p := range []aegisPair{p, q} {
						k := kernels.NewAEGISKey(level, alg, p.key)
						got, tag := make([]byte, len(p.text)), make([]byte, 16)
						kernels.AEGISMessage(k, kernels.Encrypt, tag, got, p.text, p.nonce, p.aad)
						if !bytes.Equal(got, p.cipher) || !bytes.Equal(tag, p.tag) {
							t.Fatalf("%v, %s, %d bytes, %d of additional data: wrong from %d on", level, name, len(p.text), len(p.aad), firstDifference(got, p.cipher))
						}
						kernels.AEGISMessage(k, kernels.Decrypt, tag, got, got, p.nonce, p.aad)
						if !bytes.Equal(got, p.text) || !bytes.Equal(tag, p.tag) {
							t.Fatalf("%v, open %s, %d bytes in place: wrong from %d on", level, name, len(p.text), firstDifference(got, p.text))
						}
					}
				}
			}
		}
	}
}

func TestAEGISNoAllocs(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		k := kernels.NewAEGISKey(level, kernels.AEGIS128X4, make([]byte, 16))
		cryptotest.NoAllocs(t, "kernels on stack buffers", func() {
			var a, b [700]byte
			var nonce [16]byte
			var tag [32]byte
			var s kernels.AEGISState
			kernels.AEGISMessage(k, kernels.Encrypt, tag[:], b[:], a[:], nonce[:], a[:20])
			kernels.AEGISMessage(k, kernels.Decrypt, tag[:16], b[:], b[:], nonce[:], a[:20])
			kernels.AEGISStart(k, &s, nonce[:])
			kernels.AEGISAbsorb(k, &s, a[:20])
			kernels.AEGISCrypt(k, kernels.Encrypt, &s, b[:], a[:])
			kernels.AEGISMACTag(k, &s, 20, tag[:])
		})
	})
}

// TestAEGISNonceInOutput has the nonce where the output goes: passes after the
// first must not read it there.
func TestAEGISNonceInOutput(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(33, uint64(level)))
		for name, alg := range aegisNames {
			p := newAEGISPair(r, alg, 300, 20, 16)
			k := kernels.NewAEGISKey(level, alg, p.key)
			dst, tag := make([]byte, 300), make([]byte, 16)
			nonce := dst[:len(p.nonce)]
			copy(nonce, p.nonce)
			kernels.AEGISMessage(k, kernels.Encrypt, tag, dst, p.text, nonce, p.aad)
			if !bytes.Equal(dst, p.cipher) || !bytes.Equal(tag, p.tag) {
				t.Errorf("%s: wrong", name)
			}
		}
	})
}
