package alias

import (
	"cmp"
	"slices"

	"github.com/cipherwalk/cipherwalk/sg"
)

// Shares reports whether a byte of memory belongs to both a and b. Segments of
// either may overlap each other.
//
// It takes time proportional to the number of segments, and no memory, when the
// lists lie in different regions of memory or one has few segments. In general
// it sorts a table of all segments that comes from a pool.
func Shares(a, b sg.List) bool {
	if !regionsMeet(a, b) {
		return false
	}
	if min(len(a), len(b)) <= 4 || len(a)*len(b) <= few {
		return sharesPairs(a, b)
	}
	return sharesSorted(a, b)
}

// regionsMeet reports whether the region from the lowest to the highest byte of
// a meets that of b. It takes all addresses and calls nothing.
func regionsMeet(a, b sg.List) bool {
	var regions [2]span // empty: end is 0
	for i, l := range [2]sg.List{a, b} {
		r := &regions[i]
		for _, seg := range l {
			p := spanOf(seg)
			switch {
			case p.start == p.end:
			case r.end == 0:
				*r = p
			default:
				r.start, r.end = min(r.start, p.start), max(r.end, p.end)
			}
		}
	}
	return regions[0].end != 0 && regions[1].end != 0 && regions[0].meets(regions[1])
}

// sharesPairs compares every pair.
func sharesPairs(a, b sg.List) bool {
	for _, x := range a {
		for _, y := range b {
			if Any(x, y) {
				return true
			}
		}
	}
	return false
}

// sharesSorted goes over all segments by ascending start. A segment meets one of
// the other list that starts no higher if it starts below the highest end of
// those.
func sharesSorted(a, b sg.List) bool {
	table := tables.Get().(*[]entry)
	defer func() {
		if cap(*table) <= maxTable {
			tables.Put(table)
		}
	}()
	*table = slices.Grow((*table)[:0], len(a)+len(b))
	ofA, ofB := place(*table, a, b)

	// Which list a segment is of stands where its offset was.
	for i := range ofA {
		ofA[i].offset = 0
	}
	for i := range ofB {
		ofB[i].offset = 1
	}
	all := (*table)[:len(ofA)+len(ofB)]
	slices.SortFunc(all, func(x, y entry) int { return cmp.Compare(x.start, y.start) })
	var ends [2]uintptr
	for _, e := range all {
		if e.start < ends[1-e.offset] {
			return true
		}
		ends[e.offset] = max(ends[e.offset], e.end)
	}
	return false
}
