// Package alias tells whether slices, and lists of slices, share memory in a
// way that a cipher cannot work with.
//
// A cipher reads byte i of src before it writes byte i of dst, and may read
// far ahead. So src and dst may be the same memory, byte for byte, or have
// nothing in common; any other overlap destroys input that is still needed.
// For lists the same rule reads: a byte that both share must stand at the same
// offset of both.
package alias

import (
	"unsafe"

	"github.com/cipherwalk/cipherwalk/sg"
)

// span is where a segment lies in memory: [start, end).
type span struct{ start, end uintptr }

// spanOf returns the place of s. The address is only good for comparisons
// with addresses taken in the same stretch of code without a call in between:
// a goroutine's stack moves when a call makes it grow.
func spanOf(s []byte) span {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	return span{p, p + uintptr(len(s))}
}

func (a span) meets(b span) bool { return a.start < b.end && b.start < a.end }

// Any reports whether x and y share a byte of memory.
func Any(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 && spanOf(x).meets(spanOf(y))
}

// Inexact reports whether x and y share memory without starting at the same
// byte.
func Inexact(x, y []byte) bool {
	return Any(x, y) && spanOf(x).start != spanOf(y).start
}

// few is the number of pairs of segments up to which comparing every pair is
// cheaper than sorting.
const few = 128

// InexactLists reports whether a byte is shared by dst and src at different
// offsets of the two, or by two segments of dst. Segments of src may overlap
// each other.
//
// It takes time proportional to the number of segments, and no memory, when
// both lists ascend in memory, or dst does and src is the same list. Few segments in disorder are compared each with each. In general it
// sorts a table of dst's segments that comes from a pool: O((n+m) log n).
//
// The totals of both lists must fit an int.
func InexactLists(dst, src sg.List) bool {
	if len(dst) == 1 && len(src) == 1 {
		return Inexact(dst[0], src[0])
	}
	switch d, s := survey(dst, src); {
	case d.ascends && s.ascends && !d.meets(s.span), d.ascends && same(dst, src):
		return false
	case d.ascends && s.ascends:
		return inexactMerge(dst, src)
	}
	if len(dst)*(len(dst)+len(src)) <= few {
		return inexactPairs(dst, src)
	}
	return inexactSorted(dst, src)
}

// inexactPairs compares every pair.
func inexactPairs(dst, src sg.List) bool {
	di := 0
	for i, d := range dst {
		for _, e := range dst[:i] {
			if Any(d, e) {
				return true
			}
		}
		si := 0
		for _, s := range src {
			if Any(d, s) && shifted(spanOf(d), di, spanOf(s), si) {
				return true
			}
			si += len(s)
		}
		di += len(d)
	}
	return false
}

// shifted reports whether a byte that lies in both d, which begins at offset
// di of its list, and s at offset si stands at different offsets.
func shifted(d span, di int, s span, si int) bool {
	return d.start-uintptr(di) != s.start-uintptr(si)
}

// hull is the range of memory from the first byte of a list to its last, if the
// list ascends: if each segment begins where the one before ends, or higher,
// which also means that no two overlap.
type hull struct {
	span
	ascends bool
}

// survey looks at each segment once. One function without calls does both
// lists, so that all addresses belong to one layout of the stack.
func survey(dst, src sg.List) (d, s hull) {
	for _, seg := range dst {
		p := spanOf(seg)
		if len(seg) == 0 {
			continue
		}
		if d.end == 0 {
			d.start = p.start
		} else if p.start < d.end {
			return hull{}, hull{}
		}
		d.end = p.end
	}
	d.ascends = true
	for _, seg := range src {
		p := spanOf(seg)
		if len(seg) == 0 {
			continue
		}
		if s.end == 0 {
			s.start = p.start
		} else if p.start < s.end {
			return d, hull{}
		}
		s.end = p.end
	}
	s.ascends = true
	return d, s
}

// same reports whether both lists are the same segments in the same order.
func same(dst, src sg.List) bool {
	if len(dst) != len(src) {
		return false
	}
	for i := range dst {
		if spanOf(dst[i]) != spanOf(src[i]) {
			return false
		}
	}
	return true
}

// inexactMerge walks two ascending lists side by side: of two segments that
// are compared, the one that ends first meets nothing further on.
func inexactMerge(dst, src sg.List) bool {
	di, si := 0, 0
	for len(dst) > 0 && len(src) > 0 {
		d, s := spanOf(dst[0]), spanOf(src[0])
		switch {
		case d.start == d.end:
			dst = dst[1:]
			continue
		case s.start == s.end:
			src = src[1:]
			continue
		case d.meets(s) && shifted(d, di, s, si):
			return true
		}
		if d.end <= s.end {
			di += len(dst[0])
			dst = dst[1:]
		} else {
			si += len(src[0])
			src = src[1:]
		}
	}
	return false
}
