package frame_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// short takes k bytes of the first call and then everything.
type short struct {
	wire bytes.Buffer
	k    int
	err  error // of the first call
	done bool
}

func (s *short) Write(p []byte) (int, error) {
	if s.done {
		return s.wire.Write(p)
	}
	s.done = true
	s.wire.Write(p[:s.k])
	return s.k, s.err
}

// TestShortWrites (B82) has a connection that takes k bytes of a write, for every k,
// and what follows from that, for texts that are one slice and many.
func TestShortWrites(t *testing.T) {
	const size = 50 // of a record, 68 on the wire
	text := cryptotest.Pattern(0, 4*size+7, 1)
	wire := (&peer{key: keyA}).session(cut(text, size)...)
	more := []byte("and more")
	for k := range len(wire) + 1 {
		whole := min(k/(size+frame.Overhead)*size, len(text))
		if k == len(wire) {
			whole = len(text)
		}
		border := k%(size+frame.Overhead) == 0 || k == len(wire)
		for _, parts := range []int{1, 3, 40} {
			send := func(err error) (*short, *frame.Conn, int, net.Buffers, error) {
				s := &short{k: k, err: err}
				c := mustConn(t, &fake{w: s}, frame.WithMaxRecord(size))
				if parts == 1 {
					n, err := c.Write(text)
					return s, c, n, nil, err
				}
				v := divide(text, parts)
				n, err := c.WriteBuffers(&v)
				if left := bytes.Join(v, nil); !bytes.Equal(left, text[n:]) || len(v) > 0 && len(v[0]) == 0 {
					t.Fatalf("%d bytes taken, %d parts: %d bytes counted, %d left", k, parts, n, len(left))
				}
				return s, c, int(n), v, err
			}

			// Without an error the rest follows: nothing lost, nothing doubled.
			s, _, n, _, err := send(nil)
			if k == 0 {
				// B106: no progress, no error.
				wantPermanent(t, "nothing taken", err, io.ErrShortWrite)
				if n != 0 {
					t.Errorf("nothing taken, %d counted", n)
				}
			} else if n != len(text) || err != nil || !bytes.Equal(s.wire.Bytes(), wire) {
				t.Fatalf("%d bytes taken: %d, %v, or wrong on the wire", k, n, err)
			}

			// With an error the direction is dead, and whole records count.
			s, c, n, _, err := send(syscall.EPIPE)
			wantPermanent(t, "broken pipe", err, syscall.EPIPE)
			if n != whole || errors.Is(err, frame.ErrPartialWrite) == border {
				t.Fatalf("%d bytes taken, then an error: %d, %v, want %d", k, n, err, whole)
			}
			for range 2 {
				if n, again := c.Write(more); n != 0 || again != err {
					t.Fatalf("a later write: %d, %v, want %v", n, again, err)
				}
			}
			if again := c.CloseWrite(); again != err || s.wire.Len() != k {
				t.Fatalf("CloseWrite after that: %v, want %v, or something was sent", again, err)
			}

			// A time-out between records leaves everything as if the rest had
			// not been asked for; in a record it is as fatal as any error.
			s, c, n, v, err := send(os.ErrDeadlineExceeded)
			if n != whole {
				t.Fatalf("%d bytes taken, then a time-out: %d, want %d", k, n, whole)
			}
			if !border {
				wantPermanent(t, "time-out in a record", err, frame.ErrPartialWrite)
				if n, again := c.Write(more); n != 0 || again != err || s.wire.Len() != k {
					t.Fatalf("a later write: %d, %v, want %v", n, again, err)
				}
				continue
			}
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("%d bytes taken, then a time-out: %v", k, err)
			}
			if parts == 1 {
				v = net.Buffers{text[n:]}
			}
			if n, err := c.WriteBuffers(&v); n != int64(len(text)-whole) || err != nil || !bytes.Equal(s.wire.Bytes(), wire) {
				t.Fatalf("%d bytes taken, then a time-out: the rest: %d, %v, or wrong on the wire", k, n, err)
			}
		}
	}
}

// divide cuts p into n parts of about the same length, with empty ones in between.
func divide(p []byte, n int) net.Buffers {
	v := net.Buffers{nil}
	for i := range n {
		v = append(v, p[i*len(p)/n:(i+1)*len(p)/n:(i+1)*len(p)/n], []byte{})
	}
	return v
}

// TestEmptyWrites: nothing is sent, but an error that stays is reported.
func TestEmptyWrites(t *testing.T) {
	c, wire, f := sending(t)
	for _, v := range []net.Buffers{nil, {}, {nil}, {{}, nil, {}}} {
		n, err := c.WriteBuffers(&v)
		m, err2 := c.Write(bytes.Join(v, nil))
		k, err3 := c.ReadFrom(bytes.NewReader(nil))
		if n != 0 || m != 0 || k != 0 || err != nil || err2 != nil || err3 != nil || len(v) != 0 {
			t.Errorf("%d, %v; %d, %v; %d, %v", n, err, m, err2, k, err3)
		}
	}
	if wire.Len() != 0 || f.writes != 0 {
		t.Errorf("%d bytes on the wire in %d calls", wire.Len(), f.writes)
	}
	if err := c.CloseWrite(); err != nil {
		t.Error(err)
	}
	_, err := c.Write(nil)
	wantPermanent(t, "after CloseWrite", err, frame.ErrWriteClosed)
}

// TestCloseWrite sends the end once, closes that direction below if it can, and lets
// the other go on.
func TestCloseWrite(t *testing.T) {
	a, b := tcpPair(t)
	c := mustConn(t, a)
	p, q := &peer{key: keyA}, &peer{key: keyB}
	want := p.session([]byte("text"), nil)
	if _, err := c.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.CloseWrite(); err != nil {
			t.Error(err)
		}
	}
	n, err := c.Write([]byte("more"))
	wantPermanent(t, "Write after CloseWrite", err, frame.ErrWriteClosed)
	r := strings.NewReader("more")
	m, err := c.ReadFrom(r)
	wantPermanent(t, "ReadFrom after CloseWrite", err, frame.ErrWriteClosed)
	if n != 0 || m != 0 || r.Len() != 4 {
		t.Error("something was taken after CloseWrite")
	}
	if got, err := io.ReadAll(b); err != nil || !bytes.Equal(got, want) {
		t.Errorf("on the wire: %d bytes, %v, want %d", len(got), err, len(want))
	}
	b.Write(q.session([]byte("answer"), nil))
	if got, err := io.ReadAll(c); err != nil || string(got) != "answer" {
		t.Errorf("the other direction: %q, %v", got, err)
	}
	// A connection without CloseWrite stays open below.
	d, wire, f := sending(t)
	if err := d.CloseWrite(); err != nil || wire.Len() != frame.Overhead || f.closed != 0 {
		t.Errorf("%v, %d bytes on the wire", err, wire.Len())
	}
}

// TestCounters (B111, B112) presets counters close to their limit and to where others
// overflow: the record with 2^64-2 is still sent and received, the next never, by no
// method, and each direction has its own (B117).
func TestCounters(t *testing.T) {
	text := cryptotest.Pattern(0, 300, 2)
	for _, first := range []uint64{
		math.MaxUint64 - 5, math.MaxUint64 - 1, math.MaxUint64,
		// B113: 32 bits overflow within one batch as in several.
		math.MaxUint32 - 1, math.MaxUint32, 1 << 63, 255, 0,
	} {
		left := math.MaxUint64 - first
		p := &peer{keyA, first}
		// All at once, in records of 100 bytes: three.
		c, wire, _ := sending(t, frame.WithMaxRecord(100), frame.WithSendCounter(first), frame.WithRecvCounter(77))
		n, err := c.Write(text)
		whole := int(min(left, 3))
		if want := p.session(cut(text[:100*whole], 100)...); n != 100*whole || !bytes.Equal(wire.Bytes(), want) {
			t.Errorf("from %d: %d bytes, want %d, or wrong on the wire", first, n, 100*whole)
		}
		if whole < 3 {
			wantPermanent(t, "beyond the limit", err, frame.ErrCounter)
		} else if err != nil {
			t.Errorf("from %d: %v", first, err)
		}
		// One after the other, until the limit.
		for n := uint64(whole); n < min(left, 5); n++ {
			if m, err := c.Write(text[:1]); m != 1 || err != nil {
				t.Errorf("from %d, record %d: %d, %v", first, n, m, err)
			}
		}
		if left > 5 {
			continue
		}
		sent := wire.Len()
		_, err = c.Write(text)
		wantPermanent(t, "at the limit", err, frame.ErrCounter)
		wantPermanent(t, "end at the limit", c.CloseWrite(), frame.ErrCounter)
		if c.Close(); wire.Len() != sent {
			t.Errorf("from %d: more was sent", first)
		}
	}
	for left := range uint64(4) {
		first := math.MaxUint64 - left
		p := &peer{keyB, first}
		var wire []byte
		for range left {
			wire = append(wire, p.seal([]byte("x"))...)
		}
		// A record with 2^64-1: authentic, but not for Noise.
		wire = append(wire, p.seal([]byte("y"))...)
		c := receiving(t, wire, frame.WithRecvCounter(first))
		got, err := readAll(t, c)
		if string(got) != strings.Repeat("x", int(left)) {
			t.Errorf("%d records to the limit: %q", left, got)
		}
		wantPermanent(t, "receiving at the limit", err, frame.ErrCounter)
	}
}

// TestSplitEqualsWhole (B113) has the same records one by one and in one batch, over
// 2^32.
func TestSplitEqualsWhole(t *testing.T) {
	const first = math.MaxUint32 - 2
	text := cryptotest.Pattern(0, 600, 4)
	one, wire1, _ := sending(t, frame.WithMaxRecord(100), frame.WithSendCounter(first))
	each, wire2, _ := sending(t, frame.WithMaxRecord(100), frame.WithSendCounter(first))
	one.Write(text)
	for _, part := range cut(text, 100) {
		each.Write(part)
	}
	if !bytes.Equal(wire1.Bytes(), wire2.Bytes()) || wire1.Len() != 6*118 {
		t.Error("one Write and six differ")
	}
}

// TestSegmentCounts (B83) writes more segments than a system call takes.
func TestSegmentCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	for _, n := range []int{1023, 1024, 1025, 5000, 70000} {
		var v net.Buffers
		for range n {
			v = append(v, cryptotest.Bytes(r, r.IntN(40)))
		}
		text := bytes.Join(v, nil)
		c, wire, f := sending(t)
		got, err := c.WriteBuffers(&v)
		if want := (&peer{key: keyA}).session(cut(text, frame.MaxRecord)...); got != int64(len(text)) || err != nil || !bytes.Equal(wire.Bytes(), want) {
			t.Errorf("%d segments: %d, %v, or wrong on the wire", n, got, err)
		}
		if most := (len(text) + 1<<18 - 1) >> 18; f.writes > most {
			t.Errorf("%d segments, %d bytes: %d calls, want %d", n, len(text), f.writes, most)
		}
	}
}

// TestLongList (B83) writes more than 2^31 bytes in one call, through one segment
// that stands in the list again and again, with deadlines between the batches.
func TestLongList(t *testing.T) {
	if testing.Short() {
		t.Skip("gigabytes, and -short was asked for")
	}
	const piece = 1 << 20
	seg := make([]byte, piece)
	c := mustConn(t, &fake{})
	start := time.Now()
	c.Write(seg)
	if took := time.Since(start); took > 3*time.Millisecond {
		t.Skipf("%v for a megabyte: gigabytes would take minutes", took)
	}
	const total = 1<<31 + piece
	v := net.Buffers(slices.Repeat(sg.List{seg}, total/piece))
	if math.MaxInt == math.MaxInt32 {
		// No int counts that: an error, and nothing has happened.
		if n, err := c.WriteBuffers(&v); n != 0 || err == nil || len(v) != total/piece {
			t.Errorf("%d, %v", n, err)
		}
		return
	}
	calls := 0
	c = mustConn(t, &fake{w: writer(func(p []byte) (int, error) {
		if calls++; calls%1000 == 0 {
			return 0, os.ErrDeadlineExceeded
		}
		return len(p), nil
	})})
	var n int64
	for rounds := 0; len(v) > 0; rounds++ {
		m, err := c.WriteBuffers(&v)
		n += m
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) || rounds > 20 {
			t.Fatal(err)
		}
	}
	if n != total || calls < total/frame.BatchSize {
		t.Errorf("%d bytes in %d calls", n, calls)
	}
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestReadFrom sends what each Read gives at once, and counts what went out.
func TestReadFrom(t *testing.T) {
	text := cryptotest.Pattern(0, 1<<20, 6)
	for _, fail := range []error{nil, errLimit} {
		c, wire, f := sending(t)
		n, err := c.ReadFrom(&failing{bytes.NewReader(text), fail})
		if n != int64(len(text)) || err != fail {
			t.Errorf("%d, %v, want %v", n, err, fail)
		}
		texts, left := (&peer{key: keyA}).open(t, wire.Bytes())
		if !bytes.Equal(bytes.Join(texts, nil), text) || left != 0 {
			t.Error("wrong on the wire")
		}
		if f.writes > 6 { // one of 4 KiB, then of 256
			t.Errorf("a megabyte took %d calls", f.writes)
		}
	}
	// A source that gives a little at a time and then waits: each piece arrives.
	var seen int
	c := mustConn(t, &fake{w: writer(func(p []byte) (int, error) { seen += len(p); return len(p), nil })})
	want := 0
	r := io.MultiReader(strings.NewReader("one"), check(func() { want += 3 + frame.Overhead }),
		bytes.NewReader(text[:100000]), check(func() { want = 3 + 100000 + 4*frame.Overhead }))
	_, err := c.ReadFrom(reader(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if seen < want {
			t.Errorf("%d bytes are on the wire before the next Read, want %d", seen, want)
		}
		return n, err
	}))
	if err != nil {
		t.Error(err)
	}
	// When the connection fails, whole records count (B105).
	for _, k := range []int{0, 1, 1000, 4096 + frame.Overhead, 5000, 4096 + 3*(frame.MaxRecord+frame.Overhead)} {
		var wire bytes.Buffer
		c := mustConn(t, &fake{w: &limited{w: &wire, left: k}})
		n, err := c.ReadFrom(bytes.NewReader(text))
		wantPermanent(t, "failing connection", err, errLimit)
		texts, _ := (&peer{key: keyA}).open(t, wire.Bytes())
		if want := len(bytes.Join(texts, nil)); n != int64(want) {
			t.Errorf("%d bytes taken below: %d counted, want %d", k, n, want)
		}
	}
}

// failing ends with an error that comes together with the last bytes.
type failing struct {
	r   *bytes.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if f.r.Len() == 0 {
		if err = f.err; err == nil {
			err = io.EOF
		}
	}
	return n, err
}

type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// check is a reader that calls a function and ends.
func check(f func()) io.Reader {
	return reader(func([]byte) (int, error) { f(); return 0, io.EOF })
}
