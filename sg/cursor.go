package sg

// A Cursor reads a list from the front. It is a value: a copy reads on from
// the same place, independently. The zero value is a cursor at the end of an
// empty list. A cursor is not safe for concurrent use, copies of it are.
//
// The caller's slices stay in the fields that Cursor sets; the methods change
// integers only. So neither the list nor its segments escape to the heap.
type Cursor struct {
	list List
	seg  int // index of the segment that is read
	off  int // bytes of it that are read
	rest int // bytes of the list that are not read
}

// Cursor returns a cursor at the start of l. It panics as [List.Len] does.
func (l List) Cursor() Cursor {
	return Cursor{list: l, rest: l.Len()}
}

// Next returns the longest contiguous run at the cursor, max bytes at most,
// and moves behind it. It returns nil if max is not positive or the list has
// ended. The run shares the memory of the list; its capacity is its length.
func (c *Cursor) Next(max int) []byte {
	for max > 0 && c.seg < len(c.list) {
		run := c.list[c.seg][c.off:]
		if len(run) > max {
			c.off += max
			c.rest -= max
			return run[:max:max]
		}
		c.seg, c.off = c.seg+1, 0
		if len(run) > 0 {
			c.rest -= len(run)
			return run[:len(run):len(run)]
		}
	}
	return nil
}

// Skip moves the cursor n bytes on, or to the end of the list if that comes
// first, and returns the number of bytes passed over. A negative n counts as 0.
func (c *Cursor) Skip(n int) int {
	left := n
	for left > 0 {
		run := c.Next(left)
		if run == nil {
			break
		}
		left -= len(run)
	}
	return max(n, 0) - max(left, 0)
}

// Remaining returns the number of bytes behind the cursor.
func (c *Cursor) Remaining() int { return c.rest }
