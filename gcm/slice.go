package gcm

import (
	"crypto/subtle"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// Seal encrypts plaintext, authenticates it together with additionalData, and
// appends the ciphertext and the tag to dst. It returns the extended slice.
//
// To encrypt in place, pass plaintext[:0] as dst: the tag takes what capacity is
// behind the plaintext. Otherwise the capacity of dst that is used must not
// overlap plaintext, and never additionalData. Seal panics if it does, if the
// nonce does not have NonceSize bytes, and if plaintext has more than 2^36-32.
func (a *AEAD) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if a.key == nil || len(nonce) != a.nonceSize {
		panic(rules.Nonce(nonce, a.nonceSize).Error())
	}
	if uint64(len(plaintext)) > maxText {
		panic(rules.Text(0, uint64(len(plaintext))).Error())
	}
	ret, out := aead.Extend(dst, len(plaintext)+a.tagSize)
	if alias.Inexact(out, plaintext) || alias.Any(out, additionalData) {
		rules.Overlap(out, plaintext)
	}

	if a.std.available() {
		a.std.seal(out, nonce, plaintext, additionalData)
		return ret
	}
	if a.tagSize == TagSize {
		tag := (*[TagSize]byte)(out[len(plaintext):])
		kernels.GCMSealMessage(a.key, tag, out[:len(plaintext)], plaintext, nonce, additionalData)
		return ret
	}
	var tag [TagSize]byte
	kernels.GCMSealMessage(a.key, &tag, out[:len(plaintext)], plaintext, nonce, additionalData)
	copy(out[len(plaintext):], tag[:])
	return ret
}

// Open checks ciphertext, which ends with the tag, together with additionalData,
// and appends the decrypted text to dst. It returns the extended slice. If the
// check fails it returns nil and [ErrOpen], and the capacity of dst that the
// text would have taken is zero.
//
// The ciphertext must not change during the call: it is read twice, and what was
// decrypted would not be what was checked. To decrypt in place, pass
// ciphertext[:0] as dst. The rules on overlap and the
// nonce are those of [AEAD.Seal].
func (a *AEAD) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if a.key == nil || len(nonce) != a.nonceSize {
		panic(rules.Nonce(nonce, a.nonceSize).Error())
	}
	n := len(ciphertext) - a.tagSize
	if n < 0 || uint64(n) > maxText {
		return nil, ErrOpen
	}
	ret, out := aead.Extend(dst, n)
	if alias.Inexact(out, ciphertext) || alias.Any(out, additionalData) {
		rules.Overlap(out, ciphertext)
	}

	if a.std.available() {
		if !a.std.open(out, nonce, ciphertext, additionalData) {
			clear(out)
			return nil, ErrOpen
		}
		return ret, nil
	}
	if err := a.open(out, ciphertext[:n], ciphertext[n:], nonce, additionalData); err != nil {
		return nil, err
	}
	return ret, nil
}

// open decrypts text of one length with dst, and clears dst if tag is wrong.
func (a *AEAD) open(dst, text, tag, nonce, aad []byte) error {
	var want [TagSize]byte
	kernels.GCMOpenMessage(a.key, &want, dst, text, nonce, aad)
	ok := subtle.ConstantTimeCompare(want[:a.tagSize], tag)
	clear(want[:]) // it would be the forger's
	if ok != 1 {
		clear(dst)
		return ErrOpen
	}
	return nil
}
