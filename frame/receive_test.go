package frame_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// three are the texts of a session, without its end.
var three = [][]byte{cryptotest.Pattern(0, 100, 3), cryptotest.Pattern(0, 1, 4), cryptotest.Pattern(0, 5000, 5)}

// readAll reads until an error and checks that the error stays.
func readAll(t testing.TB, c *frame.Conn) (text []byte, err error) {
	t.Helper()
	text, err = io.ReadAll(c)
	if err == nil {
		err = io.EOF
	}
	for range 2 {
		if n, again := c.Read(make([]byte, 10)); n != 0 || again != err {
			t.Errorf("a later Read: %d, %v, want %v", n, again, err)
		}
	}
	if n, again := c.WriteTo(io.Discard); n != 0 || again != err && !(again == nil && err == io.EOF) {
		t.Errorf("a later WriteTo: %d, %v, want %v", n, again, err)
	}
	return text, err
}

// TestCut cuts a session at every byte: what is delivered is whole records, and the
// error is io.ErrUnexpectedEOF, even between two records. Only with all of the end
// record it is the end.
func TestCut(t *testing.T) {
	wire := (&peer{key: keyB}).session(append(three, nil)...)
	var borders, texts []int
	at, n := 0, 0
	for _, text := range three {
		at, n = at+len(text)+frame.Overhead, n+len(text)
		borders, texts = append(borders, at), append(texts, n)
	}
	all := bytes.Join(three, nil)
	for k := range len(wire) + 1 {
		want := 0
		for i, b := range borders {
			if k >= b {
				want = texts[i]
			}
		}
		wantErr := io.ErrUnexpectedEOF
		if k == len(wire) {
			wantErr = io.EOF
		}
		for name, r := range map[string]io.Reader{
			"at once":  bytes.NewReader(wire[:k]),
			"one byte": iotest.OneByteReader(bytes.NewReader(wire[:k])), // B108
		} {
			if name == "one byte" && k%7 > 0 && k < len(wire)-40 {
				continue
			}
			got, err := readAll(t, mustConn(t, &fake{r: r}))
			if !bytes.Equal(got, all[:want]) || err != wantErr {
				t.Fatalf("%d of %d bytes, %s: %d bytes of text, %v, want %d, %v", k, len(wire), name, len(got), err, want, wantErr)
			}
		}
	}
}

// TestSplit lets a session come in two parts, for every byte, with a time-out in
// between (B108): nothing is lost.
func TestSplit(t *testing.T) {
	wire := (&peer{key: keyB}).session(append(three, nil)...)
	all := bytes.Join(three, nil)
	for k := range len(wire) + 1 {
		c := mustConn(t, &fake{r: io.MultiReader(bytes.NewReader(wire[:k]), &timeouts{left: 2}, bytes.NewReader(wire[k:]))})
		var got []byte
		p, timeouts := make([]byte, 3000), 0
		for {
			n, err := c.Read(p)
			got = append(got, p[:n]...)
			if err == io.EOF {
				break
			}
			if errors.Is(err, os.ErrDeadlineExceeded) && n == 0 && timeouts < 2 {
				timeouts++
				continue
			}
			if err != nil {
				t.Fatalf("time-out after %d bytes: %v", k, err)
			}
		}
		if !bytes.Equal(got, all) || timeouts != 2 && k < len(wire) {
			t.Fatalf("time-out after %d bytes: %d bytes of text, %d time-outs", k, len(got), timeouts)
		}
	}
}

// timeouts times out some times and then ends.
type timeouts struct{ left int }

func (r *timeouts) Read([]byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	r.left--
	return 0, os.ErrDeadlineExceeded
}

// TestForged changes sessions: what comes before the change is delivered, and then
// the direction is dead. B93, B110: a genuine record does not revive it.
func TestForged(t *testing.T) {
	records := make([][]byte, 0, 5)
	p := &peer{key: keyB}
	for i := range 4 {
		records = append(records, p.seal(cryptotest.Pattern(i, 40, 7)))
	}
	records = append(records, p.seal(nil))
	foreign := &peer{key: keyA}
	with := func(at int, record []byte) [][]byte {
		l := slices.Clone(records)
		l[at] = record
		return l
	}
	for name, f := range map[string]struct {
		records [][]byte
		genuine int
	}{
		"genuine":               {records, 4},
		"repeated":              {slices.Insert(slices.Clone(records), 1, records[0]), 1},
		"repeated later":        {with(3, records[1]), 3},
		"swapped":               {append([][]byte{records[0], records[2], records[1]}, records[3:]...), 1},
		"dropped":               {slices.Delete(slices.Clone(records), 2, 3), 2},
		"dropped first":         {records[1:], 0},
		"end moved":             {append([][]byte{records[0], records[4]}, records[1:]...), 1},
		"of another key":        {with(1, foreign.seal(cryptotest.Pattern(0, 40, 0))), 1},
		"reflected":             {with(0, foreign.seal(nil)), 0},
		"forged end":            {with(2, append([]byte{0, 16}, make([]byte, 16)...)), 2},
		"two records as one":    {with(1, append([]byte{0, 114}, append(records[1][2:], records[2]...)...)), 1},
		"one byte less of text": {with(1, append([]byte{0, 55}, records[1][2:57]...)), 1},
	} {
		c := receiving(t, bytes.Join(f.records, nil))
		got, err := readAll(t, c)
		var want []byte
		for i := range f.genuine {
			want = append(want, cryptotest.Pattern(i, 40, 7)...)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of text, want %d", name, len(got), len(want))
		}
		if name == "genuine" {
			if err != io.EOF {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		wantPermanent(t, name, err, sg.ErrOpen)
		if n, err := c.Write([]byte("the other direction")); n != 19 || err != nil {
			t.Errorf("%s: Write: %d, %v", name, n, err)
		}
	}
}

// TestFlips flips every bit of a record, that of the length included.
func TestFlips(t *testing.T) {
	p := &peer{key: keyB}
	wire := p.session(three[0], three[2], nil)
	for bit := range 8 * (len(three[0]) + frame.Overhead) {
		changed := bytes.Clone(wire)
		changed[bit/8] ^= 1 << (bit % 8)
		got, err := readAll(t, receiving(t, changed))
		// A length that has grown beyond the end is a cut.
		if len(got) != 0 || !errors.Is(err, sg.ErrOpen) && !(bit < 8 && err == io.ErrUnexpectedEOF) {
			t.Errorf("bit %d: %d bytes of text, %v", bit, len(got), err)
		}
	}
}

// TestOddRecords has lengths at the borders, with authentic contents where there are
// such (B109). The empty record is the end, and nothing behind it is looked at.
func TestOddRecords(t *testing.T) {
	for n := range frame.MaxRecord + 1 {
		if n > 300 && n < frame.MaxRecord-pick(300, 20) && n%997 != 0 {
			continue
		}
		text := cryptotest.Pattern(0, n, 1)
		got, err := readAll(t, receiving(t, append((&peer{key: keyB}).session(text, nil), "trailing bytes"...)))
		if !bytes.Equal(got, text) || err != io.EOF {
			t.Fatalf("record of %d bytes: %d bytes of text, %v", n, len(got), err)
		}
	}
	for n := range 16 {
		wire := append(binary.BigEndian.AppendUint16(nil, uint16(n)), make([]byte, 100)...)
		_, err := readAll(t, receiving(t, wire))
		wantPermanent(t, "short length", err, frame.ErrRecordLength)
		_, err = readAll(t, receiving(t, wire[:2])) // known from the length alone
		wantPermanent(t, "short length", err, frame.ErrRecordLength)
	}
	for _, n := range []int{16, 17, 65534, 65535} {
		wire := append(binary.BigEndian.AppendUint16(nil, uint16(n)), make([]byte, n)...)
		_, err := readAll(t, receiving(t, wire))
		wantPermanent(t, "not authentic", err, sg.ErrOpen)
	}
}

// TestNothingAfterTheEnd: the end record is the last thing that is read from the
// connection below.
func TestNothingAfterTheEnd(t *testing.T) {
	p := &peer{key: keyB}
	r := &strict{t: t, r: bytes.NewReader(p.session([]byte("text"), nil))}
	c := mustConn(t, &fake{r: r})
	if got, err := readAll(t, c); string(got) != "text" || err != io.EOF {
		t.Errorf("%q, %v", got, err)
	}
}

// strict is a reader that must not be read when it is empty.
type strict struct {
	t *testing.T
	r *bytes.Reader
}

func (s *strict) Read(p []byte) (int, error) {
	if s.r.Len() == 0 {
		s.t.Error("read after the end")
	}
	return s.r.Read(p)
}

// TestEmptyRead: a Read into nothing brings nothing, but does report an error that
// stays.
func TestEmptyRead(t *testing.T) {
	c := receiving(t, nil)
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	c.Read(make([]byte, 1))
	if n, err := c.Read(nil); n != 0 || err != io.ErrUnexpectedEOF {
		t.Errorf("after the end: %d, %v", n, err)
	}
}

// TestFailedOpenStaysInside (B114): after a bad tag only the bytes that the record
// would have had may be changed, and they are zero.
func TestFailedOpenStaysInside(t *testing.T) {
	wire := (&peer{key: keyB}).seal(cryptotest.Pattern(0, 100, 1))
	wire[50] ^= 1
	p := bytes.Repeat([]byte{0xaa}, 400)
	n, err := receiving(t, wire).Read(p[:300:350])
	if n != 0 || !errors.Is(err, sg.ErrOpen) {
		t.Errorf("%d, %v", n, err)
	}
	if !bytes.Equal(p[:100], make([]byte, 100)) || !bytes.Equal(p[100:], bytes.Repeat([]byte{0xaa}, 300)) {
		t.Error("the text is not zero, or more was written")
	}
	// The same where the record is longer than p.
	n, err = receiving(t, wire).Read(p[300:350])
	if n != 0 || !errors.Is(err, sg.ErrOpen) || !bytes.Equal(p[300:], bytes.Repeat([]byte{0xaa}, 100)) {
		t.Errorf("%d, %v, or something was written", n, err)
	}
}

// TestWrongCounts has a connection that returns impossible counts, or nothing for
// ever: an error, no panic and no endless loop.
func TestWrongCounts(t *testing.T) {
	for _, n := range []int{-1, math.MinInt, frame.SmallIntake + 1, math.MaxInt} {
		c := mustConn(t, &fake{r: count(n), w: count(n)})
		if m, err := c.Read(make([]byte, 10)); m != 0 || err == nil {
			t.Errorf("Read, %d below: %d, %v", n, m, err)
		}
		if m, err := c.Write(make([]byte, 10)); m != 0 || err == nil {
			t.Errorf("Write, %d below: %d, %v", n, m, err)
		}
		c = receiving(t, (&peer{key: keyB}).seal([]byte("text")))
		if m, err := c.WriteTo(count(n)); m != 0 || err == nil {
			t.Errorf("WriteTo, %d: %d, %v", n, m, err)
		}
		c, wire, _ := sending(t)
		if m, err := c.ReadFrom(count(n)); m != 0 || err == nil || wire.Len() > 0 {
			t.Errorf("ReadFrom, %d: %d, %v", n, m, err)
		}
	}
	c := mustConn(t, &fake{r: count(0), w: count(0)})
	if _, err := readAll(t, c); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("nothing for ever: %v", err)
	}
	_, err := c.Write(make([]byte, 10))
	wantPermanent(t, "nothing written", err, io.ErrShortWrite)
}

// count is a reader and writer that returns itself.
type count int

func (n count) Read([]byte) (int, error)  { return int(n), nil }
func (n count) Write([]byte) (int, error) { return int(n), nil }

// TestWriteToFails: what the writer did not take is what is read next.
func TestWriteToFails(t *testing.T) {
	all := bytes.Join(three, nil)
	for k := 0; k < len(all); k += pick(1, 7) {
		c := receiving(t, (&peer{key: keyB}).session(append(three, nil)...))
		var got bytes.Buffer
		n, err := c.WriteTo(&limited{w: &got, left: k})
		if n != int64(k) || err != errLimit {
			t.Fatalf("%d bytes taken: %d, %v", k, n, err)
		}
		if n, err = c.WriteTo(&got); n != int64(len(all)-k) || err != nil || !bytes.Equal(got.Bytes(), all) {
			t.Fatalf("%d bytes taken: then %d, %v", k, n, err)
		}
	}
	c := receiving(t, (&peer{key: keyB}).session([]byte("text"), nil))
	if n, err := c.WriteTo(count(3)); n != 3 || err != io.ErrShortWrite {
		t.Errorf("short write: %d, %v", n, err)
	}
}

var errLimit = errors.New("limit")

// limited takes so many bytes and then fails.
type limited struct {
	w    io.Writer
	left int
	err  error // errLimit if nil
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	n, err := l.w.Write(p[:n])
	if err == nil && n < len(p) {
		if err = l.err; err == nil {
			err = errLimit
		}
	}
	return n, err
}

// TestIntake follows the buffer that a Conn holds: small until much comes, small
// again when little comes, none after the end.
func TestIntake(t *testing.T) {
	p := &peer{key: keyB}
	x, y := tcpPair(t)
	c := mustConn(t, x)
	held := func(want int) {
		t.Helper()
		if got := frame.Held(c); got != want {
			t.Errorf("%d bytes are held, want %d", got, want)
		}
	}
	exchange := func(n int) {
		t.Helper()
		y.Write(p.seal(make([]byte, n)))
		if _, err := io.ReadFull(c, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
	}
	held(0)
	exchange(100)
	exchange(4000)
	held(frame.SmallIntake)
	exchange(10000)
	held(frame.LargeIntake)
	exchange(1) // the decision is made at the fetch after it
	exchange(1)
	held(frame.SmallIntake)
	exchange(60000)
	held(frame.LargeIntake)
	y.Write(p.seal(nil))
	if _, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	held(0)
}

// TestManySmallRecords reads sessions of records of random sizes that pass from one
// buffer to the other at every place.
func TestManySmallRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for round := range 40 {
		var texts [][]byte
		for range 200 {
			texts = append(texts, cryptotest.Bytes(r, 1+r.IntN(1<<r.IntN(13))))
		}
		wire := (&peer{key: keyB}).session(append(texts, nil)...)
		c := mustConn(t, &fake{r: &pieces{wire, r}})
		if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, bytes.Join(texts, nil)) {
			t.Fatalf("round %d: %v, or wrong text", round, err)
		}
	}
}
