package frame_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// sizes are lengths of text at which something changes: the classes of batches
// filled exactly, one less and one more (B115), and the most that a record, a batch
// and an intake hold.
func sizes() []int {
	all := []int{0, 1, 2, 15, 16, 17, 64, 255, 256, 1024, 16384, 65536, 1 << 18, 1<<20 + 1}
	for _, n := range []int{
		4096 - frame.Overhead, 4096, frame.MaxRecord, 2 * frame.MaxRecord, 5 * frame.MaxRecord,
		65536 - frame.Overhead, 65537 - frame.Overhead, frame.LargeIntake, 10 * frame.MaxRecord,
	} {
		all = append(all, n-1, n, n+1)
	}
	return all
}

// TestWireImage compares what Write and WriteBuffers send with the format made
// from crypto/cipher, and the number of calls below. B105, B106: all of the text is
// counted, and nothing else.
func TestWireImage(t *testing.T) {
	for _, size := range []int{frame.MaxRecord, 1000} {
		for _, n := range sizes() {
			text := cryptotest.Pattern(0, n, 9)
			want := (&peer{key: keyA}).session(cut(text, size)...)
			c, wire, f := sending(t, frame.WithMaxRecord(size))
			got, err := c.Write(text)
			if got != n || err != nil || !bytes.Equal(wire.Bytes(), want) {
				t.Errorf("%d bytes in records of %d: %d, %v, or wrong on the wire", n, size, got, err)
			}
			if most := (n + 1<<18 - 1) >> 18; f.writes > most {
				t.Errorf("%d bytes in records of %d took %d calls, want %d", n, size, f.writes, most)
			}
		}
	}
}

// TestWriteBuffers divides a text at random: what is sent is the same, and what
// is left of the buffers is nothing.
func TestWriteBuffers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for round := range pick(300, 100) {
		n := r.IntN(3000)
		if round%10 == 0 {
			n = r.IntN(700000)
		}
		text := cryptotest.Bytes(r, n)
		piece := 1 + r.IntN(1<<(2+r.IntN(18)))
		var l sg.List
		for rest := text; len(rest) > 0; {
			m := r.IntN(min(piece, len(rest)) + 1)
			l, rest = append(l, rest[:m:m]), rest[m:]
		}
		size := frame.MaxRecord
		if round%3 == 0 {
			size = 1 + r.IntN(5000)
		}
		c, wire, _ := sending(t, frame.WithMaxRecord(size))
		before, v := bytes.Clone(text), net.Buffers(slices.Clone(l))
		whole := v
		got, err := c.WriteBuffers(&v)
		want := (&peer{key: keyA}).session(cut(text, size)...)
		if got != int64(n) || err != nil || !bytes.Equal(wire.Bytes(), want) {
			t.Fatalf("round %d: %d bytes in %d parts and records of %d: %d, %v, or wrong on the wire", round, n, len(l), size, got, err)
		}
		if len(v) != 0 || slices.ContainsFunc(whole, func(s []byte) bool { return s != nil }) {
			t.Fatalf("round %d: %d buffers are left, or not all set to nil", round, len(v))
		}
		if !bytes.Equal(text, before) {
			t.Fatalf("round %d: the text has changed", round)
		}
	}
}

// TestRead reads a session in pieces of every kind, however it comes.
func TestRead(t *testing.T) {
	var text []byte
	var texts [][]byte
	for i, n := range append(sizes(), 3, 3, 3) {
		if n > 0 && n <= frame.MaxRecord {
			texts = append(texts, cryptotest.Pattern(i, n, byte(i)))
			text = append(text, texts[len(texts)-1]...)
		}
	}
	wire := (&peer{key: keyB}).session(append(texts, nil)...)
	for name, source := range map[string]func() io.Reader{
		"at once":        func() io.Reader { return bytes.NewReader(wire) },
		"random pieces":  func() io.Reader { return &pieces{wire, rand.New(rand.NewPCG(3, 3))} },
		"end with bytes": func() io.Reader { return &withEnd{bytes.NewReader(wire)} },
	} {
		for _, size := range []int{1, 7, 100, 4096, 65518, 65519, 65536, 1 << 20} {
			c := mustConn(t, &fake{r: source()})
			var got []byte
			p := make([]byte, size)
			for {
				n, err := c.Read(p)
				got = append(got, p[:n]...)
				if err == io.EOF && n == 0 {
					break
				}
				if err != nil || n == 0 {
					t.Fatalf("%s, %d at a time: %d, %v", name, size, n, err)
				}
			}
			if !bytes.Equal(got, text) {
				t.Errorf("%s, %d at a time: wrong text", name, size)
			}
			if n, err := c.Read(p); n != 0 || err != io.EOF {
				t.Errorf("%s, %d at a time: after the end %d, %v", name, size, n, err)
			}
		}
		c := mustConn(t, &fake{r: source()})
		var got bytes.Buffer
		if n, err := c.WriteTo(&got); n != int64(len(text)) || err != nil || !bytes.Equal(got.Bytes(), text) {
			t.Errorf("%s: WriteTo: %d, %v, or wrong text", name, n, err)
		}
	}
}

// pieces gives random numbers of bytes, and now and then nothing.
type pieces struct {
	rest []byte
	r    *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.r.IntN(1<<p.r.IntN(19)), len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

// withEnd reports the end together with the last bytes.
type withEnd struct{ r *bytes.Reader }

func (w *withEnd) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	if w.r.Len() == 0 {
		err = io.EOF
	}
	return n, err
}

// TestBothWays sends random sizes through TCP, both ways at once.
func TestBothWays(t *testing.T) {
	a, b := pair(t)
	done := make(chan error, 4)
	messages := pick(300, 60)
	run := func(from, to *frame.Conn, seed uint64) {
		go func() {
			r := rand.New(rand.NewPCG(1, seed))
			for range messages {
				if _, err := from.Write(cryptotest.Bytes(r, r.IntN(1<<r.IntN(19)))); err != nil {
					done <- err
					return
				}
			}
			done <- from.CloseWrite()
		}()
		go func() {
			r := rand.New(rand.NewPCG(1, seed))
			for i := range messages {
				want := cryptotest.Bytes(r, r.IntN(1<<r.IntN(19)))
				got := make([]byte, len(want))
				if _, err := io.ReadFull(to, got); err != nil || !bytes.Equal(got, want) {
					done <- fmt.Errorf("message %d: wrong, or %v", i, err)
					return
				}
			}
			if n, err := to.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				done <- fmt.Errorf("end: %d, %v", n, err)
				return
			}
			done <- nil
		}()
	}
	run(a, b, 1)
	run(b, a, 2)
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
