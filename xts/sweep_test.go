//go:build !race

package xts_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// TestLengthSweep times every length from 16 to 1024 bytes: a length that costs
// twice as much a byte as its neighbour has taken a path with a penalty, such as
// legacy vector instructions behind VEX ones. The least of many slices, taken in
// turns, decides; a length in doubt is measured again.
func TestLengthSweep(t *testing.T) {
	if testing.Short() || kernels.Best() == kernels.Generic {
		t.Skip("timing of the assembly; the portable code does four blocks at a time, needed or not")
	}
	c := mustNew(t, 64)
	src, dst := make([]byte, 1024), make([]byte, 1024)
	const first, last = 16, 1024
	best := make([]float64, last+1)
	for n := range best {
		best[n] = 1e18
	}
	measure := func(n int) {
		const calls = 20
		start := time.Now()
		for range calls {
			c.Encrypt(dst[:n], src[:n], [16]byte{})
		}
		best[n] = min(best[n], float64(time.Since(start).Nanoseconds())/calls/float64(n))
	}
	// Neighbours are measured in turns, so that they see the same machine.
	for range 30 {
		for n := first; n <= last; n++ {
			measure(n)
		}
	}
	doubtful := func(n int) bool { return best[n] > 2*best[n-1] || best[n-1] > 2*best[n] }
	for range 300 {
		for n := first + 1; n <= last; n++ {
			if doubtful(n) {
				measure(n - 1)
				measure(n)
			}
		}
	}
	for n := first + 1; n <= last; n++ {
		if doubtful(n) {
			t.Errorf("%d bytes: %.3f ns a byte, %d bytes: %.3f", n-1, best[n-1], n, best[n])
		}
	}
	t.Logf("ns a byte: 16 bytes %.2f, 64 %.2f, 512 %.3f, 1024 %.3f; the slowest beyond 512 %.3f",
		best[16], best[64], best[512], best[1024], slices.Max(best[513:]))
}
