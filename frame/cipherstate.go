package frame

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cipherwalk/cipherwalk/gcm"
)

// A cipherState is a key and the counter of the next record, as in section 5.1 of
// the Noise specification. Each direction has its own.
type cipherState struct {
	aead    *gcm.AEAD
	counter uint64
	// nonce is that of the record at hand. It has its place here since on some
	// architectures what gcm.AEAD gets escapes.
	nonce [gcm.NonceSize]byte
}

func newCipherState(key []byte, counter uint64) (cipherState, error) {
	aead, err := gcm.New(key)
	if err != nil {
		return cipherState{}, fmt.Errorf("frame: %w", err)
	}
	return cipherState{aead: aead, counter: counter}, nil
}

// left returns how many records there are counters for.
func (s *cipherState) left() uint64 { return math.MaxUint64 - s.counter }

// next returns the nonce of the next record, valid until it is called again, and
// counts the record. The caller has made sure that one is left.
func (s *cipherState) next() []byte {
	binary.BigEndian.PutUint64(s.nonce[4:], s.counter)
	s.counter++
	return s.nonce[:]
}

// rekey replaces the key by the one that follows from it. The counter goes on.
func (s *cipherState) rekey() error {
	var key [KeySize + gcm.TagSize]byte
	binary.BigEndian.PutUint64(s.nonce[4:], math.MaxUint64)
	s.aead.Seal(key[:0], s.nonce[:], key[:KeySize], nil)
	next, err := gcm.New(key[:KeySize])
	clear(key[:])
	if err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	s.aead = next
	return nil
}
