package kernels

import (
	"encoding/binary"
	"math/bits"
)

// aesGeneric is an expanded AES key for four blocks at a time in bit planes, in
// constant time. Round keys are right-aligned as in [schedule].
//
// Plane k is a word of 64 bits that holds bit k of every byte: bit 16*row +
// 4*column + block for the byte at that row and column (FIPS 197 section 3.4)
// of block 0 to 3. So ShiftRows rotates within each 16 bits, and the rows that
// MixColumns adds up are rotations of the word.
//
// The constant 63 of the S-box is in the round keys, all but the first. It can
// be, in both directions: ShiftRows moves it onto itself, and MixColumns as well
// as its inverse keep a column of equal bytes, since their coefficients add up
// to 1.
type aesGeneric struct {
	keys   [15][8]uint64
	rounds int
}

// planes are four blocks in bit planes.
type planes [8]uint64

// quad are four blocks, each as two little-endian words.
type quad [8]uint64

// init takes the round keys of an encryption schedule.
func (a *aesGeneric) init(s *schedule) {
	a.rounds = s.rounds
	for i := 14 - s.rounds; i <= 14; i++ {
		lo := binary.LittleEndian.Uint64(s.keys[i][:8])
		hi := binary.LittleEndian.Uint64(s.keys[i][8:])
		p := pack(&quad{lo, hi, lo, hi, lo, hi, lo, hi})
		if i > 14-s.rounds {
			p.addConstant()
		}
		a.keys[i] = p
	}
}

// addConstant adds 63 to every byte.
func (p *planes) addConstant() {
	for k := range p {
		p[k] ^= -uint64(0x63 >> k & 1)
	}
}

// encrypt encrypts four blocks in place.
func (a *aesGeneric) encrypt(q *quad) {
	p := pack(q)
	p.add(&a.keys[14-a.rounds])
	for i := 15 - a.rounds; ; i++ {
		subBytes((*[8]uint64)(&p))
		p.shiftRows()
		if i == 14 {
			break
		}
		p.mixColumns()
		p.add(&a.keys[i])
	}
	p.add(&a.keys[14])
	*q = p.unpack()
}

// decrypt decrypts four blocks in place: the inverse cipher of FIPS 197 section
// 5.3, with the keys of encryption.
func (a *aesGeneric) decrypt(q *quad) {
	p := pack(q)
	p.add(&a.keys[14])
	for i := 13; ; i-- {
		p.invShiftRows()
		invSubBytes((*[8]uint64)(&p))
		if i == 14-a.rounds {
			break
		}
		p.add(&a.keys[i])
		p.invMixColumns()
	}
	p.add(&a.keys[14-a.rounds])
	*q = p.unpack()
}

func (p *planes) add(key *[8]uint64) {
	p[0], p[1], p[2], p[3] = p[0]^key[0], p[1]^key[1], p[2]^key[2], p[3]^key[3]
	p[4], p[5], p[6], p[7] = p[4]^key[4], p[5]^key[5], p[6]^key[6], p[7]^key[7]
}

// shiftRows rotates row r, the bits from 16*r on, by r columns: rows 2 and 3 by
// two columns, then rows 1 and 3 by one. This and what follows is written out for
// the reason that mixColumns gives.
func (p *planes) shiftRows() {
	p[0], p[1], p[2], p[3] = shifted(p[0]), shifted(p[1]), shifted(p[2]), shifted(p[3])
	p[4], p[5], p[6], p[7] = shifted(p[4]), shifted(p[5]), shifted(p[6]), shifted(p[7])
}

func shifted(x uint64) uint64 {
	x = swapRows23(x)
	return x&0x0000ffff0000ffff | x>>4&0x0fff00000fff0000 | x<<12&0xf0000000f0000000
}

func (p *planes) invShiftRows() {
	p[0], p[1], p[2], p[3] = unshifted(p[0]), unshifted(p[1]), unshifted(p[2]), unshifted(p[3])
	p[4], p[5], p[6], p[7] = unshifted(p[4]), unshifted(p[5]), unshifted(p[6]), unshifted(p[7])
}

func unshifted(x uint64) uint64 {
	x = swapRows23(x)
	return x&0x0000ffff0000ffff | x<<4&0xfff00000fff00000 | x>>12&0x000f0000000f0000
}

// swapRows23 rotates rows 2 and 3 by two of their four columns.
func swapRows23(x uint64) uint64 {
	t := (x ^ x>>8) & 0x00ff00ff00000000
	return x ^ t ^ t<<8
}

// mixColumns: row r becomes 2*(a_r + a_{r+1}) + a_{r+1} + (a_{r+2} + a_{r+3}).
// Twice a byte moves each bit up by one; what leaves bit 7 returns in the bits
// of x^4 + x^3 + x + 1. Written out, it takes half the time of loops.
func (p *planes) mixColumns() {
	// r is row r+1 at the place of row r, s the sum of both.
	r0, r1, r2, r3 := nextRow(p[0]), nextRow(p[1]), nextRow(p[2]), nextRow(p[3])
	r4, r5, r6, r7 := nextRow(p[4]), nextRow(p[5]), nextRow(p[6]), nextRow(p[7])
	s0, s1, s2, s3 := p[0]^r0, p[1]^r1, p[2]^r2, p[3]^r3
	s4, s5, s6, s7 := p[4]^r4, p[5]^r5, p[6]^r6, p[7]^r7
	p[0] = s7 ^ r0 ^ bits.RotateLeft64(s0, 32)
	p[1] = s0 ^ s7 ^ r1 ^ bits.RotateLeft64(s1, 32)
	p[2] = s1 ^ r2 ^ bits.RotateLeft64(s2, 32)
	p[3] = s2 ^ s7 ^ r3 ^ bits.RotateLeft64(s3, 32)
	p[4] = s3 ^ s7 ^ r4 ^ bits.RotateLeft64(s4, 32)
	p[5] = s4 ^ r5 ^ bits.RotateLeft64(s5, 32)
	p[6] = s5 ^ r6 ^ bits.RotateLeft64(s6, 32)
	p[7] = s6 ^ r7 ^ bits.RotateLeft64(s7, 32)
}

func nextRow(x uint64) uint64 { return bits.RotateLeft64(x, -16) }

// invMixColumns is mixColumns behind row r becoming a_r + 4*(a_r + a_{r+2}):
// the product of the two matrices is that of FIPS 197 section 5.3.3. Four times
// a byte moves each bit up by two, and x^8 and x^9 return as x^4 + x^3 + x + 1
// and x times that.
func (p *planes) invMixColumns() {
	s0, s1, s2, s3 := twoRows(p[0]), twoRows(p[1]), twoRows(p[2]), twoRows(p[3])
	s4, s5, s6, s7 := twoRows(p[4]), twoRows(p[5]), twoRows(p[6]), twoRows(p[7])
	p[0] ^= s6
	p[1] ^= s6 ^ s7
	p[2] ^= s0 ^ s7
	p[3] ^= s1 ^ s6
	p[4] ^= s2 ^ s6 ^ s7
	p[5] ^= s3 ^ s7
	p[6] ^= s4
	p[7] ^= s5
	p.mixColumns()
}

// twoRows is the sum of rows r and r+2 at the place of row r.
func twoRows(x uint64) uint64 { return x ^ bits.RotateLeft64(x, 32) }

// pack turns four blocks into planes. Word b collects columns 0 and 2 of block
// b, word 4+b columns 1 and 3, with the rows of the two alternating: then bit
// 8*i+j of plane k is bit 8*i+k of word j, which is a transposition of 8 by 8
// bits for each i.
func pack(q *quad) planes {
	var p planes
	for b := range 4 {
		lo, hi := q[2*b], q[2*b+1]
		p[b] = spread(lo) | spread(hi)<<8
		p[4+b] = spread(lo>>32) | spread(hi>>32)<<8
	}
	p.transpose()
	return p
}

// unpack is the inverse of pack.
func (p *planes) unpack() (q quad) {
	p.transpose()
	for b := range 4 {
		q[2*b] = gather(p[b]) | gather(p[4+b])<<32
		q[2*b+1] = gather(p[b]>>8) | gather(p[4+b]>>8)<<32
	}
	return q
}

// spread moves the low four bytes of x to the even bytes.
func spread(x uint64) uint64 {
	x &= 0x00000000ffffffff
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}

// gather is the inverse of spread; the odd bytes are dropped.
func gather(x uint64) uint64 {
	x &= 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return (x | x>>16) & 0x00000000ffffffff
}

// transpose exchanges bit j of byte i of word k with bit k of byte i of word j.
func (p *planes) transpose() {
	for k := 0; k < 8; k += 2 {
		p[k], p[k+1] = exchange(p[k], p[k+1], 0x5555555555555555, 1)
	}
	for _, k := range [4]int{0, 1, 4, 5} {
		p[k], p[k+2] = exchange(p[k], p[k+2], 0x3333333333333333, 2)
	}
	for k := range 4 {
		p[k], p[k+4] = exchange(p[k], p[k+4], 0x0f0f0f0f0f0f0f0f, 4)
	}
}

// exchange swaps the bits of a above mask with the bits of b in it.
func exchange(a, b, mask uint64, shift uint) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}
