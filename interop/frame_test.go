package interop

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"io"
	mathrand "math/rand/v2"
	"net"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/flynn/noise"
)

var noiseSuite = noise.NewCipherSuite(noise.DH25519, noise.CipherAESGCM, noise.HashSHA256)

// handshake makes the keys of a connection: those that the initiator sends with and
// receives with, as both ends see them.
func handshake(t *testing.T) (initiator, responder [2]*noise.CipherState) {
	t.Helper()
	static := func() noise.DHKey {
		k, err := noiseSuite.GenerateKeypair(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	a, b := static(), static()
	config := noise.Config{CipherSuite: noiseSuite, Pattern: noise.HandshakeIK, Initiator: true, StaticKeypair: a, PeerStatic: b.Public}
	x, err := noise.NewHandshakeState(config)
	if err != nil {
		t.Fatal(err)
	}
	y, err := noise.NewHandshakeState(noise.Config{CipherSuite: noiseSuite, Pattern: noise.HandshakeIK, StaticKeypair: b})
	if err != nil {
		t.Fatal(err)
	}
	first, _, _, err := x.WriteMessage(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := y.ReadMessage(nil, first); err != nil {
		t.Fatal(err)
	}
	second, y0, y1, err := y.WriteMessage(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, x0, x1, err := x.ReadMessage(nil, second)
	if err != nil {
		t.Fatal(err)
	}
	return [2]*noise.CipherState{x0, x1}, [2]*noise.CipherState{y0, y1}
}

// newFrame makes the end of a connection that has these keys.
func newFrame(t *testing.T, conn net.Conn, send, recv *noise.CipherState, opts ...frame.Option) *frame.Conn {
	t.Helper()
	s, r := send.UnsafeKey(), recv.UnsafeKey()
	opts = append(opts, frame.WithSendCounter(send.Nonce()), frame.WithRecvCounter(recv.Nonce()))
	c, err := frame.NewConn(conn, s[:], r[:], opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sizesOf returns lengths of messages from 1 to the most there is.
func sizesOf(r *mathrand.Rand, n int) []int {
	sizes := []int{1, 15, 16, 17, frame.MaxRecord - 1, frame.MaxRecord}
	for range n {
		sizes = append(sizes, 1+r.IntN(frame.MaxRecord))
		sizes = append(sizes, 1+r.IntN(300))
	}
	return sizes
}

// TestNoiseReceives has flynn/noise open what frame sends: same keys from a handshake,
// one message a Write, rekeyed here and there, the empty message in the end.
func TestNoiseReceives(t *testing.T) {
	r := mathrand.New(mathrand.NewPCG(1, 1))
	x, y := handshake(t)
	var wire recordConn
	c := newFrame(t, &wire, x[0], x[1])
	want := y[0]
	for i, n := range append(sizesOf(r, 150), 0) {
		if i%20 == 7 {
			if err := c.RekeySend(); err != nil {
				t.Fatal(err)
			}
			want.Rekey()
		}
		text := make([]byte, n)
		rand.Read(text)
		var err error
		switch {
		case n == 0:
			err = c.CloseWrite()
		case i%2 == 0:
			_, err = c.Write(text)
		default:
			v := net.Buffers(pieces(r, text))
			_, err = c.WriteBuffers(&v)
		}
		if err != nil {
			t.Fatal(err)
		}
		record := wire.Bytes()
		if len(record) < 2 || int(binary.BigEndian.Uint16(record)) != len(record)-2 {
			t.Fatalf("message %d of %d bytes: %d on the wire, or not one record", i, n, len(record))
		}
		got, err := want.Decrypt(nil, nil, record[2:])
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("message %d of %d bytes: %v, or other bytes", i, n, err)
		}
		// The bytes are those that noise would have sent.
		if again := noise.UnsafeNewCipherState(noiseSuite, want.UnsafeKey(), want.Nonce()-1); !bytes.Equal(encrypt(t, again, text), record) {
			t.Fatalf("message %d of %d bytes: not those of noise", i, n)
		}
		wire.Reset()
	}
}

// encrypt returns a record as noise makes it.
func encrypt(t *testing.T, s *noise.CipherState, text []byte) []byte {
	t.Helper()
	sealed, err := s.Encrypt(nil, nil, text)
	if err != nil {
		t.Fatal(err)
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(sealed))), sealed...)
}

// TestNoiseSends has frame open what flynn/noise sends.
func TestNoiseSends(t *testing.T) {
	r := mathrand.New(mathrand.NewPCG(2, 2))
	x, y := handshake(t)
	var wire recordConn
	c := newFrame(t, &wire, x[0], x[1])
	buf := make([]byte, frame.MaxRecord)
	for i, n := range sizesOf(r, 150) {
		if i%20 == 11 {
			if err := c.RekeyRecv(); err != nil {
				t.Fatal(err)
			}
			y[1].Rekey()
		}
		text := make([]byte, n)
		rand.Read(text)
		wire.Write(encrypt(t, y[1], text))
		got := buf[:0]
		for len(got) < n {
			m, err := c.Read(buf[len(got) : len(got)+1+r.IntN(n-len(got))])
			if err != nil {
				t.Fatalf("message %d of %d bytes: %v", i, n, err)
			}
			got = buf[:len(got)+m]
		}
		if !bytes.Equal(got, text) {
			t.Fatalf("message %d of %d bytes: other bytes", i, n)
		}
	}
	wire.Write(encrypt(t, y[1], nil))
	if n, err := c.Read(buf); n != 0 || err != io.EOF {
		t.Errorf("empty message: %d, %v", n, err)
	}
}

// TestTakeOver lets noise send and receive first, and frame take over with the
// counters as they are by then.
func TestTakeOver(t *testing.T) {
	x, y := handshake(t)
	for i := range 5 {
		sealed := encrypt(t, x[0], []byte("before"))
		if _, err := y[0].Decrypt(nil, nil, sealed[2:]); err != nil {
			t.Fatal(err)
		}
		if i > 2 {
			sealed := encrypt(t, y[1], []byte("before"))
			if _, err := x[1].Decrypt(nil, nil, sealed[2:]); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, b := net.Pipe()
	c := newFrame(t, a, x[0], x[1])
	d := newFrame(t, b, y[1], y[0])
	defer c.Close()
	defer b.Close()
	for _, ends := range [][2]*frame.Conn{{c, d}, {d, c}} {
		go ends[0].Write([]byte("after"))
		got := make([]byte, 10)
		if n, err := ends[1].Read(got); string(got[:n]) != "after" || err != nil {
			t.Errorf("%q, %v", got[:n], err)
		}
	}
}

// recordConn is a connection that keeps what is written and gives it to who reads.
type recordConn struct {
	net.Conn // nil: nothing else is called
	bytes.Buffer
}

func (r *recordConn) Read(p []byte) (int, error)  { return r.Buffer.Read(p) }
func (r *recordConn) Write(p []byte) (int, error) { return r.Buffer.Write(p) }
func (r *recordConn) Close() error                { return nil }
