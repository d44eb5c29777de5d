package stream

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// A ReaderAt opens any part of a message, and is safe for concurrent use if what
// it reads from is. It is an [io.ReaderAt]: with
//
//	io.NewSectionReader(r, 0, r.Size())
//
// it can be read from the beginning and sought in.
//
// It keeps the text of the chunk that was read in part last, and wipes it some
// time after it has become unreachable itself.
type ReaderAt struct {
	r       io.ReaderAt
	m       *message
	options options
	size    int64 // of the plaintext
	cache   *cache
}

// NewReaderAt returns a ReaderAt over the message that is the first size bytes of
// r, to be opened under the key and the context that it was sealed with. It
// reads the header and the last chunk, so that the length of the plaintext is
// authentic from the beginning; a chunk before may still turn out not to be,
// when it is read. key and context are copied as far as they are kept.
//
// The errors are those of [NewWriter] and [DecryptedSize], [ErrWrongKey], those of
// r, and if the last chunk does not open, what [Reader] returns for it. That
// something follows the message is only seen as such, as [ErrTrailingData], if it
// begins in the place of the last chunk.
func NewReaderAt(r io.ReaderAt, size int64, suite Suite, key, context []byte, opts ...Option) (*ReaderAt, error) {
	o, err := configure(suite, key, opts)
	if err != nil {
		return nil, err
	}
	plain, err := DecryptedSize(size)
	if err != nil {
		return nil, err
	}
	header := make([]byte, headerSize)
	if err := fetchAt(r, header, 0); err != nil {
		return nil, err
	}
	l := lock{suite, key, context}
	m, err := l.open(header)
	if err != nil {
		return nil, err
	}
	a := &ReaderAt{r: r, m: m, options: o, size: plain, cache: new(cache)}
	runtime.AddCleanup(a, (*cache).drop, a.cache)
	last := a.cache.take()
	if err := a.load(last, plain/ChunkSize); err != nil {
		last.drop()
		return nil, err
	}
	a.cache.put(last)
	return a, nil
}

// Size returns the length of the plaintext in bytes. It is authentic.
func (a *ReaderAt) Size() int64 { return a.size }

// ReadAt reads len(p) bytes of the plaintext from offset off, or with [io.EOF]
// less, up to the end. What is returned is authentic; with another error, those
// are the bytes before the first chunk that could not be read or is not
// authentic, and what is behind them in p has been cleared or not been touched.
// Errors are not sticky.
//
// Chunks that p has room for are opened straight into it. With several workers the
// source is read from as many goroutines at once, if p has room for a megabyte.
func (a *ReaderAt) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("stream: offset %d is negative", off)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if off >= a.size {
		return 0, io.EOF
	}
	var end error
	if int64(len(p)) > a.size-off {
		p, end = p[:a.size-off], io.EOF
	}
	for n < len(p) {
		m, err := a.readSome(p[n:], off+int64(n))
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, end
}

// readSome reads at least a byte at off, which is within the plaintext, as is the
// end of p.
func (a *ReaderAt) readSome(p []byte, off int64) (int, error) {
	i, skip := off/ChunkSize, int(off%ChunkSize)
	if skip == 0 && len(p) >= ChunkSize {
		return a.readFull(p, i)
	}
	c := a.cache.take()
	if c.i != i {
		if err := a.load(c, i); err != nil {
			c.drop()
			return 0, err
		}
	}
	n := copy(p, c.text.B[skip:])
	a.cache.put(c)
	return n, nil
}

// readFull reads full chunks from i on, as many as fit p: a batch after another, or
// several at once.
func (a *ReaderAt) readFull(p []byte, i int64) (int, error) {
	batch, chunks := a.options.batch(), len(p)/ChunkSize
	if a.options.workers == 1 || chunks <= batch {
		n, err := a.readRun(p[:min(chunks, batch)*ChunkSize], i)
		return n * ChunkSize, err
	}
	var (
		mu    sync.Mutex
		first = chunks // that has an error
		err   error
	)
	n := spread(a.options.workers, chunks, batch, func(from, to int) int {
		n, e := a.readRun(p[from*ChunkSize:to*ChunkSize], i+int64(from))
		if e != nil {
			mu.Lock()
			defer mu.Unlock()
			if from+n < first {
				first, err = from+n, e
			}
		}
		return n
	})
	clear(p[n*ChunkSize : chunks*ChunkSize])
	return n * ChunkSize, err
}

// readRun reads the full chunks from i on that fill p, and returns how many of them
// are there and authentic.
func (a *ReaderAt) readRun(p []byte, i int64) (int, error) {
	n := len(p) / ChunkSize
	in := getSealed(n * sealedSize)
	defer putSealed(in)
	if err := fetchAt(a.r, in.B, headerSize+i*sealedSize); err != nil {
		return 0, err
	}
	good := a.m.openRun(run{p, uint64(i), in.B})
	if good < n {
		clear(p[good*ChunkSize:])
		return good, errChunk(uint64(i) + uint64(good))
	}
	return n, nil
}

// load reads and opens chunk i, the last one or another, into c.
func (a *ReaderAt) load(c *chunk, i int64) error {
	n := int(min(a.size-i*ChunkSize, ChunkSize))
	in := getSealed(n + tagSize)
	defer putSealed(in)
	if err := fetchAt(a.r, in.B, headerSize+i*sealedSize); err != nil {
		return err
	}
	c.i, c.text = i, sized(c.text, n)
	switch {
	case n < ChunkSize:
		_, err := a.m.openLast(c.text.B, uint64(i), in.B)
		return err
	case !a.m.open(c.text.B, uint64(i), in.B):
		return errChunk(uint64(i))
	}
	return nil
}

// fetchAt fills p from offset off of r.
func fetchAt(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	switch {
	case n < 0 || n > len(p):
		return errors.New("stream: reader returned an impossible count")
	case n == len(p):
		return nil
	case err == nil || err == io.EOF:
		return fmt.Errorf("stream: source ends at %d: %w", off+int64(n), io.ErrUnexpectedEOF)
	}
	return err
}
