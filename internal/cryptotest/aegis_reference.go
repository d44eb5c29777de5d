package cryptotest

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// This file is the AEGIS family a second time, written from the text of RFC
// 10032 alone, byte by byte, one lane after the other. It is slow, not constant
// time, and shares nothing with package kernels but the specification.

// AEGISVariants are the names of the family, those of RFC 10032 and AEGIS-128
// (CAESAR portfolio, version 1.1).
var AEGISVariants = []string{
	"AEGIS-128", "AEGIS-128L", "AEGIS-128X2", "AEGIS-128X4",
	"AEGIS-256", "AEGIS-256X2", "AEGIS-256X4",
}

// AEGISSeal encrypts text under one of [AEGISVariants] and returns the
// ciphertext and a tag of 16 or 32 bytes. It panics where the variant does not
// allow the size.
func AEGISSeal(variant string, key, nonce, aad, text []byte, tagSize int) (ciphertext, tag []byte) {
	a := newAEGIS(variant, key, nonce)
	a.absorb(aad)
	for _, x := range a.blocks(text) {
		z := a.keystream()
		for i := range x {
			ciphertext = append(ciphertext, x[i]^z[i])
		}
		a.update(zeroPad(x, a.rate()))
	}
	a.finalize(8*len(aad), 8*len(text))
	return ciphertext, a.tag(tagSize)
}

// AEGISOpen decrypts ciphertext and returns the text and the tag that belongs
// to it, which is for the caller to compare.
func AEGISOpen(variant string, key, nonce, aad, ciphertext []byte, tagSize int) (text, tag []byte) {
	a := newAEGIS(variant, key, nonce)
	a.absorb(aad)
	for _, c := range a.blocks(ciphertext) {
		z, x := a.keystream(), []byte(nil)
		for i := range c {
			x = append(x, c[i]^z[i])
		}
		text = append(text, x...)
		a.update(zeroPad(x, a.rate()))
	}
	a.finalize(8*len(aad), 8*len(ciphertext))
	return text, a.tag(tagSize)
}

// AEGISMAC returns the tag of data, of 16 or 32 bytes. AEGIS-128 has none.
func AEGISMAC(variant string, key, nonce, data []byte, tagSize int) (tag []byte) {
	a := newAEGIS(variant, key, nonce)
	if a.words == 5 {
		panic("cryptotest: AEGIS-128 has no MAC")
	}
	a.absorb(data)
	a.finalize(8*len(data), 8*tagSize)
	d := len(a.lanes)
	if d == 1 {
		return a.tag(tagSize)
	}
	// An update has one or two rows. Of each, the first lane gets a block of the
	// tags of the lanes.
	rows := a.rate() / (16 * d)
	for tags := a.laneTags(tagSize); len(tags) > 0; {
		var block []byte
		for range rows {
			block = append(block, zeroPad(tags[:16], 16*d)...)
			tags = tags[16:]
		}
		a.update(block)
	}
	a.finalize(d, 8*tagSize)
	return a.laneTag(0, tagSize)
}

// laneTags returns the tags of the lanes in the order in which the first lane takes
// them in: of all lanes where two of 16 bytes fill an update, else of the others.
func (a *aegisReference) laneTags(tagSize int) (tags []byte) {
	for i := range a.lanes {
		if i > 0 || a.words == 8 && tagSize == 16 {
			tags = append(tags, a.laneTag(i, tagSize)...)
		}
	}
	return tags
}

// aegisLane is a state of its own: words of 16 bytes.
type aegisLane [][16]byte

type aegisReference struct {
	words int
	lanes []aegisLane
}

func newAEGIS(variant string, key, nonce []byte) *aegisReference {
	a := &aegisReference{}
	degree := 1
	switch variant {
	case "AEGIS-128":
		a.words = 5
	case "AEGIS-128L":
		a.words = 8
	case "AEGIS-128X2":
		a.words, degree = 8, 2
	case "AEGIS-128X4":
		a.words, degree = 8, 4
	case "AEGIS-256":
		a.words = 6
	case "AEGIS-256X2":
		a.words, degree = 6, 2
	case "AEGIS-256X4":
		a.words, degree = 6, 4
	default:
		panic("cryptotest: no variant " + variant)
	}
	size := 16
	if a.words == 6 {
		size = 32
	}
	if len(key) != size || len(nonce) != size {
		panic(fmt.Sprintf("cryptotest: %s with a key of %d bytes and a nonce of %d", variant, len(key), len(nonce)))
	}
	k0, n0 := [16]byte(key), [16]byte(nonce)
	var first aegisLane
	var messages [][16]byte // of the updates, a row each
	marked, times := []int(nil), 0
	switch a.words {
	case 5:
		first = aegisLane{xor(k0, n0), aegisC1, aegisC0, xor(k0, aegisC0), xor(k0, aegisC1)}
		messages, times = [][16]byte{k0, xor(k0, n0)}, 5
	case 6:
		k1, n1 := [16]byte(key[16:]), [16]byte(nonce[16:])
		first = aegisLane{xor(k0, n0), xor(k1, n1), aegisC1, aegisC0, xor(k0, aegisC0), xor(k1, aegisC1)}
		messages, times = [][16]byte{k0, k1, xor(k0, n0), xor(k1, n1)}, 4
		marked = []int{3, 5}
	case 8:
		first = aegisLane{xor(k0, n0), aegisC1, aegisC0, aegisC1, xor(k0, n0), xor(k0, aegisC0), xor(k0, aegisC1), xor(k0, aegisC0)}
		messages, times = [][16]byte{n0, k0}, 10
		marked = []int{3, 7}
	}
	for range degree {
		a.lanes = append(a.lanes, append(aegisLane(nil), first...))
	}
	rows := a.rate() / (16 * degree)
	for range times {
		for m := 0; m < len(messages); m += rows {
			// The context of a lane, which is zero where there is one.
			for i, lane := range a.lanes {
				for _, w := range marked {
					lane[w] = xor(lane[w], [16]byte{byte(i), byte(degree - 1)})
				}
			}
			var block []byte
			for _, row := range messages[m : m+rows] {
				for range degree {
					block = append(block, row[:]...)
				}
			}
			a.update(block)
		}
	}
	return a
}

// rate returns the number of bytes that an update takes in.
func (a *aegisReference) rate() int {
	if a.words == 8 {
		return 32 * len(a.lanes)
	}
	return 16 * len(a.lanes)
}

// blocks divides p into blocks of the rate, the last of which may be shorter.
func (a *aegisReference) blocks(p []byte) (l [][]byte) {
	for len(p) > 0 {
		n := min(len(p), a.rate())
		l, p = append(l, p[:n]), p[n:]
	}
	return l
}

// update is Update: message has one row of a block for each lane, or two.
func (a *aegisReference) update(message []byte) {
	d := len(a.lanes)
	for i, s := range a.lanes {
		next := make(aegisLane, a.words)
		for w := range s {
			next[w] = aesRound(s[(w+a.words-1)%a.words], s[w])
		}
		next[0] = xor(next[0], [16]byte(message[16*i:]))
		if a.words == 8 {
			next[4] = xor(next[4], [16]byte(message[16*(d+i):]))
		}
		a.lanes[i] = next
	}
}

func (a *aegisReference) absorb(p []byte) {
	for _, x := range a.blocks(p) {
		a.update(zeroPad(x, a.rate()))
	}
}

// keystream returns what the next block of text is added to.
func (a *aegisReference) keystream() (z []byte) {
	var second []byte
	for _, s := range a.lanes {
		switch a.words {
		case 5:
			b := xor(s[1], s[4], and(s[2], s[3]))
			z = append(z, b[:]...)
		case 6:
			b := xor(s[1], s[4], s[5], and(s[2], s[3]))
			z = append(z, b[:]...)
		case 8:
			b, c := xor(s[6], s[1], and(s[2], s[3])), xor(s[2], s[5], and(s[6], s[7]))
			z, second = append(z, b[:]...), append(second, c[:]...)
		}
	}
	return append(z, second...)
}

// finalize mixes two numbers into the state, for the most part lengths in bits.
func (a *aegisReference) finalize(first, second int) {
	var u [16]byte
	binary.LittleEndian.PutUint64(u[:], uint64(first))
	binary.LittleEndian.PutUint64(u[8:], uint64(second))
	word := 3
	if a.words == 8 {
		word = 2
	}
	var block []byte
	for _, s := range a.lanes {
		t := xor(s[word], u)
		block = append(block, t[:]...)
	}
	if a.words == 8 {
		block = append(block, block...)
	}
	for range 7 {
		a.update(block)
	}
}

// laneTag returns what a lane has for a tag.
func (a *aegisReference) laneTag(i, size int) []byte {
	s := a.lanes[i]
	var left, right [16]byte
	switch {
	case size == 16 && a.words == 8:
		left = xor(s[:7]...)
	case size == 16:
		left = xor(s...)
	case size == 32 && a.words != 5:
		left, right = xor(s[:a.words/2]...), xor(s[a.words/2:]...)
	default:
		panic(fmt.Sprintf("cryptotest: no tag of %d bytes", size))
	}
	return append(left[:], right[:]...)[:size]
}

// tag returns the sum of what the lanes have for tags.
func (a *aegisReference) tag(size int) []byte {
	sum := make([]byte, size)
	for i := range a.lanes {
		for j, b := range a.laneTag(i, size) {
			sum[j] ^= b
		}
	}
	return sum
}

// The constants are the Fibonacci numbers modulo 256.
var aegisC0, aegisC1 = func() (c0, c1 [16]byte) {
	x, y := byte(0), byte(1)
	for i := range 32 {
		if i < 16 {
			c0[i] = x
		} else {
			c1[i-16] = x
		}
		x, y = y, x+y
	}
	return c0, c1
}()

func xor(blocks ...[16]byte) (sum [16]byte) {
	for _, b := range blocks {
		for i := range sum {
			sum[i] ^= b[i]
		}
	}
	return sum
}

func and(a, b [16]byte) [16]byte {
	for i := range a {
		a[i] &= b[i]
	}
	return a
}

// zeroPad returns p with zeros behind it, n bytes in all.
func zeroPad(p []byte, n int) []byte { return append(make([]byte, 0, n), p...)[:n] }

// aesRound is a round of AES (FIPS 197 section 5.1): SubBytes, ShiftRows,
// MixColumns, AddRoundKey.
func aesRound(in, key [16]byte) (out [16]byte) {
	for column := range 4 {
		var b [4]byte
		for row := range b {
			b[row] = aesSBox[in[4*((column+row)%4)+row]]
		}
		for row := range b {
			out[4*column+row] = times2(b[row]) ^ times2(b[(row+1)%4]) ^ b[(row+1)%4] ^
				b[(row+2)%4] ^ b[(row+3)%4] ^ key[4*column+row]
		}
	}
	return out
}

// times2 multiplies by x modulo x^8 + x^4 + x^3 + x + 1.
func times2(b byte) byte { return b<<1 ^ b>>7*0x1b }

// aesSBox is the inverse of each byte in the field, with the affine map of FIPS
// 197 section 5.1.1 after it.
var aesSBox = func() (box [256]byte) {
	// 3 generates the field without zero, and 3^i is the inverse of 3^(255-i).
	var powers [256]byte
	p := byte(1)
	for i := range powers {
		powers[i] = p
		p ^= times2(p)
	}
	for i := range 255 {
		inverse := powers[255-i]
		box[powers[i]] = affine(inverse)
	}
	box[0] = affine(0)
	return box
}()

func affine(b byte) byte {
	sum := byte(0x63)
	for n := range 5 {
		sum ^= bits.RotateLeft8(b, n)
	}
	return sum
}
