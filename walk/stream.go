package walk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// A Step turns src, the next bytes of a stream, into output that it appends to
// dst, and returns the extended slice. src is a multiple of the chunk unless
// last is set; last is set in exactly one call, the final one of a stream that
// ends well, in which src may be ragged or empty. dst and src do not overlap. A
// Step must neither change src nor keep either slice. After an error it is not
// called again, and what it appended in that call is wiped.
type Step func(dst, src []byte, last bool) ([]byte, error)

// ErrClosed is the error of calls on a closed [Writer]. It is an [fs.ErrClosed].
var ErrClosed = fmt.Errorf("walk: writer is closed: %w", fs.ErrClosed)

// pipeline is what both directions share: input that is held back, the step,
// and its output.
type pipeline struct {
	step  Step
	mask  int // Chunk - 1
	keep  int
	limit int             // a multiple of the chunk
	in    *bufpool.Buffer // limit bytes of room, nil when the stream is over
	held  int             // bytes of in that wait
	out   *bufpool.Buffer // output that was not delivered
}

func newPipeline(g Geometry, s Step) pipeline {
	g.complete()
	return pipeline{step: s, mask: g.Chunk - 1, keep: g.Keep, limit: g.Limit &^ (g.Chunk - 1)}
}

// open borrows the buffers at the first use, so that a stream which is made
// long before it is used, or never, costs nothing.
func (p *pipeline) open() {
	if p.in == nil {
		p.in = bufpool.Get(p.limit)
		// Room for output that grows by a tag now and then.
		p.out = bufpool.Get(p.limit + p.limit/64 + 64)
		p.out.B = p.out.B[:0]
	}
}

// release wipes the buffers and gives them back.
func (p *pipeline) release() {
	bufpool.Put(p.in)
	bufpool.Put(p.out)
	p.in, p.out, p.held = nil, nil, 0
}

// ready returns how many of n bytes may go into a step that is not the last:
// whatever comes later, keep whole bytes will stand before the ragged rest.
func (p *pipeline) ready(n int) int {
	return max(min(n-p.keep, p.limit), 0) &^ p.mask
}

// run appends the output of a step to out. If the step fails, all that out
// holds is wiped: the stream is over.
func (p *pipeline) run(src []byte, last bool) error {
	n := len(p.out.B)
	b, err := p.step(p.out.B, src, last)
	if err == nil && len(b) < n {
		err = errors.New("walk: step took output away")
	}
	if cap(b) > 0 {
		bufpool.Replace(p.out, b)
	}
	if err != nil {
		bufpool.Wipe(p.out.B)
		p.out.B = p.out.B[:0]
	}
	return err
}

// runHeld passes the first n held bytes to the step and moves up the others.
func (p *pipeline) runHeld(n int, last bool) error {
	err := p.run(p.in.B[:n], last)
	p.held = copy(p.in.B, p.in.B[n:p.held])
	return err
}

// fetch reads once from r behind the held bytes. It turns a source that keeps
// returning nothing into io.ErrNoProgress, and one that lies about its count
// into an error.
func (p *pipeline) fetch(r io.Reader) (int, error) {
	for range 100 {
		n, err := r.Read(p.in.B[p.held:])
		if n < 0 || n > len(p.in.B)-p.held {
			return 0, errors.New("walk: reader returned an impossible count")
		}
		p.held += n
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// deliver writes b to w and returns how many bytes of it w has taken: all of
// them, unless there is an error.
func deliver(w io.Writer, b []byte) (int, error) {
	n, err := w.Write(b)
	switch {
	case n < 0 || n > len(b):
		return 0, errors.New("walk: writer returned an impossible count")
	case err == nil && n < len(b):
		err = io.ErrShortWrite
	}
	return n, err
}
