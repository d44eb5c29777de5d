package frame

import (
	"io"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// Sizes of an intake, in bytes. Of the large one at least three quarters are free
// behind the part of a record that may be left, so that one call brings several.
const (
	smallIntake = 4 << 10
	largeIntake = 256 << 10
)

// An intake is a buffer that bytes are fetched into and used from. It is small as
// long as little comes, which is most of the time of most connections.
type intake struct {
	buf        []byte          // the small one, or that of large
	large      *bufpool.Buffer // nil while buf is the small one
	small      []byte          // made at the first fetch
	start, end int             // the bytes of buf that were fetched and not used
	filled     bool            // by the last fetch, to the end
}

// unused returns the bytes that were fetched and not used.
func (b *intake) unused() []byte { return b.buf[b.start:b.end] }

// use counts n bytes as used. They stay where they are until the next fetch.
func (b *intake) use(n int) { b.start += n }

// fetch reads from r once, which may bring an error beside bytes. It makes room for
// need bytes from the first unused one on, at most 64 KiB + 1.
func (b *intake) fetch(r io.Reader, need int) error {
	b.resize(need)
	for range 100 {
		room := b.buf[b.end:]
		n, err := r.Read(room)
		if n < 0 || n > len(room) {
			return errCount
		}
		if n > 0 {
			b.end += n
			b.filled = n == len(room)
			return err
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// resize chooses the buffer for the next fetch and moves what is unused to its
// front.
func (b *intake) resize(need int) {
	if b.buf == nil {
		b.small = make([]byte, smallIntake)
		b.buf = b.small
	}
	unused := b.unused()
	switch {
	case b.large == nil && (need > len(b.buf) || b.filled):
		b.large = bufpool.Get(largeIntake)
		copy(b.large.B, unused)
		clear(b.small)
		b.buf = b.large.B
	case b.large != nil && len(unused) == 0 && b.end <= smallIntake && need <= smallIntake:
		b.shrink()
	case b.start > 0:
		copy(b.buf, unused)
	}
	b.start, b.end = 0, len(unused)
}

// shrink gives the large buffer back.
func (b *intake) shrink() {
	bufpool.Put(b.large)
	b.large, b.buf, b.filled = nil, b.small, false
}

// release wipes and gives back everything.
func (b *intake) release() {
	if b.large != nil {
		bufpool.Put(b.large)
	}
	clear(b.small)
	*b = intake{}
}
