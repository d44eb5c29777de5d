package alias

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/sg"
)

// sharesReference is the definition, byte by byte.
func sharesReference(a, b sg.List) bool {
	of := map[*byte]bool{}
	for _, s := range a {
		for i := range s {
			of[&s[i]] = true
		}
	}
	for _, s := range b {
		for i := range s {
			if of[&s[i]] {
				return true
			}
		}
	}
	return false
}

func TestSharesAgainstDefinition(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	mem := make([]byte, 400)
	var verdicts [2]int
	for i := range 20000 {
		a := randomList(r, mem, 1+r.IntN(30))
		var b sg.List
		switch r.IntN(3) {
		case 0:
			b = randomList(r, mem, 1+r.IntN(30))
		case 1: // in other memory or in a corner of the same
			b = randomList(r, mem[390:], 1+r.IntN(3))
		case 2: // in the gaps of a, but for one byte at times
			used := map[*byte]bool{}
			for _, s := range a {
				for i := range s {
					used[&s[i]] = true
				}
			}
			for i := range mem {
				if !used[&mem[i]] || r.IntN(2000) == 0 {
					b = append(b, mem[i:i+1])
				}
			}
			r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		}
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		want := sharesReference(a, b)
		for name, f := range map[string]func(a, b sg.List) bool{
			"Shares": Shares, "pairs": sharesPairs, "sorted": sharesSorted,
		} {
			if got := f(a, b); got != want {
				t.Fatalf("round %d of seed %d: %s: got %v, want %v", i, seed, name, got, want)
			}
		}
		if want {
			verdicts[1]++
		} else {
			verdicts[0]++
		}
	}
	if min(verdicts[0], verdicts[1]) < 2000 {
		t.Errorf("one-sided test: %d apart, %d shared", verdicts[0], verdicts[1])
	}
}

func TestSharesEmpty(t *testing.T) {
	p := make([]byte, 8)
	for _, l := range []sg.List{nil, {nil}, {{}, nil}, {p[3:3]}} {
		if Shares(l, sg.List{p}) || Shares(sg.List{p}, l) || Shares(l, l) {
			t.Errorf("%v shares memory", l)
		}
	}
}

// TestSharesNeverQuadratic interleaves 10 000 segments a side.
func TestSharesNeverQuadratic(t *testing.T) {
	const n = 10000
	all := pieces(2*n, 16)
	var even, odd sg.List
	for i := 0; i < len(all); i += 2 {
		even, odd = append(even, all[i]), append(odd, all[i+1])
	}
	for name, c := range map[string]struct {
		a, b sg.List
		want bool
	}{
		"apart":       {even, pieces(n, 16), false},
		"interleaved": {even, odd, false},
		"shuffled":    {shuffled(even), shuffled(odd), false},
		"one shared":  {even, append(shuffled(odd), even[n/2][15:]), true},
		"one segment": {even, sg.List{odd[n/2]}, false},
	} {
		best := time.Hour
		for range 3 {
			start := time.Now()
			if got := Shares(c.a, c.b); got != c.want {
				t.Errorf("%s: got %v", name, got)
			}
			best = min(best, time.Since(start))
		}
		if best > 60*time.Millisecond {
			t.Errorf("%s: %v for %d segments a side", name, best, n)
		}
	}
}

func TestSharesNoAllocs(t *testing.T) {
	all := pieces(200, 16)
	var even, odd sg.List
	for i := 0; i < len(all); i += 2 {
		even, odd = append(even, all[i]), append(odd, all[i+1])
	}
	for name, f := range map[string]func(){
		"stack": func() {
			var a, b [64]byte
			if Shares(sg.List{a[:7], a[7:]}, sg.List{b[:32], nil, b[32:]}) {
				t.Error("stack buffers overlap")
			}
		},
		"interleaved": func() { Shares(even, odd) },
	} {
		f()
		// Under -race a pool forgets at random, so the least of several.
		n := testing.AllocsPerRun(100, f)
		for range 9 {
			n = min(n, testing.AllocsPerRun(100, f))
		}
		if n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestSharesStackGrowth has the table's calls move the stack.
func TestSharesStackGrowth(t *testing.T) {
	var at func(depth int)
	at = func(depth int) {
		if depth > 0 {
			var pad [64]byte
			pad[depth%64] = 1
			at(depth - 1)
			if pad[depth%64] != 1 {
				t.Error("stack damaged")
			}
			return
		}
		var mem [120]byte
		a, b := make(sg.List, 0, 60), make(sg.List, 0, 60)
		for i := range 60 {
			a, b = append(a, mem[2*i:2*i+1]), append(b, mem[2*i+1:2*i+2])
		}
		if Shares(a, b) {
			t.Error("disjoint stack buffers seem to share memory")
		}
		b[30] = mem[4:5]
		if !Shares(a, b) {
			t.Error("shared stack buffer missed")
		}
	}
	for depth := range 60 {
		done := make(chan bool)
		go func() {
			defer close(done)
			at(depth)
		}()
		<-done
	}
}
