package stream

import (
	"sync"
	"sync/atomic"
)

// spread divides chunks into pieces, the last of which may be shorter, and calls f
// for them from up to n goroutines, of which the caller's is one. f returns how
// many chunks it got done, and spread how many there are before the first that was
// not. What is behind that one may be done or not; what is before it is done.
//
// Workers take one piece after another. So one that is late to wake has less to
// do, instead of keeping the others waiting.
func spread(n, chunks, piece int, f func(from, to int) int) int {
	var begun, good atomic.Int64
	good.Store(int64(chunks))
	work := func() {
		for begun.Load() < good.Load() {
			from := int(begun.Add(int64(piece))) - piece
			if from >= chunks {
				return
			}
			// Whatever happens elsewhere, a piece that was taken is done:
			// the failure may be behind it.
			to := min(from+piece, chunks)
			if done := from + f(from, to); done < to {
				lower(&good, int64(done))
			}
		}
	}
	var others sync.WaitGroup
	for range min(n, (chunks+piece-1)/piece) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	return int(good.Load())
}

// lower makes v no more than n.
func lower(v *atomic.Int64, n int64) {
	for {
		old := v.Load()
		if old <= n || v.CompareAndSwap(old, n) {
			return
		}
	}
}

// openMany is openRun with up to n goroutines.
func (m *message) openMany(n int, r run) int {
	const piece = 2
	chunks := len(r.src) / sealedSize
	if n == 1 || chunks <= piece {
		return m.openRun(r)
	}
	return spread(n, chunks, piece, func(from, to int) int {
		return m.openRun(run{r.dst[from*ChunkSize:], r.i + uint64(from), r.src[from*sealedSize : to*sealedSize]})
	})
}
