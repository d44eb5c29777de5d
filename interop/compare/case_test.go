package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// TestEveryCase runs every case of every work at every default size, with
// slices as short as can be, after having compared what they compute. The
// greatest size, which takes longest in portable Go, is for one key size only.
func TestEveryCase(t *testing.T) {
	sizes := 0
	for _, bits := range []string{"128", "192", "256"} {
		o, err := parse([]string{"-key", bits}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range o.tasks() {
			if bits != "256" && task.size >= 1<<20 {
				continue
			}
			g := o.group(task)
			sizes++
			if err := g.verify(); err != nil {
				t.Error(err)
				continue
			}
			if len(g.cases) < 2 {
				t.Errorf("%s, %d bytes: nothing to compare", task.work.name, task.size)
			}
			results := runner{slices: 2, slice: 10 * time.Microsecond}.measure(g, time.Time{})
			for _, r := range rowsOf(g, results) {
				if r.slices != 2 || r.least <= 0 || r.median < r.least {
					t.Errorf("%s, %d bytes: %s: %d slices, %v ns, median %v ns", r.work.name, r.size, r.impl, r.slices, r.least, r.median)
				}
				if !r.ceiling && r.speedLeast <= 0 {
					t.Errorf("%s, %d bytes: %s has no speed against %s", r.work.name, r.size, r.impl, r.work.base)
				}
			}
		}
	}
	if sizes < 100 {
		t.Errorf("%d works and sizes", sizes)
	}
}

// TestEveryLevel checks that no level is missing in the comparison.
func TestEveryLevel(t *testing.T) {
	cases := xtsCases(256, true, 512, 512)
	for _, l := range kernels.Levels() {
		if !hasImpl(cases, l.String()) {
			t.Errorf("%v is missing", l)
		}
	}
}

func TestRagged(t *testing.T) {
	if hasImpl(xtsCases(256, true, 63, 63), "x/crypto/xts") {
		t.Error("x/crypto/xts has no ciphertext stealing but is compared at 63 bytes")
	}
}

func TestVerify(t *testing.T) {
	out := make([]byte, 4)
	fill := func(b ...byte) benchCase {
		return benchCase{impl: string(rune('a' + b[0])), out: sg.Split(out, 1), run: func(int) { copy(out, b) }}
	}
	for _, test := range []struct {
		cases []benchCase
		want  string
	}{
		{[]benchCase{fill(0, 1, 2, 3), fill(0, 1, 2, 3)}, ""},
		{[]benchCase{fill(0, 1, 2, 3), fill(0, 1, 9, 3)}, "differ from byte 2 on: 0x09 and 0x02"},
		// What the first left in the buffer must not help the second.
		{[]benchCase{fill(1, 1, 2, 3), fill(1, 1, 2)}, "differ from byte 3 on: 0x00 and 0x03"},
		{[]benchCase{fill(0, 0, 0, 0), {impl: "short", out: sg.List{out[:3]}, run: func(int) {}}}, "differ in length, 3 and 4"},
		{[]benchCase{{impl: "none", run: func(int) {}}}, "has no output"},
	} {
		err := group{cases: test.cases}.verify()
		if test.want == "" && err != nil {
			t.Errorf("error %v", err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("error %v, want one with %q", err, test.want)
		}
	}
}

func TestNewGroup(t *testing.T) {
	w := work{base: "b", cases: func(int) []benchCase { return []benchCase{{impl: "a"}, {impl: "b"}, {impl: "c"}} }}
	for _, test := range []struct{ base, wanted, cases, newBase string }{
		{"", "abc", "abc", "b"},
		{"", "c", "bc", "b"}, // the base stays
		{"a", "c", "ac", "a"},
		{"x", "c", "bc", "b"}, // not of this work
	} {
		g := newGroup(w, 16, test.base, func(impl string) bool { return strings.Contains(test.wanted, impl) })
		got := ""
		for _, c := range g.cases {
			got += c.impl
		}
		if got != test.cases || g.work.base != test.newBase {
			t.Errorf("%+v: cases %s, base %s", test, got, g.work.base)
		}
	}
}

// TestCeilings checks that every ceiling that the levels of this machine need is
// there and runs.
func TestCeilings(t *testing.T) {
	for _, l := range kernels.Levels() {
		width := levelWidth(l)
		c, ok := ceilingCase(width, 10)
		if width > 0 != ok {
			t.Errorf("%v: ceiling of %d bits: %v", l, width, ok)
		}
		if ok {
			if want := 12 * width / 8 * 64; c.bytes != want {
				t.Errorf("ceiling of %d bits: %d bytes, want %d", width, c.bytes, want)
			}
			c.run(0)
			c.run(1)
		}
	}
	if _, ok := ceilingCase(0, 10); ok {
		t.Error("there is a ceiling of width 0")
	}
}
