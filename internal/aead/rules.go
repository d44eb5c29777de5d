package aead

import (
	"crypto/fips140"
	"errors"
	"fmt"

	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// MaxAAD is the most that a message may have of additional data, in bytes: their
// length in bits goes into the tag as a number of 64 bits.
const MaxAAD = 1<<61 - 1

// Rules are what the checks know of a package.
type Rules struct {
	Package string // its name, with which all texts begin

	// MaxText is the most that a message may have of text, in bytes, and
	// MaxTextName how errors write that.
	MaxText     uint64
	MaxTextName string

	ErrOrder, ErrLimit error // what errors about order and limits wrap
}

// Allowed returns an error while only FIPS 140-3 validated modules are allowed
// ([fips140.Enforced]), since no package here is one.
func (r *Rules) Allowed() error {
	if fips140.Enforced() {
		return errors.New(r.Package + ": not available while FIPS 140 is enforced: this package is not a validated module")
	}
	return nil
}

// Nonce returns an error unless the nonce has want bytes. None are wanted by the
// zero value of an AEAD, for which any nonce is an error.
func (r *Rules) Nonce(nonce []byte, want int) error {
	if want == 0 {
		return errors.New(r.Package + ": AEAD was not made by New")
	}
	if len(nonce) != want {
		return fmt.Errorf("%s: nonce of %d bytes, want %d", r.Package, len(nonce), want)
	}
	return nil
}

// Tag returns an error unless the tag has want bytes.
func (r *Rules) Tag(tag []byte, want int) error {
	if len(tag) != want {
		return fmt.Errorf("%s: tag of %d bytes, want %d", r.Package, len(tag), want)
	}
	return nil
}

// Text returns an error unless more bytes of text may follow the bytes that the
// message has, which are within the limit.
func (r *Rules) Text(has, more uint64) error {
	if more > r.MaxText-has {
		return fmt.Errorf("%w: %d bytes of text after %d, want %s in all at most", r.ErrLimit, more, has, r.MaxTextName)
	}
	return nil
}

// AAD is Text for additional data.
func (r *Rules) AAD(has, more uint64) error {
	if more > MaxAAD-has {
		return fmt.Errorf("%w: %d bytes of additional data after %d, want 2^61-1 in all at most", r.ErrLimit, more, has)
	}
	return nil
}

// Lengths returns the lengths of text and additional data, or an error if they
// are too great.
func (r *Rules) Lengths(text, aad sg.List) (textLen, aadLen uint64, err error) {
	n, ok := text.Total()
	if !ok {
		return 0, 0, fmt.Errorf("%s: %w: text overflows int", r.Package, walk.ErrLength)
	}
	m, ok := aad.Total()
	if !ok {
		return 0, 0, fmt.Errorf("%s: %w: additional data overflow int", r.Package, walk.ErrLength)
	}
	textLen, aadLen = uint64(n), uint64(m)
	if err := r.Text(0, textLen); err != nil {
		return 0, 0, err
	}
	return textLen, aadLen, r.AAD(0, aadLen)
}

// Shared returns an error if memory has two purposes, one of which is output.
func (r *Rules) Shared(dst sg.List, tag []byte, aad sg.List) error {
	switch {
	case alias.Shares(dst, aad):
		return fmt.Errorf("%s: dst and additional data: %w", r.Package, walk.ErrOverlap)
	case alias.Shares(sg.List{tag}, dst):
		return fmt.Errorf("%s: tag and dst: %w", r.Package, walk.ErrOverlap)
	case alias.Shares(sg.List{tag}, aad):
		return fmt.Errorf("%s: tag and additional data: %w", r.Package, walk.ErrOverlap)
	}
	return nil
}

// Slices returns an error unless src may be turned into the beginning of dst.
func (r *Rules) Slices(dst, src []byte) error {
	if len(dst) < len(src) {
		return fmt.Errorf("%s: %w: dst has %d bytes, src %d", r.Package, walk.ErrLength, len(dst), len(src))
	}
	if alias.Inexact(dst[:len(src)], src) {
		return fmt.Errorf("%s: %w", r.Package, walk.ErrOverlap)
	}
	return nil
}

// Overlap panics as the calls of cipher.AEAD do where out may not be written, for
// in or else for additional data. Whether it may, they ask by themselves: that is
// inlined, and a short message notices a call.
func (r *Rules) Overlap(out, in []byte) {
	if alias.Inexact(out, in) {
		panic(r.Package + ": output and input overlap inexactly")
	}
	panic(r.Package + ": output and additional data overlap")
}
