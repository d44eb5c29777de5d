package walk

import (
	"errors"
	"fmt"

	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/sg"
)

// The errors that every call on lists wraps. They come before anything is
// written.
var (
	// ErrLength: the lists differ in length, or a length overflows int.
	ErrLength = errors.New("walk: lists of unequal length")

	// ErrOverlap: a byte is shared by dst and src at different offsets, or
	// by two segments of dst.
	ErrOverlap = errors.New("walk: lists overlap inexactly")
)

// A Walker goes over two lists side by side. It is made by [New] and belongs
// to one goroutine. Copies of a walker must not both be used.
//
// The zero value has no steps.
type Walker struct {
	plan
	bounce [bounceSize]byte
}

// plan is a Walker without its bounce, which is too large to be passed on.
type plan struct {
	dst, src position
	mask     int // Chunk - 1
	keep     int
	gather   int
	limit    int
	unit     int
	left     int // bytes of the unit that were not handed out
	rest     int // bytes of the units behind it
	pending  int // bytes of the bounce that Next must scatter
	dirty    int // bytes of the bounce that must be wiped
}

// position is a place in a list. The list is set once, in New: a method that
// stored a slice behind its pointer would make it escape.
type position struct {
	list sg.List
	seg  int
	off  int
}

// run returns the contiguous bytes at p, which is not at the end of its list.
func (p *position) run() []byte {
	s := p.list[p.seg][p.off:]
	for len(s) == 0 {
		p.seg, p.off = p.seg+1, 0
		s = p.list[p.seg]
	}
	return s
}

// New returns a walker over dst and src. Neither list, nor a segment of them,
// may change until the walk is over; the bytes of dst are the walker's and the
// caller's of Next.
//
// The lists must have the same length in bytes ([ErrLength]). Bytes that both
// share must stand at the same offset of both, and no two segments of dst may
// share any ([ErrOverlap]). Segments of src may. An invalid geometry panics, as
// does one that the bounce buffer cannot serve: Keep + Chunk may be 2048 bytes
// at most.
func New(dst, src sg.List, g Geometry) (Walker, error) {
	// Short enough to be inlined: the walker is made where it will stay.
	p, err := newPlan(dst, src, g)
	return Walker{plan: p}, err
}

func newPlan(dst, src sg.List, g Geometry) (plan, error) {
	g.complete()
	if g.Keep+g.Chunk > bounceSize {
		panic(fmt.Sprintf("walk: keep and chunk of %d bytes, want at most %d on lists", g.Keep+g.Chunk, bounceSize))
	}
	n, ok := src.Total()
	m, okDst := dst.Total()
	switch {
	case !ok || !okDst:
		return plan{}, fmt.Errorf("%w: total overflows int", ErrLength)
	case n != m:
		return plan{}, fmt.Errorf("%w: dst has %d bytes, src %d", ErrLength, m, n)
	case alias.InexactLists(dst, src):
		return plan{}, ErrOverlap
	}
	unit := g.Unit
	if unit == 0 {
		unit = n
	}
	return plan{
		dst:    position{list: dst},
		src:    position{list: src},
		mask:   g.Chunk - 1,
		keep:   g.Keep,
		gather: g.Gather,
		limit:  g.Limit,
		unit:   unit,
		rest:   n,
	}, nil
}

// Next commits the step before and returns the next one: src is to be turned
// into dst. Both have the same length, at least 1; they are the same memory or
// disjoint, and their capacity is their length. They are valid until the next
// call of Next or Abort. Steps follow each other in order and without gaps. At
// the end, ok is false and the bounce is wiped.
func (w *Walker) Next() (dst, src []byte, ok bool) {
	if w.pending > 0 {
		w.scatter()
	}
	if w.left == 0 {
		if w.rest == 0 {
			w.wipe()
			return nil, nil, false
		}
		w.left = min(w.unit, w.rest)
		w.rest -= w.left
	}
	d, s := w.dst.run(), w.src.run()
	n := w.fit(min(len(d), len(s)))
	if n < w.gather && n < w.left {
		if g := w.collect(n); g > n {
			w.left -= g
			w.pending = g
			return w.bounce[:g:g], w.bounce[:g:g], true
		}
	}
	w.dst.off += n
	w.src.off += n
	w.left -= n
	return d[:n:n], s[:n:n], true
}

// fit returns the length of the longest step that n contiguous bytes allow
// here, 0 if they allow none: either the rest of the unit, or a multiple of the
// chunk that leaves enough for the last step.
func (p *plan) fit(n int) int {
	n = min(n, p.limit)
	if n >= p.left {
		return p.left
	}
	return max(min(n, p.spare()), 0) &^ p.mask
}

// spare returns how many bytes of the unit may go before the last step. It is
// negative if the unit is shorter than what the last step must have.
func (p *plan) spare() int {
	if ragged := p.left & p.mask; ragged > 0 {
		return p.left - p.keep - ragged
	}
	return p.left
}

// Abort ends the walk: the step that Next gave last is not committed, no more
// follow, and the bounce is wiped. What was written to dst stays.
func (w *Walker) Abort() {
	w.left, w.rest, w.pending = 0, 0, 0
	w.wipe()
}

func (w *Walker) wipe() {
	clear(w.bounce[:w.dirty])
	w.dirty = 0
}
