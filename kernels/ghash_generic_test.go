package kernels

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestClmul64 compares with shifts and sums.
func TestClmul64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 64))
	for i := range 2000 {
		a, b := r.Uint64(), r.Uint64()
		switch i {
		case 0:
			a, b = ^uint64(0), ^uint64(0)
		case 1:
			a, b = 0x1111111111111111, 0x1111111111111111
		case 2:
			a, b = 1<<63, 1<<63
		}
		var hi, lo uint64
		for k := range 64 {
			if b>>k&1 == 1 {
				lo ^= a << k
				hi ^= a >> 1 >> (63 - k)
			}
		}
		if h, l := clmul64(a, b); h != hi || l != lo {
			t.Fatalf("%x * %x = %x %x, want %x %x", a, b, h, l, hi, lo)
		}
	}
}

// TestGHASH compares with the multiplication of SP 800-38D section 6.3, bit by
// bit.
func TestGHASH(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 128))
	random := func() (b [16]byte) {
		binary.LittleEndian.PutUint64(b[:8], r.Uint64())
		binary.LittleEndian.PutUint64(b[8:], r.Uint64())
		return b
	}
	for i := range 500 {
		x, y := random(), random()
		switch i {
		case 0:
			x = [16]byte{}
		case 1:
			x[0] |= 0x80
			y[15] |= 1
		}
		z, v := element{}, element{binary.BigEndian.Uint64(y[:8]), binary.BigEndian.Uint64(y[8:])}
		for bit := range 128 {
			if x[bit/8]>>(7-bit%8)&1 == 1 {
				z.hi, z.lo = z.hi^v.hi, z.lo^v.lo
			}
			low := v.lo & 1
			v.lo = v.lo>>1 | v.hi<<63
			v.hi = v.hi>>1 ^ low*0xe100000000000000
		}
		var g ghashGeneric
		g.init(&y)
		var acc element
		g.block(&acc, x[:])
		if acc != z {
			t.Fatalf("%x * %x = %x, want %x", x, y, acc, z)
		}
	}
}

// TestGenericGCM compares with crypto/cipher: all lengths of text and additional
// data around the block, nonces of several lengths.
func TestGenericGCM(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	fill := func(n int) []byte {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		return p
	}
	for i := range 1500 {
		key, nonce := fill(16+8*(i%3)), fill([]int{12, 12, 1, 8, 16, 17, 60}[i%7])
		text, aad := fill(i%700), fill(r.IntN(70))
		block, _ := aes.NewCipher(key)
		std, err := cipher.NewGCMWithNonceSize(block, len(nonce))
		if err != nil {
			t.Fatal(err)
		}
		want := std.Seal(nil, nonce, text, aad)
		k := NewGCMKey(Generic, key)
		got := make([]byte, len(text))
		var tag [16]byte
		GCMSealMessage(k, &tag, got, text, nonce, aad)
		if !bytes.Equal(append(got, tag[:]...), want) {
			t.Fatalf("round %d: %d bytes, %d of additional data, nonce of %d: wrong", i, len(text), len(aad), len(nonce))
		}
		back := make([]byte, len(text))
		var again [16]byte
		GCMOpenMessage(k, &again, back, got[:len(text)], nonce, aad)
		if !bytes.Equal(back, text) || again != tag {
			t.Fatalf("round %d: not back", i)
		}
	}
}
