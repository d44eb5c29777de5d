package gcm

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/sg"
)

// Sizes of RFC 4106, in bytes.
const (
	saltSize       = 4
	explicitIVSize = 8
)

// RFC4106 is AES-GCM as IPsec ESP uses it (RFC 4106): 4 bytes of the nonce, the
// salt, come with the key, the other 8, the explicit IV, with the packet. What
// its methods call the nonce is the explicit IV. Tags have 16 bytes.
//
// An IV must never be used twice with one key and salt. The additional data of
// ESP are SPI and sequence number, 8 or 12 bytes, which is not enforced here.
//
// An RFC4106 is immutable and safe for concurrent use.
type RFC4106 struct {
	aead *AEAD
	salt [saltSize]byte
}

var _ sg.AEAD = (*RFC4106)(nil)

// NewRFC4106 takes the keying material of RFC 4106 section 8.1: an AES key of
// 16, 24 or 32 bytes and behind it the salt of 4 bytes. It fails at other
// lengths and where [New] fails. The material is copied.
func NewRFC4106(keyAndSalt []byte) (*RFC4106, error) {
	switch len(keyAndSalt) {
	case 16 + saltSize, 24 + saltSize, 32 + saltSize:
	default:
		return nil, fmt.Errorf("gcm: RFC 4106 key and salt of %d bytes, want 20, 28 or 36", len(keyAndSalt))
	}
	n := len(keyAndSalt) - saltSize
	aead, err := New(keyAndSalt[:n])
	if err != nil {
		return nil, err
	}
	return &RFC4106{aead, [saltSize]byte(keyAndSalt[n:])}, nil
}

// NonceSize returns 8, the length of the explicit IV in bytes.
func (r *RFC4106) NonceSize() int { return explicitIVSize }

// Overhead returns 16, the length of the tag in bytes.
func (r *RFC4106) Overhead() int { return r.aead.Overhead() }

// String names the cipher without key and salt.
func (r *RFC4106) String() string { return "RFC 4106 " + r.aead.String() }

// Seal is [AEAD.Seal] with the explicit IV as nonce.
func (r *RFC4106) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	full, err := r.nonce(nonce)
	if err != nil {
		panic(err.Error())
	}
	return r.aead.Seal(dst, full[:], plaintext, additionalData)
}

// Open is [AEAD.Open] with the explicit IV as nonce.
func (r *RFC4106) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	full, err := r.nonce(nonce)
	if err != nil {
		panic(err.Error())
	}
	return r.aead.Open(dst, full[:], ciphertext, additionalData)
}

// SealList is [AEAD.SealList] with the explicit IV as nonce.
func (r *RFC4106) SealList(dst, src sg.List, tag, nonce []byte, aad sg.List) error {
	full, err := r.nonce(nonce)
	if err != nil {
		return err
	}
	return r.aead.SealList(dst, src, tag, full[:], aad)
}

// OpenList is [AEAD.OpenList] with the explicit IV as nonce.
func (r *RFC4106) OpenList(dst, src sg.List, tag, nonce []byte, aad sg.List) error {
	full, err := r.nonce(nonce)
	if err != nil {
		return err
	}
	return r.aead.OpenList(dst, src, tag, full[:], aad)
}

// nonce returns the nonce of GCM: the salt and the explicit IV.
func (r *RFC4106) nonce(iv []byte) (full [NonceSize]byte, err error) {
	if len(iv) != explicitIVSize {
		return full, fmt.Errorf("gcm: explicit IV of %d bytes, want %d", len(iv), explicitIVSize)
	}
	copy(full[:], r.salt[:])
	copy(full[saltSize:], iv)
	return full, nil
}
