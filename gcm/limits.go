package gcm

import (
	"errors"
	"fmt"
)

// The most that a message may have, in bytes (NIST SP 800-38D section 5.2.1.1):
// the counter of 32 bits gives that much keystream, and the lengths in bits go
// into the tag as 64-bit numbers.
const (
	maxText = 1<<36 - 32
	maxAAD  = 1<<61 - 1
)

// ErrLimit is what the errors about messages with more than 2^36-32 bytes of
// text or 2^61-1 of additional data wrap.
var ErrLimit = errors.New("gcm: message too long")

// checkText returns an error unless more bytes of text may follow the bytes that
// the message has, which are within the limit.
func checkText(has, more uint64) error {
	if more > maxText-has {
		return fmt.Errorf("%w: %d bytes of text after %d, want 2^36-32 in all at most", ErrLimit, more, has)
	}
	return nil
}

// checkAAD is checkText for additional data.
func checkAAD(has, more uint64) error {
	if more > maxAAD-has {
		return fmt.Errorf("%w: %d bytes of additional data after %d, want 2^61-1 in all at most", ErrLimit, more, has)
	}
	return nil
}
