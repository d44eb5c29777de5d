package xts

import (
	"fmt"
	"io"
	"slices"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/walk"
)

// NewWriter returns a writer that encrypts one data unit, whose length need
// not be known, with the given tweak and writes it to w. The end, which may
// need ciphertext stealing, is written by Close, which fails with
// [ErrUnitSize] if less than 16 bytes were written. A Write that takes the
// unit beyond [MaxUnitSize] fails the same way; the unit is void then, and
// what was within the limit may be with w already.
//
// Closing does not close w. The writer belongs to one goroutine at a time.
func (c *Cipher) NewWriter(w io.Writer, tweak [16]byte) *walk.Writer {
	return walk.NewWriter(w, geometry, c.step(kernels.Encrypt, tweak))
}

// NewReader returns a reader that decrypts one data unit from r, up to its
// end, with the given tweak. A unit of less than 16 bytes or more than
// [MaxUnitSize] is an [ErrUnitSize]; in the latter case, what is within the
// limit may have been read before. Note that nothing authenticates the data.
//
// The reader belongs to one goroutine at a time.
func (c *Cipher) NewReader(r io.Reader, tweak [16]byte) *walk.Reader {
	return walk.NewReader(r, geometry, c.step(kernels.Decrypt, tweak))
}

// step returns the step of a stream that is one data unit.
func (c *Cipher) step(dir kernels.Direction, tweak [16]byte) walk.Step {
	if c.key == nil {
		return func(_, _ []byte, _ bool) ([]byte, error) { return nil, errZero }
	}
	kernels.XTSTweak(c.key, &tweak)
	total := 0
	return func(dst, src []byte, last bool) ([]byte, error) {
		total += len(src)
		if total > MaxUnitSize || last && total < BlockSize {
			return nil, fmt.Errorf("%w: stream of %d bytes or more, want %d to %d", ErrUnitSize, total, BlockSize, MaxUnitSize)
		}
		if len(src) == 0 {
			return dst, nil
		}
		n := len(dst)
		dst = slices.Grow(dst, len(src))[:n+len(src)]
		kernels.XTSRun(c.key, dir, &tweak, dst[n:], src)
		return dst, nil
	}
}
