package cryptotest

import (
	"testing"
	"unsafe"
)

// A Guard is memory between two pages that may not be touched: an access one
// byte beyond either end is a fault, in assembly too. Its slices have no spare
// capacity, and all share the same memory.
//
// Other systems than Linux and macOS get ordinary memory that catches nothing,
// so that the tests run there as well.
type Guard struct {
	mem    []byte // the whole mapping
	lo, hi int    // what may be touched of it
	max    int
}

// NewGuard returns a Guard for slices of at most max bytes, to be released at
// the end of the test.
func NewGuard(tb testing.TB, max int) *Guard {
	tb.Helper()
	mem, lo, hi := mapGuarded(tb, max)
	return &Guard{mem, lo, hi, max}
}

// End returns n bytes that end where the upper guard begins. If n is 0, the
// slice points at the guard.
func (g *Guard) End(n int) []byte { return g.At(n, 0) }

// Start returns n bytes that begin where the lower guard ends.
func (g *Guard) Start(n int) []byte {
	g.limit(n, 0)
	return window(g.mem, g.lo, n)
}

// Place returns End(n) or Start(n).
func (g *Guard) Place(n int, atEnd bool) []byte {
	if atEnd {
		return g.End(n)
	}
	return g.Start(n)
}

// At returns n bytes that end back bytes before the upper guard: the address
// of their end is -back modulo the page size.
func (g *Guard) At(n, back int) []byte {
	g.limit(n, back)
	return window(g.mem, g.hi-back-n, n)
}

func (g *Guard) limit(n, back int) {
	if n < 0 || back < 0 || n > g.max || back > g.max-n {
		panic("cryptotest: slice does not fit the Guard")
	}
}

// window returns mem[off:off+n] without spare capacity. Other than by slicing,
// an empty window points at mem[off], where a careless kernel may be caught,
// and not at the start of mem.
func window(mem []byte, off, n int) []byte {
	_ = mem[off : off+n]
	return unsafe.Slice(&mem[off], n)
}
