package cryptotest

import (
	"os"
	"runtime/debug"
	"testing"
	"unsafe"
)

var sink byte

// faults tells whether an access to the byte off bytes from p is a fault.
func faults(p []byte, off int, write bool) (fault bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() != nil }()
	at := (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(p)), off))
	if write {
		*at = 1
	} else {
		sink = *at
	}
	return
}

func TestGuardFaults(t *testing.T) {
	if !guarded {
		t.Skip("no guard pages on this system")
	}
	page := os.Getpagesize()
	for _, max := range []int{0, 1, 100, page, page + 1} {
		g := NewGuard(t, max)
		for _, n := range []int{0, 1, 15, 16, 100, page, page + 1} {
			if n > max {
				continue
			}
			for _, write := range []bool{false, true} {
				end, start := g.Place(n, true), g.Place(n, false)
				if !faults(end, n, write) {
					t.Errorf("max %d: byte behind End(%d) does not fault (write: %v)", max, n, write)
				}
				if !faults(end, n+page-1, write) {
					t.Errorf("max %d: page behind End(%d) does not fault (write: %v)", max, n, write)
				}
				if !faults(start, -1, write) {
					t.Errorf("max %d: byte before Start(%d) does not fault (write: %v)", max, n, write)
				}
				if n > 0 && (faults(end, 0, write) || faults(end, n-1, write) ||
					faults(start, 0, write) || faults(start, n-1, write)) {
					t.Errorf("max %d: %d bytes that may be touched fault (write: %v)", max, n, write)
				}
			}
		}
	}
}

func TestGuardSlices(t *testing.T) {
	g := NewGuard(t, 100)
	for n := range 101 {
		for back := range 101 - n {
			p := g.At(n, back)
			if len(p) != n || cap(p) != n {
				t.Fatalf("At(%d, %d): length %d, capacity %d", n, back, len(p), cap(p))
			}
			if guarded && (uintptr(unsafe.Pointer(unsafe.SliceData(p)))+uintptr(n+back))%uintptr(os.Getpagesize()) != 0 {
				t.Fatalf("At(%d, %d) ends elsewhere", n, back)
			}
			if guarded && back > 0 && (faults(p, n, true) || !faults(p, n+back, true)) {
				t.Fatalf("At(%d, %d): the guard is elsewhere", n, back)
			}
		}
		for _, p := range [][]byte{g.Start(n), g.End(n)} {
			if len(p) != n || cap(p) != n {
				t.Fatalf("%d bytes: length %d, capacity %d", n, len(p), cap(p))
			}
			clear(p)
		}
	}
	for _, c := range [][2]int{{101, 0}, {100, 1}, {-1, 0}, {0, -1}, {int(^uint(0) >> 1), 1}} {
		mustPanic(t, "At", func() { g.At(c[0], c[1]) })
	}
	mustPanic(t, "Start", func() { g.Start(101) })
}
