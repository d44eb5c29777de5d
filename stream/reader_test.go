package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

const suite = stream.Cobblestone256

func newReader(t testing.TB, src io.Reader, opts ...stream.Option) *stream.Reader {
	t.Helper()
	r, err := stream.NewReader(src, suite, keyOf(suite, 1), nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sticky fails the test unless all calls return err from now on, and nothing else.
func sticky(t testing.TB, r *stream.Reader, want error) {
	t.Helper()
	for range 2 {
		for _, size := range []int{1, stream.ChunkSize} {
			if n, err := r.Read(make([]byte, size)); n != 0 || err != want {
				t.Fatalf("Read after %v: %d, %v", want, n, err)
			}
		}
		if n, err := r.WriteTo(io.Discard); n != 0 || err != want {
			t.Fatalf("WriteTo after %v: %d, %v", want, n, err)
		}
	}
}

// threeChunks is a text whose message has two full chunks and a short one.
var threeChunks = cryptotest.Pattern(0, 2*stream.ChunkSize+100, 3)

// TestTruncations cuts a message at every length. B88: never io.EOF, and no text
// of a chunk that was cut.
func TestTruncations(t *testing.T) {
	stream.WithoutSearch(t)
	sealed := seal(t, suite, threeChunks)
	dst := make([]byte, len(threeChunks)+1)
	by := stride(t)
	for n := 0; n < len(sealed); n++ {
		border := (n - stream.HeaderSize) % stream.SealedSize
		if by > 1 && n > stream.HeaderSize+1 && border > 17 && n%by > 0 && n < len(sealed)-200 {
			continue
		}
		r := newReader(t, bytes.NewReader(sealed[:n]), stream.WithConcurrency(1+n%2))
		got, err := reads1(r, dst)
		want := max(n-stream.HeaderSize, 0) / stream.SealedSize * stream.ChunkSize
		if !errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF || !bytes.Equal(got, threeChunks[:want]) {
			t.Fatalf("cut at %d: %d bytes, want %d, %v", n, len(got), want, err)
		}
		sticky(t, r, err)
		if _, err := stream.NewReaderAt(bytes.NewReader(sealed), int64(n), suite, keyOf(suite, 1), nil); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("ReaderAt cut at %d: %v", n, err)
		}
	}
}

// reads1 reads into dst up to an error.
func reads1(r *stream.Reader, dst []byte) ([]byte, error) {
	for n := 0; ; {
		m, err := r.Read(dst[n:])
		if n += m; err != nil {
			return dst[:n], err
		}
	}
}

// TestCorruptions changes every byte of a message. Nothing of the chunk that was
// changed is released, or left in the caller's memory.
func TestCorruptions(t *testing.T) {
	stream.WithoutSearch(t)
	sealed := seal(t, suite, threeChunks)
	dst := make([]byte, 4*stream.ChunkSize)
	by := stride(t)
	for n := 0; n < len(sealed); n++ {
		border := (n - stream.HeaderSize) % stream.SealedSize
		if by > 1 && n > stream.HeaderSize+1 && border > 17 && border < stream.ChunkSize-17 && n%by > 0 {
			continue
		}
		bit := byte(1) << (n % 8)
		sealed[n] ^= bit
		r := newReader(t, bytes.NewReader(sealed), stream.WithConcurrency(1+n%2))
		clear(dst)
		got, err := reads1(r, dst)
		want := max(n-stream.HeaderSize, 0) / stream.SealedSize * stream.ChunkSize
		if !errors.Is(err, sg.ErrOpen) || !bytes.Equal(got, threeChunks[:want]) {
			t.Fatalf("byte %d changed: %d bytes, want %d, %v", n, len(got), want, err)
		}
		if errors.Is(err, stream.ErrWrongKey) != (n < stream.HeaderSize) {
			t.Fatalf("byte %d changed: %v", n, err)
		}
		if n%97 == 0 || by > 1 {
			sticky(t, r, err)
			for i, b := range dst[want:] {
				if b != 0 {
					t.Fatalf("byte %d changed: byte %d behind the text is %#x", n, i, b)
				}
			}
		}
		sealed[n] ^= bit
	}
}

// TestTrailingData. B86: something behind the end is an error of its own,
// whatever its length and whatever way it comes.
func TestTrailingData(t *testing.T) {
	sizes := []int{0, 5000, stream.ChunkSize, 2*stream.ChunkSize + 100, 1, stream.ChunkSize - 1}
	for _, size := range sizes[:byPace(t, 6, 4, 2)] {
		text := cryptotest.Pattern(0, size, 3)
		sealed := seal(t, suite, text)
		for _, more := range []int{1, 15, 16, 17, stream.ChunkSize, stream.SealedSize, stream.SealedSize + 1, 3 * stream.SealedSize, len(sealed)} {
			for _, workers := range []int{1, 2} {
				whole := append(sealed[:len(sealed):len(sealed)], cryptotest.Pattern(0, more, 1)...)
				if more == len(sealed) {
					copy(whole[more:], sealed) // the message twice
				}
				for _, o := range openings {
					for _, src := range []io.Reader{
						bytes.NewReader(whole),
						&hesitant{r: iotest.DataErrReader(bytes.NewReader(whole))},
					} {
						r := newReader(t, src, stream.WithConcurrency(workers))
						got, err := o.get(r)
						if want := size / stream.ChunkSize * stream.ChunkSize; len(got) != want || !bytes.Equal(got, text[:want]) || !errors.Is(err, stream.ErrTrailingData) || !errors.Is(err, sg.ErrOpen) {
							t.Fatalf("%d bytes behind %d, %s: %d, %v", more, size, o.name, len(got), err)
						}
						sticky(t, r, stream.ErrTrailingData)
					}
				}
				_, err := stream.NewReaderAt(bytes.NewReader(whole), int64(len(whole)), suite, keyOf(suite, 1), nil)
				if err == nil {
					t.Fatalf("%d bytes behind %d: ReaderAt", more, size)
				}
				if last := len(sealed) - stream.HeaderSize - size/stream.ChunkSize*stream.SealedSize; last+more < stream.SealedSize && !errors.Is(err, stream.ErrTrailingData) {
					t.Fatalf("%d bytes behind %d: ReaderAt: %v", more, size, err)
				}
			}
		}
	}
}

// TestTrailingDataSuites: each cipher finds the end of a message, and none where
// there is none.
func TestTrailingDataSuites(t *testing.T) {
	for _, suite := range stream.Suites() {
		text := cryptotest.Pattern(0, stream.ChunkSize+333, 3)
		sealed := seal(t, suite, text)
		for _, more := range []int{0, 1, 16, 20000} {
			whole := append(sealed[:len(sealed):len(sealed)], make([]byte, more)...)
			read := func() error {
				r, err := stream.NewReader(bytes.NewReader(whole), suite, keyOf(suite, 1), nil)
				if err != nil {
					t.Fatal(err)
				}
				_, err = io.Copy(io.Discard, r)
				return err
			}
			if err := read(); errors.Is(err, stream.ErrTrailingData) != (more > 0) || more == 0 && err != nil {
				t.Errorf("%v, %d bytes behind: %v", suite, more, err)
			}
			whole[len(sealed)-1] ^= 1
			if err := read(); !errors.Is(err, sg.ErrOpen) || errors.Is(err, stream.ErrTrailingData) {
				t.Errorf("%v, changed, %d bytes behind: %v", suite, more, err)
			}
			whole[len(sealed)-1] ^= 1
		}
	}
}

// hesitant returns nothing without an error every other time.
type hesitant struct {
	r     io.Reader
	every int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.every++; h.every%2 == 1 {
		return 0, nil
	}
	return h.r.Read(p)
}

// TestChanged tells changed messages from other ones: nothing may pass for
// trailing data or for missing data that is neither.
func TestChanged(t *testing.T) {
	sealed := seal(t, suite, threeChunks)
	for _, c := range []struct {
		name                   string
		change                 func(p []byte) []byte
		text                   int
		open, cut, wrong, more bool
	}{
		{"nothing", func(p []byte) []byte { return nil }, 0, false, true, false, false},
		{"no chunk", func(p []byte) []byte { return p[:56] }, 0, false, true, false, false},
		{"salt", func(p []byte) []byte { p[3] ^= 1; return p }, 0, true, false, true, false},
		{"commitment", func(p []byte) []byte { p[55] ^= 128; return p }, 0, true, false, true, false},
		{"first chunk", func(p []byte) []byte { p[1000] ^= 1; return p }, 0, true, false, false, false},
		{"last chunk", func(p []byte) []byte { p[len(p)-1] ^= 1; return p }, 32768, true, true, false, false},
		{"swapped", func(p []byte) []byte {
			return bytes.Join([][]byte{p[:56], p[56+16400 : 56+32800], p[56 : 56+16400], p[56+32800:]}, nil)
		}, 0, true, false, false, false},
		{"repeated", func(p []byte) []byte {
			return bytes.Join([][]byte{p[:56+16400], p[56 : 56+16400], p[56+32800:]}, nil)
		}, 16384, true, false, false, false},
		{"dropped", func(p []byte) []byte {
			return append(p[:56+16400:56+16400], p[56+32800:]...)
		}, 16384, true, true, false, false},
		{"last chunk first", func(p []byte) []byte {
			return append(p[:56:56], p[56+32800:]...)
		}, 0, true, true, false, false},
		{"cut at a border", func(p []byte) []byte { return p[:56+32800] }, 32768, false, true, false, false},
		{"without the last tag", func(p []byte) []byte { return p[:len(p)-16] }, 32768, true, true, false, false},
		{"one byte more", func(p []byte) []byte { return append(p, 0) }, 32768, true, false, false, true},
	} {
		r := newReader(t, bytes.NewReader(c.change(bytes.Clone(sealed))))
		got, err := io.ReadAll(r)
		if len(got) != c.text || errors.Is(err, sg.ErrOpen) != c.open || errors.Is(err, io.ErrUnexpectedEOF) != c.cut ||
			errors.Is(err, stream.ErrWrongKey) != c.wrong || errors.Is(err, stream.ErrTrailingData) != c.more ||
			!strings.HasPrefix(fmt.Sprint(err), "stream: ") {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
	}
	// B87: the last chunk is short. A full one is not the last, and an empty
	// one behind it is needed.
	full := seal(t, suite, threeChunks[:16384])
	if len(full) != 56+16400+16 {
		t.Errorf("a message of a full chunk has %d bytes", len(full))
	}
	if got, err := io.ReadAll(newReader(t, bytes.NewReader(full[:56+16400]))); len(got) != 16384 || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, sg.ErrOpen) {
		t.Errorf("a full chunk without an empty one: %d bytes, %v", len(got), err)
	}
}

// TestWrongKey has every argument that must be that of the Writer.
func TestWrongKey(t *testing.T) {
	var sealed bytes.Buffer
	key := keyOf(stream.Cobblestone256, 1)
	w, err := stream.NewWriter(&sealed, stream.Cobblestone256, key, []byte("context"))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(key)
	other[31] ^= 1
	for _, c := range []struct {
		suite   stream.Suite
		key     []byte
		context string
		want    error
	}{
		{stream.Cobblestone256, key, "context", nil},
		{stream.Cobblestone256, other, "context", stream.ErrWrongKey},
		{stream.Cobblestone256, key, "", stream.ErrWrongKey},
		{stream.Cobblestone256, key, "context\x00", stream.ErrWrongKey},
		{stream.Cobblestone128, key[:16], "context", stream.ErrWrongKey},
	} {
		r, err := stream.NewReader(bytes.NewReader(sealed.Bytes()), c.suite, c.key, []byte(c.context))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); err != c.want {
			t.Errorf("%v, %q: %v, want %v", c.suite, c.context, err, c.want)
		}
		if c.want != nil {
			sticky(t, r, c.want)
		}
		if _, err := stream.NewReaderAt(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), c.suite, c.key, []byte(c.context)); err != c.want {
			t.Errorf("ReaderAt %v, %q: %v, want %v", c.suite, c.context, err, c.want)
		}
	}
}

// TestSources reads from sources of every legal kind. B84, B86, B91: what comes
// with io.EOF counts, and so does what comes after nothing.
func TestSources(t *testing.T) {
	for _, size := range []int{0, 1, 16383, 16384, 16385, len(threeChunks)} {
		text := threeChunks[:size]
		sealed := seal(t, suite, text)
		for _, s := range []struct {
			name string
			wrap func(io.Reader) io.Reader
		}{
			{"one byte", iotest.OneByteReader},
			{"half", iotest.HalfReader},
			{"data with EOF", iotest.DataErrReader},
			{"one byte, the last with EOF", func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) }},
			{"nothing every other time", func(r io.Reader) io.Reader { return &hesitant{r: r} }},
		} {
			for _, o := range openings {
				if got, err := o.get(newReader(t, s.wrap(bytes.NewReader(sealed)))); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%d bytes, %s, %s: %d, %v", size, s.name, o.name, len(got), err)
				}
			}
		}
		if err := iotest.TestReader(newReader(t, bytes.NewReader(sealed)), text); err != nil {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestSourceErrors: what was authentic before the error of a source is delivered.
func TestSourceErrors(t *testing.T) {
	sealed := seal(t, suite, threeChunks)
	for _, n := range []int{0, 30, 56, 100, 56 + 16399, 56 + 16400, 40000, len(sealed)} {
		for _, with := range []bool{false, true} {
			var src io.Reader = io.MultiReader(bytes.NewReader(sealed[:n]), iotest.ErrReader(io.ErrClosedPipe))
			if with {
				src = &withError{p: sealed[:n], err: io.ErrClosedPipe}
			}
			r := newReader(t, src)
			got, err := io.ReadAll(r)
			if want := max(n-56, 0) / 16400 * 16384; !bytes.Equal(got, threeChunks[:want]) || err != io.ErrClosedPipe {
				t.Errorf("error at %d, with data %v: %d bytes, %v", n, with, len(got), err)
			}
			sticky(t, r, io.ErrClosedPipe)
		}
	}
	r := newReader(t, iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(sealed))))
	if _, err := io.ReadAll(r); err != iotest.ErrTimeout {
		t.Errorf("a timeout: %v", err)
	}
	r = newReader(t, io.MultiReader(bytes.NewReader(sealed[:20000]), nothing{}))
	if got, err := io.ReadAll(r); len(got) != 16384 || err != io.ErrNoProgress {
		t.Errorf("a source that brings nothing: %d, %v", len(got), err)
	}
	sticky(t, r, io.ErrNoProgress)
}

// withError brings the last of its data together with an error.
type withError struct {
	p   []byte
	err error
}

func (w *withError) Read(p []byte) (int, error) {
	n := copy(p, w.p)
	if w.p = w.p[n:]; len(w.p) == 0 {
		return n, w.err
	}
	return n, nil
}

// TestCleared: behind a chunk that was changed, a Read clears what it has used of
// its argument.
func TestCleared(t *testing.T) {
	sealed := seal(t, suite, make([]byte, 40*stream.ChunkSize))
	sealed[stream.HeaderSize+stream.SealedSize] ^= 1
	for _, workers := range []int{1, 3} {
		r := newReader(t, bytes.NewReader(sealed), stream.WithConcurrency(workers))
		p := bytes.Repeat([]byte{0xa5}, 8*stream.ChunkSize)
		if n, err := r.Read(p); n != stream.ChunkSize || err != nil {
			t.Fatal(n, err)
		}
		if n, err := r.Read(p); n != 0 || !errors.Is(err, sg.ErrOpen) || bytes.Count(p, []byte{0}) != len(p) {
			t.Errorf("%d workers: %d, %v, or not cleared", workers, n, err)
		}
	}
}

// TestEmptyRead: a Read of nothing is nothing, also at the end.
func TestEmptyRead(t *testing.T) {
	r := newReader(t, iotest.ErrReader(io.ErrClosedPipe))
	if n, err := r.Read(nil); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// TestWriteToFailure fails the sink of WriteTo everywhere.
func TestWriteToFailure(t *testing.T) {
	text := cryptotest.Pattern(0, 20*stream.ChunkSize+5, 8)
	sealed := seal(t, suite, text)
	for room := 0; room < len(text); room += len(text) / byPace(t, 70, 20, 5) {
		for _, workers := range []int{1, 2} {
			for _, err := range []error{errSink, nil} {
				want := err
				if err == nil {
					want = io.ErrShortWrite
				}
				sink := &faulty{room: room, err: err}
				r := newReader(t, bytes.NewReader(sealed), stream.WithConcurrency(workers))
				n, err := r.WriteTo(sink)
				if n != int64(room) || err != want || !bytes.Equal(sink.Bytes(), text[:room]) {
					t.Fatalf("room for %d: %d, %v", room, n, err)
				}
				sticky(t, r, want)
			}
		}
	}
}

// TestOpenedStraight: no more than what Read returns is touched behind, apart from
// clearing, and memory beyond len(p) never.
func TestOpenedStraight(t *testing.T) {
	sealed := seal(t, suite, threeChunks)
	for _, size := range []int{1, 16383, 16384, 16385, 32768, 40000, 1 << 17} {
		mem := bytes.Repeat([]byte{0xa5}, size+100)
		r := newReader(t, bytes.NewReader(sealed))
		var all []byte
		for {
			n, err := r.Read(mem[:size:size])
			all = append(all, mem[:n]...)
			if bytes.Count(mem[size:], []byte{0xa5}) != 100 {
				t.Fatalf("Read of %d wrote beyond", size)
			}
			if err != nil {
				break
			}
		}
		if !bytes.Equal(all, threeChunks) {
			t.Errorf("Read of %d: wrong", size)
		}
	}
}

// TestReaderSteadyState: nothing is allocated for a chunk.
func TestReaderSteadyState(t *testing.T) {
	key, base := make([]byte, 32), make([]byte, 12)
	one := model{modelAEAD(suite, key), base, nil, 0}.seal(make([]byte, 8*stream.ChunkSize))
	one = one[:8*stream.SealedSize] // without the end
	for _, size := range []int{1000, stream.ChunkSize, 5 * stream.ChunkSize} {
		src := &again{p: one}
		r, err := stream.NewRawReader(src, suite, key, base)
		if err != nil {
			t.Fatal(err)
		}
		p := make([]byte, size)
		noAllocs(t, fmt.Sprintf("Read of %d", size), func() {
			for range 3 {
				if _, err := r.Read(p); err != nil {
					t.Fatal(err)
				}
				r.TurnBack(8) // the chunks come again, so their numbers must
			}
		})
	}
}

// again is a source that begins again at its end.
type again struct {
	p  []byte
	at int
}

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.p[a.at:])
	a.at = (a.at + n) % len(a.p)
	return n, nil
}

// FuzzReader reads what the fuzzer makes, and what it changes in a message: the
// verdict and the text must be the model's.
func FuzzReader(f *testing.F) {
	f.Add([]byte("not a message"), false, uint16(0), uint16(0), uint16(0), uint8(0))
	f.Add([]byte("a text"), true, uint16(0), uint16(0), uint16(0), uint8(1))
	f.Add([]byte("a text"), true, uint16(30000), uint16(20000), uint16(0), uint8(2))
	f.Add([]byte("a text"), true, uint16(16384), uint16(0), uint16(16456), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, authentic bool, size, flip, cut uint16, how uint8) {
		key := keyOf(suite, 1)
		m := newModel(suite, key, cryptotest.Pattern(0, 24, how), data)
		message := data
		if authentic {
			message = m.seal(cryptotest.Pattern(0, int(size), how))
			if flip > 0 && int(flip) <= len(message) {
				message[flip-1] ^= 1 << (how % 8)
			}
			if cut > 0 && int(cut) <= len(message) {
				message = message[:cut-1]
			}
			if how >= 128 {
				message = append(message, data...)
			}
		}
		want, wantErr := m.open(message)
		var src io.Reader = bytes.NewReader(message)
		if how%2 == 1 {
			src = &ragged{p: message}
		}
		r, err := stream.NewReader(src, suite, key, data, stream.WithConcurrency(1+int(how)%3))
		if err != nil {
			t.Fatal(err)
		}
		got, err := openings[int(how)%len(openings)].get(r)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v, want %d, %v", len(got), err, len(want), wantErr)
		}
		if err != nil && len(got)%stream.ChunkSize > 0 {
			t.Fatalf("part of a chunk: %d bytes, %v", len(got), err)
		}
		if err != nil && !errors.Is(err, sg.ErrOpen) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
	})
}

// TestRandomReads mixes Reads of all lengths.
func TestRandomReads(t *testing.T) {
	const seed = 77
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range byPace(t, 300, 60, 6) {
		text := cryptotest.Bytes(rnd, rnd.IntN(400000))
		r := newReader(t, &ragged{p: seal(t, suite, text), n: rnd.IntN(1000)}, stream.WithConcurrency(1+i%3))
		for rest := text; ; {
			p := make([]byte, 1+rnd.IntN([]int{10, 1000, 20000, 200000}[rnd.IntN(4)]))
			n, err := r.Read(p)
			if n > len(rest) || !bytes.Equal(p[:n], rest[:n]) || n == 0 && err == nil {
				t.Fatalf("round %d of seed %d: %d bytes with %d to come, %v", i, seed, n, len(rest), err)
			}
			rest = rest[n:]
			if err == io.EOF && len(rest) == 0 {
				break
			} else if err != nil {
				t.Fatalf("round %d of seed %d: %v with %d to come", i, seed, err, len(rest))
			}
		}
	}
}
