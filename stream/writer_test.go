package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// seal returns a message of our own.
func seal(t testing.TB, suite stream.Suite, text []byte) []byte {
	t.Helper()
	var sealed bytes.Buffer
	w, err := stream.NewWriter(&sealed, suite, keyOf(suite, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(text)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return sealed.Bytes()
}

// constructors calls all three with the same arguments.
func constructors(suite stream.Suite, key, context []byte, opts ...stream.Option) map[string]error {
	_, w := stream.NewWriter(io.Discard, suite, key, context, opts...)
	_, r := stream.NewReader(strings.NewReader(""), suite, key, context, opts...)
	_, a := stream.NewReaderAt(strings.NewReader(""), 72, suite, key, context, opts...)
	return map[string]error{"NewWriter": w, "NewReader": r, "NewReaderAt": a}
}

func TestConstructorErrors(t *testing.T) {
	for _, c := range []struct {
		suite stream.Suite
		key   int
		opts  []stream.Option
		want  string
	}{
		{stream.Cobblestone128, 0, nil, "stream: key of 0 bytes, want 16 for AEAD_AES_128_GCM"},
		{stream.Cobblestone128, 15, nil, "stream: key of 15 bytes, want 16 for AEAD_AES_128_GCM"},
		{stream.Cobblestone128, 32, nil, "stream: key of 32 bytes, want 16 for AEAD_AES_128_GCM"},
		{stream.Cobblestone256, 16, nil, "stream: key of 16 bytes, want 32 for AEAD_AES_256_GCM"},
		{stream.Cobblestone256, 33, nil, "stream: key of 33 bytes, want 32 for AEAD_AES_256_GCM"},
		{0, 16, nil, "stream: Suite(0) is not a suite"},
		{-1, 0, nil, "stream: Suite(-1) is not a suite"},
		{99, 32, nil, "stream: Suite(99) is not a suite"},
		{stream.Cobblestone128, 16, []stream.Option{stream.WithConcurrency(0)}, "stream: concurrency of 0, want at least 1"},
		{stream.Cobblestone128, 16, []stream.Option{stream.WithConcurrency(-3)}, "stream: concurrency of -3, want at least 1"},
	} {
		for name, err := range constructors(c.suite, make([]byte, c.key), nil, c.opts...) {
			if fmt.Sprint(err) != c.want {
				t.Errorf("%s(%v, %d bytes): %v, want %v", name, c.suite, c.key, err, c.want)
			}
		}
	}
	if n := stream.Suite(99).KeySize(); n != 0 {
		t.Errorf("no suite has keys of %d bytes", n)
	}
}

// TestArguments overwrites what the constructors were given. B103: nothing of the
// caller's is kept.
func TestArguments(t *testing.T) {
	text := cryptotest.Pattern(0, 40000, 9)
	key, context := keyOf(stream.Cobblestone256, 3), []byte("context")
	var sealed bytes.Buffer
	k, c := bytes.Clone(key), bytes.Clone(context)
	w, err := stream.NewWriter(&sealed, stream.Cobblestone256, k, c)
	if err != nil {
		t.Fatal(err)
	}
	clear(k)
	clear(c)
	_, err = w.Write(text)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	k, c = bytes.Clone(key), bytes.Clone(context)
	r, err := stream.NewReader(bytes.NewReader(sealed.Bytes()), stream.Cobblestone256, k, c)
	if err != nil {
		t.Fatal(err)
	}
	a, err := stream.NewReaderAt(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), stream.Cobblestone256, k, c)
	if err != nil {
		t.Fatal(err)
	}
	clear(k)
	clear(c)
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
		t.Errorf("Reader: %d bytes, %v", len(got), err)
	}
	got := make([]byte, len(text))
	if _, err := a.ReadAt(got, 0); err != nil || !bytes.Equal(got, text) {
		t.Errorf("ReaderAt: %v", err)
	}
}

// TestSalts: two messages under one key have nothing in common.
func TestSalts(t *testing.T) {
	a, b := seal(t, stream.Cobblestone256, make([]byte, 100)), seal(t, stream.Cobblestone256, make([]byte, 100))
	for i := 0; i+8 <= len(a); i += 8 {
		if bytes.Equal(a[i:i+8], b[i:i+8]) {
			t.Errorf("bytes %d to %d of two messages are the same", i, i+8)
		}
	}
}

// TestPromptly: what fills a chunk is written in the same call, what does not
// waits, and nothing is written before.
func TestPromptly(t *testing.T) {
	var sink bytes.Buffer
	w, err := stream.NewWriter(&sink, stream.Cobblestone128, keyOf(stream.Cobblestone128, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, n := range []int{0, 1, 16382, 1, 16384, 100, 16384, 16284, 300000} {
		if _, err := w.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		total += n
		want := total / stream.ChunkSize * stream.SealedSize
		if want > 0 {
			want += stream.HeaderSize
		}
		if sink.Len() != want {
			t.Errorf("%d bytes in: %d out, want %d", total, sink.Len(), want)
		}
	}
}

// counting counts calls.
type counting struct {
	io.Writer
	calls int
}

func (c *counting) Write(p []byte) (int, error) {
	c.calls++
	return c.Writer.Write(p)
}

// TestBatches: several chunks are written in one call.
func TestBatches(t *testing.T) {
	text := make([]byte, 64*stream.ChunkSize)
	for name, put := range map[string]func(w *stream.Writer) error{
		"Write":     func(w *stream.Writer) error { _, err := w.Write(text); return err },
		"WriteList": func(w *stream.Writer) error { _, err := w.WriteList(sg.Split(text, 5000, 100000, 7)); return err },
		"ReadFrom":  func(w *stream.Writer) error { _, err := w.ReadFrom(bytes.NewReader(text)); return err },
	} {
		c := &counting{Writer: io.Discard}
		w, err := stream.NewWriter(c, stream.Cobblestone256, keyOf(stream.Cobblestone256, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := put(w); err != nil || c.calls > 64/8+1 {
			t.Errorf("%s: %d calls for 64 chunks, %v", name, c.calls, err)
		}
	}
}

// faulty takes a number of bytes, and then fails or writes short without a word.
type faulty struct {
	bytes.Buffer
	room  int
	err   error // nil: short
	calls int
}

func (f *faulty) Write(p []byte) (int, error) {
	f.calls++
	n := min(len(p), f.room)
	f.room -= n
	f.Buffer.Write(p[:n])
	if n < len(p) {
		return n, f.err
	}
	return n, nil
}

var errSink = errors.New("sink is full")

// TestSinkFailure fails the sink at every byte, with an error and short, and
// tries all calls afterwards. B93: errors are sticky. B105, B106: counts are of
// plaintext, and complete or with an error.
func TestSinkFailure(t *testing.T) {
	text := cryptotest.Pattern(0, stream.ChunkSize+200, 1)
	total := len(seal(t, stream.Cobblestone256, text))
	by := stride(t)
	for room := 0; room < total; room += by {
		kinds := []error{errSink, nil}
		if border := room % stream.SealedSize; border > stream.HeaderSize+20 && border < stream.SealedSize-20 {
			kinds = kinds[room/2%2:][:1] // one of them is enough there
		}
		for _, err := range kinds {
			want := err
			if err == nil {
				want = io.ErrShortWrite
			}
			sink := &faulty{room: room, err: err}
			w, err := stream.NewWriter(sink, stream.Cobblestone256, keyOf(stream.Cobblestone256, 1), nil, stream.WithConcurrency(1+room%2))
			if err != nil {
				t.Fatal(err)
			}
			n, err := w.Write(text[:20])
			if n != 20 || err != nil {
				t.Fatalf("room for %d: Write 20: %d, %v", room, n, err)
			}
			rest := text[20:]
			switch room % 3 {
			case 0:
				n, err = w.Write(rest)
			case 1:
				n64, err64 := w.WriteList(sg.Split(rest, 3000, 3000))
				n, err = int(n64), err64
			case 2:
				var n64 int64
				n64, err = w.ReadFrom(bytes.NewReader(rest))
				if n = int(n64); n > len(rest) || err == nil && n < len(rest) {
					t.Fatalf("room for %d: ReadFrom %d: %d, %v", room, len(rest), n, err)
				}
				if err != nil {
					n = 0
				}
			}
			if chunk := stream.HeaderSize + stream.SealedSize; room >= chunk {
				if n != len(rest) || err != nil {
					t.Fatalf("room for %d: %d, %v", room, n, err)
				}
				err = w.Close()
			} else if n != 0 {
				t.Fatalf("room for %d: %d bytes written, %v", room, n, err)
			}
			if err != want {
				t.Fatalf("room for %d: %v, want %v", room, err, want)
			}
			calls := sink.calls
			for range 2 {
				_, e1 := w.Write(text)
				_, e2 := w.WriteList(sg.List{text})
				_, e3 := w.ReadFrom(bytes.NewReader(text))
				_, e4 := w.Write(nil)
				for _, err := range []error{e1, e2, e3, e4, w.Close()} {
					if err != want {
						t.Fatalf("room for %d: %v afterwards, want %v", room, err, want)
					}
				}
			}
			if sink.calls != calls || sink.Len() != room {
				t.Fatalf("room for %d: %d bytes written, or something after the error", room, sink.Len())
			}
		}
	}
}

// TestWrittenBeforeFailure counts what the sink had taken of a call that failed.
func TestWrittenBeforeFailure(t *testing.T) {
	const batch = 8 // chunks in one write of a single worker
	text := make([]byte, 30*stream.ChunkSize)
	for _, held := range []int{0, 1, 5000, stream.ChunkSize - 1} {
		for _, chunks := range []int{0, 1, 7, 8, 9, 16, 24} {
			for _, list := range []bool{false, true} {
				sink := &faulty{room: stream.HeaderSize + chunks*stream.SealedSize + 100, err: errSink}
				w, err := stream.NewWriter(sink, stream.Cobblestone256, keyOf(stream.Cobblestone256, 1), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(text[:held]); err != nil {
					t.Fatal(err)
				}
				var n int
				if list {
					var n64 int64
					n64, err = w.WriteList(sg.Split(text, 1, 7000, 3, 10000, 100000))
					n = int(n64)
				} else {
					n, err = w.Write(text)
				}
				want := max(chunks/batch*batch*stream.ChunkSize-held, 0)
				if n != want || err != errSink {
					t.Errorf("%d held, room for %d chunks, list %v: %d, %v, want %d", held, chunks, list, n, err, want)
				}
			}
		}
	}
}

// liar returns impossible counts.
type liar int

func (l liar) Write(p []byte) (int, error)           { return l.count(p), nil }
func (l liar) Read(p []byte) (int, error)            { return l.count(p), nil }
func (l liar) ReadAt(p []byte, _ int64) (int, error) { return l.count(p), nil }
func (l liar) count(p []byte) int {
	if l < 0 {
		return int(l)
	}
	return len(p) + int(l)
}

// TestImpossibleCounts. B106: those who lie about their counts do not make us
// panic.
func TestImpossibleCounts(t *testing.T) {
	const suite = stream.Cobblestone128
	key := keyOf(suite, 1)
	for _, l := range []liar{-1, 1, 1 << 30} {
		w, err := stream.NewWriter(l, suite, key, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := w.Write(make([]byte, 20000)); n != 0 || err == nil || !strings.Contains(err.Error(), "impossible count") {
			t.Errorf("sink %d: %d, %v", l, n, err)
		}
		w, err = stream.NewWriter(io.Discard, suite, key, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := w.ReadFrom(l); n != 0 || err == nil || !strings.Contains(err.Error(), "impossible count") {
			t.Errorf("source of ReadFrom %d: %d, %v", l, n, err)
		}
		r, err := stream.NewReader(l, suite, key, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := r.Read(make([]byte, 100)); n != 0 || err == nil || !strings.Contains(err.Error(), "impossible count") {
			t.Errorf("source %d: %d, %v", l, n, err)
		}
		if _, err := stream.NewReaderAt(l, 1000, suite, key, nil); err == nil || !strings.Contains(err.Error(), "impossible count") {
			t.Errorf("ReaderAt source %d: %v", l, err)
		}
		r, err = stream.NewReader(bytes.NewReader(seal(t, suite, make([]byte, 50))), suite, key, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := r.WriteTo(l); n != 0 || err == nil || !strings.Contains(err.Error(), "impossible count") {
			t.Errorf("sink of WriteTo %d: %d, %v", l, n, err)
		}
	}
}

// TestSourceFailure: an error of what ReadFrom reads loses nothing and is not
// sticky.
func TestSourceFailure(t *testing.T) {
	const suite = stream.Cobblestone256
	text := cryptotest.Pattern(0, 70000, 5)
	for _, workers := range []int{1, 2} {
		for _, cut := range []int{0, 1, 16384, 40000} {
			var sealed bytes.Buffer
			w, err := stream.NewWriter(&sealed, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
			if err != nil {
				t.Fatal(err)
			}
			src := io.MultiReader(bytes.NewReader(text[:cut]), iotest.ErrReader(io.ErrClosedPipe))
			if n, err := w.ReadFrom(src); n != int64(cut) || err != io.ErrClosedPipe {
				t.Errorf("ReadFrom: %d, %v, want %d", n, err, cut)
			}
			n, err := w.ReadFrom(iotest.DataErrReader(bytes.NewReader(text[cut:])))
			if err := errors.Join(err, w.Close()); n != int64(len(text)-cut) || err != nil {
				t.Errorf("ReadFrom: %d, %v", n, err)
			}
			r, err := stream.NewReader(&sealed, suite, keyOf(suite, 1), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			w, err = stream.NewWriter(io.Discard, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
			if err != nil {
				t.Fatal(err)
			}
			if n, err := w.ReadFrom(nothing{}); n != 0 || err != io.ErrNoProgress {
				t.Errorf("ReadFrom a source that brings nothing: %d, %v", n, err)
			}
		}
	}
}

// nothing is a source that brings nothing and no error, for ever.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }

func TestClosed(t *testing.T) {
	var sink bytes.Buffer
	w, err := stream.NewWriter(&sink, stream.Cobblestone128, keyOf(stream.Cobblestone128, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if sink.Len() != 72 {
		t.Errorf("an empty message of %d bytes", sink.Len())
	}
	_, e1 := w.Write([]byte("more"))
	_, e2 := w.WriteList(sg.List{{1}})
	_, e3 := w.ReadFrom(strings.NewReader("more"))
	_, e4 := w.Write(nil)
	for i, err := range []error{e1, e2, e3, e4} {
		if err != stream.ErrClosed || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("call %d after Close: %v", i, err)
		}
	}
	if err := w.Close(); err != nil || sink.Len() != 72 {
		t.Errorf("Close: %v, %d bytes", err, sink.Len())
	}
}

// TestNeverClosed. B94: what was never closed does not open.
func TestNeverClosed(t *testing.T) {
	for _, n := range []int{0, 5, 16384, 2 * 16384, 40000} {
		var sink bytes.Buffer
		w, err := stream.NewWriter(&sink, stream.Cobblestone128, keyOf(stream.Cobblestone128, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		r, err := stream.NewReader(&sink, stream.Cobblestone128, keyOf(stream.Cobblestone128, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); len(got) != n/16384*16384 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes, never closed: got %d, %v", n, len(got), err)
		}
	}
}

// TestLimit: chunk 2^38-1 may only be the last one.
func TestLimit(t *testing.T) {
	key, base := make([]byte, 16), make([]byte, 12)
	const suite = stream.Cobblestone128
	for _, c := range []struct {
		next uint64
		size int
		ok   bool
	}{
		{stream.MaxChunks - 1, 16383, true},
		{stream.MaxChunks - 1, 16384, false},
		{stream.MaxChunks - 3, 3*16384 - 1, true},
		{stream.MaxChunks - 3, 3 * 16384, false},
		{stream.MaxChunks - 3, 40 * 16384, false},
		{stream.MaxChunks - 100, 99*16384 + 5, true},
		{stream.MaxChunks - 100, 100 * 16384, false},
	} {
		for name, put := range map[string]func(w *stream.Writer) error{
			"Write": func(w *stream.Writer) error { _, err := w.Write(make([]byte, c.size)); return err },
			"WriteList": func(w *stream.Writer) error {
				_, err := w.WriteList(sg.Split(make([]byte, c.size), 4096, 4096))
				return err
			},
			"ReadFrom": func(w *stream.Writer) error { _, err := w.ReadFrom(bytes.NewReader(make([]byte, c.size))); return err },
		} {
			var sealed bytes.Buffer
			w, err := stream.NewRawWriter(&sealed, suite, key, base, stream.WithConcurrency(1+c.size%3))
			if err != nil {
				t.Fatal(err)
			}
			w.SetNext(c.next)
			err = put(w)
			if err == nil {
				err = w.Close()
			}
			if c.ok != (err == nil) || !c.ok && !errors.Is(err, stream.ErrTooLong) {
				t.Errorf("%s of %d bytes at chunk %#x: %v", name, c.size, c.next, err)
			}
			if !c.ok {
				if err := w.Close(); !errors.Is(err, stream.ErrTooLong) {
					t.Errorf("Close after %s: %v", name, err)
				}
				continue
			}
			for _, workers := range []int{1, 2} {
				r, err := stream.NewRawReader(bytes.NewReader(sealed.Bytes()), suite, key, base, stream.WithConcurrency(workers))
				if err != nil {
					t.Fatal(err)
				}
				r.SetNext(c.next)
				if n, err := io.Copy(io.Discard, r); n != int64(c.size) || err != nil {
					t.Errorf("read at chunk %#x: %d bytes, %v", c.next, n, err)
				}
			}
		}
	}
	// A message that goes on beyond: made by a model without a limit.
	const before = 50
	m := model{modelAEAD(suite, key), base, nil, stream.MaxChunks - 1 - before}
	sealed := m.seal(make([]byte, (before+40)*16384))
	for _, workers := range []int{1, 2} {
		for _, o := range openings {
			r, err := stream.NewRawReader(bytes.NewReader(sealed), suite, key, base, stream.WithConcurrency(workers))
			if err != nil {
				t.Fatal(err)
			}
			r.SetNext(m.first)
			if got, err := o.get(r); len(got) != before*16384 || !errors.Is(err, stream.ErrTooLong) {
				t.Errorf("beyond the limit, %s, %d workers: %d bytes, %v", o.name, workers, len(got), err)
			}
		}
	}
}

// TestWriterSteadyState: nothing is allocated for a chunk.
func TestWriterSteadyState(t *testing.T) {
	text := make([]byte, 3*stream.ChunkSize+100)
	l := sg.Split(text, 5000, 5000, 100, 100, 30000)
	writer := func(suite stream.Suite) *stream.Writer {
		w, err := stream.NewWriter(io.Discard, suite, keyOf(suite, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	for _, suite := range stream.Suites() {
		w := writer(suite)
		for name, f := range map[string]func(){
			"Write":         func() { w.Write(text) },
			"a short Write": func() { w.Write(text[:10000]) },
			"WriteList":     func() { w.WriteList(l) },
		} {
			noAllocs(t, suite.String()+" "+name, f)
		}
	}
	// A call borrows a buffer, which the pool may have to make.
	text = make([]byte, 20*stream.ChunkSize)
	w, src := writer(suite), bytes.NewReader(text)
	if n := testing.AllocsPerRun(20, func() { src.Reset(text); w.ReadFrom(src) }); n > 5 && !lenient {
		t.Errorf("ReadFrom allocates %v times for 20 chunks", n)
	}
}

// lenient says whether allocations are a matter of luck here: the race detector
// makes pools forget at random.
const lenient = passesOn || raceDetector

// noAllocs is cryptotest.NoAllocs, or where that does not hold a bound.
func noAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if lenient {
		if n := testing.AllocsPerRun(10, f); n > 64 {
			t.Errorf("%s allocates %v times", what, n)
		}
		return
	}
	cryptotest.NoAllocs(t, what, f)
}

// FuzzWriterSplits divides a text as the fuzzer likes.
func FuzzWriterSplits(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint8(0))
	f.Add([]byte{255, 255, 255, 255, 0, 255, 255, 7}, uint8(1))
	f.Add([]byte{64, 64, 64, 64, 128, 3}, uint8(6))
	f.Fuzz(func(t *testing.T, cuts []byte, how uint8) {
		if len(cuts) > 60 {
			cuts = cuts[:60]
		}
		var l sg.List
		total := 0
		for i, c := range cuts {
			n := int(c) * (1 + int(how)) // up to 255 or up to four chunks
			l = append(l, cryptotest.Pattern(total, n, byte(i)))
			total += n
		}
		text := bytes.Join(l, nil)
		suite := stream.Suites()[int(how)%len(stream.Suites())]
		var sealed bytes.Buffer
		w, err := stream.NewWriter(&sealed, suite, keyOf(suite, 1), nil, stream.WithConcurrency(1+int(how)%3))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(how), uint64(total)))
		for len(l) > 0 {
			n := 1 + r.IntN(len(l))
			var taken, want int64
			switch r.IntN(3) {
			case 0:
				taken, err = w.WriteList(l[:n])
			case 1:
				n = 1
				taken, err = w.ReadFrom(bytes.NewReader(l[0]))
			case 2:
				n = 1
				var k int
				k, err = w.Write(l[0])
				taken = int64(k)
			}
			if want = int64(l[:n].Len()); taken != want || err != nil {
				t.Fatalf("%d of %d bytes, %v", taken, want, err)
			}
			l = l[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want := newModel(suite, keyOf(suite, 1), sealed.Bytes()[:24], nil).seal(text)
		if !bytes.Equal(sealed.Bytes(), want) {
			t.Fatal("not what the model seals")
		}
	})
}
