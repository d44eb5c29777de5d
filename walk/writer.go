package walk

import "io"

// A Writer passes what is written to it through a [Step] and writes the output
// to another writer. It belongs to one goroutine at a time.
//
// Errors are sticky: after a failed call all later ones fail with the same
// error. The stream is complete only when [Writer.Close] has returned nil.
type Writer struct {
	w io.Writer
	p pipeline
	// err is what all further calls return; after a Close that went well it
	// is ErrClosed, and Close alone returns nil again.
	err error
}

// NewWriter returns a writer to w. It panics if the geometry is invalid; Gather
// and Unit are not used.
func NewWriter(w io.Writer, g Geometry, s Step) *Writer {
	return &Writer{w: w, p: newPipeline(g, s)}
}

// Write takes p as the next bytes of the stream. All output that the geometry
// allows is written before it returns, in pieces of about Limit bytes; up to
// Keep + Chunk - 1 bytes of the stream are held back.
//
// It returns the number of bytes of p, not of output, that it took: all of
// them, or with an error those whose output the inner writer took entirely. It
// neither changes p nor keeps it.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.p.open()
	for done := 0; ; {
		rest := p[done:]
		n := w.p.ready(w.p.held + len(rest))
		if n == 0 {
			w.p.held += copy(w.p.in.B[w.p.held:], rest)
			return len(p), nil
		}
		taken, err := w.round(rest, n)
		if err != nil {
			return done, w.fail(err)
		}
		done += taken
	}
}

// round puts n bytes through the step, held ones first and then the first ones
// of p, and writes the output. It returns how many bytes of p it used.
func (w *Writer) round(p []byte, n int) (used int, err error) {
	if held := w.p.held; held > 0 {
		// The held bytes are filled up to a whole chunk, or if n is
		// less, a part of them goes.
		whole := min(n, (held+w.p.mask)&^w.p.mask)
		if whole > held {
			used = copy(w.p.in.B[held:whole], p)
			w.p.held = whole
		}
		if err := w.p.runHeld(whole, false); err != nil {
			return 0, err
		}
		n -= whole
	}
	if n > 0 {
		if err := w.p.run(p[used:used+n], false); err != nil {
			return 0, err
		}
		used += n
	}
	return used, w.flush()
}

// flush writes the output to the inner writer.
func (w *Writer) flush() error {
	if len(w.p.out.B) == 0 {
		return nil
	}
	_, err := deliver(w.w, w.p.out.B)
	w.p.out.B = w.p.out.B[:0]
	return err
}

// fail makes err sticky and gives up the buffers.
func (w *Writer) fail(err error) error {
	w.err = err
	w.p.release()
	return err
}

// ReadFrom reads r until its end as the next bytes of the stream. It does not
// close the stream. It returns the number of bytes read from r: every one of
// them has become part of the stream, unless there is an error.
func (w *Writer) ReadFrom(r io.Reader) (int64, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.p.open()
	for total := int64(0); ; {
		n, readErr := w.p.fetch(r)
		total += int64(n)
		if n := w.p.ready(w.p.held); n > 0 {
			err := w.p.runHeld(n, false)
			if err == nil {
				err = w.flush()
			}
			if err != nil {
				return total, w.fail(err)
			}
		}
		switch {
		case readErr == io.EOF:
			return total, nil
		case readErr != nil:
			return total, readErr
		}
	}
}

// Close passes what is held back to the last step, writes the output, and wipes
// the buffers. It does not close the inner writer. After a Close that returned
// nil it returns nil again and does nothing; after an error it returns that
// error.
func (w *Writer) Close() error {
	if w.err == ErrClosed {
		return nil
	}
	if w.err != nil {
		return w.err
	}
	w.p.open()
	if err := w.p.runHeld(w.p.held, true); err != nil {
		return w.fail(err)
	}
	if err := w.flush(); err != nil {
		return w.fail(err)
	}
	w.fail(ErrClosed)
	return nil
}
