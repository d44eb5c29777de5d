package aegis

import (
	"hash"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// NewAt returns an AEAD at a level, with a legal size of tags.
func NewAt(level kernels.Level, v Variant, key []byte, tagSize int) *AEAD {
	return newAEAD(level, v, key, tagSize)
}

// NewMACAt returns a MAC at a level.
func NewMACAt(level kernels.Level, v Variant, key, nonce []byte, tagSize int) hash.Hash {
	return newMAC(level, v, key, nonce, tagSize)
}

var (
	CheckText = rules.Text
	CheckAAD  = rules.AAD
)

// Scratch returns what VerifyList leaves in the buffer that it decrypts into.
func (a *AEAD) Scratch(nonce []byte, src sg.List) []byte {
	var s kernels.AEGISState
	kernels.AEGISStart(a.key, &s, nonce)
	buf := make([]byte, scratchSize)
	decryptList(a.key, &s, buf, src)
	return buf
}

// Pretend has the Sealer believe that so many bytes have passed.
func (s *Sealer) Pretend(aadLen, textLen uint64) { s.m.AADLen, s.m.TextLen = aadLen, textLen }

// PretendMAC is Pretend for a MAC.
func PretendMAC(h hash.Hash, dataLen uint64) { h.(*mac).dataLen = dataLen }

// Wiped reports whether nothing is left of the message.
func (s *Sealer) Wiped() bool { return s.m == message{Progress: aead.Ended()} }

// Wiped reports whether nothing is left of the message.
func (o *UnverifiedOpener) Wiped() bool { return o.m == message{Progress: aead.Ended()} }
