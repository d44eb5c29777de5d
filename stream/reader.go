package stream

import (
	"bytes"
	"crypto/subtle"
	"io"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// A Reader opens a message that it reads from another reader. It belongs to one
// goroutine at a time.
//
// It delivers nothing that is not authentic. But what it has delivered may turn
// out to be the beginning of a message that somebody has cut off or changed
// further on: only when it returns io.EOF was that the whole.
//
// Errors are sticky, and come after all that was authentic before them. A
// message whose end is missing is an [io.ErrUnexpectedEOF], a changed one
// [sg.ErrOpen]; where it cannot be told which, the error is both. Something
// behind the end is [ErrTrailingData], a header that does not match the key
// [ErrWrongKey]. Errors of the source are passed on.
//
// The buffers are wiped when the end or an error has been delivered; those of a
// reader that is abandoned before are not.
type Reader struct {
	r       io.Reader
	lock    *lock    // until the header has been read
	m       *message // from then on
	options options
	next    uint64          // number of the chunk that is opened next
	in      *bufpool.Buffer // its first bytes are sealed and were not opened
	lo, hi  int             // where they are in in.B
	src     error           // the source's, for when they are used up
	text    *bufpool.Buffer // a chunk that did not fit what was asked for
	plain   []byte          // what is left of it to deliver
	err     error           // for when nothing is
}

// A lock is what a header is checked with.
type lock struct {
	suite        Suite
	key, context []byte
}

// NewReader returns a reader of one message from r, to be opened under the key
// and the context that it was sealed with. The message has all of r, up to io.EOF.
// Nothing is read before the first call of Read or WriteTo, so that a wrong key
// becomes known only there. key and context are copied.
//
// The errors are those of [NewWriter].
func NewReader(r io.Reader, suite Suite, key, context []byte, opts ...Option) (*Reader, error) {
	o, err := configure(suite, key, opts)
	if err != nil {
		return nil, err
	}
	return &Reader{r: r, lock: &lock{suite, bytes.Clone(key), bytes.Clone(context)}, options: o}, nil
}

// open returns the message that header begins.
func (l *lock) open(header []byte) (*message, error) {
	m, want, err := derive(l.suite, l.key, header[:saltSize], l.context)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(want[:], header[saltSize:headerSize]) != 1 {
		return nil, ErrWrongKey
	}
	return m, nil
}

// Read reads the next bytes of the plaintext, and io.EOF at its end. Chunks that
// fit p are opened straight into it; with room for several, p gets all that one
// read from the source has brought. What the source is read ahead is bounded, by
// a few chunks for each worker.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(r.plain) == 0 {
		if r.err != nil {
			r.release()
			return 0, r.err
		}
		if n := r.advance(p); n > 0 {
			return n, nil
		}
	}
	n := copy(p, r.plain)
	r.plain = r.plain[n:]
	return n, nil
}

// advance does the next thing that there is to do: it reads from the source, or
// opens the header or chunks. It returns how much it has put into p.
func (r *Reader) advance(p []byte) int {
	sealed, unit := r.sealed(), sealedSize
	if r.m == nil {
		unit = headerSize
	}
	switch short := len(sealed) < unit; {
	case short && r.src == nil:
		r.fetch()
	case short && r.src != io.EOF:
		r.err = r.src
	case short && r.m == nil:
		r.err = errHeader(len(sealed))
	case short:
		r.openLast(sealed)
	case r.m == nil:
		r.m, r.err = r.lock.open(sealed[:headerSize])
		r.lo += headerSize
		clear(r.lock.key)
		r.lock = nil
	case r.next >= maxChunks-1: // there must be one more
		r.err = ErrTooLong
	case len(p) < ChunkSize:
		text := r.room()
		if r.openFull(text, sealed[:sealedSize]) > 0 {
			r.plain = text
		}
	default:
		n := min(len(p)/ChunkSize, len(sealed)/sealedSize)
		if left := maxChunks - 1 - r.next; left < uint64(n) {
			n = int(left)
		}
		return r.openFull(p[:n*ChunkSize], sealed[:n*sealedSize])
	}
	return 0
}

// sealed returns what has been read and not opened.
func (r *Reader) sealed() []byte {
	if r.in == nil {
		return nil
	}
	return r.in.B[r.lo:r.hi]
}

// room returns the memory for a chunk that is delivered later.
func (r *Reader) room() []byte {
	if r.text == nil {
		r.text = bufpool.Get(ChunkSize)
	}
	return r.text.B
}

// fetch reads once from the source, behind what is there. The first time it
// reads no more than a header and a chunk, in case that is all.
func (r *Reader) fetch() {
	size := headerSize + sealedSize
	if r.next > 0 {
		size = r.ahead() * sealedSize
	}
	if r.in == nil || cap(r.in.B) < size {
		in := getSealed(size)
		copy(in.B, r.sealed())
		putSealed(r.in)
		r.in = in
	} else {
		r.in.B = r.in.B[:max(size, len(r.in.B))]
		copy(r.in.B, r.sealed())
	}
	r.lo, r.hi = 0, r.hi-r.lo
	n, err := fetch(r.r, r.in.B[r.hi:])
	r.hi, r.src = r.hi+n, err
}

// ahead returns how many chunks are read at once: for several workers, enough to be
// worth sharing.
func (r *Reader) ahead() int { return r.options.batch() * r.options.workers }

// openFull opens full chunks into p, which has room for just their text, as far
// as they are authentic. It returns how much text that is, and clears the rest.
func (r *Reader) openFull(p, sealed []byte) int {
	good := r.m.openMany(r.options.workers, run{p, r.next, sealed})
	r.next += uint64(good)
	r.lo += good * sealedSize
	n := good * ChunkSize
	if n < len(p) {
		clear(p[n:])
		r.err = r.m.whyNot(r.next, sealed[good*sealedSize:][:sealedSize])
	}
	return n
}

// openLast opens what is left before the end, which must be the last chunk.
func (r *Reader) openLast(sealed []byte) {
	r.plain, r.err = r.m.openLast(r.room(), r.next, sealed)
	if r.err == nil {
		r.err = io.EOF
	}
}

// release gives the buffers back, wiped if they had plaintext, and gives up the
// secrets.
func (r *Reader) release() {
	putSealed(r.in)
	bufpool.Put(r.text)
	r.in, r.text, r.m = nil, nil, nil
	if r.lock != nil {
		clear(r.lock.key)
		r.lock = nil
	}
}
