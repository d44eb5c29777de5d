package stream_test

import (
	"io"
	"sync"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/stream"
)

// pace is what a megabyte takes, of the slower of the suites that tests seal most
// with. Assembly takes 0.1 ms, portable code 15, and an emulator much more.
var pace = sync.OnceValue(func() time.Duration {
	best := time.Hour
	for range 3 {
		start := time.Now()
		for _, suite := range []stream.Suite{stream.Cobblestone256, stream.AEGIS128L} {
			w, err := stream.NewWriter(io.Discard, suite, keyOf(suite, 1), nil)
			if err != nil {
				panic(err)
			}
			w.Write(make([]byte, 1<<19))
		}
		best = min(best, time.Since(start))
	}
	return best
})

// byPace returns how many of something a test has: all of them with assembly,
// fewer with portable code or the race detector, and few with an emulator, so that it takes seconds
// everywhere.
func byPace(t testing.TB, all, fewer, few int) int {
	switch d := pace(); {
	case d > 60*time.Millisecond:
		t.Logf("a megabyte takes %v: %d of %d", d, few, all)
		return few
	case d > 3*time.Millisecond || raceDetector:
		t.Logf("a megabyte takes %v, race detector %v: %d of %d", d, raceDetector, fewer, all)
		return fewer
	}
	return all
}

// stride is the distance of positions that a test tries, where it means to try
// every one.
func stride(t testing.TB) int { return 1009 / byPace(t, 1009, 16, 3) }
