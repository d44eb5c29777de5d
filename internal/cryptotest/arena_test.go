package cryptotest

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/sg"
)

func TestArenaPlaces(t *testing.T) {
	room := 0
	for i := range 200 {
		room += Footprint(i % 50)
	}
	a := NewArena(room)
	end := 0
	for i := range 200 {
		n, misalign := i%50, i*7%64
		p := a.Place("p", n, misalign)
		if len(p) != n || cap(p) != n {
			t.Fatalf("segment %d: length %d, capacity %d, want %d", i, len(p), cap(p), n)
		}
		if addr := uintptr(unsafe.Pointer(unsafe.SliceData(p))); addr%alignment != uintptr(misalign) {
			t.Fatalf("segment %d at %#x, want misalignment %d", i, addr, misalign)
		}
		off, ok := a.offset(p)
		if !ok || off < end+minCanary || off < margin {
			t.Fatalf("segment %d at offset %d, %v, but the one before ends at %d", i, off, ok, end)
		}
		end = off + n
	}
	if end+margin > len(a.mem) {
		t.Fatalf("last segment ends at %d of %d", end, len(a.mem))
	}
	if err := a.Check(nil); err != nil {
		t.Error(err)
	}
	mustPanic(t, "full arena", func() { a.Place("p", len(a.mem)-end-margin, 0) })
}

// TestCanary sees that no copy of canaries from another place passes as the
// canaries of a gap.
func TestCanary(t *testing.T) {
	const n = 1024
	for shift := 1; shift < n; shift++ {
		same := 0
		for i := range n {
			if canary(i) == 0 {
				t.Fatal("zero canary")
			}
			if canary(i) != canary(i+shift) {
				same = 0
			} else if same++; same == minCanary/2 {
				t.Fatalf("%d canaries repeat after %d bytes", same, shift)
			}
		}
	}
}

func TestArenaCheck(t *testing.T) {
	a := NewArena(1000)
	p, q := a.Place("first", 20, 0), a.Put("second", []byte("content"), 5)
	if err := a.Check(nil); err != nil {
		t.Errorf("Put is not in the snapshot: %v", err)
	}
	off, _ := a.offset(p)
	for _, c := range []struct {
		at   int
		want string
	}{
		{off - 2, "2 before the start of first (20 bytes)"},
		{off + 3, "byte 3 of first (20 bytes)"},
		{off + 20, "1 behind the last byte of first (20 bytes)"},
		{len(a.mem) - 1, "behind the last byte of second (7 bytes)"},
		{0, "before the start of first"},
	} {
		a.mem[c.at] ^= 1
		a.mem[len(a.mem)-1] ^= 2
		for _, allowed := range []sg.List{nil, {q}, {nil, q[:0], q[1:3]}} {
			err := a.Check(allowed)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("byte %d changed: %v, want %q", c.at, err, c.want)
			}
		}
		a.Snapshot()
		if err := a.Check(nil); err != nil {
			t.Errorf("after the snapshot: %v", err)
		}
	}
	clear(q)
	if a.Check(sg.List{p}) == nil || a.Check(sg.List{q}) != nil || a.Check(sg.List{q[:3], p, q[3:]}) != nil {
		t.Error("allowed segments are not told from others")
	}
	if a.Check(sg.List{q, make([]byte, 1)}) == nil {
		t.Error("a segment outside the arena is allowed")
	}
}
