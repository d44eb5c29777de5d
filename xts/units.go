package xts

import (
	"fmt"
	"math/bits"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// Units describes consecutive data units of one size, such as the sectors of a
// disk. Unit i has the tweak [SectorTweak](First + i*Step).
type Units struct {
	// Size is the size of a unit in bytes, from 16 to [MaxUnitSize]. If it
	// is no multiple of 16, every unit ends in ciphertext stealing.
	Size int

	// First is the number of the first unit.
	First uint64

	// Step is the difference of the numbers of neighbours; 0 means 1. A disk
	// of 4096-byte sectors numbered in 512-byte ones has 8.
	Step uint64
}

// EncryptUnits encrypts the data units in the segments of src, in one call for
// any number of them, into the segments of dst. The segments need not line up
// with the units, nor those of dst with those of src. No unit at all is legal.
//
// An impossible size, and a total that is no multiple of it, is an
// [ErrUnitSize]; a number beyond 2^64-1 is an error; unequal lengths of the
// lists are [walk.ErrLength], inexact overlap [walk.ErrOverlap]. After an error
// nothing has been written.
func (c *Cipher) EncryptUnits(dst, src sg.List, u Units) error {
	return c.units(kernels.Encrypt, dst, src, u)
}

// DecryptUnits is the inverse of [Cipher.EncryptUnits] with the same rules.
func (c *Cipher) DecryptUnits(dst, src sg.List, u Units) error {
	return c.units(kernels.Decrypt, dst, src, u)
}

func (c *Cipher) units(dir kernels.Direction, dst, src sg.List, u Units) error {
	if c.key == nil {
		return errZero
	}
	if !isUnit(u.Size) {
		return unitError(u.Size)
	}
	g := geometry
	if u.Size%BlockSize > 0 {
		g.Unit = u.Size // each unit has a ragged end
	}
	w, err := walk.New(dst, src, g)
	if err != nil {
		return fmt.Errorf("xts: %w", err)
	}
	if u.Step == 0 {
		u.Step = 1
	}
	if err := u.checkTotal(src.Len()); err != nil {
		return err
	}
	var (
		next = u.First // the number of the next unit to begin
		t    [16]byte  // the tweak within the unit that has begun
		left int       // its bytes that are still to come
	)
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		for len(s) > 0 {
			var n int
			if whole := len(s) / u.Size; left == 0 && whole > 0 {
				n = whole * u.Size
				kernels.XTSUnits(c.key, dir, SectorTweak(next), u.Step, u.Size, d[:n], s[:n])
				next += uint64(whole) * u.Step
			} else {
				if left == 0 {
					t = SectorTweak(next)
					kernels.XTSTweak(c.key, &t)
					next += u.Step
					left = u.Size
				}
				n = min(left, len(s))
				kernels.XTSRun(c.key, dir, &t, d[:n], s[:n])
				left -= n
			}
			d, s = d[n:], s[n:]
		}
	}
	return nil
}

// checkTotal returns an error unless n bytes are whole units whose numbers fit
// 64 bits.
func (u Units) checkTotal(n int) error {
	if n%u.Size > 0 {
		return fmt.Errorf("%w: %d bytes are no multiple of the %d of a unit", ErrUnitSize, n, u.Size)
	}
	if n == 0 {
		return nil
	}
	high, span := bits.Mul64(uint64(n/u.Size-1), u.Step)
	if _, carry := bits.Add64(u.First, span, 0); high|carry != 0 {
		return fmt.Errorf("xts: %d units from number %d on, %d apart, end beyond 2^64-1", n/u.Size, u.First, u.Step)
	}
	return nil
}
