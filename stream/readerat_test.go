package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

func newReaderAt(t testing.TB, sealed []byte, opts ...stream.Option) *stream.ReaderAt {
	t.Helper()
	a, err := stream.NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), suite, keyOf(suite, 1), nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestReadAt compares with bytes.Reader, which has the contract of io.ReaderAt
// right. B89: the length is that of the last chunk, also when that is empty. B99:
// no offset overflows. B100: at all offsets around a border there is room. B102:
// there is all, or an error.
func TestReadAt(t *testing.T) {
	for _, size := range []int{0, 1, 16383, 16384, 16385, 2*16384 + 100, 20 * 16384} {
		text := cryptotest.Pattern(0, size, 7)
		want := bytes.NewReader(text)
		sealed := seal(t, suite, text)
		for _, workers := range []int{1, 2} {
			a := newReaderAt(t, sealed, stream.WithConcurrency(workers))
			if a.Size() != int64(size) {
				t.Errorf("size %d, want %d", a.Size(), size)
			}
			for _, off := range []int64{
				0, 1, 15, 16, 16383, 16384, 16385, 32767, 32768, 32768 + 99, 32768 + 100, 19 * 16384, int64(size) - 1, int64(size), int64(size) + 1,
				1 << 32, 1 << 53, math.MaxInt64 - 16400, math.MaxInt64 - 1, math.MaxInt64,
			} {
				for _, n := range []int{1, 2, 100, 16383, 16384, 16385, 32768, 8 * 16384, 8*16384 + 1, 400000} {
					p, q := bytes.Repeat([]byte{1}, n), bytes.Repeat([]byte{1}, n)
					wantN, wantErr := want.ReadAt(p, max(off, 0))
					gotN, err := a.ReadAt(q, max(off, 0))
					if gotN != wantN || err != wantErr || !bytes.Equal(p, q) {
						t.Fatalf("%d bytes at %d of %d: %d, %v, want %d, %v", n, off, size, gotN, err, wantN, wantErr)
					}
				}
			}
			for _, off := range []int64{-1, -16384, math.MinInt64} {
				if n, err := a.ReadAt(make([]byte, 1), off); n != 0 || err == nil || err == io.EOF {
					t.Errorf("at %d: %d, %v", off, n, err)
				}
			}
			if n, err := a.ReadAt(nil, 0); n != 0 || err != nil {
				t.Errorf("nothing: %d, %v", n, err)
			}
		}
	}
}

// TestEveryOffset reads a few bytes and two chunks at every offset modulo a chunk.
func TestEveryOffset(t *testing.T) {
	text := cryptotest.Pattern(0, 4*stream.ChunkSize+7, 2)
	a := newReaderAt(t, seal(t, suite, text))
	p := make([]byte, 2*stream.ChunkSize)
	by := stride(t)
	for off := 0; off <= stream.ChunkSize; off += by {
		for _, n := range []int{3, len(p)} {
			if m, err := a.ReadAt(p[:n], int64(off)); m != n || err != nil || !bytes.Equal(p[:n], text[off:off+n]) {
				t.Fatalf("%d bytes at %d: %d, %v", n, off, m, err)
			}
		}
	}
}

// TestSection puts an io.SectionReader on top. B95: each has a place of its own.
func TestSection(t *testing.T) {
	for _, size := range []int{0, 1, 1000, 16384, 20001} {
		text := cryptotest.Pattern(0, size, 7)
		a := newReaderAt(t, seal(t, suite, text))
		if err := iotest.TestReader(io.NewSectionReader(a, 0, a.Size()), text); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	text := cryptotest.Pattern(0, 50000, 7)
	a := newReaderAt(t, seal(t, suite, text))
	one, two := io.NewSectionReader(a, 0, a.Size()), io.NewSectionReader(a, 0, a.Size())
	if off, err := two.Seek(-5, io.SeekEnd); off != 49995 || err != nil {
		t.Errorf("Seek: %d, %v", off, err)
	}
	for _, c := range []struct {
		s    *io.SectionReader
		want []byte
	}{{two, text[49995:]}, {one, text}} {
		if got, err := io.ReadAll(c.s); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(c.want))
		}
	}
}

// A scripted source does something special with reads that touch a place.
type scripted struct {
	p    []byte
	at   int64 // the place, or -1
	n    func(n int) int
	err  error
	eofs bool // io.EOF with a full read at the end, which is legal
}

func (s *scripted) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, s.p[min(off, int64(len(s.p))):])
	if s.at >= off && s.at < off+int64(len(p)) {
		return s.n(n), s.err
	}
	if n < len(p) || s.eofs && off+int64(n) == int64(len(s.p)) {
		return n, io.EOF
	}
	return n, nil
}

// TestSourceAt has every pair of count and error, for the header and each chunk.
// B84: io.EOF with a full read is none.
func TestSourceAt(t *testing.T) {
	text := threeChunks
	sealed := seal(t, suite, text)
	a, err := stream.NewReaderAt(&scripted{p: sealed, at: -1, eofs: true}, int64(len(sealed)), suite, keyOf(suite, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(text))
	if n, err := a.ReadAt(got, 0); n != len(text) || err != nil || !bytes.Equal(got, text) {
		t.Errorf("io.EOF with the last chunk: %d, %v", n, err)
	}
	all := func(n int) int { return n }
	less := func(n int) int { return n - 1 }
	none := func(int) int { return 0 }
	for _, c := range []struct {
		name string
		n    func(int) int
		err  error
		want error // nil: read all the same
	}{
		{"all and nil", all, nil, nil},
		{"all and EOF", all, io.EOF, nil},
		{"all and an error", all, io.ErrClosedPipe, nil},
		{"less and EOF", less, io.EOF, io.ErrUnexpectedEOF},
		{"less and nil", less, nil, io.ErrUnexpectedEOF},
		{"less and an error", less, io.ErrClosedPipe, io.ErrClosedPipe},
		{"nothing and EOF", none, io.EOF, io.ErrUnexpectedEOF},
		{"nothing and nil", none, nil, io.ErrUnexpectedEOF},
		{"nothing and an error", none, io.ErrClosedPipe, io.ErrClosedPipe},
	} {
		for i, at := range []int64{10, 100, 17000, int64(len(sealed)) - 1} {
			src := &scripted{p: sealed, at: -1, n: c.n, err: c.err}
			if i == 0 || i == 3 { // read when the ReaderAt is made
				src.at = at
			}
			a, err := stream.NewReaderAt(src, int64(len(sealed)), suite, keyOf(suite, 1), nil)
			if src.at < 0 && err == nil {
				src.at = at
				clear(got)
				// In parts, so that every chunk is read by itself.
				for off := 0; off < len(text) && err == nil; off += 10000 {
					_, err = a.ReadAt(got[off:min(off+10000, len(text))], int64(off))
				}
				if err == nil && !bytes.Equal(got, text) {
					t.Errorf("%s at %d: wrong text", c.name, at)
				}
				if _, whole := a.ReadAt(got, 0); (whole == nil) != (err == nil) {
					t.Errorf("%s at %d: %v in parts, %v at once", c.name, at, err, whole)
				}
			}
			if !errors.Is(err, c.want) || err == io.EOF {
				t.Errorf("%s at %d: %v, want %v", c.name, at, err, c.want)
			}
		}
	}
}

// TestReadAtChanged: what is authentic before a changed chunk is returned, nothing
// of what follows, and other parts can still be read.
func TestReadAtChanged(t *testing.T) {
	text := cryptotest.Pattern(0, 20*stream.ChunkSize+50, 4)
	sealed := seal(t, suite, text)
	for _, bad := range []int{0, 1, 7, 8, 19} {
		sealed[stream.HeaderSize+bad*stream.SealedSize+5000] ^= 4
		for _, workers := range []int{1, 2, 5} {
			a := newReaderAt(t, sealed, stream.WithConcurrency(workers))
			for _, off := range []int{0, 100} {
				p := bytes.Repeat([]byte{0}, len(text)-off)
				n, err := a.ReadAt(p, int64(off))
				want := max(bad*stream.ChunkSize-off, 0)
				if n != want || !errors.Is(err, sg.ErrOpen) || !bytes.Equal(p[:n], text[off:off+n]) {
					t.Fatalf("chunk %d changed, at %d: %d, %v, want %d", bad, off, n, err, want)
				}
				if bytes.Count(p[n:], []byte{0}) != len(p)-n {
					t.Fatalf("chunk %d changed: something behind", bad)
				}
			}
			// What is behind in the same batch is cleared, not somebody's.
			batch := 20
			if workers == 1 {
				batch = 8
			}
			p := bytes.Repeat([]byte{0xa5}, 20*stream.ChunkSize)
			n, _ := a.ReadAt(p, 0)
			if end := (bad/batch + 1) * batch * stream.ChunkSize; bytes.Count(p[n:min(end, len(p))], []byte{0}) != min(end, len(p))-n {
				t.Fatalf("chunk %d changed, %d workers: something behind", bad, workers)
			}
			p = make([]byte, 100)
			for i := range 21 {
				for _, skip := range []int{0, 1} {
					n, err := a.ReadAt(p[:49], int64(i*stream.ChunkSize+skip))
					if i == bad && (n != 0 || !errors.Is(err, sg.ErrOpen)) || i != bad && (n != 49 || err != nil) {
						t.Fatalf("chunk %d changed, chunk %d: %d, %v", bad, i, n, err)
					}
				}
			}
		}
		sealed[stream.HeaderSize+bad*stream.SealedSize+5000] ^= 4
	}
}

// TestReaderAtErrors has sizes and headers that are wrong.
func TestReaderAtErrors(t *testing.T) {
	sealed := seal(t, suite, threeChunks)
	for _, c := range []struct {
		size int64
		want string
	}{
		{-1, "stream: ciphertext of -1 bytes"},
		{math.MinInt64, "stream: ciphertext of -9223372036854775808 bytes"},
		{0, "stream: 0 bytes, less than a header of 56: unexpected EOF"},
		{55, "stream: 55 bytes, less than a header of 56: unexpected EOF"},
		{56, "stream: 0 bytes of chunk 0, want 16 to 16400: unexpected EOF"},
		{56 + 16400 + 15, "stream: 15 bytes of chunk 1, want 16 to 16400: unexpected EOF"},
		{int64(len(sealed)) - 1, "stream: last chunk, 2, changed or cut off: unexpected EOF: cipherwalk: message authentication failed"},
		{int64(len(sealed)) + 1, fmt.Sprintf("stream: source ends at %d: unexpected EOF", len(sealed))},
		{math.MaxInt64, "stream: message longer than 2^52-1 bytes: ciphertext of 9223372036854775807"},
	} {
		a, err := stream.NewReaderAt(bytes.NewReader(sealed), c.size, suite, keyOf(suite, 1), nil)
		if a != nil || fmt.Sprint(err) != c.want {
			t.Errorf("size %d: %v, want %s", c.size, err, c.want)
		}
	}
}

// TestConcurrentReadAt has goroutines that read overlapping parts.
func TestConcurrentReadAt(t *testing.T) {
	text := cryptotest.Pattern(0, 300000, 11)
	a := newReaderAt(t, seal(t, suite, text), stream.WithConcurrency(2))
	rounds := byPace(t, 100, 30, 4)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 5))
			for range rounds {
				off := r.IntN(len(text))
				p := make([]byte, r.IntN([]int{50, 3000, 100000}[r.IntN(3)]))
				n, err := a.ReadAt(p, int64(off))
				if want := min(len(p), len(text)-off); n != want || (n < len(p)) != (err == io.EOF) || !bytes.Equal(p[:n], text[off:off+n]) {
					t.Errorf("%d bytes at %d: %d, %v", len(p), off, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// counted counts reads of a source.
type counted struct {
	io.ReaderAt
	n int
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.n++
	return c.ReaderAt.ReadAt(p, off)
}

// TestShortReadsInARow open a chunk once.
func TestShortReadsInARow(t *testing.T) {
	text := cryptotest.Pattern(0, 10*stream.ChunkSize, 1)
	sealed := seal(t, suite, text)
	src := &counted{ReaderAt: bytes.NewReader(sealed)}
	a, err := stream.NewReaderAt(src, int64(len(sealed)), suite, keyOf(suite, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(iotest.HalfReader(io.NewSectionReader(a, 0, a.Size())))
	if err != nil || !bytes.Equal(got, text) || src.n > 2+2*10 {
		t.Errorf("%d bytes, %v, with %d reads of the source", len(got), err, src.n)
	}
}

// TestReaderAtSteadyState: nothing is allocated for a chunk.
func TestReaderAtSteadyState(t *testing.T) {
	a := newReaderAt(t, seal(t, suite, make([]byte, 20*stream.ChunkSize)))
	p := make([]byte, 10*stream.ChunkSize)
	noAllocs(t, "ReadAt of several chunks", func() { a.ReadAt(p, 0) })
	noAllocs(t, "ReadAt of two parts", func() { a.ReadAt(p[:stream.ChunkSize], 100) })
	noAllocs(t, "ReadAt of a part", func() { a.ReadAt(p[:100], 100) })
}

// TestUnreachable: a ReaderAt that nobody has any more does not keep its text.
func TestUnreachable(t *testing.T) {
	a := newReaderAt(t, seal(t, suite, []byte("a secret text")))
	text := stream.CachedText(a)
	if string(text) != "a secret text" {
		t.Fatalf("%q is cached: the test is void", text)
	}
	runtime.KeepAlive(a)
	for range 100 {
		runtime.GC()
		if bytes.Count(text, []byte{0}) == len(text) {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%q was not wiped", text)
}

// FuzzReaderAt reads parts of what the fuzzer makes or changes: the verdict and
// the text must be those of a Reader.
func FuzzReaderAt(f *testing.F) {
	f.Add([]byte("not a message, but as long as one, with a header and a last chunk, or so"), false, uint16(0), uint16(0), int64(0), int64(0), uint16(1))
	f.Add([]byte(""), true, uint16(100), uint16(0), int64(0), int64(5), uint16(50))
	f.Add([]byte("more"), true, uint16(40000), uint16(0), int64(-4), int64(16380), uint16(20000))
	f.Add([]byte("more"), true, uint16(40000), uint16(17000), int64(0), int64(0), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, authentic bool, size, flip uint16, more, off int64, n uint16) {
		key := keyOf(suite, 1)
		text := cryptotest.Pattern(0, int(size), 5)
		message := data
		if authentic {
			m := newModel(suite, key, cryptotest.Pattern(0, 24, byte(n)), nil)
			message = append(m.seal(text), data...)
		}
		changed := -1 // the chunk, -2 the header
		if flip > 0 && int(flip) <= len(message) {
			message[flip-1] ^= 1
			if changed = (int(flip) - 1 - 56) / 16400; int(flip)-1 < 56 {
				changed = -2
			}
		}
		length := int64(len(message)) + more%1000
		a, err := stream.NewReaderAt(bytes.NewReader(message), length, suite, key, nil)
		whole := authentic && len(data) == 0 && length == int64(len(message))
		last := int(size) / 16384
		if whole && changed != -2 && changed != last {
			if err != nil || a.Size() != int64(size) {
				t.Fatalf("%v, %v", a, err)
			}
		} else if !authentic && err == nil {
			t.Fatal("not a message, but it opens")
		} else if whole && err == nil {
			t.Fatal("a changed header or last chunk opens")
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "stream: ") {
				t.Fatal(err)
			}
			return
		}
		p := make([]byte, n)
		got, err := a.ReadAt(p, off)
		if got < len(p) && err == nil {
			t.Fatalf("%d of %d bytes and no error", got, n)
		}
		if off >= 0 && off < int64(len(text)) && !bytes.Equal(p[:got], text[off:min(int64(len(text)), off+int64(got))]) {
			t.Fatalf("wrong text at %d", off)
		}
		if (off < 0 || off >= a.Size()) && got > 0 {
			t.Fatalf("%d bytes at %d", got, off)
		}
	})
}
