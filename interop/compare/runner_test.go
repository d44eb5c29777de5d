package main

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestSummarize(t *testing.T) {
	for _, test := range []struct {
		samples       []float64
		least, median float64
	}{
		{[]float64{7}, 7, 7},
		{[]float64{9, 1}, 1, 5},
		{[]float64{9, 1, 2}, 1, 2},
		{[]float64{4, 1, 100, 2}, 1, 3},
	} {
		rand.Shuffle(len(test.samples), func(i, j int) {
			test.samples[i], test.samples[j] = test.samples[j], test.samples[i]
		})
		if least, median := summarize(test.samples); least != test.least || median != test.median {
			t.Errorf("%v: least %v, median %v, want %v, %v", test.samples, least, median, test.least, test.median)
		}
	}
}

func TestCalibrate(t *testing.T) {
	for _, each := range []time.Duration{1, 7, 100, 33 * time.Microsecond, time.Millisecond, time.Second} {
		calls := 0
		n := calibrate(time.Millisecond, func(n int) time.Duration {
			calls++
			d := time.Duration(n) * each
			if calls%3 == 1 {
				d += 5 * time.Millisecond // an interruption
			}
			return d
		})
		slice := time.Duration(n) * each
		if slice > time.Millisecond && n > 1 || slice < 900*time.Microsecond {
			t.Errorf("%v each: %d times, %v", each, n, slice)
		}
	}
	if n := calibrate(time.Millisecond, func(int) time.Duration { return 0 }); n != maxReps {
		t.Errorf("a clock that stands still: %d times, want %d", n, maxReps)
	}
}

func TestInterleaved(t *testing.T) {
	var order []byte
	const busy = 20 * time.Microsecond
	mark := func(b byte) benchCase {
		return benchCase{impl: string(b), bytes: 1, run: func(n int) {
			order = append(order, b)
			for start := time.Now(); time.Since(start) < busy*time.Duration(n); {
				continue
			}
		}}
	}
	g := group{cases: []benchCase{mark('A'), mark('B'), mark('C')}}
	results := runner{slices: 5, slice: busy}.measure(g, time.Time{})
	if got, want := string(order[len(order)-15:]), "ABCABCABCABCABC"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	for _, r := range results {
		if r.slices != 5 || r.least < float64(busy) {
			t.Errorf("%s: %d slices, least %v ns", r.impl, r.slices, r.least)
		}
	}

	// A deadline that has passed leaves one round.
	for _, r := range (runner{slices: 5, slice: busy}).measure(g, time.Now().Add(-time.Second)) {
		if r.slices != 1 {
			t.Errorf("%s: %d slices after the deadline, want 1", r.impl, r.slices)
		}
	}
}
