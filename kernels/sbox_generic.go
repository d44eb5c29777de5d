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
	y0, y1, y2, y3, y4, y5, y6, y7 := towerInvert(toTower(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]))
	q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7] = fromTowerAffine(y0, y1, y2, y3, y4, y5, y6, y7)
}

// invSubBytes replaces each byte x by the y for which A(1/y) = x.
func invSubBytes(q *[8]uint64) {
	y0, y1, y2, y3, y4, y5, y6, y7 := towerInvert(toTowerInvAffine(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]))
	q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7] = fromTower(y0, y1, y2, y3, y4, y5, y6, y7)
}

// mul4 is the product in GF(4), after Karatsuba: with w^2 = w + 1 the high half
// is ah*bh + ah*bl + al*bh, the low half al*bl + ah*bh.
func mul4(ah, al, bh, bl uint64) (h, l uint64) {
	low := al & bl
	return (ah^al)&(bh^bl) ^ low, ah&bh ^ low
}

// mul16 is the product in GF(16) in the same way; N times what exceeds comes
// back: N*(h*w + l) = l*w + (h + l).
func mul16(a3, a2, a1, a0, b3, b2, b1, b0 uint64) (_, _, _, _ uint64) {
	hh, hl := mul4(a3, a2, b3, b2)
	lh, ll := mul4(a1, a0, b1, b0)
	mh, ml := mul4(a3^a1, a2^a0, b3^b1, b2^b0)
	return mh ^ lh, ml ^ ll, lh ^ hl, ll ^ hh ^ hl
}

// towerInvert inverts in GF(256), and leaves 0 as it is. For a = H*y + L the
// product with its conjugate H*y + (H + L) is D = L^2 + H*L + M*H^2, an element
// of GF(16), so 1/a = (H/D)*y + (H + L)/D.
func towerInvert(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (_, _, _, _, _, _, _, _ uint64) {
	// D. Squares are linear: L^2 is (l3, l3+l2, l3+l2+l1, l2+l1+l0) from bit 3
	// down, M*H^2 is (h3+h0, h3+h2+h1, h0, h1).
	d3, d2, d1, d0 := mul16(x7, x6, x5, x4, x3, x2, x1, x0)
	s := x3 ^ x2
	d3 ^= x3 ^ x7 ^ x4
	d2 ^= s ^ x7 ^ x6 ^ x5
	d1 ^= s ^ x1 ^ x4
	d0 ^= x2 ^ x1 ^ x0 ^ x5

	// 1/D likewise: E = l^2 + h*l + N*h^2 in GF(4), and 1/E = E^2, that is
	// (eh, eh+el). N*h^2 is (hh+hl, hl), l^2 is (lh, lh+ll).
	eh, el := mul4(d3, d2, d1, d0)
	eh ^= d1 ^ d3 ^ d2
	el ^= d1 ^ d0 ^ d2
	el ^= eh
	i3, i2 := mul4(d3, d2, eh, el)
	i1, i0 := mul4(d3^d1, d2^d0, eh, el)

	y7, y6, y5, y4 := mul16(x7, x6, x5, x4, i3, i2, i1, i0)
	y3, y2, y1, y0 := mul16(x7^x3, x6^x2, x5^x1, x4^x0, i3, i2, i1, i0)
	return y0, y1, y2, y3, y4, y5, y6, y7
}

// toTower is the isomorphism into the tower.
func toTower(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (_, _, _, _, _, _, _, _ uint64) {
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
	return t4, t5, t2, t3, x1, t7, t9, t10
}

// fromTowerAffine is the isomorphism back, then A.
func fromTowerAffine(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (_, _, _, _, _, _, _, _ uint64) {
	t0 := x0 ^ x4
	t1 := x2 ^ x3
	t2 := t0 ^ t1
	t3 := x1 ^ t0
	t4 := x4 ^ x6
	t5 := x2 ^ x7
	t6 := t3 ^ t5
	t7 := x6 ^ t2
	t8 := x6 ^ t0
	t9 := x4 ^ x5
	t10 := t1 ^ t9
	t11 := x2 ^ t4
	return t2, t3, t6, t7, t8, t10, t4, t11
}

// toTowerInvAffine is the inverse of A, then the isomorphism into the tower.
func toTowerInvAffine(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (_, _, _, _, _, _, _, _ uint64) {
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
	return t0, t4, t2, t6, t7, t9, t1, t11
}

// fromTower is the isomorphism back.
func fromTower(x0, x1, x2, x3, x4, x5, x6, x7 uint64) (_, _, _, _, _, _, _, _ uint64) {
	t0 := x1 ^ x4
	t1 := x2 ^ t0
	t2 := x3 ^ x5
	t3 := x6 ^ t2
	t4 := x7 ^ t1
	t5 := x0 ^ t3
	t6 := t4 ^ t5
	t7 := x5 ^ t4
	t8 := x3 ^ t1
	t9 := x7 ^ t0
	t10 := x2 ^ x4
	t11 := t3 ^ t10
	return t6, x4, t1, t7, t8, t9, t11, t0
}
