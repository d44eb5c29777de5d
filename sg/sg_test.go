package sg_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// The interface contains that of the standard library.
var _ = func(a sg.AEAD) cipher.AEAD { return a }

// divide cuts p at random, with nil and empty segments in between.
func divide(r *rand.Rand, p []byte) sg.List {
	var l sg.List
	for len(p) > 0 {
		n := 1 + r.IntN(min(len(p), 7))
		l = append(l, p[:n:n])
		p = p[n:]
		switch r.IntN(5) {
		case 0:
			l = append(l, nil)
		case 1:
			l = append(l, []byte{})
		}
	}
	return l
}

func join(l sg.List) []byte { return bytes.Join(l, nil) }

func TestLen(t *testing.T) {
	for _, c := range []struct {
		l    sg.List
		want int
	}{
		{nil, 0},
		{sg.List{}, 0},
		{sg.List{nil, {}, nil}, 0},
		{sg.List{nil, {1, 2}, {}, {3}}, 3},
	} {
		if got := c.l.Len(); got != c.want {
			t.Errorf("%v: %d, want %d", c.l, got, c.want)
		}
	}
	const n = 100_000
	if got := slices.Repeat(sg.List{{1}, nil, {2, 3}}, n).Len(); got != 3*n {
		t.Errorf("%d segments: %d", 3*n, got)
	}
}

// TestTotals has sums beyond 32 bits, and beyond int, without the memory: the
// slices are never read.
func TestTotals(t *testing.T) {
	var b byte
	huge := func(n int) []byte {
		h := struct {
			p        *byte
			len, cap int
		}{&b, n, n}
		return *(*[]byte)(unsafe.Pointer(&h))
	}
	most := sg.List{huge(math.MaxInt - 1), {1}}
	if n, ok := most.Total(); n != math.MaxInt || !ok {
		t.Errorf("total %d, %v, want the greatest int", n, ok)
	}
	over := append(most, []byte{1})
	if n, ok := over.Total(); n != 0 || ok {
		t.Errorf("total %d, %v beyond int", n, ok)
	}
	if strconv.IntSize == 64 {
		half := sg.List{huge(math.MaxInt32)}
		if n := append(half, half...).Len(); uint64(n) != 2*math.MaxInt32 {
			t.Errorf("total %d beyond 32 bits", n)
		}
	}
	for name, f := range map[string]func(){
		"Len":    func() { over.Len() },
		"Cursor": func() { over.Cursor() },
	} {
		mustPanic(t, name, "sg: length of list overflows int", f)
	}
}

func mustPanic(t *testing.T, name, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); fmt.Sprint(got) != want {
			t.Errorf("%s: panic %v, want %q", name, got, want)
		}
	}()
	f()
}

func TestCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		a, b := make([]byte, r.IntN(40)), make([]byte, r.IntN(40))
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		n := min(len(a), len(b))
		want := append(bytes.Clone(a[:n]), make([]byte, len(b)-n)...)
		for name, f := range map[string]func(dst []byte) int{
			"CopyTo":   func(dst []byte) int { return divide(r, a).CopyTo(dst) },
			"CopyFrom": func(dst []byte) int { return divide(r, dst).CopyFrom(a) },
			"Copy":     func(dst []byte) int { return sg.Copy(divide(r, dst), divide(r, a)) },
		} {
			dst := make([]byte, len(b))
			if got := f(dst); got != n || !bytes.Equal(dst, want) {
				t.Fatalf("%s of %d to %d bytes: %d, %x, want %x", name, len(a), len(b), got, dst, want)
			}
		}
	}
}

// TestCopySelf copies a list onto the same memory in other segments.
func TestCopySelf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := []byte("the same memory, divided twice")
	if n := sg.Copy(divide(r, p), divide(r, p)); n != len(p) || string(p) != "the same memory, divided twice" {
		t.Errorf("%d, %q", n, p)
	}
}

func TestSplit(t *testing.T) {
	p := []byte("0123456789")
	l := sg.Split(p, 3, 0, 4)
	if got := fmt.Sprintf("%s", [][]byte(l)); got != "[012  3456 789]" {
		t.Errorf("got %s", got)
	}
	if cap(l[0]) != 3 || cap(l[2]) != 4 {
		t.Error("a segment can be appended over the next")
	}
	if l := sg.Split(p, 4, 6); len(l) != 2 {
		t.Errorf("an empty rest became a segment: %q", l)
	}
	if l := sg.Split(nil); len(l) != 0 {
		t.Errorf("nothing was split into %q", l)
	}
	mustPanic(t, "too short", "sg: size out of range of what is left to split", func() { sg.Split(p, 8, 3) })
	mustPanic(t, "negative", "sg: size out of range of what is left to split", func() { sg.Split(p, -1) })
}

func TestAppendSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	p := []byte("abcdefghijklmnopqrstuvwxyz")
	for range 2000 {
		l := divide(r, p)
		off := r.IntN(len(p) + 1)
		n := r.IntN(len(p) - off + 1)
		view := sg.AppendSlice(sg.List{[]byte("head")}, l, off, n)
		if got := string(join(view)); got != "head"+string(p[off:off+n]) {
			t.Fatalf("%d+%d of %q: %q", off, n, l, got)
		}
		for _, s := range view[1:] {
			if len(s) == 0 || cap(s) != len(s) {
				t.Fatalf("segment of %d bytes, capacity %d", len(s), cap(s))
			}
		}
		if n > 0 && &view[1][0] != &p[off] {
			t.Fatal("the view is a copy")
		}
	}
	l := sg.List{p}
	mustPanic(t, "beyond", "sg: range ends beyond the list", func() { sg.AppendSlice(nil, l, 20, 7) })
	mustPanic(t, "offset beyond", "sg: range ends beyond the list", func() { sg.AppendSlice(nil, l, 27, 0) })
	mustPanic(t, "negative", "sg: negative offset or length", func() { sg.AppendSlice(nil, l, 0, -1) })
	mustPanic(t, "overflow", "sg: range ends beyond the list", func() { sg.AppendSlice(nil, l, 1, math.MaxInt) })
}

func TestCursor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	p := []byte("abcdefghijklmnopqrstuvwxyz")
	for range 2000 {
		c := divide(r, p).Cursor()
		var got []byte
		for at := 0; at < len(p); {
			if c.Remaining() != len(p)-at {
				t.Fatalf("%d remaining at %d", c.Remaining(), at)
			}
			n := r.IntN(9)
			if r.IntN(3) == 0 {
				want := min(n, len(p)-at)
				if k := c.Skip(n); k != want {
					t.Fatalf("skipped %d of %d, want %d", k, n, want)
				}
				got = append(got, p[at:at+want]...)
				at += want
				continue
			}
			copied := c // a copy reads on independently
			run := c.Next(n)
			if len(run) > n || cap(run) != len(run) || n > 0 && len(run) == 0 {
				t.Fatalf("run of %d bytes, capacity %d, for %d", len(run), cap(run), n)
			}
			if !bytes.Equal(copied.Next(n), run) {
				t.Fatal("a copy of the cursor reads something else")
			}
			got = append(got, run...)
			at += len(run)
		}
		if !bytes.Equal(got, p) || c.Next(1) != nil || c.Skip(1) != 0 || c.Remaining() != 0 {
			t.Fatalf("got %q, then %d remaining", got, c.Remaining())
		}
	}
	var zero sg.Cursor
	if zero.Next(1) != nil || zero.Skip(5) != 0 || zero.Remaining() != 0 {
		t.Error("the zero cursor is not at the end")
	}
	c := sg.List{p}.Cursor()
	if c.Next(0) != nil || c.Next(-1) != nil || c.Skip(-1) != 0 || c.Remaining() != len(p) {
		t.Error("a call with nothing to do moved the cursor")
	}
}

// TestBuffers sends more segments than one writev takes.
func TestBuffers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	defer l.Close()
	want := make([]byte, 3*1025)
	for i := range want {
		want[i] = byte(i / 3)
	}
	sizes := slices.Repeat([]int{3}, 1025)
	sent := make(chan error, 1)
	go func() {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			b := net.Buffers(sg.Split(want, sizes...))
			_, err = b.WriteTo(conn)
			conn.Close()
		}
		sent <- err
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil || <-sent != nil || !bytes.Equal(got, want) {
		t.Errorf("%d of %d bytes arrived: %v", len(got), len(want), err)
	}
}

func TestNoAllocs(t *testing.T) {
	cryptotest.NoAllocs(t, "lists of stack buffers", func() {
		var a, b [40]byte
		src := sg.List{a[:3], nil, a[3:]}
		dst := sg.List{b[:30], b[30:]}
		sg.Copy(dst, src)
		src.CopyTo(b[:])
		src.CopyFrom(b[:])
		c := src.Cursor()
		for run := c.Next(8); run != nil; run = c.Next(8) {
			run[0]++
		}
		if a[0] != 1 {
			t.Error("wrong result")
		}
	})
	// A view may be stored anywhere, so what it shows is on the heap; the
	// view itself need not be.
	l := sg.List{make([]byte, 3), nil, make([]byte, 37)}
	cryptotest.NoAllocs(t, "a view", func() {
		var view [4][]byte
		if len(sg.AppendSlice(view[:0], l, 1, 10)) != 2 {
			t.Error("wrong result")
		}
	})
}
