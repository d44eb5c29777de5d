package gcm

import (
	"errors"

	"github.com/cipherwalk/cipherwalk/internal/aead"
)

// maxText is the most that a message may have of text, in bytes (NIST SP 800-38D
// section 5.2.1.1): the counter of 32 bits gives that much keystream.
const maxText = 1<<36 - 32

// ErrLimit is what the errors about messages with more than 2^36-32 bytes of
// text or 2^61-1 of additional data wrap.
var ErrLimit = errors.New("gcm: message too long")

// ErrOrder is what the errors of calls out of order wrap: additional data after
// text, anything after the end, and anything on a zero value.
var ErrOrder = errors.New("gcm: call out of order")

var rules = aead.Rules{
	Package:     "gcm",
	MaxText:     maxText,
	MaxTextName: "2^36-32",
	ErrOrder:    ErrOrder,
	ErrLimit:    ErrLimit,
}
