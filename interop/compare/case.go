package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cipherwalk/cipherwalk/sg"
)

// A work is a task that several implementations can do, at several sizes: one
// table of the report, one chart.
type work struct {
	name   string
	base   string         // the implementation that ratios refer to
	rounds int            // AES rounds per block of 16 bytes, for the ceiling; 0 for none
	sizes  []int          // those measured by default
	fits   func(int) bool // the sizes that are possible

	// cases returns an implementation each, for one size. All of them share
	// their input and output buffers as far as possible, so that none has
	// the better addresses.
	cases func(size int) []benchCase
}

// A benchCase is one implementation of a work at one size.
type benchCase struct {
	impl    string
	bytes   int  // done by one iteration of run
	width   int  // of the ceiling to compare with, in bits; 0 for none
	ceiling bool // this is a ceiling itself

	// run does the work n times. The loop is its own because a call through
	// cgo must not be within.
	run func(n int)

	// out is where run leaves its result. In one work and size it is the
	// same string for all cases, however divided.
	out sg.List
}

// A group is the cases of one work at one size: what is interleaved, verified
// to be alike, and compared.
type group struct {
	work  work
	size  int
	cases []benchCase
}

// newGroup prepares a group of the implementations that wanted says yes to, of
// the base in any case, and of the ceilings that they are compared with. The
// base is that of the work unless the work has an implementation of the given
// name.
func newGroup(w work, size int, base string, wanted func(impl string) bool) group {
	cases := w.cases(size)
	if hasImpl(cases, base) {
		w.base = base
	}
	g := group{work: w, size: size}
	var widths []int
	for _, c := range cases {
		if c.impl == w.base || wanted(c.impl) {
			g.cases = append(g.cases, c)
			widths = append(widths, c.width)
		}
	}
	if w.rounds == 0 {
		return g
	}
	slices.Sort(widths)
	for _, width := range slices.Compact(widths) {
		if c, ok := ceilingCase(width, w.rounds); ok {
			g.cases = append(g.cases, c)
		}
	}
	return g
}

// hasImpl says whether one of the cases is of that implementation.
func hasImpl(cases []benchCase, impl string) bool {
	return slices.ContainsFunc(cases, func(c benchCase) bool { return c.impl == impl })
}

// verify runs every case once and returns an error unless all of them give the
// same bytes. It is a differential test, without which a comparison of speeds
// means nothing.
func (g group) verify() error {
	var first []byte
	var name string
	for _, c := range g.cases {
		if c.ceiling {
			continue
		}
		for _, s := range c.out {
			clear(s) // what another case left there
		}
		c.run(1)
		got := make([]byte, c.out.Len())
		c.out.CopyTo(got)
		if first == nil {
			first, name = got, c.impl
			if len(got) == 0 {
				return fmt.Errorf("%s, %d bytes: %s has no output", g.work.name, g.size, c.impl)
			}
			continue
		}
		if !bytes.Equal(got, first) {
			return fmt.Errorf("%s, %d bytes: %s and %s differ %s", g.work.name, g.size, c.impl, name, difference(got, first))
		}
	}
	return nil
}

// difference says where two results part.
func difference(a, b []byte) string {
	if len(a) != len(b) {
		return fmt.Sprintf("in length, %d and %d", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			return fmt.Sprintf("from byte %d on: %#02x and %#02x", i, a[i], b[i])
		}
	}
	return "nowhere"
}

// times returns a run that calls f n times.
func times(f func()) func(n int) {
	return func(n int) {
		for range n {
			f()
		}
	}
}
