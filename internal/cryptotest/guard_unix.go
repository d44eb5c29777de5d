//go:build linux || darwin

package cryptotest

import (
	"os"
	"syscall"
	"testing"
)

// guarded tells whether a Guard has guard pages on this system.
const guarded = true

// mapGuarded maps at least size bytes, mem[lo:hi], in whole pages between two
// that may not be touched.
func mapGuarded(tb testing.TB, size int) (mem []byte, lo, hi int) {
	tb.Helper()
	page := os.Getpagesize()
	room := (max(size, 1) + page - 1) / page * page
	lo, hi = page, page+room
	mem, err := syscall.Mmap(-1, 0, hi+page,
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatalf("mmap: %v", err)
	}
	tb.Cleanup(func() {
		if err := syscall.Munmap(mem); err != nil {
			tb.Errorf("munmap: %v", err)
		}
	})
	for _, guard := range [][]byte{mem[:lo], mem[hi:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			tb.Fatalf("mprotect: %v", err)
		}
	}
	return mem, lo, hi
}
