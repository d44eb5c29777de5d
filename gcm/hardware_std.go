//go:build (arm64 || ppc64le || s390x) && !purego

package gcm

import (
	"crypto/aes"
	"crypto/cipher"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// standard is the standard library's AES-GCM, for contiguous messages on machines
// that have AES instructions and no assembly here. What passes through it escapes
// to the heap, as with every cipher.AEAD. The zero value is none.
type standard struct{ aead cipher.AEAD }

func newStandard(key []byte, nonceSize, tagSize int) standard {
	// For shorter tags, that of Go 1.26 writes beyond them (golang/go#80288).
	if !kernels.HardwareAES() || tagSize != TagSize {
		return standard{}
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return standard{}
	}
	a, err := cipher.NewGCMWithNonceSize(block, nonceSize)
	if err != nil {
		return standard{}
	}
	return standard{a}
}

func (s standard) available() bool { return s.aead != nil }

// seal writes ciphertext and tag to out, which has just their length.
func (s standard) seal(out, nonce, plaintext, aad []byte) {
	s.aead.Seal(out[:0], nonce, plaintext, aad)
}

// open reports whether ciphertext, with its tag, is authentic, and writes the text
// to out, or zeros.
func (s standard) open(out, nonce, ciphertext, aad []byte) bool {
	_, err := s.aead.Open(out[:0], nonce, ciphertext, aad)
	return err == nil
}
