package stream

import (
	"crypto/rand"
	"io"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
	"github.com/cipherwalk/cipherwalk/sg"
)

// A Writer seals what is written to it and writes that to another writer. It
// belongs to one goroutine at a time.
//
// Errors are sticky: after a failed call all later ones fail with the same error.
// The message is complete only when [Writer.Close] has returned nil; without its
// last chunk it does not open. The buffers are wiped at Close or an error; those
// of a writer that is abandoned before are not.
type Writer struct {
	w       io.Writer
	m       *message
	options options
	header  []byte          // until it is sealed output
	next    uint64          // number of the chunk that is sealed next
	written uint64          // chunks that w took
	held    *bufpool.Buffer // what has come of that chunk; nil or empty if nothing
	job     *job            // the batch that is being sealed
	line    *line           // what works on batches, in calls that have many
	view    sg.List         // scratch of WriteList
	err     error           // of all further calls; after a good Close ErrClosed
}

// NewWriter returns a writer that seals one message under key and context and
// writes it to w. The key is secret and has suite.KeySize() bytes. The context,
// of any length and often empty, says what the message is, such as the name of a
// program and a file: a reader must know the same one. It is neither secret nor
// part of the message. Both are copied.
//
// Any number of messages may have the same key: each draws a salt of 24 random
// bytes. Nothing is written before a chunk is full or the Writer is closed.
//
// It returns an error if the suite is none, the key has another length, an option
// is wrong, or only FIPS 140-3 validated modules are allowed
// ([crypto/fips140.Enforced]), since this is none.
func NewWriter(w io.Writer, suite Suite, key, context []byte, opts ...Option) (*Writer, error) {
	o, err := configure(suite, key, opts)
	if err != nil {
		return nil, err
	}
	header := make([]byte, saltSize, headerSize)
	rand.Read(header) // never fails
	m, commitment, err := derive(suite, key, header, context)
	if err != nil {
		return nil, err
	}
	return rawWriter(w, m, append(header, commitment[:]...), o), nil
}

// rawWriter returns a writer of the chunks of m behind a header, which may be
// nothing.
func rawWriter(w io.Writer, m *message, header []byte, o options) *Writer {
	return &Writer{w: w, m: m, options: o, header: header, job: new(job)}
}

// Write takes p as the next bytes of the plaintext. All chunks that are full are
// written before it returns, several in one call, and sealed straight from p
// where p has the whole of them.
//
// It returns the number of bytes of p, not of ciphertext, that it took: all of
// them, or with an error those whose chunks w took entirely. It neither changes p
// nor keeps it.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	start := w.taken()
	w.startLineFor(len(p))
	err := w.add(p)
	if err == nil {
		err = w.flush()
	}
	if err = w.stopLine(err); err != nil {
		return int(w.writtenSince(start)), w.fail(err)
	}
	return len(p), nil
}

// ReadFrom takes what r brings until its end as the next bytes of the plaintext.
// It does not close the message. It returns the number of bytes read from r:
// every one of them has become part of the message, unless w fails. An error of
// r is returned and not sticky, since nothing is lost.
func (w *Writer) ReadFrom(r io.Reader) (int64, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.options.workers > 1 {
		w.startLine()
		defer w.stopLine(nil) // for the second time, unless r panics
	}
	total, sourceErr, err := w.addFrom(r)
	err = w.stopLine(err)
	bufpool.Put(w.job.text)
	w.job.text = nil
	if err != nil {
		return total, w.fail(err)
	}
	return total, sourceErr
}

// Close seals and writes the last chunk, which is what has come since the last
// full one, perhaps nothing, and wipes the buffers. It does not close w. After a
// Close that returned nil it returns nil again and does nothing; after an error
// it returns that error.
func (w *Writer) Close() error {
	if w.err == ErrClosed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	var text []byte
	if w.held != nil {
		text = w.held.B
	}
	w.m.seal(w.extend(len(text)+tagSize), w.next, text)
	if err := w.flush(); err != nil {
		return w.fail(err)
	}
	w.fail(ErrClosed)
	return nil
}

// taken returns how much plaintext has been taken in, in bytes.
func (w *Writer) taken() uint64 { return w.next*ChunkSize + uint64(w.pending()) }

// writtenSince returns how much plaintext w has taken of that behind the first
// start bytes.
func (w *Writer) writtenSince(start uint64) uint64 { return max(w.written*ChunkSize, start) - start }

// fail makes err sticky and gives up secrets and buffers.
func (w *Writer) fail(err error) error {
	bufpool.Put(w.held)
	w.job.drop()
	w.m, w.held, w.job, w.err = nil, nil, nil, err
	return err
}
