package gcm

import (
	"errors"
	"fmt"
	"io"

	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// ErrOrder is what the errors of calls out of order wrap: additional data after
// text, anything after the end, and anything on a zero value.
var ErrOrder = errors.New("gcm: call out of order")

// phase says what a message takes.
type phase uint8

const (
	unborn phase = iota // nothing: the zero value
	inAAD               // additional data or text
	inText              // text
	ended               // nothing any more
)

// message is a message in pieces. The kernels take whole blocks before the end
// only. So what begins a block of additional data waits in block until the block
// is full. Text cannot wait: what begins a block of it is turned at once with
// keystream that was taken ahead, and its ciphertext waits in block. When that
// is full, the state takes it in by decrypting it, whatever the direction: that
// absorbs the ciphertext and counts the block.
type message struct {
	key     *kernels.GCMKey
	state   kernels.GCMState
	phase   phase
	tagSize int
	aadLen  uint64
	textLen uint64
	block   [blockSize]byte // what the block that has begun will absorb
	stream  [blockSize]byte // keystream of a block of text that has begun
}

func (a *AEAD) newMessage(nonce []byte) (m message, err error) {
	if err := a.checkNonce(nonce); err != nil {
		return message{}, err
	}
	m = message{key: a.key, phase: inAAD, tagSize: a.tagSize}
	kernels.GCMStart(a.key, &m.state, nonce)
	return m, nil
}

// aad absorbs additional data.
func (m *message) aad(p []byte) error {
	switch m.phase {
	case inAAD:
	case inText:
		return fmt.Errorf("%w: additional data after text", ErrOrder)
	default:
		return m.orderError()
	}
	if err := checkAAD(m.aadLen, uint64(len(p))); err != nil {
		return err
	}
	used := int(m.aadLen % blockSize)
	m.aadLen += uint64(len(p))
	if used > 0 {
		n := copy(m.block[used:], p)
		if used+n < blockSize {
			return nil
		}
		kernels.GCMHash(m.key, &m.state, m.block[:])
		p = p[n:]
	}
	whole := len(p) &^ (blockSize - 1)
	kernels.GCMHash(m.key, &m.state, p[:whole])
	copy(m.block[:], p[whole:])
	return nil
}

// slice turns one slice of text.
func (m *message) slice(dir kernels.Direction, dst, src []byte) error {
	if len(dst) < len(src) {
		return fmt.Errorf("gcm: %w: dst has %d bytes, src %d", walk.ErrLength, len(dst), len(src))
	}
	dst = dst[:len(src)]
	if alias.Inexact(dst, src) {
		return fmt.Errorf("gcm: %w", walk.ErrOverlap)
	}
	if err := m.beginText(uint64(len(src))); err != nil {
		return err
	}
	m.text(dir, dst, src)
	return nil
}

// list turns a list of text.
func (m *message) list(dir kernels.Direction, dst, src sg.List) error {
	w, err := walk.New(dst, src, geometry)
	if err != nil {
		return fmt.Errorf("gcm: %w", err)
	}
	if err := m.beginText(uint64(src.Len())); err != nil {
		return err
	}
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		m.text(dir, d, s)
	}
	return nil
}

// beginText returns an error unless n bytes of text may follow now. It ends the
// additional data.
func (m *message) beginText(n uint64) error {
	if m.phase != inAAD && m.phase != inText {
		return m.orderError()
	}
	if err := checkText(m.textLen, n); err != nil {
		return err
	}
	m.endAAD()
	return nil
}

// endAAD absorbs the block of additional data that has begun.
func (m *message) endAAD() {
	if m.phase == inAAD {
		kernels.GCMHash(m.key, &m.state, m.block[:m.aadLen%blockSize])
		m.phase = inText
	}
}

// text turns text of any length: the rest of the block that has begun, whole
// blocks, and the beginning of the next.
func (m *message) text(dir kernels.Direction, dst, src []byte) {
	used := int(m.textLen % blockSize)
	m.textLen += uint64(len(src))
	if used > 0 {
		n := min(blockSize-used, len(src))
		m.partial(dir, used, dst[:n], src[:n])
		if used+n < blockSize {
			return
		}
		var unused [blockSize]byte
		kernels.GCMOpen(m.key, &m.state, unused[:], m.block[:])
		clear(unused[:])
		clear(m.stream[:])
		dst, src = dst[n:], src[n:]
	}
	whole := len(src) &^ (blockSize - 1)
	if dir == kernels.Encrypt {
		kernels.GCMSeal(m.key, &m.state, dst[:whole], src[:whole])
	} else {
		kernels.GCMOpen(m.key, &m.state, dst[:whole], src[:whole])
	}
	if whole < len(src) {
		// The keystream of a block is what zeros encrypt to.
		ahead := m.state
		clear(m.stream[:])
		kernels.GCMSeal(m.key, &ahead, m.stream[:], m.stream[:])
		ahead = kernels.GCMState{}
		m.partial(dir, 0, dst[whole:], src[whole:])
	}
}

// partial turns bytes of the block that has begun, from the place at on.
func (m *message) partial(dir kernels.Direction, at int, dst, src []byte) {
	for i, in := range src {
		out := in ^ m.stream[at+i]
		if dir == kernels.Encrypt {
			m.block[at+i] = out
		} else {
			m.block[at+i] = in
		}
		dst[i] = out
	}
}

// checkEnd returns an error unless the message may end with this tag.
func (m *message) checkEnd(tag []byte) error {
	if m.phase != inAAD && m.phase != inText {
		return m.orderError()
	}
	if len(tag) != m.tagSize {
		return tagError(len(tag), m.tagSize)
	}
	return nil
}

// flush absorbs what waits. The state is ready for the tag then.
func (m *message) flush() {
	m.endAAD()
	kernels.GCMHash(m.key, &m.state, m.block[:m.textLen%blockSize])
}

// wipe leaves a message that takes nothing any more.
func (m *message) wipe() { *m = message{phase: ended} }

func (m *message) orderError() error {
	if m.phase == ended {
		return fmt.Errorf("%w: the message has ended", ErrOrder)
	}
	return fmt.Errorf("%w: the zero value is no message", ErrOrder)
}

// Format prints a name, whatever the verb: the fields hold secrets.
func (m message) Format(f fmt.State, _ rune) { io.WriteString(f, "AES-GCM message") }
