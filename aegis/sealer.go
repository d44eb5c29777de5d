package aegis

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// A Sealer encrypts one message that comes in pieces: first the additional data,
// if any, then the text, then the tag. However both are divided, the result is
// that of [AEAD.Seal]. It is made by [AEAD.NewSealer]; all methods of the zero
// value return [ErrOrder].
//
// A Sealer is a value: a copy goes on from the same place, independently. Beware
// that going on with different text in two copies is using a nonce twice. It
// belongs to one goroutine at a time. It holds secrets until Sum.
type Sealer struct{ m message }

// NewSealer begins a message. It returns an error if the nonce does not have
// NonceSize bytes.
func (a *AEAD) NewSealer(nonce []byte) (Sealer, error) {
	m, err := a.newMessage(nonce)
	return Sealer{m}, err
}

// AAD authenticates the next bytes of the additional data. Once Update was
// called, be it with no text, it returns [ErrOrder]; beyond the limit of 2^61-1
// bytes, [ErrLimit].
func (s *Sealer) AAD(p []byte) error { return s.m.aad(p) }

// Update encrypts the next bytes of the text, of any length, into the first
// len(src) bytes of dst. A dst that is shorter than src is [walk.ErrLength],
// inexact overlap [walk.ErrOverlap], and text beyond the limit of 2^61-1 bytes
// [ErrLimit]. After an error nothing has been written, and the Sealer is as it
// was.
func (s *Sealer) Update(dst, src []byte) error { return s.m.slice(kernels.Encrypt, dst, src) }

// UpdateList is [Sealer.Update] for lists, which have the same length in bytes.
func (s *Sealer) UpdateList(dst, src sg.List) error { return s.m.list(kernels.Encrypt, dst, src) }

// Sum ends the message and writes its tag into tag, which must have Overhead
// bytes; another length is an error that leaves the Sealer as it was. After that
// all methods return [ErrOrder].
func (s *Sealer) Sum(tag []byte) error {
	m := &s.m
	if err := m.checkEnd(tag); err != nil {
		return err
	}
	m.flush()
	kernels.AEGISTag(m.key, &m.state, m.AADLen, m.TextLen, tag)
	m.wipe()
	return nil
}

// Format implements [fmt.Formatter]: it prints a name, without secrets.
func (s Sealer) Format(f fmt.State, verb rune) { s.m.Format(f, verb) }
