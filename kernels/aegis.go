package kernels

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"
)

// An AEGIS is a member of the AEGIS family: AEGIS-128 (CAESAR portfolio) or one
// of the six algorithms of RFC 10032.
type AEGIS uint8

// The family.
const (
	AEGIS128 AEGIS = iota
	AEGIS128L
	AEGIS128X2
	AEGIS128X4
	AEGIS256
	AEGIS256X2
	AEGIS256X4
)

// aegisShape is what distinguishes the members. A state has so many words, and
// lanes blocks a word: the lanes are states of their own, which meet only in the
// tag.
type aegisShape struct{ words, lanes, rate, key int }

var aegisShapes = [...]aegisShape{
	AEGIS128:   {words: 5, lanes: 1, rate: 16, key: 16},
	AEGIS128L:  {words: 8, lanes: 1, rate: 32, key: 16},
	AEGIS128X2: {words: 8, lanes: 2, rate: 64, key: 16},
	AEGIS128X4: {words: 8, lanes: 4, rate: 128, key: 16},
	AEGIS256:   {words: 6, lanes: 1, rate: 16, key: 32},
	AEGIS256X2: {words: 6, lanes: 2, rate: 32, key: 32},
	AEGIS256X4: {words: 6, lanes: 4, rate: 64, key: 32},
}

// KeySize returns the number of bytes of a key, 16 or 32. A nonce has as many.
func (a AEGIS) KeySize() int { return aegisShapes[a].key }

// Rate returns the number of bytes that one update of the state takes in.
func (a AEGIS) Rate() int { return aegisShapes[a].rate }

// An AEGISKey is a key of a member of the family for one level. It is immutable
// and safe for concurrent use.
type AEGISKey struct {
	setup [96]byte // the key, and from byte 32 on the context of each lane
	aegisShape
	level Level
	piece int // bytes that a call of assembly gets at most
}

// NewAEGISKey takes a key of alg.KeySize() bytes for the level. It panics at
// other sizes and if this machine cannot run the level. It does not keep key.
func NewAEGISKey(level Level, alg AEGIS, key []byte) *AEGISKey {
	mustRun(level)
	if len(key) != alg.KeySize() {
		panic("kernels: AEGIS key must have 16 bytes, or 32 for AEGIS-256")
	}
	k := &AEGISKey{aegisShape: aegisShapes[alg], level: level}
	copy(k.setup[:], key)
	// Where vectors do not hold all lanes, the assembly goes over the text once
	// for each group of lanes. All but the first find a short one in the cache.
	k.piece = maxPiece
	if k.lanes > 1 && level <= AVX || k.lanes > 2 && level <= AVX512VL {
		k.piece = 16 << 10
	}
	// The number of the lane and that of the last: zero if there is one lane.
	for i := range k.lanes {
		k.setup[32+16*i], k.setup[32+16*i+1] = byte(i), byte(k.lanes-1)
	}
	return k
}

// Level returns the level that k was made for.
func (k *AEGISKey) Level() Level { return k.level }

// An AEGISState is a message in progress: block j of word i from byte 64*i+16*j
// on. It is a value, and means the same at every level. It is secret: set it to
// the zero value in the end.
type AEGISState [8 * 64]byte

// aegisCall is what the assembly does in one call: begin or resume, absorb,
// encrypt or decrypt, and finish or save. Each part may be empty. Its fields are
// read by their order; see kernels/_asm/aegis.go.
type aegisCall struct {
	state   *AEGISState // resumed without nonce, saved without tag
	setup   *[96]byte   // of the key, needed with nonce
	nonce   *byte       // nil: resume
	aad     *byte
	aadLen  int // bytes to absorb, with zeros up to a multiple of the rate
	dst     *byte
	src     *byte
	n       int       // bytes from src to dst
	tag     *[32]byte // to which the tag is added; nil: save
	tagLen  int       // 16 or 32
	lengths [2]uint64 // for the tag: of additional data and text, in bits
	row     int       // bytes of a word, 16 for every lane
	open    int       // 1: src is ciphertext
}

// AEGISStart begins a message with the nonce, of as many bytes as the key.
func AEGISStart(k *AEGISKey, s *AEGISState, nonce []byte) {
	_ = nonce[k.key-1]
	if k.level == Generic {
		aegisGenericStart(k, s, nonce)
		return
	}
	c := aegisCall{state: s, setup: &k.setup, nonce: &nonce[0], row: 16 * k.lanes}
	aegisPiece(k, &c)
}

// AEGISAbsorb absorbs p, additional data, with zeros up to a multiple of the
// rate: only the last call of a message may have a length that is none.
func AEGISAbsorb(k *AEGISKey, s *AEGISState, p []byte) {
	if k.level == Generic {
		aegisGenericAbsorb(k, s, p)
		return
	}
	c := aegisCall{state: s, row: 16 * k.lanes}
	for len(p) > 0 {
		c.aad, c.aadLen = &p[0], min(len(p), k.piece)
		aegisPiece(k, &c)
		p = p[c.aadLen:]
	}
}

// AEGISCrypt encrypts or decrypts src into dst. Only the last call of a message
// may have a length that is no multiple of the rate. Of dst only the first
// len(src) bytes are written.
func AEGISCrypt(k *AEGISKey, dir Direction, s *AEGISState, dst, src []byte) {
	dst = dst[:len(src)]
	if k.level == Generic {
		aegisGenericCrypt(k, dir, s, dst, src)
		return
	}
	c := aegisCall{state: s, row: 16 * k.lanes, open: dir.open()}
	for len(src) > 0 {
		c.dst, c.src, c.n = &dst[0], &src[0], min(len(src), k.piece)
		aegisPiece(k, &c)
		dst, src = dst[c.n:], src[c.n:]
	}
}

// open is 1 for decryption.
func (d Direction) open() int {
	if d == Decrypt {
		return 1
	}
	return 0
}

// AEGISTag sets tag, of 16 or 32 bytes, from the lengths in bytes of the
// additional data and of the text. The state is used up.
func AEGISTag(k *AEGISKey, s *AEGISState, aadLen, textLen uint64, tag []byte) {
	lengths := [2]uint64{aadLen * 8, textLen * 8}
	clear(tag)
	if k.level == Generic {
		aegisSettle(k, s, lengths)
		for lane := range k.lanes {
			aegisFold(k, s, lane, tag)
		}
		return
	}
	var t [32]byte
	c := aegisCall{state: s, tag: &t, tagLen: len(tag), lengths: lengths, row: 16 * k.lanes}
	aegisPiece(k, &c)
	copy(tag, t[:])
}

// AEGISMACTag sets tag, of 16 or 32 bytes, to AEGISMAC of the dataLen bytes that
// were absorbed (RFC 10032, the finalization of AEGISMAC). The state is used up.
//
// Several lanes come to an end each by itself, what they have for tags is
// absorbed by the first, and that comes to an end once more.
func AEGISMACTag(k *AEGISKey, s *AEGISState, dataLen uint64, tag []byte) {
	size := uint64(len(tag)) * 8
	aegisSettle(k, s, [2]uint64{dataLen * 8, size})
	if k.lanes > 1 {
		// The first lane takes in one block of every row; the others see zeros.
		var message [6 * 64]byte
		row, at, first := 16*k.lanes, 0, 1
		if k.words == 8 && len(tag) == 16 {
			first = 0 // two tags fill the two rows of an update, also its own
		}
		for lane := first; lane < k.lanes; lane++ {
			var t [32]byte
			aegisFold(k, s, lane, t[:len(tag)])
			for i := 0; i < len(tag); i += 16 {
				copy(message[at:], t[i:i+16])
				at += row
			}
		}
		AEGISAbsorb(k, s, message[:at])
		aegisSettle(k, s, [2]uint64{uint64(k.lanes), size})
		clear(message[:])
	}
	clear(tag)
	aegisFold(k, s, 0, tag)
}

// aegisSettle mixes two numbers into the state: seven updates whose message is
// their sum with one of the words.
func aegisSettle(k *AEGISKey, s *AEGISState, numbers [2]uint64) {
	word := 3
	if k.words == 8 {
		word = 2
	}
	var message [7 * 128]byte
	row := 16 * k.lanes
	for i := 0; i < row; i += 8 {
		sum := binary.LittleEndian.Uint64(s[64*word+i:]) ^ numbers[i/8%2]
		binary.LittleEndian.PutUint64(message[i:], sum)
	}
	for i := row; i < 7*k.rate; i += row {
		copy(message[i:], message[:row])
	}
	AEGISAbsorb(k, s, message[:7*k.rate])
	clear(message[:])
}

// aegisFold adds to tag what a lane has for one. A tag of 32 bytes has half of
// the words in each of its halves; the last of eight words has no part in one of
// 16.
func aegisFold(k *AEGISKey, s *AEGISState, lane int, tag []byte) {
	words := k.words
	if words == 8 && len(tag) == 16 {
		words = 7
	}
	for w := range words {
		half := tag[:16]
		if len(tag) == 32 && w >= words/2 {
			half = tag[16:]
		}
		subtle.XORBytes(half, half, s[64*w+16*lane:][:16])
	}
}

// AEGISMessage encrypts or decrypts a whole message and sets tag, of 16 or 32
// bytes, to what it has or should have; the caller compares, and clears dst if
// they differ. Of dst only the first len(src) bytes are written.
func AEGISMessage(k *AEGISKey, dir Direction, tag, dst, src, nonce, aad []byte) {
	if k.level != Generic && len(src)+len(aad) <= k.piece {
		dst = dst[:len(src)]
		_ = nonce[k.key-1]
		// Field by field: a literal would be made elsewhere and copied in pieces
		// larger than they were stored, for which the processor waits.
		var t [32]byte
		var c aegisCall
		c.setup, c.nonce = &k.setup, &nonce[0]
		c.aad, c.aadLen = unsafe.SliceData(aad), len(aad)
		c.dst, c.src, c.n = unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
		c.tag, c.tagLen = &t, len(tag)
		c.lengths[0], c.lengths[1] = uint64(len(aad))*8, uint64(len(src))*8
		c.row, c.open = 16*k.lanes, dir.open()
		// Several passes read the nonce several times, and dst may be where it
		// was by then.
		var n [32]byte
		if k.piece < maxPiece {
			copy(n[:], nonce)
			c.nonce = &n[0]
		}
		aegisPiece(k, &c)
		// A call of copy would take longer.
		*(*[16]byte)(tag) = [16]byte(t[:16])
		if len(tag) == 32 {
			*(*[16]byte)(tag[16:]) = [16]byte(t[16:])
		}
		return
	}
	var s AEGISState
	AEGISStart(k, &s, nonce)
	AEGISAbsorb(k, &s, aad)
	AEGISCrypt(k, dir, &s, dst, src)
	AEGISTag(k, &s, uint64(len(aad)), uint64(len(src)), tag)
	s = AEGISState{}
}
