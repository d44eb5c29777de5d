package cryptotest

import (
	"strings"
	"testing"
)

var escaped []byte

func TestNoAllocs(t *testing.T) {
	NoAllocs(t, "a stack buffer", func() {
		var p [64]byte
		sink = p[len(escaped)%64]
	})
	first := true
	NoAllocs(t, "the warm-up", func() {
		if first {
			escaped, first = make([]byte, 100), false
		}
	})
	r := record(t, func(tb testing.TB) {
		NoAllocs(tb, "make", func() { escaped = make([]byte, 100) })
	})
	if !r.failed || !strings.Contains(r.log.String(), "make allocates 1 times") {
		t.Errorf("allocation passes: %q", r.log.String())
	}
}
