package kernels

import "encoding/binary"

// maxPiece is the number of bytes that one call of assembly gets at most, about
// five microseconds of work. Nothing can preempt such a call, and a
// stop-the-world of the garbage collector waits for it.
const maxPiece = 64 << 10

// An XTSKey is an expanded AES-XTS key (IEEE 1619) for one level. It is
// immutable and safe for concurrent use.
type XTSKey struct {
	level           Level
	generic         *xtsGeneric // at level Generic, else nil
	enc, dec, tweak schedule    // at all other levels
}

// NewXTSKey expands a key of 32, 48 or 64 bytes, K1 || K2, for the level. It
// panics at other sizes and if this machine cannot run the level. It does not
// keep key.
func NewXTSKey(level Level, key []byte) *XTSKey {
	mustRun(level)
	switch len(key) {
	case 32, 48, 64:
	default:
		panic("kernels: XTS key must have 32, 48 or 64 bytes")
	}
	k := &XTSKey{level: level}
	k.enc.expand(key[:len(key)/2])
	k.tweak.expand(key[len(key)/2:])
	if level == Generic {
		k.generic = new(xtsGeneric)
		k.generic.data.init(&k.enc)
		k.generic.tweak.init(&k.tweak)
	} else {
		k.dec.invert(&k.enc)
	}
	return k
}

// Level returns the level that k was made for.
func (k *XTSKey) Level() Level { return k.level }

// XTSTweak encrypts the tweak of a data unit in place: T_0 = E_K2(tweak).
func XTSTweak(k *XTSKey, t *[16]byte) {
	if k.level == Generic {
		k.generic.encryptTweak(t)
		return
	}
	// XTS of a block whose tweak is zero is AES.
	var zero [16]byte
	xtsPiece(k, &k.tweak, nil, &zero, 0, 0, &t[0], &t[0], 16)
}

// A Direction is the way in which a key is used.
type Direction bool

// The directions.
const (
	Encrypt Direction = false
	Decrypt Direction = true
)

// schedule returns the round keys for a direction.
func (k *XTSKey) schedule(dir Direction) *schedule {
	if dir == Decrypt {
		return &k.dec
	}
	return &k.enc
}

// XTSRun turns src, a run of a data unit whose first block has the encrypted
// tweak t, into dst. The run has at least 16 bytes; if its length is not a
// multiple of 16 it is the last of its unit and ends in ciphertext stealing.
// Otherwise t becomes the tweak of the block behind the run, the same at every
// level; after stealing it is unspecified.
//
// Of dst only the first len(src) bytes are written.
func XTSRun(k *XTSKey, dir Direction, t *[16]byte, dst, src []byte) {
	dst = dst[:len(src)]
	if k.level == Generic {
		k.generic.run(dir, t, dst, src)
		return
	}
	data := k.schedule(dir)
	for len(src) > maxPiece {
		n := maxPiece
		if len(src)-n < 16 {
			n -= 16 // a ragged end needs a whole block beside it
		}
		xtsPiece(k, data, nil, t, 0, 0, &dst[0], &src[0], n)
		dst, src = dst[n:], src[n:]
	}
	xtsPiece(k, data, nil, t, 0, 0, &dst[0], &src[0], len(src))
}

// XTSUnits turns src, which is a whole number of data units of size bytes each,
// 16 at least, into dst. The first unit has the given tweak, not encrypted; from
// one unit to the next, step is added to its low 8 bytes as a little-endian
// number modulo 2^64.
//
// Of dst only the first len(src) bytes are written.
func XTSUnits(k *XTSKey, dir Direction, tweak [16]byte, step uint64, size int, dst, src []byte) {
	dst = dst[:len(src)]
	if k.level == Generic {
		k.generic.units(dir, &tweak, step, size, dst, src)
		return
	}
	data := k.schedule(dir)
	for len(src) > maxPiece {
		n := size
		if size > maxPiece {
			t := tweak
			XTSTweak(k, &t)
			XTSRun(k, dir, &t, dst[:n], src[:n])
		} else {
			n *= maxPiece / size
			xtsPiece(k, data, &k.tweak, &tweak, step, size, &dst[0], &src[0], n)
		}
		addTweak(&tweak, uint64(n/size)*step)
		dst, src = dst[n:], src[n:]
	}
	if len(src) > 0 {
		xtsPiece(k, data, &k.tweak, &tweak, step, size, &dst[0], &src[0], len(src))
	}
}

// addTweak adds n to the low half of a tweak.
func addTweak(tweak *[16]byte, n uint64) {
	binary.LittleEndian.PutUint64(tweak[:], binary.LittleEndian.Uint64(tweak[:])+n)
}
