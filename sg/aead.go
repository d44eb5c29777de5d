package sg

import (
	"crypto/cipher"
	"errors"
)

// ErrOpen is the error of every failed authentication in this module. It
// deliberately tells nothing about the cause.
var ErrOpen = errors.New("cipherwalk: message authentication failed")

// AEAD is a [cipher.AEAD] that also works on lists, with the tag apart from
// the text.
//
// In both list calls dst and src have the same length in bytes, though not the
// same division; tag has exactly Overhead bytes and nonce NonceSize bytes.
// Bytes shared by dst and src must stand at the same offset of both. dst may
// share no memory with aad, and tag none with dst or aad. A call that breaks a
// rule returns an error before anything is written.
//
// Implementations are safe for concurrent use.
type AEAD interface {
	cipher.AEAD

	// SealList encrypts src into dst and writes the tag, which
	// authenticates src and aad, into tag.
	SealList(dst, src List, tag, nonce []byte, aad List) error

	// OpenList checks tag against src and aad and decrypts src into dst. If
	// the check fails it returns [ErrOpen] and every byte of dst is zero.
	OpenList(dst, src List, tag, nonce []byte, aad List) error
}
