package aegis

import (
	"crypto/subtle"
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
// keystream that was taken ahead, and the plaintext waits in block. When that is
// full, the state absorbs it as if it were additional data: AEGIS takes in both
// alike.
type message struct {
	aead.Progress
	key     *kernels.AEGISKey
	state   kernels.AEGISState
	variant Variant
	tagSize int
	rate    int
	block   [maxRate]byte // what the block that has begun will absorb
	stream  [maxRate]byte // keystream of a block of text that has begun
}

func (a *AEAD) newMessage(nonce []byte) (m message, err error) {
	if err := rules.Nonce(nonce, a.nonceSize); err != nil {
		return message{}, err
	}
	m = message{Progress: aead.Begun(), key: a.key, variant: a.variant, tagSize: a.tagSize, rate: a.rate}
	kernels.AEGISStart(a.key, &m.state, nonce)
	return m, nil
}

// aad absorbs additional data.
func (m *message) aad(p []byte) error {
	if err := m.MayAAD(&rules, uint64(len(p))); err != nil {
		return err
	}
	used := m.ragged(m.AADLen)
	m.AADLen += uint64(len(p))
	absorbPiece(m.key, &m.state, m.block[:m.rate], used, p)
	return nil
}

// absorbPiece absorbs used bytes of block and p, but for what is no whole block,
// which it leaves in block.
func absorbPiece(k *kernels.AEGISKey, s *kernels.AEGISState, block []byte, used int, p []byte) {
	if used > 0 {
		n := copy(block[used:], p)
		if used+n < len(block) {
			return
		}
		kernels.AEGISAbsorb(k, s, block)
		p = p[n:]
	}
	whole := len(p) &^ (len(block) - 1)
	kernels.AEGISAbsorb(k, s, p[:whole])
	copy(block, p[whole:])
}

// ragged returns how many of n bytes are in the block that has begun.
func (m *message) ragged(n uint64) int { return int(n) & (m.rate - 1) }

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
	if err := m.MayEnd(&rules); err != nil {
		return err // the zero value has no rate
	}
	w, err := walk.New(dst, src, walk.Geometry{Chunk: m.rate})
	if err != nil {
		return fmt.Errorf("aegis: %w", err)
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
		kernels.AEGISAbsorb(m.key, &m.state, m.block[:m.ragged(m.AADLen)])
	}
}

// text turns text of any length: the rest of the block that has begun, whole
// blocks, and the beginning of the next.
func (m *message) text(dir kernels.Direction, dst, src []byte) {
	used := m.ragged(m.TextLen)
	m.TextLen += uint64(len(src))
	if used > 0 {
		n := min(m.rate-used, len(src))
		m.partial(dir, used, dst[:n], src[:n])
		if used+n < m.rate {
			return
		}
		kernels.AEGISAbsorb(m.key, &m.state, m.block[:m.rate])
		clear(m.stream[:])
		dst, src = dst[n:], src[n:]
	}
	whole := len(src) &^ (m.rate - 1)
	kernels.AEGISCrypt(m.key, dir, &m.state, dst[:whole], src[:whole])
	if whole < len(src) {
		// The keystream of a block is what zeros encrypt to.
		ahead, zeros := m.state, m.stream[:m.rate]
		clear(zeros)
		kernels.AEGISCrypt(m.key, kernels.Encrypt, &ahead, zeros, zeros)
		ahead = kernels.AEGISState{}
		m.partial(dir, 0, dst[whole:], src[whole:])
	}
}

// partial turns bytes of the block that has begun, from the place at on.
func (m *message) partial(dir kernels.Direction, at int, dst, src []byte) {
	if dir == kernels.Encrypt {
		copy(m.block[at:], src) // before it may be overwritten
	}
	subtle.XORBytes(dst, src, m.stream[at:])
	if dir == kernels.Decrypt {
		copy(m.block[at:], dst)
	}
}

// checkEnd returns an error unless the message may end with this tag.
func (m *message) checkEnd(tag []byte) error {
	if err := m.MayEnd(&rules); err != nil {
		return err
	}
	return rules.Tag(tag, m.tagSize)
}

// flush absorbs what waits, with zeros behind it. The state is ready for the tag
// then.
func (m *message) flush() {
	m.endAAD()
	kernels.AEGISAbsorb(m.key, &m.state, m.block[:m.ragged(m.TextLen)])
}

// wipe leaves a message that takes nothing any more.
func (m *message) wipe() { *m = message{Progress: aead.Ended()} }

// Format prints a name, whatever the verb: the fields hold secrets.
func (m message) Format(f fmt.State, _ rune) { io.WriteString(f, "AEGIS message") }
