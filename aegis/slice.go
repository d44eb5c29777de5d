package aegis

import (
	"encoding/binary"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// Seal encrypts plaintext, authenticates it together with additionalData, and
// appends the ciphertext and the tag to dst. It returns the extended slice.
//
// To encrypt in place, pass plaintext[:0] as dst: the tag takes what capacity is
// behind the plaintext. Otherwise the capacity of dst that is used must not
// overlap plaintext, and never additionalData. Seal panics if it does, and if the
// nonce does not have NonceSize bytes.
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
	text, tag := out[:len(plaintext)], out[len(plaintext):]
	kernels.AEGISMessage(a.key, kernels.Encrypt, tag, text, plaintext, nonce, additionalData)
	return ret
}

// Open checks ciphertext, which ends with the tag, together with additionalData,
// and appends the decrypted text to dst. It returns the extended slice. If the
// check fails it returns nil and [ErrOpen], and the capacity of dst that the
// text would have taken is zero.
//
// To decrypt in place, pass ciphertext[:0] as dst. The rules on overlap and the
// nonce are those of [AEAD.Seal]. The ciphertext must not change during the call.
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
	if err := a.open(out, ciphertext[:n], ciphertext[n:], nonce, additionalData); err != nil {
		return nil, err
	}
	return ret, nil
}

// open decrypts text of one length with dst, and clears dst if tag is wrong.
func (a *AEAD) open(dst, text, tag, nonce, aad []byte) error {
	var full [LongTagSize]byte
	want := full[:a.tagSize]
	kernels.AEGISMessage(a.key, kernels.Decrypt, want, dst, text, nonce, aad)
	ok := sameTags(want, tag)
	clear(full[:]) // it would be the forger's
	if !ok {
		clear(dst)
		return ErrOpen
	}
	return nil
}

// sameTags compares tags of 16 or 32 bytes, as long as each other, in constant
// time.
func sameTags(a, b []byte) bool {
	var difference uint64
	for i := 0; i < len(a); i += 8 {
		difference |= binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:])
	}
	return difference == 0
}
