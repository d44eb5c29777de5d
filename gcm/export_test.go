package gcm

import (
	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// NewAt returns an AEAD at a level, with any legal sizes.
func NewAt(level kernels.Level, key []byte, nonceSize, tagSize int) *AEAD {
	return &AEAD{kernels.NewGCMKey(level, key), nonceSize, tagSize, standard{}}
}

var (
	CheckText = rules.Text
	CheckAAD  = rules.AAD
)

// Pretend has the Sealer believe that so many bytes have passed.
func (s *Sealer) Pretend(aadLen, textLen uint64) { s.m.AADLen, s.m.TextLen = aadLen, textLen }

// Wiped reports whether nothing is left of the message.
func (s *Sealer) Wiped() bool { return s.m == message{Progress: aead.Ended()} }

// Wiped reports whether nothing is left of the message.
func (o *UnverifiedOpener) Wiped() bool { return o.m == message{Progress: aead.Ended()} }
