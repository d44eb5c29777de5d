package aegis

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

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
		kernels.AEGISMessage(a.key, kernels.Encrypt, tag, d, p, nonce, more)
		return nil
	}
	w, err := walk.New(dst, src, a.geometry())
	if err != nil {
		return fmt.Errorf("aegis: %w", err)
	}
	var s kernels.AEGISState
	kernels.AEGISStart(a.key, &s, nonce)
	absorbList(a.key, &s, aad)
	for d, p, ok := w.Next(); ok; d, p, ok = w.Next() {
		kernels.AEGISCrypt(a.key, kernels.Encrypt, &s, d, p)
	}
	kernels.AEGISTag(a.key, &s, aadLen, textLen, tag)
	s = kernels.AEGISState{}
	return nil
}

// OpenList checks tag against the segments of src and aad and decrypts src into
// the segments of dst, in one pass. If the check fails it returns [ErrOpen] and
// every byte of dst is zero; until then dst holds text that is not authentic, so
// nobody else should look at it before OpenList returns. src must not change
// meanwhile, as in a memory that others write to. The rules, and the errors before
// anything is written, are those of [AEAD.SealList].
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
	w, err := walk.New(dst, src, a.geometry())
	if err != nil {
		return fmt.Errorf("aegis: %w", err)
	}
	var s kernels.AEGISState
	kernels.AEGISStart(a.key, &s, nonce)
	absorbList(a.key, &s, aad)
	for d, c, ok := w.Next(); ok; d, c, ok = w.Next() {
		kernels.AEGISCrypt(a.key, kernels.Decrypt, &s, d, c)
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
// without keeping the text. If the check fails it returns [ErrOpen]. Nothing is
// ever written, so the operands may share memory as they like; the other rules are
// those of [AEAD.OpenList].
//
// AEGIS authenticates the text and not the ciphertext. So this decrypts, piece by
// piece into a buffer that is wiped, and takes as much time as opening. src must
// not change between verifying and opening: open unless the text is not wanted,
// or only later.
func (a *AEAD) VerifyList(src sg.List, tag, nonce []byte, aad sg.List) error {
	textLen, aadLen, err := a.checkLists(src, tag, nonce, aad)
	if err != nil {
		return err
	}
	var s kernels.AEGISState
	kernels.AEGISStart(a.key, &s, nonce)
	absorbList(a.key, &s, aad)
	var scratch [scratchSize]byte
	decryptList(a.key, &s, scratch[:], src)
	if !matches(a.key, &s, aadLen, textLen, tag) {
		return ErrOpen
	}
	return nil
}

// checkLists returns the lengths of text and additional data, or an error if
// they or those of tag and nonce are wrong.
func (a *AEAD) checkLists(src sg.List, tag, nonce []byte, aad sg.List) (textLen, aadLen uint64, err error) {
	// The nonce first: the zero value has a tag of no bytes.
	if err := rules.Nonce(nonce, a.nonceSize); err != nil {
		return 0, 0, err
	}
	if err := rules.Tag(tag, a.tagSize); err != nil {
		return 0, 0, err
	}
	return rules.Lengths(src, aad)
}

// gather is the length below which a segment is copied together with its
// neighbours, since a call of the kernel costs more. It is a multiple of every
// rate.
const gather = 2 * maxRate

// absorbList absorbs a list: whole blocks of long segments where they are, the
// rest through a buffer. The last call has what is ragged.
func absorbList(k *kernels.AEGISKey, s *kernels.AEGISState, l sg.List) {
	if len(l) == 1 {
		kernels.AEGISAbsorb(k, s, l[0])
		return
	}
	var (
		buf [gather]byte
		n   int // bytes in it
	)
	for _, run := range l {
		for len(run) > 0 {
			if n == 0 && len(run) >= gather {
				whole := len(run) &^ (maxRate - 1)
				kernels.AEGISAbsorb(k, s, run[:whole])
				run = run[whole:]
				continue
			}
			m := copy(buf[n:], run)
			run = run[m:]
			if n += m; n == gather {
				kernels.AEGISAbsorb(k, s, buf[:])
				n = 0
			}
		}
	}
	kernels.AEGISAbsorb(k, s, buf[:n])
	clear(buf[:])
}

// scratchSize is the length of what is decrypted at once for nobody to read, in
// bytes: enough to make little of a call's cost, and small on the stack. It is a
// multiple of every rate.
const scratchSize = 16 * maxRate

// decryptList decrypts a list into buf, of a length as scratchSize, over and over,
// and wipes it.
func decryptList(k *kernels.AEGISKey, s *kernels.AEGISState, buf []byte, l sg.List) {
	var (
		n    int // bytes of ciphertext in buf
		used int // bytes of it that ever held something
	)
	for _, run := range l {
		for len(run) > 0 {
			if n == 0 && len(run) >= gather {
				whole := min(len(run)&^(maxRate-1), len(buf))
				kernels.AEGISCrypt(k, kernels.Decrypt, s, buf[:whole], run[:whole])
				run, used = run[whole:], max(used, whole)
				continue
			}
			m := copy(buf[n:], run)
			run = run[m:]
			n += m
			used = max(used, n)
			if n == len(buf) {
				kernels.AEGISCrypt(k, kernels.Decrypt, s, buf, buf)
				n = 0
			}
		}
	}
	kernels.AEGISCrypt(k, kernels.Decrypt, s, buf[:n], buf[:n])
	clear(buf[:used])
}

// matches ends the message and reports whether tag is right.
func matches(k *kernels.AEGISKey, s *kernels.AEGISState, aadLen, textLen uint64, tag []byte) bool {
	var full [LongTagSize]byte
	want := full[:len(tag)]
	kernels.AEGISTag(k, s, aadLen, textLen, want)
	*s = kernels.AEGISState{}
	ok := sameTags(want, tag)
	clear(full[:]) // it would be the forger's
	return ok
}
