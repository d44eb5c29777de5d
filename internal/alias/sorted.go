package alias

import (
	"cmp"
	"slices"
	"sync"

	"github.com/cipherwalk/cipherwalk/sg"
)

// entry is a segment with the offset at which it begins.
type entry struct {
	span
	offset int
}

// tables holds the scratch memory of inexactSorted between calls. The entries
// are addresses without pointers: they keep nothing alive.
var tables = sync.Pool{New: func() any { return new([]entry) }}

// maxTable is the capacity in entries beyond which a table is not kept.
const maxTable = 1 << 16

// inexactSorted is the general case. Sorted by address, overlapping segments
// of dst are neighbours, and the ones that a segment of src meets follow each
// other. Those that it meets at the right offset are, over all of src, at most
// as many as both lists have segments, for each byte of dst has one offset;
// and the first at a wrong offset ends the search. So the time is that of
// sorting and of one binary search for each segment of src.
func inexactSorted(dst, src sg.List) bool {
	table := tables.Get().(*[]entry)
	defer func() {
		if cap(*table) <= maxTable {
			tables.Put(table)
		}
	}()
	*table = slices.Grow((*table)[:0], len(dst)+len(src))
	d, s := place(*table, dst, src)

	slices.SortFunc(d, func(a, b entry) int { return cmp.Compare(a.start, b.start) })
	for i := 1; i < len(d); i++ {
		if d[i].start < d[i-1].end {
			return true
		}
	}
	for _, e := range s {
		if meetsShifted(d, e) {
			return true
		}
	}
	return false
}

// place writes the segments of both lists that are not empty into the room
// behind t. All addresses are taken here, in a loop without calls, since the
// calls that follow may move the stack.
func place(t []entry, dst, src sg.List) (d, s []entry) {
	t = t[:cap(t)]
	n := 0
	for i, l := range [2]sg.List{dst, src} {
		first, offset := n, 0
		for _, seg := range l {
			if len(seg) > 0 {
				t[n] = entry{spanOf(seg), offset}
				n++
			}
			offset += len(seg)
		}
		if i == 0 {
			d = t[first:n]
		} else {
			s = t[first:n]
		}
	}
	return d, s
}

// meetsShifted reports whether s meets an entry of the sorted table d that
// begins at another offset.
func meetsShifted(d []entry, s entry) bool {
	i, _ := slices.BinarySearchFunc(d, s, func(e, s entry) int {
		if e.end <= s.start {
			return -1
		}
		return 1
	})
	for ; i < len(d) && d[i].start < s.end; i++ {
		if shifted(d[i].span, d[i].offset, s.span, s.offset) {
			return true
		}
	}
	return false
}
