package walk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
)

// recorder is a Step that applies the toy cipher, checks the geometry and keeps
// the slices, which a real one must not, to see whether they are wiped.
type recorder struct {
	t      *testing.T
	g      Geometry
	pos    int
	lasts  int
	grow   int // bytes to append beside the output
	slices [][]byte
}

func (r *recorder) step(dst, src []byte, last bool) ([]byte, error) {
	limit := r.g.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	switch n := len(src); {
	case r.lasts > 0:
		r.t.Error("a step behind the last one")
	case n > limit:
		r.t.Errorf("a step of %d bytes, limit %d", n, limit)
	case !last && (n == 0 || n%r.g.Chunk > 0):
		r.t.Errorf("a step of %d bytes that is not the last", n)
	case last && n%r.g.Chunk > 0 && r.pos > 0 && n < r.g.Keep+n%r.g.Chunk:
		r.t.Errorf("a last step of %d bytes behind %d others", n, r.pos)
	}
	if last {
		r.lasts++
	}
	n := len(dst)
	dst = slices.Grow(dst, len(src)+r.grow)[:n+len(src)]
	scramble(dst[n:], src, r.pos)
	r.pos += len(src)
	dst = append(dst, make([]byte, r.grow)...)
	r.slices = append(r.slices, src, dst)
	return dst, nil
}

// wiped fails the test if anything that the step has seen is left in memory,
// apart from the caller's own buffers.
func (r *recorder) wiped(own ...[]byte) {
	for _, s := range r.slices {
		mine := func(o []byte) bool { return len(s) > 0 && len(o) > 0 && overlap(s, o) }
		if !slices.ContainsFunc(own, mine) && bytes.Count(s, []byte{0}) != len(s) {
			r.t.Errorf("%d bytes survived: %.20x", len(s), s)
			return
		}
	}
}

func overlap(a, b []byte) bool {
	for i := range b {
		if &b[i] == &a[0] {
			return true
		}
	}
	return false
}

func TestWriterRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 3000 {
		g := randomGeometry(r)
		rec := &recorder{t: t, g: g}
		if r.IntN(4) == 0 {
			rec.grow = r.IntN(200)
		}
		text := cryptotest.Bytes(r, r.IntN(3000))
		var sink bytes.Buffer
		w := NewWriter(&sink, g, rec.step)
		for p := text; len(p) > 0; {
			n := r.IntN(min(len(p), 1+r.IntN(600)) + 1)
			if r.IntN(4) == 0 {
				k, err := w.ReadFrom(iotest.HalfReader(bytes.NewReader(p[:n])))
				if k != int64(n) || err != nil {
					t.Fatalf("round %d: ReadFrom %d: %d, %v", i, n, k, err)
				}
			} else {
				own := bytes.Clone(p[:n])
				k, err := w.Write(own)
				if k != n || err != nil {
					t.Fatalf("round %d: Write %d: %d, %v", i, n, k, err)
				}
				if !bytes.Equal(own, p[:n]) {
					t.Fatalf("round %d: Write changed its argument", i)
				}
				clear(own) // must not be kept
			}
			p = p[n:]
			if held := rec.pos + g.Keep + g.Chunk - 1; held < len(text)-len(p) {
				t.Fatalf("round %d: %+v: %d bytes written, only %d passed on", i, g, len(text)-len(p), rec.pos)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		if rec.lasts != 1 {
			t.Fatalf("round %d: %d last steps", i, rec.lasts)
		}
		if rec.grow == 0 {
			want := make([]byte, len(text))
			scramble(want, text, 0)
			if !bytes.Equal(sink.Bytes(), want) {
				t.Fatalf("round %d: %+v: wrong bytes", i, g)
			}
		}
		rec.wiped()
		if t.Failed() {
			t.Fatalf("round %d: %+v", i, g)
		}
	}
}

func TestReaderRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	wrap := []func(io.Reader) io.Reader{
		func(r io.Reader) io.Reader { return r },
		iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
		func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
		func(r io.Reader) io.Reader { return &hesitant{r: r} },
	}
	for i := range 3000 {
		g := randomGeometry(r)
		rec := &recorder{t: t, g: g}
		text := cryptotest.Bytes(r, r.IntN(3000))
		want := make([]byte, len(text))
		scramble(want, text, 0)
		rd := NewReader(wrap[r.IntN(len(wrap))](bytes.NewReader(text)), g, rec.step)
		var got bytes.Buffer
		for r.IntN(30) > 0 { // some Reads, then WriteTo
			p := make([]byte, r.IntN(300))
			n, err := rd.Read(p)
			got.Write(p[:n])
			if err == io.EOF {
				break
			} else if err != nil || n == 0 && len(p) > 0 {
				t.Fatalf("round %d: Read: %d, %v", i, n, err)
			}
		}
		before := got.Len()
		if n, err := rd.WriteTo(&got); int(n) != got.Len()-before || err != nil {
			t.Fatalf("round %d: WriteTo: %d, %v", i, n, err)
		}
		if n, err := rd.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Fatalf("round %d: after the end: %d, %v", i, n, err)
		}
		if !bytes.Equal(got.Bytes(), want) || rec.lasts != 1 {
			t.Fatalf("round %d: %+v: wrong bytes, or %d last steps", i, g, rec.lasts)
		}
		rec.wiped()
		if t.Failed() {
			t.Fatalf("round %d: %+v", i, g)
		}
	}
}

// hesitant returns nothing without an error every other time.
type hesitant struct {
	r    io.Reader
	wait bool
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.wait = !h.wait; h.wait {
		return 0, nil
	}
	return h.r.Read(p[:min(len(p), 7)])
}

func plain(dst, src []byte, last bool) ([]byte, error) { return append(dst, src...), nil }

func TestReaderContract(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 500)
	for _, g := range []Geometry{{Chunk: 1}, {Chunk: 16, Keep: 16}, {Chunk: 64, Limit: 130}} {
		if err := iotest.TestReader(NewReader(bytes.NewReader(text), g, plain), text); err != nil {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

// flaky takes at most room bytes in all, then fails with err; with a nil err it
// writes short without saying so.
type flaky struct {
	bytes.Buffer
	room int
	err  error
}

func (f *flaky) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	f.Buffer.Write(p[:n])
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

var errSink = errors.New("sink is full")

// TestWriterFailure fails the sink at every byte, with an error and silently,
// and tries every pair of calls afterwards.
func TestWriterFailure(t *testing.T) {
	g := Geometry{Chunk: 16, Keep: 16, Limit: 64}
	text := bytes.Repeat([]byte{7}, 150)
	image := make([]byte, len(text))
	scramble(image, text, 0)
	calls := map[string]func(w *Writer) error{
		"Write":    func(w *Writer) error { _, err := w.Write(text[:1]); return err },
		"nothing":  func(w *Writer) error { _, err := w.Write(nil); return err },
		"ReadFrom": func(w *Writer) error { _, err := w.ReadFrom(bytes.NewReader(text[:1])); return err },
		"Close":    (*Writer).Close,
	}
	for room := range len(text) {
		for _, want := range []error{errSink, io.ErrShortWrite} {
			sink := &flaky{room: room, err: want}
			if want == io.ErrShortWrite {
				sink.err = nil
			}
			rec := &recorder{t: t, g: g}
			w := NewWriter(sink, g, rec.step)
			n, err := w.Write(text)
			if n > len(text) || n < len(text) && err == nil {
				t.Fatalf("room %d: Write: %d, %v", room, n, err)
			}
			if n > room+g.Keep+g.Chunk-1 {
				t.Fatalf("room %d: Write claims %d bytes", room, n)
			}
			if err == nil {
				err = w.Close()
			}
			if !errors.Is(err, want) {
				t.Fatalf("room %d: %v, want %v", room, err, want)
			}
			if !bytes.Equal(sink.Bytes(), image[:room]) {
				t.Fatalf("room %d: the sink got something else", room)
			}
			sink.room = 1000
			for name, call := range calls {
				for second, then := range calls {
					if a, b := call(w), then(w); a != err || b != err {
						t.Fatalf("room %d: %s, %s after the failure: %v, %v", room, name, second, a, b)
					}
				}
			}
			if sink.Len() != room {
				t.Fatalf("room %d: written to after the failure", room)
			}
			rec.wiped(text)
		}
	}
}

func TestWriterClosed(t *testing.T) {
	var sink bytes.Buffer
	w := NewWriter(&sink, Geometry{Chunk: 16}, plain)
	w.Write([]byte("abc"))
	for range 3 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := w.Write([]byte("d")); n != 0 || err != ErrClosed || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Write: %d, %v", n, err)
	}
	if n, err := w.ReadFrom(bytes.NewReader([]byte("d"))); n != 0 || err != ErrClosed {
		t.Errorf("ReadFrom: %d, %v", n, err)
	}
	if sink.String() != "abc" {
		t.Errorf("the sink got %q", sink.String())
	}
}

// TestStepFailure: the step's error is sticky, nothing of that step comes out,
// and what came before does.
func TestStepFailure(t *testing.T) {
	bad := errors.New("bad data")
	secret := bytes.Repeat([]byte{0xcc}, 8)
	var leaked []byte
	calls := 0
	step := func(dst, src []byte, last bool) ([]byte, error) {
		if calls++; calls == 2 {
			leaked = append(dst, secret...)
			return leaked, bad
		}
		return append(dst, src...), nil
	}
	text := []byte("first 16 bytes..second 16 bytes.and the rest")
	g := Geometry{Chunk: 16, Limit: 32}

	var sink bytes.Buffer
	w := NewWriter(&sink, g, step)
	w.Write(text[:16])
	if n, err := w.Write(text[16:]); n != 0 || err != bad {
		t.Errorf("Write: %d, %v", n, err)
	}
	if err := w.Close(); err != bad {
		t.Errorf("Close: %v", err)
	}
	if sink.String() != string(text[:16]) || bytes.Contains(leaked, secret) {
		t.Errorf("sink has %q, left in memory %x", sink.Bytes(), leaked)
	}

	calls = 0
	r := NewReader(iotest.OneByteReader(bytes.NewReader(text)), g, step)
	got, err := io.ReadAll(r)
	if string(got) != string(text[:16]) || err != bad || bytes.Contains(leaked, secret) {
		t.Errorf("ReadAll: %q, %v, left in memory %x", got, err, leaked)
	}
	for range 2 {
		if n, err := r.Read(make([]byte, 5)); n != 0 || err != bad {
			t.Errorf("Read again: %d, %v", n, err)
		}
		if n, err := r.WriteTo(&sink); n != 0 || err != bad {
			t.Errorf("WriteTo again: %d, %v", n, err)
		}
	}
	if calls != 2 {
		t.Errorf("the step was called %d times", calls)
	}
}

// TestReaderSourceFailure: what the source brought before its error is
// delivered as far as the geometry allows.
func TestReaderSourceFailure(t *testing.T) {
	broken := errors.New("broken pipe")
	src := io.MultiReader(bytes.NewReader(bytes.Repeat([]byte("x"), 70)), iotest.ErrReader(broken))
	r := NewReader(src, Geometry{Chunk: 16, Keep: 16}, plain)
	got, err := io.ReadAll(r)
	if len(got) != 48 || err != broken {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := r.Read(make([]byte, 1)); err != broken {
		t.Errorf("not sticky: %v", err)
	}
	if _, err := io.ReadAll(NewReader(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader([]byte("abc")))), Geometry{Chunk: 1}, plain)); err != iotest.ErrTimeout {
		t.Errorf("time-out: %v", err)
	}
}

// TestWriterSourceFailure: an error of ReadFrom's source leaves the writer
// usable, and the count is what was read.
func TestWriterSourceFailure(t *testing.T) {
	broken := errors.New("broken pipe")
	var sink bytes.Buffer
	w := NewWriter(&sink, Geometry{Chunk: 16, Keep: 16}, plain)
	n, err := w.ReadFrom(io.MultiReader(bytes.NewReader(bytes.Repeat([]byte("x"), 70)), iotest.ErrReader(broken)))
	if n != 70 || err != broken {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := w.Write([]byte("yz")); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil || sink.String() != string(bytes.Repeat([]byte("x"), 70))+"yz" {
		t.Errorf("%v, %q", err, sink.String())
	}
}

// liar returns impossible counts.
type liar int

func (l liar) Read(p []byte) (int, error)  { return l.count(p), nil }
func (l liar) Write(p []byte) (int, error) { return l.count(p), nil }
func (l liar) count(p []byte) int {
	if l < 0 {
		return -1
	}
	return len(p) + int(l)
}

func TestImpossibleCounts(t *testing.T) {
	g := Geometry{Chunk: 1}
	for _, l := range []liar{-1, 1} {
		if _, err := NewWriter(l, g, plain).Write([]byte("abc")); err == nil {
			t.Errorf("a sink that returns %d passes", l)
		}
		if _, err := NewReader(l, g, plain).Read(make([]byte, 3)); err == nil {
			t.Errorf("a source that returns %d passes", l)
		}
		if _, err := NewWriter(io.Discard, g, plain).ReadFrom(l); err == nil {
			t.Errorf("a source of ReadFrom that returns %d passes", l)
		}
		if _, err := NewReader(bytes.NewReader([]byte("abc")), g, plain).WriteTo(l); err == nil {
			t.Errorf("a sink of WriteTo that returns %d passes", l)
		}
	}
	// A source that never brings anything ends.
	if _, err := NewReader(liarZero{}, g, plain).Read(make([]byte, 3)); err != io.ErrNoProgress {
		t.Errorf("no progress: %v", err)
	}
}

type liarZero struct{}

func (liarZero) Read([]byte) (int, error) { return 0, nil }

// TestWriteToResumes fails the sink of WriteTo at every byte; the next one gets
// exactly what is missing.
func TestWriteToResumes(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 10)
	for room := range len(text) {
		r := NewReader(bytes.NewReader(text), Geometry{Chunk: 16, Keep: 16, Limit: 64}, plain)
		sink := &flaky{room: room, err: errSink}
		n, err := r.WriteTo(sink)
		if int(n) != room || err != errSink {
			t.Fatalf("room %d: %d, %v", room, n, err)
		}
		rest, err := io.ReadAll(r)
		if err != nil || sink.String()+string(rest) != string(text) {
			t.Fatalf("room %d: then %d bytes, %v", room, len(rest), err)
		}
	}
}

func TestCopy(t *testing.T) {
	text := bytes.Repeat([]byte("abc"), 1000)
	rec := &recorder{t: t, g: Geometry{Chunk: 16, Keep: 16, Limit: 128}}
	var sink bytes.Buffer
	n, err := Copy(&sink, iotest.HalfReader(bytes.NewReader(text)), rec.g, rec.step)
	want := make([]byte, len(text))
	scramble(want, text, 0)
	if int(n) != len(text) || err != nil || !bytes.Equal(sink.Bytes(), want) {
		t.Errorf("%d, %v", n, err)
	}
	rec.wiped()

	rec = &recorder{t: t, g: rec.g}
	if n, err := Copy(&flaky{room: 100, err: errSink}, bytes.NewReader(text), rec.g, rec.step); n != 100 || err != errSink {
		t.Errorf("failing sink: %d, %v", n, err)
	}
	rec.wiped()
}

// TestUnused: a stream that is made and never used, and an empty one.
func TestUnused(t *testing.T) {
	var sink bytes.Buffer
	w := NewWriter(&sink, Geometry{Chunk: 16}, func(dst, src []byte, last bool) ([]byte, error) {
		return fmt.Appendf(dst, "[%d %v]", len(src), last), nil
	})
	if err := w.Close(); err != nil || sink.String() != "[0 true]" {
		t.Errorf("%v, %q", err, sink.String())
	}
}

func TestStreamSteadyState(t *testing.T) {
	p := make([]byte, 10000)
	step := func(dst, src []byte, last bool) ([]byte, error) { return append(dst, src...), nil }
	w := NewWriter(io.Discard, Geometry{Chunk: 16, Keep: 16}, step)
	cryptotest.NoAllocs(t, "Write", func() { w.Write(p) })
	r := NewReader(zeros{}, Geometry{Chunk: 16, Keep: 16}, step)
	cryptotest.NoAllocs(t, "Read", func() { r.Read(p) })
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func FuzzStream(f *testing.F) {
	f.Add([]byte("some text to pass through"), uint8(4), uint8(1), []byte{3, 0, 7, 100})
	f.Fuzz(func(t *testing.T, text []byte, chunk, keep uint8, sizes []byte) {
		g := Geometry{Chunk: 1 << (chunk % 8)}
		g.Keep = g.Chunk * int(keep%3)
		want := make([]byte, len(text))
		scramble(want, text, 0)
		var sink bytes.Buffer
		rec := &recorder{t: t, g: g}
		w := NewWriter(&sink, g, rec.step)
		rest := text
		for _, n := range sizes {
			k := min(int(n), len(rest))
			if got, err := w.Write(rest[:k]); got != k || err != nil {
				t.Fatalf("Write: %d, %v", got, err)
			}
			rest = rest[k:]
		}
		if _, err := w.ReadFrom(iotest.OneByteReader(bytes.NewReader(rest))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || !bytes.Equal(sink.Bytes(), want) || rec.lasts != 1 {
			t.Fatalf("%v, or wrong bytes", err)
		}
	})
}
