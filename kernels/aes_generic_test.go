package kernels

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// product multiplies in the field of AES, bit by bit.
func product(a, b byte) (r byte) {
	for ; b > 0; b >>= 1 {
		r ^= a * (b & 1)
		a = a<<1 ^ a>>7*0x1b
	}
	return r
}

// TestSBox compares all 256 values, in every position, with the definition of
// FIPS 197 section 5.1.1.
func TestSBox(t *testing.T) {
	for x := range 256 {
		var inverse byte
		for y := range 256 {
			if product(byte(x), byte(y)) == 1 {
				inverse = byte(y)
			}
		}
		s := inverse
		for i := 1; i <= 4; i++ {
			s ^= bits.RotateLeft8(inverse, i)
		}
		var p planes
		for k := range p {
			p[k] = -(uint64(x) >> k & 1)
		}
		before := p
		subBytes((*[8]uint64)(&p))
		for k := range p {
			if p[k] != -(uint64(s) >> k & 1) {
				t.Fatalf("S(%02x): bit %d is %x, want %02x", x, k, p[k], s)
			}
		}
		invSubBytes((*[8]uint64)(&p))
		if p != before {
			t.Fatalf("S(%02x) does not come back", x)
		}
	}
}

// TestExpand has the schedules that FIPS 197 appendix A gives the ends of.
func TestExpand(t *testing.T) {
	for _, c := range []struct{ key, last string }{
		{"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
		{"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
		{"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e"},
	} {
		key, _ := hex.DecodeString(c.key)
		last, _ := hex.DecodeString(c.last)
		var s schedule
		s.expand(key)
		first := s.keys[14-s.rounds]
		if s.rounds != len(key)/4+6 || !bytes.Equal(first[:], key[:16]) || !bytes.Equal(s.keys[14][:], last) {
			t.Errorf("key %s: %d rounds, from %x to %x", c.key, s.rounds, first, s.keys[14])
		}
		for i := range 14 - s.rounds {
			if s.keys[i] != [16]byte{} {
				t.Errorf("key %s: round key before the first", c.key)
			}
		}
	}
}

// TestInvert checks InvMixColumns of every inner round key against the matrix.
func TestInvert(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{16, 24, 32} {
		var enc, dec schedule
		key := make([]byte, n)
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		enc.expand(key)
		dec.invert(&enc)
		first := 14 - enc.rounds
		for i := first; i <= 14; i++ {
			want := enc.keys[14+first-i]
			if i > first && i < 14 {
				for c := range 4 {
					a := [4]byte(want[4*c:])
					for row := range 4 {
						want[4*c+row] = product(14, a[row]) ^ product(11, a[(row+1)%4]) ^
							product(13, a[(row+2)%4]) ^ product(9, a[(row+3)%4])
					}
				}
			}
			if dec.keys[i] != want {
				t.Errorf("key of %d bytes, round key %d: %x, want %x", n, i, dec.keys[i], want)
			}
		}
	}
}

// TestGenericAES compares with crypto/aes, each block in every place.
func TestGenericAES(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 600 {
		key := make([]byte, 16+8*(i%3))
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		var s schedule
		var a aesGeneric
		s.expand(key)
		a.init(&s)
		var q quad
		var text, want [64]byte
		for k := range q {
			q[k] = r.Uint64()
			binary.LittleEndian.PutUint64(text[8*k:], q[k])
		}
		was := q
		for b := 0; b < 64; b += 16 {
			block.Encrypt(want[b:], text[b:])
		}
		a.encrypt(&q)
		for k := range q {
			if q[k] != binary.LittleEndian.Uint64(want[8*k:]) {
				t.Fatalf("key of %d bytes: block %d is wrong", len(key), k/2)
			}
		}
		a.decrypt(&q)
		if q != was {
			t.Fatalf("key of %d bytes: not back", len(key))
		}
	}
}

func BenchmarkXTSGeneric(b *testing.B) {
	k := NewXTSKey(Generic, make([]byte, 64))
	p := make([]byte, 4096)
	for name, dir := range map[string]Direction{"encrypt": Encrypt, "decrypt": Decrypt} {
		b.Run(name, func(b *testing.B) {
			var t [16]byte
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				XTSRun(k, dir, &t, p, p)
			}
		})
	}
}
