package kernels

import (
	"encoding/binary"
	"math/bits"
)

// ghashGeneric is GHASH (NIST SP 800-38D section 6.4) in portable Go and
// constant time: there is no table, and the products are made of integer
// multiplications, whose time depends on no operand on the CPUs Go runs on.
//
// GHASH reads a block with the highest power of x in the lowest bit. Read as a
// big-endian number of 128 bits, a block is its polynomial mirrored, and so is a
// product: mirrored factors give the mirrored product one bit too low. The
// factor H is therefore multiplied by x beforehand, and what remains is a
// carry-less multiplication and a reduction of its low half.
type ghashGeneric struct{ h1, h0 uint64 } // H*x, high and low half

// element is a field element in the same form.
type element struct{ hi, lo uint64 }

// init takes H.
func (g *ghashGeneric) init(h *[16]byte) {
	hi, lo := binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:])
	// x times H moves every bit up by one; mirrored, the power x^127 at the top
	// comes back as 1 + x + x^2 + x^7, the bits 0, 127, 126 and 121 of the
	// number x^128 + x^127 + x^126 + x^121 + 1.
	carry := -(hi >> 63)
	g.h1 = (hi<<1 | lo>>63) ^ carry&0xc200000000000000
	g.h0 = lo<<1 ^ carry&1
}

// block absorbs a block into the sum: acc = (acc + b) * H.
func (g *ghashGeneric) block(acc *element, b []byte) {
	acc.hi ^= binary.BigEndian.Uint64(b[:8])
	acc.lo ^= binary.BigEndian.Uint64(b[8:16])
	g.mul(acc)
}

// mul multiplies by H.
func (g *ghashGeneric) mul(acc *element) {
	a1, a0 := acc.hi, acc.lo

	// 128 by 128 bits after Karatsuba.
	h, l := clmul64(a1, g.h1)
	p, q := clmul64(a0, g.h0)
	m, n := clmul64(a1^a0, g.h1^g.h0)
	w3, w2, w1, w0 := h, l^m^h^p, p^n^l^q, q

	// Reduction of the low half, a word at a time: adding w0 times the modulus
	// makes w0 vanish, and the product is divided by x^64 each time. w0 times
	// the modulus' middle part is w0 times x^63 + x^62 + x^57.
	c1, c0 := foldLow(w0)
	w2 ^= w0 ^ c1
	w1 ^= c0
	c1, c0 = foldLow(w1)
	acc.hi = w3 ^ w1 ^ c1
	acc.lo = w2 ^ c0
}

// foldLow is w times x^63 + x^62 + x^57.
func foldLow(w uint64) (hi, lo uint64) {
	return w>>1 ^ w>>2 ^ w>>7, w<<63 ^ w<<62 ^ w<<57
}

// clmul64 is the carry-less product of two words.
//
// The high half is the low half of the product of the mirrored words, mirrored
// and moved by one.
func clmul64(a, b uint64) (hi, lo uint64) {
	return bits.Reverse64(clmulLow(bits.Reverse64(a), bits.Reverse64(b))) >> 1, clmulLow(a, b)
}

// clmulLow is the low half of the carry-less product. An integer product has no
// carries if only every fourth bit of its factors is set: at most 16 products of
// bits meet in a bit of the result, and their number is counted in the three
// bits above it, which are thrown away. Sixteen would need a fourth, but meet
// only at the very top, where it leaves the word.
func clmulLow(a, b uint64) uint64 {
	const m = 0x1111111111111111
	a0, a1, a2, a3 := a&m, a&(m<<1), a&(m<<2), a&(m<<3)
	b0, b1, b2, b3 := b&m, b&(m<<1), b&(m<<2), b&(m<<3)
	return (a0*b0^a1*b3^a2*b2^a3*b1)&m |
		(a0*b1^a1*b0^a2*b3^a3*b2)&(m<<1) |
		(a0*b2^a1*b1^a2*b0^a3*b3)&(m<<2) |
		(a0*b3^a1*b2^a2*b1^a3*b0)&(m<<3)
}
