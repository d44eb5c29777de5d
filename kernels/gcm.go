package kernels

import "encoding/binary"

// A GCMKey is an expanded AES-GCM key (NIST SP 800-38D) for one level. It is
// immutable and safe for concurrent use.
type GCMKey struct {
	level   Level
	generic *gcmGeneric // at level Generic, else nil
	enc     schedule    // at all other levels
	powers  gcmPowers   // likewise
}

// gcmPowers are the powers of H that the assembly multiplies with, each as a
// little-endian number of 128 bits and multiplied by x as in ghashGeneric: from
// H^33 down to H, then four blocks of zeros, then the same number of blocks whose
// low half is the sum of the halves. All levels read the same table.
type gcmPowers = [2 * (33 + 4) * 16]byte

// NewGCMKey expands a key of 16, 24 or 32 bytes for the level. It panics at
// other sizes and if this machine cannot run the level. It does not keep key.
func NewGCMKey(level Level, key []byte) *GCMKey {
	mustRun(level)
	switch len(key) {
	case 16, 24, 32:
	default:
		panic("kernels: GCM key must have 16, 24 or 32 bytes")
	}
	k := &GCMKey{level: level}
	k.enc.expand(key)
	if level == Generic {
		k.generic = new(gcmGeneric)
		k.generic.init(&k.enc)
	} else {
		k.expandPowers()
	}
	return k
}

// expandPowers fills the table of powers.
func (k *GCMKey) expandPowers() {
	var h [16]byte
	var g ghashGeneric
	k.encryptBlock(&h)
	g.init(&h)
	for e, i := (element{g.h1, g.h0}), 32; i >= 0; i-- {
		power, sum := k.powers[16*i:], k.powers[16*(37+i):]
		binary.LittleEndian.PutUint64(power, e.lo)
		binary.LittleEndian.PutUint64(power[8:], e.hi)
		binary.LittleEndian.PutUint64(sum, e.lo^e.hi)
		g.mul(&e)
	}
}

// encryptBlock encrypts a block in place: the keystream at b.
func (k *GCMKey) encryptBlock(b *[16]byte) {
	ctr := *b
	*b = [16]byte{}
	gcmCrypt(k, &ctr, b[:], b[:])
}

// Level returns the level that k was made for.
func (k *GCMKey) Level() Level { return k.level }

// A GCMState is a message in progress. It is a value, and means the same at
// every level. It holds what must not outlive the message: set it to the zero
// value in the end.
type GCMState struct {
	acc  [16]byte // GHASH of what was absorbed
	ctr  [16]byte // the next counter block
	mask [16]byte // E(J0), which covers the tag
}

// GCMStart begins a message with the nonce, of any length but 0.
func GCMStart(k *GCMKey, s *GCMState, nonce []byte) {
	*s = GCMState{}
	if len(nonce) == 12 {
		copy(s.ctr[:], nonce)
		s.ctr[15] = 1
	} else {
		// J0 is the hash of the padded nonce and its length in bits.
		GCMHash(k, s, nonce)
		var lengths [16]byte
		binary.BigEndian.PutUint64(lengths[8:], uint64(len(nonce))*8)
		GCMHash(k, s, lengths[:])
		s.ctr, s.acc = s.acc, [16]byte{}
	}
	// The keystream of zeros at J0 is the mask; it also moves the counter on.
	gcmCrypt(k, &s.ctr, s.mask[:], s.mask[:])
}

// gcmCrypt adds keystream to src without hashing.
func gcmCrypt(k *GCMKey, ctr *[16]byte, dst, src []byte) {
	if k.level == Generic {
		k.generic.crypt(ctr, dst, src)
		return
	}
	var unused [16]byte
	gcmPiece(k, Encrypt, &unused, ctr, &dst[0], &src[0], len(src))
}

// GCMHash absorbs p, additional data or ciphertext, with zeros up to a whole
// block: only the last call for either may have a length that is no multiple of
// 16.
func GCMHash(k *GCMKey, s *GCMState, p []byte) {
	if k.level == Generic {
		k.generic.hash(&s.acc, p)
		return
	}
	for len(p) > 0 {
		n := min(len(p), maxPiece)
		gcmHashPiece(k, &s.acc, &p[0], n)
		p = p[n:]
	}
}

// GCMSeal encrypts src into dst and absorbs the ciphertext. Only the last call
// of a message may have a length that is no multiple of 16. Of dst only the
// first len(src) bytes are written.
func GCMSeal(k *GCMKey, s *GCMState, dst, src []byte) {
	dst = dst[:len(src)]
	if k.level == Generic {
		k.generic.crypt(&s.ctr, dst, src)
		k.generic.hash(&s.acc, dst)
		return
	}
	gcmRun(k, Encrypt, s, dst, src)
}

// GCMOpen absorbs src, a ciphertext, and decrypts it into dst, with the rules of
// [GCMSeal].
func GCMOpen(k *GCMKey, s *GCMState, dst, src []byte) {
	dst = dst[:len(src)]
	if k.level == Generic {
		k.generic.hash(&s.acc, src)
		k.generic.crypt(&s.ctr, dst, src)
		return
	}
	gcmRun(k, Decrypt, s, dst, src)
}

// gcmRun cuts a run into pieces.
func gcmRun(k *GCMKey, dir Direction, s *GCMState, dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), maxPiece)
		gcmPiece(k, dir, &s.acc, &s.ctr, &dst[0], &src[0], n)
		dst, src = dst[n:], src[n:]
	}
}

// GCMTag absorbs the lengths in bytes of the additional data and of the text,
// and sets tag to the whole tag.
func GCMTag(k *GCMKey, s *GCMState, aadLen, textLen uint64, tag *[16]byte) {
	var lengths [16]byte
	binary.BigEndian.PutUint64(lengths[:8], aadLen*8)
	binary.BigEndian.PutUint64(lengths[8:], textLen*8)
	GCMHash(k, s, lengths[:])
	for i := range tag {
		tag[i] = s.acc[i] ^ s.mask[i]
	}
}

// GCMSealMessage encrypts a whole message and sets tag to its whole tag. Of dst
// only the first len(src) bytes are written.
func GCMSealMessage(k *GCMKey, tag *[16]byte, dst, src, nonce, aad []byte) {
	if gcmIsOneCall(k, src, nonce, aad) {
		gcmMessage(k, Encrypt, tag, dst[:len(src)], src, nonce, aad)
		return
	}
	var s GCMState
	GCMStart(k, &s, nonce)
	GCMHash(k, &s, aad)
	GCMSeal(k, &s, dst, src)
	GCMTag(k, &s, uint64(len(aad)), uint64(len(src)), tag)
	s = GCMState{}
}

// GCMOpenMessage decrypts a whole message and sets tag to the tag that it should
// have; the caller compares it, and clears dst if it differs.
func GCMOpenMessage(k *GCMKey, tag *[16]byte, dst, src, nonce, aad []byte) {
	if gcmIsOneCall(k, src, nonce, aad) {
		gcmMessage(k, Decrypt, tag, dst[:len(src)], src, nonce, aad)
		return
	}
	var s GCMState
	GCMStart(k, &s, nonce)
	GCMHash(k, &s, aad)
	GCMOpen(k, &s, dst, src)
	GCMTag(k, &s, uint64(len(aad)), uint64(len(src)), tag)
	s = GCMState{}
}

// gcmIsOneCall reports whether there is a single call of assembly for the whole
// message. The table of powers bounds the additional data.
func gcmIsOneCall(k *GCMKey, src, nonce, aad []byte) bool {
	return k.level != Generic && len(nonce) == 12 && len(src) <= maxPiece && len(aad) <= 512
}
