package stream_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// ours returns how many goroutines run code of this package, apart from tests'.
func ours() int {
	buf := make([]byte, 1<<20)
	n := 0
	for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "cipherwalk/stream.") && !strings.Contains(g, "testing.tRunner") {
			n++
		}
	}
	return n
}

// TestNoGoroutinesLeft: whatever a call returns, the goroutines that it started
// have ended, or are about to with nothing left to do.
func TestNoGoroutinesLeft(t *testing.T) {
	text := cryptotest.Pattern(0, 100*stream.ChunkSize+9, 1)
	sealed := seal(t, suite, text)
	bad := bytes.Clone(sealed)
	bad[50*stream.SealedSize] ^= 1
	key := keyOf(suite, 1)
	writer := func(sink io.Writer) *stream.Writer {
		w, err := stream.NewWriter(sink, suite, key, nil, stream.WithConcurrency(4))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	reader := func(p []byte) *stream.Reader { return newReader(t, bytes.NewReader(p), stream.WithConcurrency(4)) }
	full := func() io.Writer { return &faulty{room: 500000, err: errSink} }
	for name, f := range map[string]func(){
		"a Writer that is closed early": func() { w := writer(io.Discard); w.Write(text); w.Close() },
		"a Writer that is never closed": func() { writer(io.Discard).Write(text) },
		"ReadFrom, never closed":        func() { writer(io.Discard).ReadFrom(bytes.NewReader(text)) },
		"Write to a full sink":          func() { writer(full()).Write(text) },
		"WriteList to a full sink":      func() { writer(full()).WriteList(sg.Split(text, 100000, 7)) },
		"ReadFrom to a full sink":       func() { writer(full()).ReadFrom(bytes.NewReader(text)) },
		"ReadFrom a source that fails":  func() { writer(io.Discard).ReadFrom(&withError{p: text, err: errSink}) },
		"a Reader that is abandoned":    func() { reader(sealed).Read(make([]byte, 1<<20)) },
		"a Reader that ends":            func() { io.ReadAll(reader(sealed)) },
		"a Reader of something changed": func() { io.ReadAll(reader(bad)) },
		"WriteTo":                       func() { reader(sealed).WriteTo(io.Discard) },
		"WriteTo of something changed":  func() { reader(bad).WriteTo(io.Discard) },
		"WriteTo a full sink":           func() { reader(sealed).WriteTo(full()) },
		"WriteTo from a source that panics": func() {
			defer func() { recover() }()
			newReader(t, panics{}, stream.WithConcurrency(4)).WriteTo(io.Discard)
		},
		"ReadFrom a source that panics":        func() { defer func() { recover() }(); writer(io.Discard).ReadFrom(panics{}) },
		"ReadAt":                               func() { newReaderAt(t, sealed, stream.WithConcurrency(4)).ReadAt(make([]byte, len(text)), 0) },
		"ReadAt of something that was changed": func() { newReaderAt(t, bad, stream.WithConcurrency(4)).ReadAt(make([]byte, len(text)), 0) },
	} {
		f()
		for start := time.Now(); ours() > 0; time.Sleep(time.Millisecond) {
			if time.Since(start) > 5*time.Second {
				t.Fatalf("%s leaves goroutines", name)
			}
		}
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("source") }

// watched is a sink that is in trouble if two goroutines write at once, and that
// is slow.
type watched struct {
	bytes.Buffer
	busy atomic.Bool
	t    *testing.T
}

func (w *watched) Write(p []byte) (int, error) {
	if w.busy.Swap(true) {
		w.t.Error("two Writes at once")
	}
	defer w.busy.Store(false)
	time.Sleep(100 * time.Microsecond)
	return w.Buffer.Write(p)
}

// TestSlowSink: order and bytes are the same when everybody waits for the sink.
func TestSlowSink(t *testing.T) {
	text := cryptotest.Pattern(0, byPace(t, 200, 100, 40)*stream.ChunkSize+9, 1)
	for _, workers := range []int{2, 3, 8} {
		sink := &watched{t: t}
		w, err := stream.NewWriter(sink, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.ReadFrom(struct{ io.Reader }{bytes.NewReader(text)})
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		m := newModel(suite, keyOf(suite, 1), sink.Bytes()[:24], nil)
		if !bytes.Equal(sink.Bytes(), m.seal(text)) {
			t.Fatalf("%d workers: not what the model seals", workers)
		}
		back := &watched{t: t}
		if n, err := newReader(t, &sink.Buffer, stream.WithConcurrency(workers)).WriteTo(back); n != int64(len(text)) || err != nil || !bytes.Equal(back.Bytes(), text) {
			t.Fatalf("%d workers: %d, %v", workers, n, err)
		}
	}
}

// TestBounded: the source is not read far ahead of a sink that takes nothing.
func TestBounded(t *testing.T) {
	const workers = 2
	stop := make(chan bool)
	src := &meter{}
	w, err := stream.NewWriter(blocked(stop), suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := w.ReadFrom(src)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	// One job has a chunk, the others a batch each.
	if n := src.n.Load(); n == 0 || n > (1+(workers+1)*16)*stream.ChunkSize {
		t.Errorf("%d bytes were read ahead", n)
	}
	close(stop)
	if err := <-done; err != errSink {
		t.Errorf("ReadFrom: %v", err)
	}
}

// blocked is a sink that blocks until it fails.
type blocked chan bool

func (b blocked) Write(p []byte) (int, error) {
	<-b
	return 0, errSink
}

// meter is a source of zeros that counts.
type meter struct{ n atomic.Int64 }

func (m *meter) Read(p []byte) (int, error) {
	m.n.Add(int64(len(p)))
	return len(p), nil
}

// TestDelivered: a peer that waits for what it has been sent gets it, although the
// source brings no more before it answers.
func TestDelivered(t *testing.T) {
	for _, workers := range []int{1, 2} {
		pr, pw := io.Pipe()
		got := make(chan int, 100)
		w, err := stream.NewWriter(signal(got), suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			_, err := w.ReadFrom(pr)
			done <- err
		}()
		for range 3 {
			if _, err := pw.Write(make([]byte, stream.ChunkSize)); err != nil {
				t.Fatal(err)
			}
			select {
			case <-got:
			case <-time.After(10 * time.Second):
				t.Fatal("a full chunk was not written")
			}
		}
		pw.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// signal is a sink that tells what it gets.
type signal chan int

func (s signal) Write(p []byte) (int, error) {
	s <- len(p)
	return len(p), nil
}

// TestSpread delays pieces, so that those behind a failure are done before others
// in front of it: all in front must be done in the end.
func TestSpread(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 300 {
		n, chunks := 1+r.IntN(8), 1+r.IntN(20)
		bad := []int{r.IntN(2 * chunks), r.IntN(2 * chunks)}
		late := []int{r.IntN(chunks), max(bad[0], bad[1]), min(bad[0], bad[1])}[r.IntN(3)]
		done := make([]atomic.Bool, chunks)
		got := stream.Spread(n, chunks, 1+round%3, func(from, to int) int {
			if from <= late && late < to {
				time.Sleep(time.Millisecond)
			}
			for i := from; i < to; i++ {
				if slices.Contains(bad, i) {
					return i - from
				}
				done[i].Store(true)
			}
			return to - from
		})
		want := min(chunks, bad[0], bad[1])
		if got != want {
			t.Fatalf("round %d of seed %d: %d good, want %d", round, seed, got, want)
		}
		for i := range want {
			if !done[i].Load() {
				t.Fatalf("round %d of seed %d: %d before the first bad one is not done", round, seed, i)
			}
		}
	}
}

// TestFreshBuffers has buffers that are no longer than they must be: output that
// workers are to fill must not move when more is added to it.
func TestFreshBuffers(t *testing.T) {
	text := cryptotest.Pattern(0, 130*stream.ChunkSize+9, 6)
	var l sg.List
	for p := text; len(p) > 0; p = p[min(40290, len(p)):] {
		l = append(l, p[:min(40290, len(p))])
	}
	for _, workers := range []int{1, 2} {
		stream.ForgetBuffers()
		var sealed bytes.Buffer
		w, err := stream.NewWriter(&sealed, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.WriteList(l)
		if err := errors.Join(err, w.Close()); err != nil || !bytes.Equal(sealed.Bytes(), newModel(suite, keyOf(suite, 1), sealed.Bytes()[:24], nil).seal(text)) {
			t.Errorf("%d workers: %v, or not what the model seals", workers, err)
		}
	}
}

// TestNothingAfterFailure: a sink that has failed is not written to again, though
// it would take more.
func TestNothingAfterFailure(t *testing.T) {
	text := cryptotest.Pattern(0, 400*stream.ChunkSize, 1)
	sealed := seal(t, suite, text)
	for _, workers := range []int{1, 2} {
		sink := &hiccup{at: 2}
		w, err := stream.NewWriter(sink, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.ReadFrom(bytes.NewReader(text)); err != errSink || sink.calls != 2 {
			t.Errorf("%d workers: ReadFrom: %v, %d calls", workers, err, sink.calls)
		}
		sink = &hiccup{at: 2}
		src := bytes.NewReader(sealed)
		if _, err := newReader(t, src, stream.WithConcurrency(workers)).WriteTo(sink); err != errSink || sink.calls != 2 {
			t.Errorf("%d workers: WriteTo: %v, %d calls", workers, err, sink.calls)
		}
		if read := len(sealed) - src.Len(); read > len(sealed)/2 {
			t.Errorf("%d workers: WriteTo goes on reading, %d of %d bytes", workers, read, len(sealed))
		}
	}
}

// hiccup is a sink of which one call fails.
type hiccup struct{ calls, at int }

func (h *hiccup) Write(p []byte) (int, error) {
	if h.calls++; h.calls == h.at {
		return 0, errSink
	}
	return len(p), nil
}

// TestChangedInParallel changes one chunk of many, with more workers than
// processors.
func TestChangedInParallel(t *testing.T) {
	text := cryptotest.Pattern(0, 33*stream.ChunkSize+50, 4)
	sealed := seal(t, suite, text)
	stream.WithoutSearch(t)
	for bad := 0; bad < 33; bad += 33 / byPace(t, 33, 8, 2) {
		at := stream.HeaderSize + bad*stream.SealedSize + 777
		sealed[at] ^= 1
		for _, workers := range []int{2, 7} {
			for _, o := range openings {
				got, err := o.get(newReader(t, bytes.NewReader(sealed), stream.WithConcurrency(workers)))
				if !bytes.Equal(got, text[:bad*stream.ChunkSize]) || !errors.Is(err, sg.ErrOpen) {
					t.Fatalf("chunk %d changed, %d workers, %s: %d bytes, %v", bad, workers, o.name, len(got), err)
				}
			}
		}
		sealed[at] ^= 1
	}
}
