package cryptotest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/sg"
)

// join returns the text that l stands for.
func join(l sg.List) []byte { return bytes.Join(l, nil) }

// operate is a correct operation: it inverts src into dst.
func operate(dst, src sg.List) {
	text := join(src)
	for i := range text {
		text[i] ^= 0xff
	}
	dst.CopyFrom(text)
}

func inverted(p []byte) []byte {
	q := bytes.Clone(p)
	for i := range q {
		q[i] ^= 0xff
	}
	return q
}

// eachLayout runs f on layouts of all kinds.
func eachLayout(t *testing.T, n int, f func(t *testing.T, c Config, build func() *Layout, want []byte)) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	configs := slices.Concat(Standard(0, 0), Standard(1, 1), Standard(50, 20))
	for range n {
		configs = append(configs, Random(r, 300))
	}
	for _, c := range configs {
		contents := c.Rand()
		text, aad := Bytes(contents, c.TextLen()), Bytes(contents, c.AADLen())
		f(t, c, func() *Layout { return c.Build(t, text, aad) }, inverted(text))
	}
}

func TestLayout(t *testing.T) {
	eachLayout(t, 300, func(t *testing.T, c Config, build func() *Layout, want []byte) {
		l := build()
		text := inverted(want)
		if !bytes.Equal(join(l.Src), text) {
			t.Fatalf("text is not in Src: %v", c)
		}
		if err := l.CheckUntouched(); err != nil {
			t.Fatal(err)
		}
		checkSegments(t, l, "src", l.Src, c.Src)
		checkSegments(t, l, "aad", l.AAD, c.AAD)
		tag := l.Arena.Put("tag", []byte("sixteen bytes..."), 9)
		operate(l.Dst, l.Src)
		if err := l.Check(want); err != nil {
			t.Fatal(err)
		}
		switch c.Mode {
		case OutOfPlace:
			checkSegments(t, l, "dst", l.Dst, c.Dst)
			if !bytes.Equal(join(l.Src), text) {
				t.Fatalf("dst and src share memory: %v", c)
			}
		case InPlace:
			if !bytes.Equal(join(l.Src), want) {
				t.Fatalf("dst and src are not the same: %v", c)
			}
		case InPlaceResplit:
			checkSegments(t, l, "dst", l.Dst, c.Dst)
			if !slices.Equal(addresses(l.Dst), addresses(l.Src)) {
				t.Fatalf("dst and src are not the same memory: %v", c)
			}
		}
		tag[15] = 0
		if l.Check(want) == nil || l.Check(want, tag[:15]) == nil {
			t.Fatalf("change of the tag passes: %v", c)
		}
		if err := l.Check(want, tag); err != nil {
			t.Fatal(err)
		}
		if len(want) > 0 {
			if l.CheckUntouched() == nil || l.Check(text, tag) == nil || l.Check(want[1:], tag) == nil {
				t.Fatalf("change of dst passes: %v", c)
			}
		}
	})
}

// checkSegments compares the segments of a list with their description.
func checkSegments(t *testing.T, l *Layout, name string, list sg.List, d Division) {
	t.Helper()
	if len(list) != len(d) {
		t.Fatalf("%s has %d segments\nconfig: %v", name, len(list), l.Config)
	}
	for i, s := range list {
		if len(s) != d[i].bytes() || cap(s) != len(s) || (s == nil) != (d[i].Size == Nil) {
			t.Fatalf("%s[%d]: length %d, capacity %d, nil: %v\nconfig: %v", name, i, len(s), cap(s), s == nil, l.Config)
		}
		if s == nil {
			continue
		}
		if _, ok := l.Arena.offset(s); !ok {
			t.Fatalf("%s[%d] is not in the arena\nconfig: %v", name, i, l.Config)
		}
		addr := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
		if l.Config.Mode != InPlaceResplit && int(addr%alignment) != d[i].Align {
			t.Fatalf("%s[%d] at %#x\nconfig: %v", name, i, addr, l.Config)
		}
	}
}

// addresses returns the address of each byte of l.
func addresses(l sg.List) (all []*byte) {
	for _, s := range l {
		for i := range s {
			all = append(all, &s[i])
		}
	}
	return all
}

// TestMutants sees that every kind of wrong writer is caught, wherever it is
// wrong. A mutant runs after a correct operation.
func TestMutants(t *testing.T) {
	// places returns the offsets in the arena of the bytes of interest.
	type places func(l *Layout) []int
	around := func(pick func(l *Layout) sg.List, delta func(n int) int) places {
		return func(l *Layout) (at []int) {
			for _, s := range pick(l) {
				if s == nil {
					continue
				}
				off, _ := l.Arena.offset(s)
				at = append(at, off+delta(len(s)))
			}
			return at
		}
	}
	// own returns the segments of dst that are allocated one by one; in a
	// region, what is behind a segment is most often the next one.
	own := func(l *Layout) sg.List {
		if l.Config.Mode != InPlaceResplit {
			return l.Dst
		}
		var regions sg.List
		for _, s := range l.Arena.segments {
			if strings.HasPrefix(s.name, "region") {
				regions = append(regions, window(l.Arena.mem, s.off, s.n))
			}
		}
		return regions
	}
	src := func(l *Layout) sg.List {
		if l.Config.Mode != OutOfPlace {
			return nil
		}
		return l.Src
	}
	aad := func(l *Layout) sg.List { return l.AAD }
	nonempty := func(pick func(l *Layout) sg.List) func(l *Layout) sg.List {
		return func(l *Layout) (full sg.List) {
			for _, s := range pick(l) {
				if len(s) > 0 {
					full = append(full, s)
				}
			}
			return full
		}
	}
	dst := func(l *Layout) sg.List { return l.Dst }
	mutants := map[string]places{
		"first byte not written":   around(nonempty(dst), func(int) int { return 0 }),
		"last byte not written":    around(nonempty(dst), func(n int) int { return n - 1 }),
		"middle byte not written":  around(nonempty(dst), func(n int) int { return n / 2 }),
		"one byte behind dst":      around(own, func(n int) int { return n }),
		"one byte before dst":      around(own, func(n int) int { return -1 }),
		"between segments":         around(own, func(n int) int { return n + 7 }),
		"one byte into src":        around(nonempty(src), func(n int) int { return n / 2 }),
		"one byte behind src":      around(src, func(n int) int { return n }),
		"one byte into the AAD":    around(nonempty(aad), func(n int) int { return n / 3 }),
		"one byte behind the AAD":  around(aad, func(n int) int { return n }),
		"one byte before the AAD":  around(aad, func(n int) int { return -1 }),
		"first byte of the arena":  func(l *Layout) []int { return []int{0} },
		"last byte of the arena":   func(l *Layout) []int { return []int{len(l.Arena.mem) - 1} },
		"one byte of a short tail": func(l *Layout) []int { return []int{l.Arena.free} },
	}
	runs := map[string]int{}
	eachLayout(t, 40, func(t *testing.T, c Config, build func() *Layout, want []byte) {
		l := build()
		operate(l.Dst, l.Src)
		for name, at := range mutants {
			for _, i := range at(l) {
				l.Arena.mem[i] ^= 0x80
				if err := l.Check(want); err == nil {
					t.Fatalf("%s: offset %d passes\nconfig: %v", name, i, c)
				} else if !strings.Contains(err.Error(), c.String()) {
					t.Fatalf("the error does not name the config: %v", err)
				}
				l.Arena.mem[i] ^= 0x80
				runs[name]++
			}
		}
		if err := l.Check(want); err != nil {
			t.Fatal(err)
		}
		l = build()
		for i := 0; i < len(l.Arena.mem); i += 251 { // after an operation that failed
			l.Arena.mem[i] ^= 1
			if l.CheckUntouched() == nil {
				t.Fatalf("a change of offset %d passes as untouched\nconfig: %v", i, c)
			}
			l.Arena.mem[i] ^= 1
		}
	})
	for name := range mutants {
		if runs[name] < 50 {
			t.Errorf("%s: tried %d times only", name, runs[name])
		}
	}
}

// TestShifted sees that an operation whose stores are all one byte off is
// caught, even with contents that are the same after the shift.
func TestShifted(t *testing.T) {
	eachLayout(t, 200, func(t *testing.T, c Config, build func() *Layout, want []byte) {
		for _, shift := range []int{-1, 1} {
			l := build()
			constant := bytes.Repeat([]byte{0}, len(want))
			if len(want) == 0 {
				return
			}
			for _, s := range l.Dst {
				off, ok := l.Arena.offset(s)
				if ok {
					clear(l.Arena.mem[off+shift : off+shift+len(s)])
				}
			}
			if l.Check(constant) == nil {
				t.Fatalf("shift by %d passes\nconfig: %v", shift, c)
			}
		}
	})
}

// TestHeaders sees that an operation may not change the caller's lists.
func TestHeaders(t *testing.T) {
	c := Config{Src: Sizes(4, 5), Dst: Sizes(3, 6), AAD: Sizes(2)}
	for i, mutant := range []func(l *Layout){
		func(l *Layout) { l.Dst[0] = l.Dst[0][1:] },
		func(l *Layout) { l.Src[1] = l.Src[1][:4] },
		func(l *Layout) { l.Src[1] = l.Src[1][:5:5][:4:4] },
		func(l *Layout) { l.AAD[0] = nil },
		func(l *Layout) { l.Dst[1] = bytes.Clone(l.Dst[1]) },
		func(l *Layout) { l.Src = l.Src[1:] },
	} {
		l := c.Build(t, make([]byte, 9), make([]byte, 2))
		want := join(l.Dst)
		if err := l.Check(want); err != nil {
			t.Fatal(err)
		}
		mutant(l)
		if l.Check(want) == nil || l.CheckUntouched() == nil {
			t.Errorf("mutant %d passes", i)
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	c := Config{Src: Sizes(40), Dst: Sizes(16, Nil, 24), AAD: Sizes(3)}
	text := Pattern(0, 40, 1)
	l := c.Build(t, text, make([]byte, 3))
	operate(l.Dst, l.Src)
	off, _ := l.Arena.offset(l.Dst[2])
	l.Arena.mem[off+24]++
	l.Dst[2][4]++
	got := fmt.Sprint(l.Check(inverted(text)))
	for _, want := range []string{"1 behind the last byte of dst[2] (24 bytes)",
		"byte 20, which is dst[2][4] of 24,", "config: mode=out-of-place seed=0 src=40 dst=16,nil,24 aad=3"} {
		if !strings.Contains(got, want) {
			t.Errorf("error is %q, without %q", got, want)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	for _, c := range []Config{{Src: Sizes(1), Dst: Sizes(1)}, {AAD: Sizes(1)}, {Src: Sizes(1)}} {
		if r := record(t, func(tb testing.TB) { c.Build(tb, nil, nil) }); !r.failed {
			t.Errorf("%v is built", c)
		}
	}
}
