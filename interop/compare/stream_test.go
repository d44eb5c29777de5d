package main

import (
	"io"
	"testing"
	"time"
)

// TestStreamCases runs every case of the works of streams with slices as short as
// can be, after having compared what they give.
func TestStreamCases(t *testing.T) {
	if works := streamWorks(192); works != nil {
		t.Errorf("%d works for 192 bits", len(works))
	}
	for _, bits := range []int{128, 256} {
		for _, w := range streamWorks(bits) {
			for _, size := range []int{w.sizes[0], 1 << 20} {
				if !w.fits(size) {
					t.Fatalf("%s does not fit %d bytes", w.name, size)
				}
				g := newGroup(w, size, "", func(string) bool { return true })
				if err := g.verify(); err != nil {
					t.Error(err)
					continue
				}
				for _, impl := range []string{oneChunk, "stream", "age, X25519", "tink-go, 1 MiB segments"} {
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
}

// TestChecked: the first run opens what it has sealed, the others do not.
func TestChecked(t *testing.T) {
	puts, opens := 0, 0
	out := make([]byte, 4)
	run := checked(func(w io.Writer) {
		puts++
		io.WriteString(w, "text")
	}, func(r io.Reader) (io.Reader, error) {
		opens++
		return r, nil
	}, out)
	run(1)
	run(3)
	if puts != 4 || opens != 1 || string(out) != "text" {
		t.Errorf("sealed %d times, opened %d times, %q", puts, opens, out)
	}
}
