package aegis_test

import (
	"bytes"
	"hash"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// TestMACAgainstReference has every length from 0 to three blocks and one byte, cut
// at a place that differs with it, at every level, with both sizes of tags.
func TestMACAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, v := range variants[1:] {
		key, nonce := cryptotest.Bytes(r, v.KeySize()), cryptotest.Bytes(r, v.NonceSize())
		data := cryptotest.Bytes(r, 3*rateOf(v)+1)
		for _, tagSize := range tagSizes(v) {
			var macs []hash.Hash
			for _, level := range kernels.Levels() {
				macs = append(macs, aegis.NewMACAt(level, v, key, nonce, tagSize))
			}
			for n := range len(data) + 1 {
				want := cryptotest.AEGISMAC(v.String(), key, nonce, data[:n], tagSize)
				cut := r.IntN(n + 1)
				for i, h := range macs {
					h.Reset()
					if m, err := h.Write(data[:cut]); m != cut || err != nil {
						t.Fatalf("wrote %d of %d: %v", m, cut, err)
					}
					h.Sum(nil) // changes nothing
					h.Write(data[cut:n])
					for range 2 {
						if got := h.Sum(nil); !bytes.Equal(got, want) {
							t.Fatalf("%v, %v, %d bytes cut at %d: %x, want %x", v, kernels.Levels()[i], n, cut, got, want)
						}
					}
				}
			}
		}
	}
}

// TestMACPieces writes pieces of random lengths.
func TestMACPieces(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 9))
	for round := range 300 {
		v, tagSize := draw(r)
		if v == aegis.AEGIS128 {
			continue
		}
		key, nonce, data := cryptotest.Bytes(r, v.KeySize()), cryptotest.Bytes(r, v.NonceSize()), cryptotest.Bytes(r, r.IntN(2000))
		want := cryptotest.AEGISMAC(v.String(), key, nonce, data, tagSize)
		h := must(aegis.NewMAC(v, key, nonce, tagSize))
		most := 1 << r.IntN(11)
		for p := data; len(p) > 0; {
			n := min(len(p), r.IntN(most+1))
			h.Write(p[:n])
			p = p[n:]
		}
		if got := h.Sum(nil); !bytes.Equal(got, want) {
			t.Fatalf("%v, round %d of seed %d: %x, want %x", v, round, seed, got, want)
		}
	}
}

// TestMACContract has what hash.Hash and hash.Cloner promise.
func TestMACContract(t *testing.T) {
	for _, v := range variants[1:] {
		key, data := testKey(v.KeySize()), testKey(200)
		h := must(aegis.NewMAC(v, key, key, 32))
		empty := h.Sum(nil)
		h.Write(data[:99])
		part := h.Sum(nil)
		c := must(h.(hash.Cloner).Clone())
		h.Write(data[99:])
		whole := h.Sum(nil)
		if got := c.Sum(nil); !bytes.Equal(got, part) {
			t.Errorf("%v: the clone has gone on: %x, want %x", v, got, part)
		}
		c.Write(data[99:])
		if got := c.Sum(nil); !bytes.Equal(got, whole) {
			t.Errorf("%v: the clone goes another way: %x, want %x", v, got, whole)
		}
		c.Reset()
		if got := h.Sum(nil); !bytes.Equal(got, whole) {
			t.Errorf("%v: Reset of the clone changed its original: %x, want %x", v, got, whole)
		}
		if got := c.Sum(nil); !bytes.Equal(got, empty) {
			t.Errorf("%v: after Reset %x, want %x", v, got, empty)
		}
		// In the capacity of the argument, and nowhere else.
		mem := bytes.Repeat([]byte{0xee}, 64)
		got := h.Sum(mem[:8])
		if &got[0] != &mem[0] || !bytes.Equal(got[8:], whole) || bytes.Count(mem[:8], []byte{0xee}) != 8 || bytes.Count(mem[40:], []byte{0xee}) != 24 {
			t.Errorf("%v: Sum left %x", v, mem)
		}
		// Tags of both sizes are not parts of each other.
		short := must(aegis.NewMAC(v, key, key, 16))
		short.Write(data)
		if got := short.Sum(nil); bytes.Contains(whole, got) || len(got) != 16 {
			t.Errorf("%v: tag of 16 bytes %x in that of 32 %x", v, got, whole)
		}
	}
}
