package aegis

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// Sizes in bytes.
const (
	// TagSize is the size of a tag, unless [NewWithTagSize] sets the other.
	TagSize = 16

	// LongTagSize is the other size of a tag.
	LongTagSize = 32
)

// ErrOpen is the error of every message that is not authentic. It is
// [sg.ErrOpen].
var ErrOpen = sg.ErrOpen

// A KeySizeError is a key length in bytes that a variant does not take.
type KeySizeError struct {
	Variant Variant
	Size    int
}

func (k KeySizeError) Error() string {
	return fmt.Sprintf("aegis: key of %d bytes, want %d for %v", k.Size, k.Variant.KeySize(), k.Variant)
}

// An AEAD is an AEGIS key with the size of the tag. It is immutable and safe for
// concurrent use.
type AEAD struct {
	key       *kernels.AEGISKey
	nonceSize int
	tagSize   int
	rate      int
	variant   Variant
}

var _ sg.AEAD = (*AEAD)(nil)

// New returns a variant with tags of 16 bytes, for a key of v.KeySize() bytes;
// other lengths are a [KeySizeError], and unknown variants an error. It fails
// while only FIPS 140-3 validated modules are allowed
// ([crypto/fips140.Enforced]), since this is none. The key is copied.
func New(v Variant, key []byte) (*AEAD, error) { return NewWithTagSize(v, key, TagSize) }

// NewWithTagSize is [New] with tags of 16 or 32 bytes. AEGIS-128 has those of 16
// only. Longer tags cost no time.
func NewWithTagSize(v Variant, key []byte, size int) (*AEAD, error) {
	if err := check(v, key, size); err != nil {
		return nil, err
	}
	return newAEAD(kernels.Best(), v, key, size), nil
}

// check returns an error unless v takes the key and has tags of that size.
func check(v Variant, key []byte, tagSize int) error {
	if err := rules.Allowed(); err != nil {
		return err
	}
	switch {
	case !v.known():
		return fmt.Errorf("aegis: no variant %d", int(v))
	case len(key) != v.KeySize():
		return KeySizeError{v, len(key)}
	case v == AEGIS128 && tagSize != TagSize:
		return fmt.Errorf("aegis: tags of %d bytes, want %d for %v", tagSize, TagSize, v)
	case tagSize != TagSize && tagSize != LongTagSize:
		return fmt.Errorf("aegis: tags of %d bytes, want %d or %d", tagSize, TagSize, LongTagSize)
	}
	return nil
}

// newAEAD returns an AEAD at a level; the rest has been checked.
func newAEAD(level kernels.Level, v Variant, key []byte, tagSize int) *AEAD {
	alg := kernels.AEGIS(v)
	return &AEAD{kernels.NewAEGISKey(level, alg, key), v.NonceSize(), tagSize, alg.Rate(), v}
}

// NonceSize returns the length that nonces must have, in bytes: 16, or 32 for
// AEGIS-256, AEGIS-256X2 and AEGIS-256X4.
func (a *AEAD) NonceSize() int { return a.nonceSize }

// Overhead returns the length of the tag, in bytes.
func (a *AEAD) Overhead() int { return a.tagSize }

// Variant returns the variant that a is made of.
func (a *AEAD) Variant() Variant { return a.variant }

// String names the cipher without its key.
func (a *AEAD) String() string { return a.variant.String() + " (" + a.key.Level().String() + ")" }

// geometry is that of the variant: whole blocks of the rate, and at the end a
// ragged one.
func (a *AEAD) geometry() walk.Geometry { return walk.Geometry{Chunk: a.rate} }
