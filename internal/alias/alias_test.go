package alias

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/sg"
)

func TestSlices(t *testing.T) {
	a := make([]byte, 32)
	for _, c := range []struct {
		name         string
		x, y         []byte
		any, inexact bool
	}{
		{"nil", nil, a, false, false},
		{"empty inside", a[4:4], a, false, false},
		{"same", a[:16], a[:16], true, false},
		{"same start", a[:16], a[:8], true, false},
		{"neighbours", a[:16], a[16:], false, false},
		{"one byte forwards", a[1:17], a[:16], true, true},
		{"one byte backwards", a[:16], a[1:17], true, true},
		{"last byte", a[:17], a[16:], true, true},
		{"other memory", a, make([]byte, 32), false, false},
	} {
		for _, swap := range []bool{false, true} {
			if swap {
				c.x, c.y = c.y, c.x
			}
			if got := Any(c.x, c.y); got != c.any {
				t.Errorf("%s: Any = %v", c.name, got)
			}
			if got := Inexact(c.x, c.y); got != c.inexact {
				t.Errorf("%s: Inexact = %v", c.name, got)
			}
		}
	}
}

// reference is the rule itself, byte by byte, over lists inside mem.
func reference(mem []byte, dst, src sg.List) bool {
	at := map[*byte]int{}
	n := 0
	for _, s := range dst {
		for i := range s {
			if _, twice := at[&s[i]]; twice {
				return true
			}
			at[&s[i]] = n
			n++
		}
	}
	n = 0
	for _, s := range src {
		for i := range s {
			if o, both := at[&s[i]]; both && o != n {
				return true
			}
			n++
		}
	}
	return false
}

// randomList makes a list inside mem of one of the shapes that take the
// different paths of InexactLists.
func randomList(r *rand.Rand, mem []byte, segments int) sg.List {
	var l sg.List
	switch r.IntN(3) {
	case 0: // random places
		for range segments {
			n := r.IntN(4)
			at := r.IntN(len(mem) - n)
			l = append(l, mem[at:at+n])
		}
	case 1: // ascending, disjoint
		for at := 0; at < len(mem) && len(l) < segments; {
			n := min(r.IntN(4), len(mem)-at)
			l = append(l, mem[at:at+n])
			at += n + r.IntN(3)
		}
	case 2: // disjoint, shuffled
		for at := 0; at < len(mem) && len(l) < segments; {
			n := min(r.IntN(4), len(mem)-at)
			l = append(l, mem[at:at+n])
			at += n + r.IntN(3)
		}
		r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	return l
}

// resplit returns the string of l in other segments, a few of them cut.
func resplit(r *rand.Rand, l sg.List) sg.List {
	var out sg.List
	for _, s := range l {
		if len(s) > 1 && r.IntN(2) == 0 {
			c := 1 + r.IntN(len(s)-1)
			out = append(out, s[:c], nil, s[c:])
		} else {
			out = append(out, s)
		}
	}
	return out
}

func TestListsAgainstDefinition(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	mem := make([]byte, 200)
	var verdicts [2]int
	for i := range 20000 {
		dst := randomList(r, mem, 1+r.IntN(40))
		var src sg.List
		switch r.IntN(4) {
		case 0:
			src = randomList(r, mem, 1+r.IntN(40))
		case 1:
			src = slices.Clone(dst)
		case 2:
			src = resplit(r, dst)
		case 3: // the same memory, but for one byte forwards or backwards
			src = resplit(r, dst)
			if k := r.IntN(len(src) + 1); k < len(src) && len(src[k]) > 0 {
				src[k] = src[k][1:]
			}
		}
		want := reference(mem, dst, src)
		if got := InexactLists(dst, src); got != want {
			t.Fatalf("round %d of seed %d: got %v, want %v", i, seed, got, want)
		}
		if got := inexactPairs(dst, src); got != want {
			t.Fatalf("round %d of seed %d: pairs: got %v, want %v", i, seed, got, want)
		}
		if got := inexactSorted(dst, src); got != want {
			t.Fatalf("round %d of seed %d: sorted: got %v, want %v", i, seed, got, want)
		}
		if want {
			verdicts[1]++
		} else {
			verdicts[0]++
		}
	}
	if min(verdicts[0], verdicts[1]) < 2000 {
		t.Errorf("one-sided test: %d clean, %d inexact", verdicts[0], verdicts[1])
	}
}

// pieces cuts n segments of size bytes out of fresh memory.
func pieces(n, size int) sg.List {
	mem := make([]byte, n*size)
	l := make(sg.List, n)
	for i := range l {
		l[i] = mem[i*size : (i+1)*size]
	}
	return l
}

func shuffled(l sg.List) sg.List {
	l = slices.Clone(l)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	return l
}

// TestNeverQuadratic has 10 000 segments a side in the shapes that tempt a
// program to compare all pairs; 10^8 comparisons would take far longer than
// the bound, which leaves room for -race and a busy machine.
func TestNeverQuadratic(t *testing.T) {
	const n = 10000
	up := pieces(n, 16)
	mixed := shuffled(up)
	whole := sg.List{}
	for range n { // every segment of src is all of dst's memory
		whole = append(whole, up[0][:16:16])
	}
	for name, c := range map[string]struct {
		dst, src sg.List
		want     bool
	}{
		"disjoint":         {up, pieces(n, 16), false},
		"same":             {up, up, false},
		"same, shuffled":   {mixed, mixed, false},
		"other order":      {up, mixed, true},
		"shuffled apart":   {mixed, shuffled(pieces(n, 16)), false},
		"one place, often": {mixed, whole, true},
	} {
		best := time.Hour
		for range 3 {
			start := time.Now()
			if got := InexactLists(c.dst, c.src); got != c.want {
				t.Errorf("%s: got %v", name, got)
			}
			best = min(best, time.Since(start))
		}
		t.Logf("%s: %v", name, best)
		if best > 60*time.Millisecond {
			t.Errorf("%s: %v for %d segments a side", name, best, n)
		}
	}
}

func TestNoAllocs(t *testing.T) {
	up, other := pieces(1000, 16), pieces(1000, 16)
	mixed := shuffled(up)
	for name, f := range map[string]func(){
		"stack": func() {
			var a, b [64]byte
			if InexactLists(sg.List{a[:7], a[7:]}, sg.List{b[:32], nil, b[32:]}) {
				t.Error("stack buffers overlap")
			}
		},
		"disjoint": func() { InexactLists(up, other) },
		"same":     func() { InexactLists(up, up) },
		"shuffled": func() { InexactLists(mixed, mixed) },
	} {
		// Under -race a sync.Pool drops what it is given at random: the
		// best of several rounds counts.
		least := 1.0
		for range 10 {
			least = min(least, testing.AllocsPerRun(100, f))
		}
		if least > 0 {
			t.Errorf("%s: %v allocations", name, least)
		}
	}
}

func BenchmarkLists(b *testing.B) {
	for _, n := range []int{1, 4, 64, 10000} {
		up, other := pieces(n, 16), pieces(n, 16)
		mixed := shuffled(up)
		for _, c := range []struct {
			name     string
			dst, src sg.List
		}{{"apart", up, other}, {"same", up, up}, {"shuffled", mixed, mixed}} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					InexactLists(c.dst, c.src)
				}
			})
		}
	}
}
