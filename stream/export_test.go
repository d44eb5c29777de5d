package stream

import (
	"io"
	"sync"
	"testing"
)

// What the tests reach of the inside.
const (
	HeaderSize = headerSize
	SealedSize = sealedSize
	TagSize    = tagSize
	MaxChunks  = maxChunks
)

// NewRawWriter is raw mode: chunks without a header, under a key and a base nonce
// that the caller has.
func NewRawWriter(w io.Writer, suite Suite, key, base []byte, opts ...Option) (*Writer, error) {
	o, err := configure(suite, key, opts)
	if err != nil {
		return nil, err
	}
	m, err := rawMessage(suite, key, base)
	return rawWriter(w, m, nil, o), err
}

// NewRawReader is raw mode.
func NewRawReader(r io.Reader, suite Suite, key, base []byte, opts ...Option) (*Reader, error) {
	o, err := configure(suite, key, opts)
	if err != nil {
		return nil, err
	}
	m, err := rawMessage(suite, key, base)
	return &Reader{r: r, m: m, options: o}, err
}

// NonceSize returns the length of a base nonce in bytes.
func (s Suite) NonceSize() int { return suites[s].nonceSize }

// SetNext pretends that there were n chunks already.
func (w *Writer) SetNext(n uint64) { w.next = n }

// SetNext pretends that there were n chunks already.
func (r *Reader) SetNext(n uint64) { r.next = n }

// TurnBack has the number of the next chunk modulo n.
func (r *Reader) TurnBack(n uint64) { r.next %= n }

// Suites returns all of them, in order.
func Suites() []Suite {
	var all []Suite
	for s := Cobblestone128; len(all) < len(suites); s++ {
		all = append(all, s)
	}
	return all
}

// WithoutSearch switches the search for the end of a message off, for tests that
// fail so often that it would take minutes.
func WithoutSearch(t *testing.T) {
	endsWithin = func(*message, uint64, []byte) bool { return false }
	t.Cleanup(func() { endsWithin = (*message).searchEnd })
}

// CachedText returns the text that a keeps, not a copy.
func CachedText(a *ReaderAt) []byte { return a.cache.kept.Load().text.B }

// HeldText returns the text that w holds, not a copy.
func HeldText(w *Writer) []byte { return w.held.B }

// PlainText returns the text that r has opened and not delivered, not a copy.
func PlainText(r *Reader) []byte { return r.plain }

// Spread is spread.
var Spread = spread

// LockKey returns the key that r keeps until it has read the header, not a copy.
func LockKey(r *Reader) []byte { return r.lock.key }

// ForgetBuffers empties the pool of ciphertext, so that no buffer is longer than
// what is asked for.
func ForgetBuffers() { sealedPool = sync.Pool{} }
