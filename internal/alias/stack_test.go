package alias

import (
	"testing"

	"github.com/cipherwalk/cipherwalk/sg"
)

// TestStackGrowth compares lists of stack buffers on goroutines whose stack
// has to grow, and so to move, inside the call: addresses taken before and
// after the move must not be mixed up.
func TestStackGrowth(t *testing.T) {
	deep := func(depth int) {
		var check func(int)
		check = func(d int) {
			if d > 0 {
				var pad [64]byte
				pad[d%64] = 1
				check(d - 1)
				if pad[d%64] != 1 {
					t.Error("stack damaged")
				}
				return
			}
			var a, b [40]byte
			dst := make(sg.List, 0, 40)
			src := make(sg.List, 0, 40)
			for i := range 40 { // descending: the general path
				dst = append(dst, a[39-i:40-i])
				src = append(src, b[39-i:40-i])
			}
			if InexactLists(dst, src) {
				t.Error("disjoint stack buffers seem to overlap")
			}
			src[20] = a[0:1]
			if !InexactLists(dst, src) {
				t.Error("overlap of stack buffers missed")
			}
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			check(depth)
		}()
		<-done
	}
	for depth := range 60 {
		deep(depth)
	}
}
