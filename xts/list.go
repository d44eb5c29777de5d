package xts

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// geometry is that of XTS: whole blocks, and at the end of a unit one whole
// block beside the ragged rest for ciphertext stealing.
var geometry = walk.Geometry{Chunk: BlockSize, Keep: BlockSize}

// EncryptList encrypts the data unit in the segments of src with the given
// tweak into the segments of dst, which have the same length in all but may be
// divided differently. The unit has 16 bytes to [MaxUnitSize]; other lengths
// are an [ErrUnitSize], unequal ones [walk.ErrLength], inexact overlap
// [walk.ErrOverlap]. After an error nothing has been written.
func (c *Cipher) EncryptList(dst, src sg.List, tweak [16]byte) error {
	return c.list(kernels.Encrypt, dst, src, tweak)
}

// DecryptList is the inverse of [Cipher.EncryptList] with the same rules.
func (c *Cipher) DecryptList(dst, src sg.List, tweak [16]byte) error {
	return c.list(kernels.Decrypt, dst, src, tweak)
}

func (c *Cipher) list(dir kernels.Direction, dst, src sg.List, tweak [16]byte) error {
	if c.key == nil {
		return errZero
	}
	w, err := walk.New(dst, src, geometry)
	if err != nil {
		return fmt.Errorf("xts: %w", err)
	}
	if n := src.Len(); !isUnit(n) {
		return unitError(n)
	}
	kernels.XTSTweak(c.key, &tweak)
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		kernels.XTSRun(c.key, dir, &tweak, d, s)
	}
	return nil
}
