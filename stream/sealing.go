package stream

import (
	"errors"
	"io"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
	"github.com/cipherwalk/cipherwalk/sg"
)

// What a Writer does with plaintext: it holds what does not fill a chunk, seals
// full chunks into its output, and writes the output, a batch at a time. The
// callers of add flush in the end.
//
// walk.Writer does much of that for a step of chunks, but would write once for
// each segment of a list, copy chunks that span segments, and have buffers of a
// whole batch for the shortest message. walk.Reader cannot do the reverse: the
// length of a sealed chunk is no power of two, and it copies what it delivers.

// add takes the next bytes of the plaintext. While there is a line, they must not
// change before their batch has gone through it.
func (w *Writer) add(p []byte) error {
	for len(p) > 0 {
		var err error
		if w.pending() > 0 || len(p) < ChunkSize {
			p = p[w.hold(p):]
			if w.pending() < ChunkSize {
				return nil
			}
			err = w.sealHeld()
		} else {
			n := min(len(p)/ChunkSize, w.options.batch()-w.sealed()) * ChunkSize
			err = w.seal(p[:n])
			p = p[n:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addFrom adds what r brings until its end. A sourceErr is that of r, and no
// reason to give up.
func (w *Writer) addFrom(r io.Reader) (total int64, sourceErr, err error) {
	for size := ChunkSize; ; {
		// A read that fills the buffer ends with a chunk. What it brings is
		// flushed before the next one, so that a batch refers to its own
		// buffer only.
		w.job.text = sized(w.job.text, size)
		p := w.job.text.B[:size-w.pending()]
		n, readErr := fetch(r, p)
		total += int64(n)
		if err := w.add(p[:n]); err != nil {
			return total, nil, err
		}
		if err := w.flush(); err != nil {
			return total, nil, err
		}
		switch {
		case readErr == io.EOF:
			return total, nil, nil
		case readErr != nil:
			return total, readErr, nil
		case w.pending() == 0: // there is more than a little
			size = w.options.batch() * ChunkSize
		}
	}
}

// pending returns how much is held, less than a chunk between calls of add.
func (w *Writer) pending() int {
	if w.held == nil {
		return 0
	}
	return len(w.held.B)
}

// hold copies as much of p as the chunk that has begun lacks, and returns how
// much that is.
func (w *Writer) hold(p []byte) int {
	if w.held == nil {
		w.held = bufpool.Get(ChunkSize)
		w.held.B = w.held.B[:0]
	}
	n := min(len(p), ChunkSize-len(w.held.B))
	w.held.B = append(w.held.B, p[:n]...)
	return n
}

// seal seals full chunks, no more than the batch lacks, or leaves that to the
// line. Nothing is held.
func (w *Writer) seal(text []byte) error {
	n := len(text) / ChunkSize
	if w.next+uint64(n) >= maxChunks { // there must be one more
		return ErrTooLong
	}
	r := run{w.extend(n * sealedSize), w.next, text}
	if w.line != nil {
		w.job.runs = append(w.job.runs, r)
	} else {
		w.m.sealRun(r)
	}
	return w.advance(n)
}

// sealHeld seals the chunk that is held. That is done at once, since the next one
// will take its place.
func (w *Writer) sealHeld() error {
	if w.next+1 >= maxChunks {
		return ErrTooLong
	}
	w.m.seal(w.extend(sealedSize), w.next, w.held.B)
	w.held.B = w.held.B[:0]
	return w.advance(1)
}

// sealList seals one full chunk in segments, of which the first may be what is
// held.
func (w *Writer) sealList(text sg.List) error {
	if w.next+1 >= maxChunks {
		return ErrTooLong
	}
	if err := w.m.sealList(w.extend(sealedSize), w.next, text); err != nil {
		return err
	}
	if w.held != nil {
		w.held.B = w.held.B[:0]
	}
	return w.advance(1)
}

// advance counts chunks, and flushes the batch if they complete it.
func (w *Writer) advance(n int) error {
	w.next += uint64(n)
	if w.sealed() < w.options.batch() {
		return nil
	}
	return w.flush()
}

// extend returns n more bytes of output, behind the header if that is not output
// yet. In a line all of the batch has room, so that the output does not move.
func (w *Writer) extend(n int) []byte {
	out := w.job.sealed
	if out == nil {
		out = getSealed(0)
	}
	need := len(out.B) + len(w.header) + n
	if w.line != nil {
		need = headerSize + w.options.batch()*sealedSize
	}
	if cap(out.B) < need {
		larger := getSealed(need)
		larger.B = larger.B[:copy(larger.B, out.B)]
		putSealed(out)
		out = larger
	}
	w.job.sealed = out
	out.B = append(out.B, w.header...)
	w.header = nil
	at := len(out.B)
	out.B = out.B[:at+n]
	return out.B[at:]
}

// sealed returns how many chunks are output. A header is less than a chunk.
func (w *Writer) sealed() int {
	if w.job.sealed == nil {
		return 0
	}
	return len(w.job.sealed.B) / sealedSize
}

// flush writes the output, or leaves that to the line.
func (w *Writer) flush() error {
	if w.job.sealed == nil || len(w.job.sealed.B) == 0 {
		return nil
	}
	w.job.next = w.next
	if w.line == nil {
		return w.write(w.job)
	}
	w.line.put(w.job)
	w.job = w.line.get()
	if w.line.failed.Load() {
		return errStopped
	}
	return nil
}

// write writes the output of a job and empties it.
func (w *Writer) write(j *job) error {
	_, err := deliver(w.w, j.sealed.B)
	j.sealed.B = j.sealed.B[:0]
	if err == nil {
		w.written = j.next
	}
	return err
}

// errStopped says that the line has failed. Stopping it tells why.
var errStopped = errors.New("stream: internal error: the line has failed")

// startLineFor starts a line if there are several workers, and n bytes are worth it.
func (w *Writer) startLineFor(n int) {
	if w.options.workers > 1 && n >= 4*w.options.batch()*ChunkSize {
		w.startLine()
	}
}

// startLine has batches go through a line until stopLine. There is no output then.
func (w *Writer) startLine() {
	m := w.m
	w.line = newLine(w.options.workers, func(j *job) {
		for _, r := range j.runs {
			m.sealRun(r)
		}
	}, w.write)
	w.job.drop()
	w.job = w.line.get()
}

// stopLine waits for all batches, if there is a line, and returns its error, or
// else err.
func (w *Writer) stopLine(err error) error {
	if w.line == nil {
		return err
	}
	lineErr := w.line.stop(w.job)
	w.line, w.job = nil, new(job)
	if lineErr != nil {
		return lineErr
	}
	return err
}
