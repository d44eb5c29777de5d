package kernels

// The S-box of AES, computed for 64 bytes at once: word k holds bit k of every
// byte. There is no table, so nothing is indexed by a secret.
//
// S(x) = A(1/x) + 63, an inversion in GF(2^8) modulo x^8+x^4+x^3+x+1 and an
// affine map over GF(2) (FIPS 197 section 5.1.1). The inversion is cheap in a
// tower of quadratic extensions,
//
//	GF(4)   = GF(2)[w] / (w^2 + w + 1)
//	GF(16)  = GF(4)[z] / (z^2 + z + N),  N = w + 1
//	GF(256) = GF(16)[y] / (y^2 + y + M), M = w*z + w
//
// where an inversion becomes one in the field below and some products. In each
// field an element is written as high*generator + low, so bits 7 to 4 of a byte
// are the high half over GF(16), bits 3 and 2 the high half of the low one.
//
// The tower is isomorphic to the field of AES: 1, r, r^2 ... r^7 for the root r
// = 0x53 of the polynomial of AES in the tower are the images of the powers of
// x. Of all N, M and r, these give the shortest maps in and out. Each map is
// written below as a series of sums, in which sums that several bits need are
// made once.
//
// The constant 63 is left out here: aesGeneric adds it to the round keys.

// subBytes replaces each byte x by A(1/x).
func subBytes(q *[8]uint64) {
	// The isomorphism into the tower.
	x0, x1, x2, x3, x4, x5, x6, x7 := q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]
	t0 := x1 ^ x5
	t1 := x6 ^ t0
	t2 := x2 ^ x7
	t3 := x2 ^ x4
	t4 := x0 ^ t1
	t5 := x1 ^ x7
	t6 := x3 ^ x5
	t7 := t2 ^ t6
	t8 := x3 ^ t1
	t9 := t3 ^ t8
	t10 := x5 ^ x7
	x0, x1, x2, x3, x4, x5, x6, x7 = towerInvert(t4, t5, t2, t3, x1, t7, t9, t10)

	// The isomorphism back, then A.
	t0 = x0 ^ x4
	t1 = x2 ^ x3
	t2 = t0 ^ t1
	t3 = x1 ^ t0
	t4 = x4 ^ x6
	t5 = x2 ^ x7
	t6 = t3 ^ t5
	t7 = x6 ^ t2
	t8 = x6 ^ t0
	t9 = x4 ^ x5
	t10 = t1 ^ t9
	t11 := x2 ^ t4
	q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7] = t2, t3, t6, t7, t8, t10, t4, t11
}

// invSubBytes replaces each byte x by the y for which A(1/y) = x.
func invSubBytes(q *[8]uint64) {
	// The inverse of A, then the isomorphism into the tower.
	x0, x1, x2, x3, x4, x5, x6, x7 := q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]
	t0 := x4 ^ x6
	t1 := x0 ^ x3
	t2 := x6 ^ x7
	t3 := x1 ^ x4
	t4 := t1 ^ t3
	t5 := x3 ^ x7
	t6 := t0 ^ t5
	t7 := x6 ^ t1
	t8 := x0 ^ x5
	t9 := t0 ^ t8
	t10 := x1 ^ x2
	t11 := t2 ^ t10
	x0, x1, x2, x3, x4, x5, x6, x7 = towerInvert(t0, t4, t2, t6, t7, t9, t1, t11)

	// The isomorphism back.
	t0 = x1 ^ x4
	t1 = x2 ^ t0
	t2 = x3 ^ x5
	t3 = x6 ^ t2
	t4 = x7 ^ t1
	t5 = x0 ^ t3
	t6 = t4 ^ t5
	t7 = x5 ^ t4
	t8 = x3 ^ t1
	t9 = x7 ^ t0
	t10 = x2 ^ x4
	t11 = t3 ^ t10
	q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7] = t6, x4, t1, t7, t8, t9, t11, t0
}

// mul4 is the product in GF(4), after Karatsuba: with w^2 = w + 1 the high half
// is ah*bh + ah*bl + al*bh, the low half al*bl + ah*bh.
func mul4(ah, al, bh, bl uint64) (h, l uint64) {
	low := al & bl
	return (ah^al)&(bh^bl) ^ low, ah&bh ^ low
}

// towerInvert inverts in GF(256), and leaves 0 as it is. For a = H*y + L the
// product with its conjugate H*y + (H + L) is D = L^2 + H*L + M*H^2, an element
// of GF(16), so 1/a = (H/D)*y + (H + L)/D.
//
// The three products in GF(16) are written out, since a call each would cost as
// much again: after Karatsuba as in mul4, with z^2 = z + N and N*(h*w + l) = l*w
// + (h + l).
//
// Eight words by value travel in registers; a pointer to them would not.
func towerInvert(l0, l1, l2, l3, h0, h1, h2, h3 uint64) (x0, x1, x2, x3, x4, x5, x6, x7 uint64) {
	s0, s1, s2, s3 := h0^l0, h1^l1, h2^l2, h3^l3

	// D. Squares are linear: L^2 is (l3, l3+l2, l3+l2+l1, l2+l1+l0) from bit 3
	// down, M*H^2 is (h3+h0, h3+h2+h1, h0, h1).
	ah, al := mul4(h3, h2, l3, l2)
	bh, bl := mul4(h1, h0, l1, l0)
	ch, cl := mul4(h3^h1, h2^h0, l3^l1, l2^l0)
	d3 := ch ^ bh ^ s3 ^ h0
	d2 := cl ^ bl ^ s3 ^ s2 ^ h1
	d1 := bh ^ al ^ l3 ^ l2 ^ l1 ^ h0
	d0 := bl ^ ah ^ al ^ l2 ^ l1 ^ l0 ^ h1

	// 1/D likewise: E = l^2 + h*l + N*h^2 in GF(4), and 1/E = E^2, that is
	// (eh, eh+el). N*h^2 is (hh+hl, hl), l^2 is (lh, lh+ll).
	eh, el := mul4(d3, d2, d1, d0)
	eh ^= d1 ^ d3 ^ d2
	el ^= d1 ^ d0 ^ d2 ^ eh
	i3, i2 := mul4(d3, d2, eh, el)
	i1, i0 := mul4(d3^d1, d2^d0, eh, el)

	// H/D and (H + L)/D.
	i31, i20 := i3^i1, i2^i0
	ah, al = mul4(h3, h2, i3, i2)
	bh, bl = mul4(h1, h0, i1, i0)
	ch, cl = mul4(h3^h1, h2^h0, i31, i20)
	x7, x6, x5, x4 = ch^bh, cl^bl, bh^al, bl^ah^al
	ah, al = mul4(s3, s2, i3, i2)
	bh, bl = mul4(s1, s0, i1, i0)
	ch, cl = mul4(s3^s1, s2^s0, i31, i20)
	x3, x2, x1, x0 = ch^bh, cl^bl, bh^al, bl^ah^al
	return x0, x1, x2, x3, x4, x5, x6, x7
}
