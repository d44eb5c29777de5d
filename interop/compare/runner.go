package main

import (
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// A runner measures groups.
type runner struct {
	slices int           // per case
	slice  time.Duration // length of one, about
}

// A result is what was measured of one case.
type result struct {
	benchCase
	slices int
	least  float64 // nanoseconds of one iteration, of the best slice
	median float64 // likewise, of the slice in the middle
}

// measure goes round the cases of a group, A B C A B C ..., a slice of each at
// a time, so that whatever disturbs the machine disturbs all of them alike. It
// stops at the deadline, if that is not zero, but not before one full round.
func (r runner) measure(g group, deadline time.Time) []result {
	// No case allocates, but the collector may have work left.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()

	reps := make([]int, len(g.cases))
	for i, c := range g.cases {
		reps[i] = calibrate(r.slice, func(n int) time.Duration { return clock(c.run, n) })
	}
	samples := make([][]float64, len(g.cases))
	for i := range samples {
		samples[i] = make([]float64, 0, r.slices)
	}
	for round := range r.slices {
		if round > 0 && !deadline.IsZero() && time.Now().After(deadline) {
			break
		}
		for i, c := range g.cases {
			d := clock(c.run, reps[i])
			samples[i] = append(samples[i], float64(d.Nanoseconds())/float64(reps[i]))
		}
	}
	results := make([]result, len(g.cases))
	for i, c := range g.cases {
		least, median := summarize(samples[i])
		results[i] = result{c, len(samples[i]), least, median}
	}
	return results
}

// clock returns the time of n iterations.
func clock(run func(n int), n int) time.Duration {
	start := time.Now()
	run(n)
	return time.Since(start)
}

// maxReps bounds a slice even if the clock is coarse.
const maxReps = 1 << 24

// calibrate returns how many iterations take about as long as wanted, at
// least one.
func calibrate(wanted time.Duration, clock func(n int) time.Duration) int {
	n := 1
	for n < maxReps {
		// The least of three: one interruption must not make slices short.
		d := min(clock(n), clock(n), clock(n))
		if d >= wanted/4 {
			return int(min(max(float64(n)*float64(wanted)/float64(max(d, 1)), 1), maxReps))
		}
		n *= 2
	}
	return maxReps
}

// summarize returns the least and the median of samples, which it sorts; of an
// even number the mean of the two in the middle.
func summarize(samples []float64) (least, median float64) {
	slices.Sort(samples)
	n := len(samples)
	return samples[0], (samples[(n-1)/2] + samples[n/2]) / 2
}
