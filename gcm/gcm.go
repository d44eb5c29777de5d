package gcm

import (
	"fmt"
	"strconv"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// Sizes in bytes.
const (
	// NonceSize is the size of a nonce, unless [NewWithNonceSize] sets
	// another.
	NonceSize = 12

	// TagSize is the size of a tag, unless [NewWithTagSize] sets another.
	TagSize = 16

	// MinTagSize is the least size of a tag.
	MinTagSize = 12
)

const blockSize = 16

// ErrOpen is the error of every message that is not authentic. It is
// [sg.ErrOpen].
var ErrOpen = sg.ErrOpen

// A KeySizeError is a key length in bytes that the constructors do not take.
type KeySizeError int

func (k KeySizeError) Error() string {
	return "gcm: key of " + strconv.Itoa(int(k)) + " bytes, want 16, 24 or 32"
}

// An AEAD is an AES-GCM key with the sizes of nonce and tag. It is immutable and
// safe for concurrent use.
type AEAD struct {
	key       *kernels.GCMKey
	nonceSize int
	tagSize   int
	std       standard // for Seal and Open where it is faster
}

var _ sg.AEAD = (*AEAD)(nil)

// New returns AES-GCM with nonces of 12 and tags of 16 bytes for a key of 16, 24
// or 32 bytes, for AES-128, AES-192 or AES-256; other lengths are a
// [KeySizeError]. It fails while only FIPS 140-3 validated modules are allowed
// ([crypto/fips140.Enforced]), since this is none. The key is copied.
func New(key []byte) (*AEAD, error) { return newAEAD(key, NonceSize, TagSize) }

// NewWithTagSize is [New] with tags of 12 to 16 bytes, for protocols that have
// shorter ones. A forgery succeeds more easily the shorter the tag is.
func NewWithTagSize(key []byte, size int) (*AEAD, error) { return newAEAD(key, NonceSize, size) }

// NewWithNonceSize is [New] with nonces of another length, of at least 1 byte,
// for protocols that have such. They are slower, and no safer.
func NewWithNonceSize(key []byte, size int) (*AEAD, error) { return newAEAD(key, size, TagSize) }

func newAEAD(key []byte, nonceSize, tagSize int) (*AEAD, error) {
	if err := rules.Allowed(); err != nil {
		return nil, err
	}
	switch len(key) {
	case 16, 24, 32:
	default:
		return nil, KeySizeError(len(key))
	}
	if nonceSize < 1 {
		return nil, fmt.Errorf("gcm: nonces of %d bytes, want at least 1", nonceSize)
	}
	if tagSize < MinTagSize || tagSize > TagSize {
		return nil, fmt.Errorf("gcm: tags of %d bytes, want %d to %d", tagSize, MinTagSize, TagSize)
	}
	return &AEAD{kernels.NewGCMKey(kernels.Best(), key), nonceSize, tagSize, newStandard(key, nonceSize, tagSize)}, nil
}

// NonceSize returns the length that nonces must have, in bytes.
func (a *AEAD) NonceSize() int { return a.nonceSize }

// Overhead returns the length of the tag, in bytes.
func (a *AEAD) Overhead() int { return a.tagSize }

// String names the cipher without its key.
func (a *AEAD) String() string { return "AES-GCM (" + a.key.Level().String() + ")" }
