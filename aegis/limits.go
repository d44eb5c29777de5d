package aegis

import (
	"errors"

	"github.com/cipherwalk/cipherwalk/internal/aead"
)

// maxText is the most that a message may have of text, in bytes (RFC 10032): its
// length in bits goes into the tag as a number of 64 bits.
const maxText = 1<<61 - 1

// ErrLimit is what the errors about messages with more than 2^61-1 bytes of text
// or additional data wrap.
var ErrLimit = errors.New("aegis: message too long")

// ErrOrder is what the errors of calls out of order wrap: additional data after
// text, anything after the end, and anything on a zero value.
var ErrOrder = errors.New("aegis: call out of order")

var rules = aead.Rules{
	Package:     "aegis",
	MaxText:     maxText,
	MaxTextName: "2^61-1",
	ErrOrder:    ErrOrder,
	ErrLimit:    ErrLimit,
}
