package cryptotest

import "testing"

// NoAllocs fails the test unless f, which what names, does not allocate. f runs
// once before it counts. Pools of buffers may allocate rarely, as when the
// garbage collector has emptied them: a hundred calls that allocate less than a
// hundred times pass. Not for parallel tests.
func NoAllocs(t testing.TB, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s allocates %v times, want none", what, n)
	}
}
