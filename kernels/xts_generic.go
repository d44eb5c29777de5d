package kernels

import "encoding/binary"

// xtsGeneric is AES-XTS (IEEE 1619-2018 section 5) in portable Go, the
// specification of the assembly.
type xtsGeneric struct{ data, tweak aesGeneric }

// tweak128 is a tweak as a polynomial over GF(2), the lowest power in the lowest
// bit of lo.
type tweak128 struct{ lo, hi uint64 }

func loadTweak(t *[16]byte) tweak128 {
	return tweak128{binary.LittleEndian.Uint64(t[:8]), binary.LittleEndian.Uint64(t[8:])}
}

func (t tweak128) store(b *[16]byte) {
	binary.LittleEndian.PutUint64(b[:8], t.lo)
	binary.LittleEndian.PutUint64(b[8:], t.hi)
}

// double multiplies by x modulo x^128 + x^7 + x^2 + x + 1.
func (t tweak128) double() tweak128 {
	carry := uint64(int64(t.hi) >> 63) // all ones if x^127 leaves at the top
	return tweak128{t.lo<<1 ^ carry&0x87, t.hi<<1 | t.lo>>63}
}

// encryptTweak sets t = E_K2(t).
func (k *xtsGeneric) encryptTweak(t *[16]byte) {
	x := loadTweak(t)
	q := quad{x.lo, x.hi}
	k.tweak.encrypt(&q)
	tweak128{q[0], q[1]}.store(t)
}

// run is [XTSRun]; len(dst) == len(src).
func (k *xtsGeneric) run(dir Direction, t *[16]byte, dst, src []byte) {
	x := loadTweak(t)
	// A ragged end keeps the last whole block for stealing.
	whole := len(src)
	ragged := whole % 16
	if ragged > 0 {
		whole -= 16 + ragged
	}
	for len(src) >= 64 && whole >= 64 {
		x = k.four(dir, x, (*[64]byte)(dst), (*[64]byte)(src))
		dst, src, whole = dst[64:], src[64:], whole-64
	}
	if whole > 0 {
		x = k.few(dir, x, dst[:whole], src[:whole])
		dst, src = dst[whole:], src[whole:]
	}
	if ragged > 0 {
		k.steal(dir, x, dst, src)
	}
	x.store(t)
}

// four does four blocks and returns the tweak of the next.
func (k *xtsGeneric) four(dir Direction, t tweak128, dst, src *[64]byte) tweak128 {
	var q, w quad
	for i := 0; i < 8; i += 2 {
		w[i], w[i+1] = t.lo, t.hi
		q[i] = binary.LittleEndian.Uint64(src[8*i:]) ^ t.lo
		q[i+1] = binary.LittleEndian.Uint64(src[8*i+8:]) ^ t.hi
		t = t.double()
	}
	if dir == Decrypt {
		k.data.decrypt(&q)
	} else {
		k.data.encrypt(&q)
	}
	for i := range q {
		binary.LittleEndian.PutUint64(dst[8*i:], q[i]^w[i])
	}
	return t
}

// few does one to three blocks.
func (k *xtsGeneric) few(dir Direction, t tweak128, dst, src []byte) tweak128 {
	var b [64]byte
	copy(b[:], src)
	k.four(dir, t, &b, &b)
	copy(dst, b[:len(src)])
	clear(b[:])
	for range len(src) / 16 {
		t = t.double()
	}
	return t
}

// steal is ciphertext stealing for the last whole block, whose tweak is t, and
// the ragged bytes behind it.
func (k *xtsGeneric) steal(dir Direction, t tweak128, dst, src []byte) {
	first, second := t, t.double()
	if dir == Decrypt {
		first, second = second, first
	}
	var stolen, last [16]byte
	k.few(dir, first, stolen[:], src[:16])
	last = stolen
	copy(last[:], src[16:]) // read before dst is written
	copy(dst[16:], stolen[:])
	k.few(dir, second, dst[:16], last[:])
	clear(stolen[:])
	clear(last[:])
}

// units is [XTSUnits]; len(dst) == len(src), and tweak is spoiled. The tweaks of
// four units are encrypted at a time.
func (k *xtsGeneric) units(dir Direction, tweak *[16]byte, step uint64, size int, dst, src []byte) {
	for len(src) > 0 {
		var q quad
		for i := 0; i < 8; i += 2 {
			x := loadTweak(tweak)
			q[i], q[i+1] = x.lo, x.hi
			addTweak(tweak, step)
		}
		k.tweak.encrypt(&q)
		for i := 0; i < 8 && len(src) > 0; i += 2 {
			var t [16]byte
			tweak128{q[i], q[i+1]}.store(&t)
			k.run(dir, &t, dst[:size], src[:size])
			dst, src = dst[size:], src[size:]
		}
	}
}
