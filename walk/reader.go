package walk

import "io"

// A Reader passes what it reads from another reader through a [Step]. It
// belongs to one goroutine at a time.
//
// Errors of the source and of the step are sticky; output of earlier steps is
// delivered before them. The buffers are wiped when the end of the stream or an
// error has been delivered; those of a reader that is abandoned before are not.
type Reader struct {
	r         io.Reader
	p         pipeline
	delivered int   // bytes of p.out.B that were
	err       error // sticky; what comes after the output
}

// NewReader returns a reader from r. It panics if the geometry is invalid;
// Gather and Unit are not used.
func NewReader(r io.Reader, g Geometry, s Step) *Reader {
	return &Reader{r: r, p: newPipeline(g, s)}
}

// fill runs steps until there is output to deliver, or an error instead.
func (r *Reader) fill() error {
	for r.p.out == nil || r.delivered == len(r.p.out.B) {
		if r.err != nil {
			r.p.release()
			r.delivered = 0
			return r.err
		}
		r.p.open()
		r.p.out.B, r.delivered = r.p.out.B[:0], 0
		_, err := r.p.fetch(r.r)
		if err == io.EOF {
			if r.err = r.p.runHeld(r.p.held, true); r.err == nil {
				r.err = io.EOF
			}
			continue
		}
		r.err = err
		if n := r.p.ready(r.p.held); n > 0 {
			if err := r.p.runHeld(n, false); err != nil {
				r.err = err
			}
		}
	}
	return nil
}

// Read reads the next bytes of output. At the end of the stream it returns
// io.EOF. The number of bytes that it reads ahead from the source is bounded by
// Limit.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.p.out.B[r.delivered:])
	r.delivered += n
	return n, nil
}

// WriteTo writes output to w until the end of the stream, and returns the
// number of bytes that w took. If w fails, nothing is lost: the output that it
// did not take is what the next Read or WriteTo delivers.
func (r *Reader) WriteTo(w io.Writer) (int64, error) {
	for total := int64(0); ; {
		if err := r.fill(); err == io.EOF {
			return total, nil
		} else if err != nil {
			return total, err
		}
		n, err := deliver(w, r.p.out.B[r.delivered:])
		r.delivered += n
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
}

// Copy passes src through the step to dst until src ends, and returns the
// number of bytes written to dst. It panics if the geometry is invalid. A nil
// error means that the last step was made and its output written.
func Copy(dst io.Writer, src io.Reader, g Geometry, s Step) (int64, error) {
	r := NewReader(src, g, s)
	defer r.p.release() // if dst fails
	return r.WriteTo(dst)
}
