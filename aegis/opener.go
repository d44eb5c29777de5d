package aegis

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// An UnverifiedOpener decrypts one message that comes in pieces: first the
// additional data, if any, then the ciphertext, then the tag.
//
// WARNING: Update hands out text that nobody has authenticated. Whoever sends
// the message chooses it bit by bit. Do not act on it, parse it, or pass it on
// before Verify has returned nil, and destroy it if Verify returns anything
// else. [AEAD.Open] and [AEAD.OpenList] do that by themselves; this type is for
// messages that do not fit memory at once and texts that can be taken back,
// such as a file that is renamed into its place in the end.
//
// It is made by [AEAD.NewUnverifiedOpener]; all methods of the zero value return
// [ErrOrder]. It is a value: a copy goes on from the same place, independently.
// It belongs to one goroutine at a time. It holds secrets until Verify.
type UnverifiedOpener struct{ m message }

// NewUnverifiedOpener begins a message. It returns an error if the nonce does
// not have NonceSize bytes. See the warning at [UnverifiedOpener].
func (a *AEAD) NewUnverifiedOpener(nonce []byte) (UnverifiedOpener, error) {
	m, err := a.newMessage(nonce)
	return UnverifiedOpener{m}, err
}

// AAD takes the next bytes of the additional data, as [Sealer.AAD] does.
func (o *UnverifiedOpener) AAD(p []byte) error { return o.m.aad(p) }

// Update decrypts the next bytes of the ciphertext, of any length, into the
// first len(src) bytes of dst. They are not to be trusted before Verify. The
// rules are those of [Sealer.Update].
func (o *UnverifiedOpener) Update(dst, src []byte) error {
	return o.m.slice(kernels.Decrypt, dst, src)
}

// UpdateList is [UnverifiedOpener.Update] for lists, which have the same length
// in bytes.
func (o *UnverifiedOpener) UpdateList(dst, src sg.List) error {
	return o.m.list(kernels.Decrypt, dst, src)
}

// Verify ends the message and compares its tag. It returns [ErrOpen] if that is
// not the tag of the message: all text that Update wrote must be destroyed then.
// A tag without Overhead bytes is another error, which leaves the opener as it
// was; the text is not to be trusted either. After the end all methods return
// [ErrOrder].
func (o *UnverifiedOpener) Verify(tag []byte) error {
	m := &o.m
	if err := m.checkEnd(tag); err != nil {
		return err
	}
	m.flush()
	ok := matches(m.key, &m.state, m.AADLen, m.TextLen, tag)
	m.wipe()
	if !ok {
		return ErrOpen
	}
	return nil
}

// Format implements [fmt.Formatter]: it prints a name, without secrets.
func (o UnverifiedOpener) Format(f fmt.State, verb rune) { o.m.Format(f, verb) }
