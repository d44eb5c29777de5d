package gcm

import (
	"crypto/subtle"
	"fmt"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// geometry is that of GCM: whole blocks, and at the end a ragged one.
var geometry = walk.Geometry{Chunk: blockSize}

// SealList encrypts the segments of src into the segments of dst, which have the
// same length in all but may be divided differently, and writes the tag, which
// authenticates text and aad, into tag.
//
// The tag has Overhead bytes and the nonce NonceSize bytes. Unequal lengths of
// dst and src are [walk.ErrLength], too great ones [ErrLimit]. Inexact overlap,
// and memory that dst shares with aad, or tag with dst or aad, is
// [walk.ErrOverlap]. After an error nothing has been written.
func (a *AEAD) SealList(dst, src sg.List, tag, nonce []byte, aad sg.List) error {
	textLen, aadLen, err := a.checkLists(src, tag, nonce, aad)
	if err != nil {
		return err
	}
	if err := rules.Shared(dst, tag, aad); err != nil {
		return err
	}
	if d, p, more, ok := aead.Single(dst, src, aad); ok {
		var full [TagSize]byte
		kernels.GCMSealMessage(a.key, &full, d, p, nonce, more)
		copy(tag, full[:])
		return nil
	}
	w, err := walk.New(dst, src, geometry)
	if err != nil {
		return fmt.Errorf("gcm: %w", err)
	}
	var s kernels.GCMState
	kernels.GCMStart(a.key, &s, nonce)
	hashList(a.key, &s, aad)
	for d, p, ok := w.Next(); ok; d, p, ok = w.Next() {
		kernels.GCMSeal(a.key, &s, d, p)
	}
	var full [TagSize]byte
	kernels.GCMTag(a.key, &s, aadLen, textLen, &full)
	s = kernels.GCMState{}
	copy(tag, full[:])
	return nil
}

// OpenList checks tag against the segments of src and aad and decrypts src into
// the segments of dst, in one pass. If the check fails it returns [ErrOpen] and
// every byte of dst is zero; until then dst holds text that is not authentic, so
// nobody else should look at it before OpenList returns. src must not change
// meanwhile, as in a memory that others write to: each byte is read twice. The
// rules, and the errors before anything is written, are those of
// [AEAD.SealList].
func (a *AEAD) OpenList(dst, src sg.List, tag, nonce []byte, aad sg.List) error {
	textLen, aadLen, err := a.checkLists(src, tag, nonce, aad)
	if err != nil {
		return err
	}
	if err := rules.Shared(dst, tag, aad); err != nil {
		return err
	}
	if d, c, more, ok := aead.Single(dst, src, aad); ok {
		return a.open(d, c, tag, nonce, more)
	}
	w, err := walk.New(dst, src, geometry)
	if err != nil {
		return fmt.Errorf("gcm: %w", err)
	}
	var s kernels.GCMState
	kernels.GCMStart(a.key, &s, nonce)
	hashList(a.key, &s, aad)
	for d, c, ok := w.Next(); ok; d, c, ok = w.Next() {
		kernels.GCMOpen(a.key, &s, d, c)
	}
	if !matches(a.key, &s, aadLen, textLen, tag) {
		for _, seg := range dst {
			clear(seg)
		}
		return ErrOpen
	}
	return nil
}

// VerifyList checks tag against the ciphertext in the segments of src and aad,
// without decrypting. If the check fails it returns [ErrOpen]. Nothing is ever
// written, so the operands may share memory as they like; the other rules are
// those of [AEAD.OpenList].
//
// It takes less time than opening, but verifying and then opening takes more,
// and src must not change in between: open unless the text is not wanted, or
// only later.
func (a *AEAD) VerifyList(src sg.List, tag, nonce []byte, aad sg.List) error {
	textLen, aadLen, err := a.checkLists(src, tag, nonce, aad)
	if err != nil {
		return err
	}
	var s kernels.GCMState
	kernels.GCMStart(a.key, &s, nonce)
	hashList(a.key, &s, aad)
	hashList(a.key, &s, src)
	if !matches(a.key, &s, aadLen, textLen, tag) {
		return ErrOpen
	}
	return nil
}

// checkLists returns the lengths of text and additional data, or an error if
// they or those of tag and nonce are wrong.
func (a *AEAD) checkLists(src sg.List, tag, nonce []byte, aad sg.List) (textLen, aadLen uint64, err error) {
	if err := rules.Tag(tag, a.tagSize); err != nil {
		return 0, 0, err
	}
	if err := rules.Nonce(nonce, a.nonceSize); err != nil {
		return 0, 0, err
	}
	return rules.Lengths(src, aad)
}

// gather is the length below which a segment is copied together with its
// neighbours, since a call of the kernel costs more.
const gather = 256

// hashList absorbs a list: whole blocks of long segments where they are, the
// rest through a buffer. The last call has what is ragged.
func hashList(k *kernels.GCMKey, s *kernels.GCMState, l sg.List) {
	if len(l) == 1 {
		kernels.GCMHash(k, s, l[0])
		return
	}
	var (
		buf [gather]byte
		n   int // bytes in it
	)
	for _, run := range l {
		for len(run) > 0 {
			if n == 0 && len(run) >= gather {
				whole := len(run) &^ (blockSize - 1)
				kernels.GCMHash(k, s, run[:whole])
				run = run[whole:]
				continue
			}
			m := copy(buf[n:], run)
			run = run[m:]
			if n += m; n == gather {
				kernels.GCMHash(k, s, buf[:])
				n = 0
			}
		}
	}
	kernels.GCMHash(k, s, buf[:n])
	clear(buf[:])
}

// matches ends the message and reports whether tag is right, which may be the
// first bytes of the whole tag.
func matches(k *kernels.GCMKey, s *kernels.GCMState, aadLen, textLen uint64, tag []byte) bool {
	var want [TagSize]byte
	kernels.GCMTag(k, s, aadLen, textLen, &want)
	*s = kernels.GCMState{}
	ok := subtle.ConstantTimeCompare(want[:len(tag)], tag)
	clear(want[:]) // it would be the forger's
	return ok == 1
}
