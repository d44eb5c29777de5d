package kernels

import (
	"crypto/subtle"
	"encoding/binary"
)

// The AEGIS family (RFC 10032) in portable Go, the specification of the assembly.

// aegisBlock is a block as two little-endian words, or that of a lane in a row of
// the message.
type aegisBlock [2]uint64

func (b aegisBlock) xor(c aegisBlock) aegisBlock { return aegisBlock{b[0] ^ c[0], b[1] ^ c[1]} }
func (b aegisBlock) and(c aegisBlock) aegisBlock { return aegisBlock{b[0] & c[0], b[1] & c[1]} }

// aegisRow is a word of the state, or what an update adds to one: a block for
// each of at most four lanes.
type aegisRow [4]aegisBlock

func loadRow(p []byte, lanes int) (r aegisRow) {
	for i := range lanes {
		r[i] = aegisBlock{binary.LittleEndian.Uint64(p[16*i:]), binary.LittleEndian.Uint64(p[16*i+8:])}
	}
	return r
}

func (r *aegisRow) store(p []byte, lanes int) {
	for i := range lanes {
		binary.LittleEndian.PutUint64(p[16*i:], r[i][0])
		binary.LittleEndian.PutUint64(p[16*i+8:], r[i][1])
	}
}

// aegisGeneric are the words of a state while they are worked on.
type aegisGeneric struct {
	aegisShape
	s [8]aegisRow
}

func loadAEGIS(k *AEGISKey, s *AEGISState) aegisGeneric {
	g := aegisGeneric{aegisShape: k.aegisShape}
	for i := range g.words {
		g.s[i] = loadRow(s[64*i:], 4)
	}
	return g
}

func (g *aegisGeneric) save(s *AEGISState) {
	for i := range g.words {
		g.s[i].store(s[64*i:], 4)
	}
	*g = aegisGeneric{}
}

// update is Update of RFC 10032 for all lanes: every word becomes a round of AES
// of the word before it, plus itself; the message is added to the first, and with
// eight words its second row to the fifth. The bytes of the message are rate.
func (g *aegisGeneric) update(message []byte) {
	var rounds [8]aegisRow
	g.rounds(&rounds)
	for i := range g.words {
		for lane := range g.lanes {
			g.s[i][lane] = g.s[i][lane].xor(rounds[i][lane])
		}
	}
	for i := 0; i < len(message); i += 16 * g.lanes {
		row := loadRow(message[i:], g.lanes)
		word := &g.s[0]
		if i > 0 {
			word = &g.s[4]
		}
		for lane := range g.lanes {
			word[lane] = word[lane].xor(row[lane])
		}
	}
}

// rounds sets each row to an AES round without a key of the word before it, four
// blocks at a time.
func (g *aegisGeneric) rounds(r *[8]aegisRow) {
	var q quad
	n := g.words * g.lanes
	for i := range n {
		from := (i/g.lanes + g.words - 1) % g.words
		copy(q[2*(i%4):], g.s[from][i%g.lanes][:])
		if i%4 < 3 && i < n-1 {
			continue
		}
		p := pack(&q)
		subBytes((*[8]uint64)(&p))
		p.shiftRows()
		p.mixColumns()
		p.addConstant() // of the S-box, see aesGeneric
		q = p.unpack()
		for j := i &^ 3; j <= i; j++ {
			copy(r[j/g.lanes][j%g.lanes][:], q[2*(j%4):])
		}
	}
}

// keystream fills z, of rate bytes.
func (g *aegisGeneric) keystream(z []byte) {
	for lane := range g.lanes {
		word := func(i int) aegisBlock { return g.s[i][lane] }
		var first aegisRow
		switch g.words {
		case 5:
			first[0] = word(1).xor(word(4)).xor(word(2).and(word(3)))
		case 6:
			first[0] = word(1).xor(word(4)).xor(word(5)).xor(word(2).and(word(3)))
		case 8:
			first[0] = word(6).xor(word(1)).xor(word(2).and(word(3)))
			second := aegisRow{word(2).xor(word(5)).xor(word(6).and(word(7)))}
			second.store(z[16*(g.lanes+lane):], 1)
		}
		first.store(z[16*lane:], 1)
	}
}

// aegisC0 and aegisC1 are the Fibonacci numbers modulo 256, the constants of the
// first state.
var aegisC0, aegisC1 = aegisConstants()

func aegisConstants() (c0, c1 aegisBlock) {
	var b [32]byte
	b[1] = 1
	for i := 2; i < len(b); i++ {
		b[i] = b[i-1] + b[i-2]
	}
	r := loadRow(b[:], 2)
	return r[0], r[1]
}

// aegisGenericStart is [AEGISStart].
func aegisGenericStart(k *AEGISKey, s *AEGISState, nonce []byte) {
	g := aegisGeneric{aegisShape: k.aegisShape}
	// All that is added up comes from here; the second half is used by AEGIS-256.
	key, n, context := loadRow(k.setup[:], 2), loadRow(nonce, k.key/16), loadRow(k.setup[32:], 4)
	k0, k1, n0, n1 := key[0], key[1], n[0], n[1]
	var first []aegisBlock    // the first state
	var messages []aegisBlock // added in turn, a row each
	var marked []int          // the words that the context goes to, before each update
	times := 0
	switch k.words {
	case 5:
		first = []aegisBlock{k0.xor(n0), aegisC1, aegisC0, k0.xor(aegisC0), k0.xor(aegisC1)}
		messages, times = []aegisBlock{k0, k0.xor(n0)}, 5
	case 6:
		first = []aegisBlock{k0.xor(n0), k1.xor(n1), aegisC1, aegisC0, k0.xor(aegisC0), k1.xor(aegisC1)}
		messages, times = []aegisBlock{k0, k1, k0.xor(n0), k1.xor(n1)}, 4
		marked = []int{3, 5}
	case 8:
		first = []aegisBlock{k0.xor(n0), aegisC1, aegisC0, aegisC1, k0.xor(n0), k0.xor(aegisC0), k0.xor(aegisC1), k0.xor(aegisC0)}
		messages, times = []aegisBlock{n0, k0}, 10
		marked = []int{3, 7}
	}
	for i, b := range first {
		for lane := range g.lanes {
			g.s[i][lane] = b
		}
	}
	var all [4 * 64]byte
	row := 16 * g.lanes
	for i, m := range messages {
		(&aegisRow{m, m, m, m}).store(all[i*row:], g.lanes)
	}
	for range times {
		for i := 0; i < len(messages)*row; i += g.rate {
			for _, word := range marked {
				for lane := range g.lanes {
					g.s[word][lane] = g.s[word][lane].xor(context[lane])
				}
			}
			g.update(all[i : i+g.rate])
		}
	}
	clear(all[:])
	*s = AEGISState{}
	g.save(s)
}

// aegisGenericAbsorb is [AEGISAbsorb].
func aegisGenericAbsorb(k *AEGISKey, s *AEGISState, p []byte) {
	g := loadAEGIS(k, s)
	for len(p) >= g.rate {
		g.update(p[:g.rate])
		p = p[g.rate:]
	}
	if len(p) > 0 {
		var block [128]byte
		copy(block[:], p)
		g.update(block[:g.rate])
	}
	g.save(s)
}

// aegisGenericCrypt is [AEGISCrypt]; len(dst) == len(src).
func aegisGenericCrypt(k *AEGISKey, dir Direction, s *AEGISState, dst, src []byte) {
	g := loadAEGIS(k, s)
	var z, m [128]byte
	for len(src) > 0 {
		n := min(len(src), g.rate)
		g.keystream(z[:g.rate])
		// m is the plaintext, with zeros behind it.
		clear(m[:])
		if dir == Encrypt {
			copy(m[:], src[:n])
			subtle.XORBytes(dst, m[:n], z[:n])
		} else {
			subtle.XORBytes(m[:], src[:n], z[:n])
			copy(dst, m[:n])
		}
		g.update(m[:g.rate])
		dst, src = dst[n:], src[n:]
	}
	clear(z[:])
	clear(m[:])
	g.save(s)
}
