package gcm

import (
	"fmt"
	"io"

	"github.com/cipherwalk/cipherwalk/internal/aead"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// message is a message in pieces. The kernels take whole blocks before the end
// only. So what begins a block of additional data waits in block until the block
// is full. Text cannot wait: what begins a block of it is turned at once with
// keystream that was taken ahead, and its ciphertext waits in block. When that
// is full, the state takes it in by decrypting it, whatever the direction: that
// absorbs the ciphertext and counts the block.
type message struct {
	aead.Progress
	key     *kernels.GCMKey
	state   kernels.GCMState
	tagSize int
	block   [blockSize]byte // what the block that has begun will absorb
	stream  [blockSize]byte // keystream of a block of text that has begun
}

func (a *AEAD) newMessage(nonce []byte) (m message, err error) {
	if err := rules.Nonce(nonce, a.nonceSize); err != nil {
		return message{}, err
	}
	m = message{Progress: aead.Begun(), key: a.key, tagSize: a.tagSize}
	kernels.GCMStart(a.key, &m.state, nonce)
	return m, nil
}

// aad absorbs additional data.
func (m *message) aad(p []byte) error {
	if err := m.MayAAD(&rules, uint64(len(p))); err != nil {
		return err
	}
	used := int(m.AADLen % blockSize)
	m.AADLen += uint64(len(p))
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
	if err := rules.Slices(dst, src); err != nil {
		return err
	}
	if err := m.beginText(uint64(len(src))); err != nil {
		return err
	}
	m.text(dir, dst[:len(src)], src)
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
	if err := m.MayText(&rules, n); err != nil {
		return err
	}
	m.endAAD()
	return nil
}

// endAAD absorbs the block of additional data that has begun.
func (m *message) endAAD() {
	if m.EndAAD() {
		kernels.GCMHash(m.key, &m.state, m.block[:m.AADLen%blockSize])
	}
}

// text turns text of any length: the rest of the block that has begun, whole
// blocks, and the beginning of the next.
func (m *message) text(dir kernels.Direction, dst, src []byte) {
	used := int(m.TextLen % blockSize)
	m.TextLen += uint64(len(src))
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
	if err := m.MayEnd(&rules); err != nil {
		return err
	}
	return rules.Tag(tag, m.tagSize)
}

// flush absorbs what waits. The state is ready for the tag then.
func (m *message) flush() {
	m.endAAD()
	kernels.GCMHash(m.key, &m.state, m.block[:m.TextLen%blockSize])
}

// wipe leaves a message that takes nothing any more.
func (m *message) wipe() { *m = message{Progress: aead.Ended()} }

// Format prints a name, whatever the verb: the fields hold secrets.
func (m message) Format(f fmt.State, _ rune) { io.WriteString(f, "AES-GCM message") }
