package frame_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"io"
	"math"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// slow says that the kernels are the portable ones, as under an emulator: tests that
// pass many bytes then pass fewer.
var slow = kernels.Best() == kernels.Generic

// pick returns n, or fewer where that takes long.
func pick(n, few int) int {
	if slow {
		return few
	}
	return n
}

// The keys of the tests: what one end sends with and the other receives with.
var (
	keyA = cryptotest.Pattern(0, 32, 1)
	keyB = cryptotest.Pattern(0, 32, 2)
)

// A peer is the format made a second time, with crypto/cipher: one direction of it.
type peer struct {
	key []byte
	n   uint64
}

func (p *peer) aead() cipher.AEAD {
	block, err := aes.NewCipher(p.key)
	if err != nil {
		panic(err)
	}
	a, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return a
}

func nonce(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 4), n) }

// seal returns the next record.
func (p *peer) seal(text []byte) []byte {
	record := binary.BigEndian.AppendUint16(nil, uint16(len(text)+16))
	record = p.aead().Seal(record, nonce(p.n), text, nil)
	p.n++
	return record
}

// session returns records of these texts.
func (p *peer) session(texts ...[]byte) []byte {
	var wire []byte
	for _, text := range texts {
		wire = append(wire, p.seal(text)...)
	}
	return wire
}

// open returns the texts of the whole records of wire and how many bytes are left.
func (p *peer) open(t testing.TB, wire []byte) (texts [][]byte, left int) {
	t.Helper()
	a := p.aead()
	for len(wire) >= 2 {
		n := 2 + int(binary.BigEndian.Uint16(wire))
		if len(wire) < n {
			break
		}
		text, err := a.Open(nil, nonce(p.n), wire[2:n], nil)
		if err != nil {
			t.Fatalf("record %d of %d bytes: %v", p.n, n, err)
		}
		p.n++
		texts = append(texts, text)
		wire = wire[n:]
	}
	return texts, len(wire)
}

func (p *peer) rekey() {
	p.key = p.aead().Seal(nil, nonce(math.MaxUint64), make([]byte, 32), nil)[:32]
}

// cut divides a text as Write does.
func cut(text []byte, size int) (texts [][]byte) {
	for len(text) > 0 {
		n := min(size, len(text))
		texts = append(texts, text[:n])
		text = text[n:]
	}
	return texts
}

// A fake is a connection made of what the test gives it. It counts its writes.
type fake struct {
	r       io.Reader
	w       io.Writer
	onClose func() error

	mu     sync.Mutex
	writes int
	closed int
}

func (f *fake) Read(p []byte) (int, error) {
	if f.r == nil {
		return 0, io.EOF
	}
	return f.r.Read(p)
}

func (f *fake) Write(p []byte) (int, error) {
	f.mu.Lock()
	f.writes++
	f.mu.Unlock()
	if f.w == nil {
		return len(p), nil
	}
	return f.w.Write(p)
}

func (f *fake) Close() error {
	f.mu.Lock()
	f.closed++
	f.mu.Unlock()
	if f.onClose != nil {
		return f.onClose()
	}
	return nil
}

type addr string

func (a addr) Network() string { return "fake" }
func (a addr) String() string  { return string(a) }

func (f *fake) LocalAddr() net.Addr                { return addr("here") }
func (f *fake) RemoteAddr() net.Addr               { return addr("there") }
func (f *fake) SetDeadline(t time.Time) error      { return nil }
func (f *fake) SetReadDeadline(t time.Time) error  { return nil }
func (f *fake) SetWriteDeadline(t time.Time) error { return nil }

// mustConn returns a Conn that sends with keyA and receives with keyB.
func mustConn(t testing.TB, conn net.Conn, opts ...frame.Option) *frame.Conn {
	t.Helper()
	c, err := frame.NewConn(conn, keyA, keyB, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// receiving returns a Conn that receives these bytes and then the end of the
// connection.
func receiving(t testing.TB, wire []byte, opts ...frame.Option) *frame.Conn {
	t.Helper()
	return mustConn(t, &fake{r: bytes.NewReader(wire)}, opts...)
}

// sending returns a Conn, and where what it sends goes.
func sending(t testing.TB, opts ...frame.Option) (*frame.Conn, *bytes.Buffer, *fake) {
	t.Helper()
	var wire bytes.Buffer
	f := &fake{w: &wire}
	return mustConn(t, f, opts...), &wire, f
}

// pair returns both ends of a connection over TCP, closed at the end of the test.
func pair(t testing.TB) (a, b *frame.Conn) {
	t.Helper()
	x, y := tcpPair(t)
	return mustConn(t, x), other(t, y)
}

// other returns a Conn for the other end.
func other(t testing.TB, conn net.Conn, opts ...frame.Option) *frame.Conn {
	t.Helper()
	c, err := frame.NewConn(conn, keyB, keyA, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tcpPair returns both ends of a TCP connection, closed at the end of the test.
func tcpPair(t testing.TB) (a, b *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	x, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	y, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close(); y.Close() })
	return x.(*net.TCPConn), y.(*net.TCPConn)
}
