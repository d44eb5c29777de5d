package cryptotest

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/sg"
)

const (
	// alignment is what misalignments are counted from: a cache line and the
	// widest vector.
	alignment = 64
	minCanary = 16        // least distance between two segments
	margin    = alignment // before the first segment and behind the last
)

// An Arena is one allocation in which segments lie between canaries: bytes
// whose value depends on their place, so that shifted copies of them do not
// pass. A snapshot tells later what was written.
//
// A stray write of the very byte that was there is not noticed, nor is a stray
// read: that is what [Guard] is for.
type Arena struct {
	mem      []byte
	snapshot []byte
	expected []byte // scratch of Check
	segments []segment
	free     int // offset of the first byte that no segment uses
}

// segment is a named place in an arena.
type segment struct {
	name string
	off  int
	n    int
}

// NewArena returns an arena with room for segments of at least the given total
// size, counting [Footprint] for each.
func NewArena(room int) *Arena {
	buf := make([]byte, room+2*margin+alignment)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(buf)))) & (alignment - 1)
	a := &Arena{mem: buf[skip : skip+room+2*margin], free: margin - minCanary}
	for i := range a.mem {
		a.mem[i] = canary(i)
	}
	a.snapshot = bytes.Clone(a.mem)
	a.expected = make([]byte, len(a.mem))
	return a
}

// Footprint returns the room that a segment of n bytes takes in an [Arena] at
// most, with its canary.
func Footprint(n int) int { return minCanary + alignment - 1 + n }

// canary returns the byte at offset i that nobody has written. It is never
// zero, since zero is what careless code writes.
func canary(i int) byte {
	x := uint32(i)*0x9e3779b1 + 0x5bd1e995
	x ^= x >> 15
	x *= 0x2c1b3c6d
	return max(byte(x>>24), 1)
}

// Place returns n bytes whose address is misalign modulo 64, at least 16 bytes
// away from every other segment. They hold canaries. The name appears in
// errors. It panics when the arena is full.
func (a *Arena) Place(name string, n, misalign int) []byte {
	off := a.free + minCanary
	off += (misalign - off) & (alignment - 1)
	if n < 0 || n > len(a.mem)-margin-off {
		panic("cryptotest: no room in the Arena for " + name)
	}
	a.segments = append(a.segments, segment{name, off, n})
	a.free = off + n
	return window(a.mem, off, n)
}

// Put places a copy of content like [Arena.Place] and adds it to the snapshot,
// which is otherwise left as it is.
func (a *Arena) Put(name string, content []byte, misalign int) []byte {
	p := a.Place(name, len(content), misalign)
	copy(p, content)
	copy(a.snapshot[a.free-len(p):], content)
	return p
}

// Snapshot records the bytes of the arena, for [Arena.Check] to compare with.
func (a *Arena) Snapshot() { copy(a.snapshot, a.mem) }

// Check returns an error unless the bytes of allowed are the only ones that
// have changed since the snapshot. The error names the first that has and the
// segment nearest to it. The segments of allowed must lie in the arena.
func (a *Arena) Check(allowed sg.List) error {
	copy(a.expected, a.snapshot)
	for i, s := range allowed {
		if len(s) == 0 {
			continue
		}
		off, ok := a.offset(s)
		if !ok {
			return fmt.Errorf("cryptotest: allowed segment %d is not in the arena", i)
		}
		copy(a.expected[off:], s)
	}
	if bytes.Equal(a.mem, a.expected) {
		return nil
	}
	first, changed := 0, 0
	for i := len(a.mem) - 1; i >= 0; i-- {
		if a.mem[i] != a.expected[i] {
			first, changed = i, changed+1
		}
	}
	return fmt.Errorf("%d bytes changed that should not, first offset %d from %02x to %02x, %s",
		changed, first, a.expected[first], a.mem[first], a.where(first))
}

// offset returns where p begins in the arena, and whether it lies there.
func (a *Arena) offset(p []byte) (int, bool) {
	off := uintptr(unsafe.Pointer(unsafe.SliceData(p))) -
		uintptr(unsafe.Pointer(unsafe.SliceData(a.mem)))
	if off > uintptr(len(a.mem)) || len(p) > len(a.mem)-int(off) {
		return 0, false
	}
	return int(off), true
}

// where describes offset i by the segment nearest to it.
func (a *Arena) where(i int) string {
	nearest, text := len(a.mem), "in an arena without segments"
	for _, s := range a.segments {
		switch end := s.off + s.n; {
		case s.off <= i && i < end:
			return fmt.Sprintf("byte %d of %s", i-s.off, s)
		case i < s.off && s.off-i < nearest:
			nearest = s.off - i
			text = fmt.Sprintf("%d before the start of %s", nearest, s)
		case i >= end && i-end+1 < nearest:
			nearest = i - end + 1
			text = fmt.Sprintf("%d behind the last byte of %s", nearest, s)
		}
	}
	return text
}

func (s segment) String() string { return fmt.Sprintf("%s (%d bytes)", s.name, s.n) }
