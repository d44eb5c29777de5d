package kernels

import "encoding/binary"

// A schedule holds the round keys of AES in the order of use, right-aligned: the
// last one is always keys[14], the first keys[14-rounds]. So one piece of
// assembly serves all key sizes.
type schedule struct {
	keys   [15][16]byte
	rounds int // 10, 12 or 14
}

// expand makes the schedule for encryption from a key of 16, 24 or 32 bytes
// (FIPS 197 section 5.2), in constant time.
func (s *schedule) expand(key []byte) {
	nk := len(key) / 4
	s.rounds = nk + 6
	var w [60]uint32 // the words as big-endian numbers
	n := 4 * (s.rounds + 1)
	for i := range nk {
		w[i] = binary.BigEndian.Uint32(key[4*i:])
	}
	rcon := uint32(1)
	for i := nk; i < n; i++ {
		t := w[i-1]
		switch {
		case i%nk == 0:
			t = subWord(t<<8|t>>24) ^ rcon<<24
			rcon = rcon<<1 ^ rcon>>7*0x11b
		case nk == 8 && i%8 == 4:
			t = subWord(t)
		}
		w[i] = w[i-nk] ^ t
	}
	for i := range n {
		binary.BigEndian.PutUint32(s.keys[14-s.rounds+i/4][i%4*4:], w[i])
	}
	clear(w[:])
}

// subWord applies the S-box to the four bytes of w.
func subWord(w uint32) uint32 {
	p := pack(&quad{uint64(w)})
	subBytes((*[8]uint64)(&p))
	p.addConstant()
	return uint32(p.unpack()[0])
}

// invert makes the schedule of the equivalent inverse cipher (FIPS 197 section
// 5.3.5) from that of encryption: reversed, with InvMixColumns applied to all
// round keys but the first and the last. It is what the AESDEC instructions want.
func (s *schedule) invert(enc *schedule) {
	s.rounds = enc.rounds
	first := 14 - enc.rounds
	for i := first; i <= 14; i++ {
		key := enc.keys[14+first-i]
		if i > first && i < 14 {
			p := pack(&quad{binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])})
			p.invMixColumns()
			q := p.unpack()
			binary.LittleEndian.PutUint64(key[:8], q[0])
			binary.LittleEndian.PutUint64(key[8:], q[1])
		}
		s.keys[i] = key
	}
}
