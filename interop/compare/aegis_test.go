package main

import (
	"slices"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// TestAEGISCases runs every case of the works of AEGIS with slices as short as can
// be, after having compared what they give.
func TestAEGISCases(t *testing.T) {
	if works := aegisWorks(192); works != nil {
		t.Errorf("%d works for 192 bits", len(works))
	}
	var names []string
	for _, bits := range []int{128, 256} {
		for _, w := range aegisWorks(bits) {
			names = append(names, w.name)
			for _, size := range []int{1, 500, 16 << 10} {
				g := newGroup(w, size, "", func(string) bool { return true })
				if err := g.verify(); err != nil {
					t.Error(err)
					continue
				}
				for _, impl := range []string{w.base, kernels.Best().String(), "aegis.AEAD", "gcm.AEAD"} {
					if !hasImpl(g.cases, impl) {
						t.Errorf("%s: %s is missing", w.name, impl)
					}
				}
				for _, r := range rowsOf(g, runner{slices: 1, slice: time.Microsecond}.measure(g, time.Time{})) {
					if r.least <= 0 {
						t.Errorf("%s, %d bytes: %s took no time", w.name, size, r.impl)
					}
				}
			}
		}
	}
	if len(names) != 14 || !slices.Contains(names, "AEGIS-128L seal") || !slices.Contains(names, "AEGIS-256X4 open") {
		t.Errorf("works %q", names)
	}
}

// TestAEGISVerify: a message that does not open, or opens to something else, is
// noticed.
func TestAEGISVerify(t *testing.T) {
	w := aegisWorks(128)[0]
	g := newGroup(w, 100, "", func(string) bool { return true })
	run := g.cases[1].run
	g.cases[1].run = func(n int) {
		run(n)
		g.cases[1].out[0][7] ^= 1
	}
	if err := g.verify(); err == nil {
		t.Error("another text passed")
	}
}
