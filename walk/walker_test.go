package walk

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// scramble is the toy cipher of these tests: it depends on the position of
// every byte, so that any byte lost, doubled or moved shows.
func scramble(dst, src []byte, pos int) {
	for i := range src {
		dst[i] = src[i] ^ byte(pos+i) ^ byte((pos+i)>>8)*31 ^ 0x5c
	}
}

// walkAll walks the lists with the toy cipher and checks every rule that a step
// must keep to.
func walkAll(dst, src sg.List, g Geometry) error {
	w, err := New(dst, src, g)
	if err != nil {
		return err
	}
	total := src.Len()
	unit := total
	if g.Unit > 0 {
		unit = g.Unit
	}
	limit := g.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	pos, steps := 0, 0
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		begin := pos - pos%unit
		whole := min(unit, total-begin) // this unit
		left := begin + whole - pos     // of it, with this step
		switch n := len(s); {
		case len(d) != n || n == 0:
			return fmt.Errorf("step at %d: %d bytes to %d", pos, n, len(d))
		case cap(s) != n || cap(d) != n:
			return fmt.Errorf("step at %d: capacity %d, %d of %d", pos, cap(d), cap(s), n)
		case alias.Inexact(d, s):
			return fmt.Errorf("step at %d: dst and src overlap inexactly", pos)
		case n > limit:
			return fmt.Errorf("step at %d: %d bytes, limit %d", pos, n, limit)
		case n > left:
			return fmt.Errorf("step at %d: %d bytes, %d left in the unit", pos, n, left)
		case n < left && n%g.Chunk > 0:
			return fmt.Errorf("step at %d: ragged with %d of %d bytes", pos, n, left)
		case n == left && n%g.Chunk > 0 && n < g.Keep+n%g.Chunk && n < whole:
			return fmt.Errorf("last step at %d: %d bytes, less than keep and the rest", pos, n)
		}
		scramble(d, s, pos)
		pos += len(s)
		if steps++; steps > total {
			return errors.New("the walk does not end")
		}
	}
	if pos != total {
		return fmt.Errorf("%d of %d bytes walked", pos, total)
	}
	if d, s, ok := w.Next(); ok || d != nil || s != nil {
		return errors.New("a step behind the end")
	}
	for i, b := range w.bounce {
		if b != 0 {
			return fmt.Errorf("byte %d of the bounce was not wiped", i)
		}
	}
	return nil
}

// randomGeometry draws a valid geometry.
func randomGeometry(r *rand.Rand) Geometry {
	g := Geometry{Chunk: 1 << r.IntN(8)}
	if r.IntN(2) == 0 {
		g.Keep = g.Chunk * r.IntN(3)
	}
	if r.IntN(2) == 0 {
		g.Gather = 1 + r.IntN(200)
	}
	if r.IntN(2) == 0 {
		g.Limit = 2*(g.Keep+g.Chunk) + r.IntN(200)
	}
	if r.IntN(3) == 0 {
		g.Unit = 1 + r.IntN(700)
	}
	return g
}

func TestRandomDivisions(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 20000 {
		g := randomGeometry(r)
		c := cryptotest.Random(r, 1+r.IntN(5000))
		text := cryptotest.Bytes(r, c.TextLen())
		l := c.Build(t, text, make([]byte, c.AADLen()))
		want := make([]byte, len(text))
		scramble(want, text, 0)
		if err := walkAll(l.Dst, l.Src, g); err != nil {
			t.Fatalf("round %d of seed %d: %+v: %v\n%v", i, seed, g, err, c)
		}
		if err := l.Check(want); err != nil {
			t.Fatalf("round %d of seed %d: %+v: %v", i, seed, g, err)
		}
	}
}

// compositions returns every way to write n as a sum of at most parts numbers.
func compositions(n, parts int) [][]int {
	if parts == 1 {
		return [][]int{{n}}
	}
	all := [][]int{{n}}
	for first := 1; first < n; first++ {
		for _, rest := range compositions(n-first, parts-1) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

// TestStraddling divides one and two chunks in every way into at most four
// segments, dst differently from src, and into single bytes.
func TestStraddling(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	g := Geometry{Chunk: 16, Keep: 16}
	for _, n := range []int{16, 32, 37} {
		ways := append(compositions(n, 4), slices.Repeat([]int{1}, n))
		text := cryptotest.Bytes(r, n)
		want := make([]byte, n)
		scramble(want, text, 0)
		try := func(a, b []int) {
			src, dst := sg.Split(bytes.Clone(text), a...), sg.Split(make([]byte, n), b...)
			if err := walkAll(dst, src, g); err != nil {
				t.Fatalf("%v to %v: %v", a, b, err)
			}
			if got := bytes.Join(dst, nil); !bytes.Equal(got, want) {
				t.Fatalf("%v to %v: %x, want %x", a, b, got, want)
			}
		}
		for _, a := range ways {
			if n == 16 {
				for _, b := range ways {
					try(a, b)
				}
				continue
			}
			for range 3 {
				try(a, ways[r.IntN(len(ways))])
			}
		}
	}
}

func TestNothing(t *testing.T) {
	for _, l := range []sg.List{nil, {}, {nil}, {nil, {}, nil}} {
		for _, m := range []sg.List{nil, {{}, nil}} {
			if err := walkAll(l, m, Geometry{Chunk: 16, Keep: 16}); err != nil {
				t.Errorf("%v, %v: %v", l, m, err)
			}
		}
	}
	var zero Walker
	if _, _, ok := zero.Next(); ok {
		t.Error("the zero walker has a step")
	}
}

// TestLargeBesideSmall has segments of several pages behind and before small
// ones.
func TestLargeBesideSmall(t *testing.T) {
	const n = 1 << 20
	text := cryptotest.Bytes(rand.New(rand.NewPCG(4, 4)), n)
	want := make([]byte, n)
	scramble(want, text, 0)
	for _, sizes := range [][]int{{5}, {5, 20000, 3, 40000}, {n - 7}, {70000, 1, 70000, 2}} {
		dst := sg.Split(make([]byte, n), sizes...)
		if err := walkAll(dst, sg.List{text}, Geometry{Chunk: 16}); err != nil {
			t.Fatalf("%v: %v", sizes, err)
		}
		if !bytes.Equal(bytes.Join(dst, nil), want) {
			t.Fatalf("%v: wrong bytes", sizes)
		}
	}
}

func TestManySegments(t *testing.T) {
	const n = 100_000
	text := make([]byte, 3*n)
	src := sg.Split(text, slices.Repeat([]int{3}, n)...)
	dst := sg.Split(make([]byte, 3*n), slices.Repeat([]int{1, 0, 5}, n/2)...)
	if err := walkAll(dst, src, Geometry{Chunk: 16, Keep: 16}); err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 3*n)
	scramble(want, text, 0)
	if !bytes.Equal(bytes.Join(dst, nil), want) {
		t.Error("wrong bytes")
	}
}

// TestGathers counts steps: tiny segments must not mean tiny steps, nor large
// ones a detour.
func TestGathers(t *testing.T) {
	const n = 64 << 10
	count := func(size int) (steps, direct int) {
		src := sg.Split(make([]byte, n), slices.Repeat([]int{size}, n/size)...)
		dst := sg.Split(make([]byte, n), slices.Repeat([]int{size}, n/size)...)
		w, err := New(dst, src, Geometry{Chunk: 16})
		if err != nil {
			t.Fatal(err)
		}
		for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
			steps++
			if &d[0] != &s[0] { // the bounce is in place
				direct += len(s)
			}
		}
		return steps, direct
	}
	if steps, _ := count(16); steps > n/bounceSize {
		t.Errorf("segments of 16: %d steps", steps)
	}
	if _, direct := count(4096); direct != n {
		t.Errorf("segments of 4096: only %d of %d bytes without a copy", direct, n)
	}
	if _, direct := count(4099); direct < n*99/100 {
		t.Errorf("segments of 4099: only %d of %d bytes without a copy", direct, n)
	}
}

// TestInPlaceByAddress: the same memory in other segments is worked on in
// place, different memory never is.
func TestInPlaceByAddress(t *testing.T) {
	p := make([]byte, 3000)
	w, err := New(sg.Split(p, 1000, 1000), sg.Split(p, 1500), Geometry{Chunk: 8, Gather: 8})
	if err != nil {
		t.Fatal(err)
	}
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		if &d[0] != &s[0] {
			t.Error("a step is not in place")
		}
	}
}

func TestErrors(t *testing.T) {
	mem := make([]byte, 300)
	other := make([]byte, 300)
	g := Geometry{Chunk: 16}
	for _, c := range []struct {
		name     string
		dst, src sg.List
		want     error
	}{
		{"shorter dst", sg.List{mem[:16]}, sg.List{other[:17]}, ErrLength},
		{"longer dst", sg.List{mem[:18]}, sg.List{other[:16], other[16:17]}, ErrLength},
		{"nil dst", nil, sg.List{other[:1]}, ErrLength},
		{"one byte forwards", sg.List{mem[1:101]}, sg.List{mem[:100]}, ErrOverlap},
		{"one byte backwards", sg.List{mem[:100]}, sg.List{mem[1:101]}, ErrOverlap},
		{"last byte", sg.List{mem[99:199]}, sg.List{mem[:100]}, ErrOverlap},
		{"across segments", sg.List{other[:50], mem[:50]}, sg.List{mem[:50], other[50:100]}, ErrOverlap},
		{"other order", sg.List{mem[:50], mem[50:100]}, sg.List{mem[50:100], mem[:50]}, ErrOverlap},
		{"dst onto itself", sg.List{mem[:50], mem[49:99]}, sg.List{other[:99], other[:1]}, ErrOverlap},
		{"dst twice", sg.List{mem[:50], mem[:50]}, sg.List{other[:100]}, ErrOverlap},
	} {
		w, err := New(c.dst, c.src, g)
		if !errors.Is(err, c.want) || !strings.HasPrefix(fmt.Sprint(err), "walk: ") {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if _, _, ok := w.Next(); ok {
			t.Errorf("%s: the walker has a step", c.name)
		}
	}
	// Legal although memory is shared.
	for _, c := range []struct {
		name     string
		dst, src sg.List
	}{
		{"same", sg.List{mem}, sg.List{mem}},
		{"same, other segments", sg.Split(mem, 7, 90), sg.Split(mem, 50)},
		{"src onto itself", sg.List{other[:100]}, sg.List{mem[:50], mem[:50]}},
		{"in place in part", sg.List{mem[:50], other[:50]}, sg.List{mem[:50], mem[100:150]}},
		{"empty inside", sg.List{mem[:100], mem[10:10]}, sg.List{other[:100]}},
	} {
		if _, err := New(c.dst, c.src, g); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestTotalOverflow: a total beyond int is an error, not a panic. The slices
// are never read.
func TestTotalOverflow(t *testing.T) {
	var b byte
	h := struct {
		p        *byte
		len, cap int
	}{&b, math.MaxInt, math.MaxInt}
	huge := *(*[]byte)(unsafe.Pointer(&h))
	if _, err := New(nil, sg.List{huge, {1}}, Geometry{Chunk: 16}); !errors.Is(err, ErrLength) {
		t.Errorf("src beyond int: %v", err)
	}
	if _, err := New(sg.List{huge, {1}}, nil, Geometry{Chunk: 16}); !errors.Is(err, ErrLength) {
		t.Errorf("dst beyond int: %v", err)
	}
}

func TestGeometryPanics(t *testing.T) {
	for _, g := range []Geometry{
		{}, {Chunk: -16}, {Chunk: 24}, {Chunk: 16, Keep: 8}, {Chunk: 16, Keep: -16},
		{Chunk: 16, Gather: -1}, {Chunk: 16, Limit: 31}, {Chunk: 16, Limit: -1},
		{Chunk: 16, Unit: -1}, {Chunk: 2 * bounceSize}, {Chunk: 16, Keep: bounceSize},
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.HasPrefix(p, "walk: ") {
					t.Errorf("%+v: panic %q", g, p)
				}
			}()
			New(nil, nil, g)
		}()
	}
}

func TestAbort(t *testing.T) {
	src := sg.Split(bytes.Repeat([]byte{0xee}, 64), 5, 9)
	dst := sg.Split(make([]byte, 64), 3)
	w, err := New(dst, src, Geometry{Chunk: 16})
	if err != nil {
		t.Fatal(err)
	}
	d, s, ok := w.Next()
	if !ok || &d[0] != &w.bounce[0] {
		t.Fatal("the first step is not the bounce: the test is void")
	}
	scramble(d, s, 0)
	w.Abort()
	if _, _, ok := w.Next(); ok {
		t.Error("a step behind Abort")
	}
	if w.bounce != [bounceSize]byte{} {
		t.Error("the bounce was not wiped")
	}
	if !bytes.Equal(bytes.Join(dst, nil), make([]byte, 64)) {
		t.Error("the aborted step was committed")
	}
	w.Abort()
}

// TestNoAllocs uses stack buffers and list literals: a walker that stored a
// slice behind its pointer would move them to the heap.
func TestNoAllocs(t *testing.T) {
	cryptotest.NoAllocs(t, "a walk over stack buffers", func() {
		var a, b [1100]byte
		w, err := New(sg.List{b[:3], b[3:600], b[600:]}, sg.List{a[:700], nil, a[700:]}, Geometry{Chunk: 16, Keep: 16})
		if err != nil {
			t.Error(err)
		}
		for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
			scramble(d, s, 0)
		}
		w, _ = New(sg.List{a[:5], a[5:]}, sg.List{a[:500], a[500:]}, Geometry{Chunk: 16})
		w.Next()
		w.Abort()
	})
}

func FuzzWalker(f *testing.F) {
	f.Add([]byte{}, uint16(16), uint16(16), uint16(0), uint16(0))
	f.Add(bytes.Repeat([]byte{1, 200, 3, 77}, 30), uint16(64), uint16(0), uint16(100), uint16(33))
	f.Fuzz(func(t *testing.T, data []byte, chunk, keep, gather, unit uint16) {
		g := Geometry{Chunk: 1 << (chunk % 9), Gather: int(gather), Unit: int(unit)}
		g.Keep = g.Chunk * int(keep%4)
		c := cryptotest.FromBytes(data)
		text := cryptotest.Bytes(c.Rand(), c.TextLen())
		l := c.Build(t, text, make([]byte, c.AADLen()))
		want := make([]byte, len(text))
		scramble(want, text, 0)
		if err := walkAll(l.Dst, l.Src, g); err != nil {
			t.Fatalf("%+v: %v\n%v", g, err, c)
		}
		if err := l.Check(want); err != nil {
			t.Fatalf("%+v: %v", g, err)
		}
	})
}

// BenchmarkGather is what the walker itself costs: 64 KiB in segments of one
// size, with a kernel that costs nothing but its call.
func BenchmarkGather(b *testing.B) {
	const n = 64 << 10
	for _, size := range []int{16, 64, 256, 512, 1420, 4096, n} {
		sizes := slices.Repeat([]int{size}, n/size)
		src, dst := sg.Split(make([]byte, n), sizes...), sg.Split(make([]byte, n), sizes...)
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			steps := 0
			for b.Loop() {
				w, _ := New(dst, src, Geometry{Chunk: 16, Keep: 16})
				steps = 0
				for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
					touch(d, s)
					steps++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/segment")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(steps), "ns/step")
		})
	}
}

//go:noinline
func touch(dst, src []byte) { dst[0] = src[0] }
