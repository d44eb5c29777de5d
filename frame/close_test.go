package frame_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
)

// The tests of Close come from faults of others (B116).

// TestClose: the end record is sent, the connection below closed once, every call
// after that says so, and a second Close is fine.
func TestClose(t *testing.T) {
	c, wire, f := sending(t)
	c.Write([]byte("text"))
	for range 3 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if want := (&peer{key: keyA}).session([]byte("text"), nil); !bytes.Equal(wire.Bytes(), want) || f.closed != 1 {
		t.Errorf("wrong on the wire, or closed %d times", f.closed)
	}
	v := net.Buffers{[]byte("x")}
	for name, f := range map[string]func() error{
		"Write":            func() error { _, err := c.Write([]byte("x")); return err },
		"empty Write":      func() error { _, err := c.Write(nil); return err },
		"WriteBuffers":     func() error { _, err := c.WriteBuffers(&v); return err },
		"ReadFrom":         func() error { _, err := c.ReadFrom(strings.NewReader("x")); return err },
		"Read":             func() error { _, err := c.Read(make([]byte, 1)); return err },
		"WriteTo":          func() error { _, err := c.WriteTo(io.Discard); return err },
		"CloseWrite":       c.CloseWrite,
		"SetDeadline":      func() error { return c.SetDeadline(time.Time{}) },
		"SetReadDeadline":  func() error { return c.SetReadDeadline(time.Time{}) },
		"SetWriteDeadline": func() error { return c.SetWriteDeadline(time.Time{}) },
	} {
		wantPermanent(t, name, f(), net.ErrClosed)
	}
	if len(v) != 1 || wire.Len() != 2*frame.Overhead+4 {
		t.Error("something was sent after Close")
	}
}

// TestCloseSendsNoEnd where it would be wrong: a second one, one behind half a record,
// and one after a write that failed.
func TestCloseSendsNoEnd(t *testing.T) {
	c, wire, _ := sending(t)
	c.CloseWrite()
	if c.Close(); wire.Len() != frame.Overhead {
		t.Error("two ends")
	}
	for _, k := range []int{0, 1, 25} {
		s := &short{k: k, err: io.ErrClosedPipe}
		c := mustConn(t, &fake{w: s})
		c.Write(make([]byte, 7))
		if err := c.Close(); err != nil || s.wire.Len() != k {
			t.Errorf("%v, %d bytes on the wire, want %d", err, s.wire.Len(), k)
		}
	}
	// After a time-out that can be made up for the end is right.
	s := &short{err: os.ErrDeadlineExceeded}
	c = mustConn(t, &fake{w: s})
	c.Write(make([]byte, 7))
	if c.Close(); !bytes.Equal(s.wire.Bytes(), (&peer{key: keyA}).seal(nil)) {
		t.Error("wrong end")
	}
}

// TestCloseError: the error of the connection below is that of the first Close.
func TestCloseError(t *testing.T) {
	c := mustConn(t, &fake{onClose: func() error { return errLimit }})
	if err := c.Close(); err != errLimit {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// within fails the test unless f returns in time.
func within(t *testing.T, what string, d time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatalf("%s still blocks after %v", what, d)
	}
}

// TestCloseUnblocks has a Read, a Write, and others that wait for them, blocked: they
// return net.ErrClosed, over TCP, net.Pipe, and a connection without deadlines.
func TestCloseUnblocks(t *testing.T) {
	for name, dial := range map[string]func() net.Conn{
		"TCP":                func() net.Conn { a, _ := tcpPair(t); return a },
		"pipe":               func() net.Conn { a, b := net.Pipe(); t.Cleanup(func() { b.Close() }); return a },
		"without deadlines":  func() net.Conn { return newStuck() },
		"reads, no deadline": func() net.Conn { return newStuck() },
	} {
		c := mustConn(t, dial())
		var wg sync.WaitGroup
		errs := make(chan error, 8)
		started := make(chan bool, 8)
		block := func(f func() error) {
			wg.Go(func() {
				started <- true
				for {
					if err := f(); err != nil {
						errs <- err
						return
					}
				}
			})
		}
		block(func() error { _, err := c.Read(make([]byte, 10)); return err })
		block(func() error { _, err := c.WriteTo(io.Discard); return err })
		n := 2
		if name != "reads, no deadline" {
			block(func() error { _, err := c.Write(make([]byte, 1<<20)); return err })
			block(func() error { v := net.Buffers{make([]byte, 1<<20)}; _, err := c.WriteBuffers(&v); return err })
			n = 4
		} else {
			frame.SetCloseTimeout(t, 50*time.Millisecond)
		}
		for range n {
			<-started
		}
		time.Sleep(20 * time.Millisecond) // until they block
		within(t, name+": Close", 3*time.Second, func() { c.Close() })
		within(t, name+": a call", 3*time.Second, wg.Wait)
		for range n {
			wantPermanent(t, name, <-errs, net.ErrClosed)
		}
		if frame.Held(c) != 0 {
			t.Errorf("%s: a buffer is held after Close", name)
		}
	}
}

// stuck is a connection on which everything blocks until it is closed, and which has
// no deadlines.
type stuck struct {
	fake
	closed chan struct{}
	once   sync.Once
}

func newStuck() *stuck { return &stuck{closed: make(chan struct{})} }

func (s *stuck) Read([]byte) (int, error)  { <-s.closed; return 0, io.ErrClosedPipe }
func (s *stuck) Write([]byte) (int, error) { <-s.closed; return 0, io.ErrClosedPipe }
func (s *stuck) Close() error              { s.once.Do(func() { close(s.closed) }); return nil }

// TestCloseIsBounded closes while the peer reads nothing: the end record cannot be
// sent, with deadlines or without, and Close returns all the same.
func TestCloseIsBounded(t *testing.T) {
	frame.SetCloseTimeout(t, 50*time.Millisecond)
	a, b := net.Pipe()
	defer b.Close()
	full, _ := tcpPair(t)
	full.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	for {
		if _, err := full.Write(make([]byte, 1<<16)); err != nil {
			break
		}
	}
	for name, conn := range map[string]net.Conn{"pipe": a, "stuck": newStuck(), "TCP": full} {
		c := mustConn(t, conn)
		start := time.Now()
		within(t, name, 3*time.Second, func() { c.Close() })
		if took := time.Since(start); took < 40*time.Millisecond && name != "TCP" { // which may have found room
			t.Errorf("%s: Close returned after %v: it did not try", name, took)
		}
		within(t, name+", second Close", time.Second, func() { c.Close() })
	}
}

// TestCloseUnderWrite closes while a write is blocked, which must not wait, nor send
// an end behind half a record.
func TestCloseUnderWrite(t *testing.T) {
	s := newStuck()
	c := mustConn(t, s)
	done := make(chan error)
	go func() { _, err := c.Write(make([]byte, 10)); done <- err }()
	time.Sleep(10 * time.Millisecond)
	within(t, "Close", time.Second, func() { c.Close() })
	wantPermanent(t, "Write", <-done, net.ErrClosed)
}

// TestCloseCallsBack has a connection below whose Close uses the Conn.
func TestCloseCallsBack(t *testing.T) {
	var c *frame.Conn
	c = mustConn(t, &fake{onClose: func() error {
		c.Close()
		c.CloseWrite()
		c.Write([]byte("x"))
		c.Read(make([]byte, 1))
		c.SetDeadline(time.Now())
		c.RekeySend()
		c.RekeyRecv()
		return nil
	}})
	within(t, "Close", 3*time.Second, func() { c.Close() })
}

// TestCloseWakesReadFirst: who reads need not wait until the end record is out.
func TestCloseWakesReadFirst(t *testing.T) {
	frame.SetCloseTimeout(t, 2*time.Second)
	a, b := net.Pipe()
	defer b.Close()
	c := mustConn(t, a)
	done := make(chan error)
	go func() { _, err := c.Read(make([]byte, 1)); done <- err }()
	time.Sleep(10 * time.Millisecond)
	go c.Close() // b does not read
	select {
	case err := <-done:
		wantPermanent(t, "Read", err, net.ErrClosed)
	case <-time.After(time.Second):
		t.Error("Read waits for the end record of Close")
	}
	io.ReadAll(b)
}

// TestDeadlines: before a byte of a record has moved they can be made up for.
func TestDeadlines(t *testing.T) {
	a, b := net.Pipe()
	c, d := mustConn(t, a), other(t, b)
	defer a.Close()
	past := time.Unix(1, 0)
	for range 3 {
		c.SetDeadline(past)
		if n, err := c.Read(make([]byte, 10)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Read: %d, %v", n, err)
		}
		if n, err := c.Write(make([]byte, 10)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Write: %d, %v", n, err)
		}
		c.SetDeadline(time.Time{})
		go c.Write([]byte("ping"))
		got := make([]byte, 10)
		if n, err := d.Read(got); string(got[:n]) != "ping" || err != nil {
			t.Errorf("%q, %v", got[:n], err)
		}
		go d.Write([]byte("pong"))
		if n, err := c.Read(got); string(got[:n]) != "pong" || err != nil {
			t.Errorf("%q, %v", got[:n], err)
		}
	}
	// CloseWrite that timed out can be called again.
	c.SetWriteDeadline(past)
	if err := c.CloseWrite(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("CloseWrite: %v", err)
	}
	c.SetWriteDeadline(time.Time{})
	go c.CloseWrite()
	if n, err := d.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
}

// TestDeadlineInRecord has a peer that takes a part of a record and no more: the
// direction is dead, with an error that no loop takes for a timeout.
func TestDeadlineInRecord(t *testing.T) {
	a, b := net.Pipe()
	defer b.Close()
	c := mustConn(t, a)
	go b.Read(make([]byte, 10))
	c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	n, err := c.Write(make([]byte, 1000))
	wantPermanent(t, "Write", err, frame.ErrPartialWrite)
	c.SetWriteDeadline(time.Time{})
	m, again := c.Write(make([]byte, 1000))
	if n != 0 || m != 0 || again != err {
		t.Errorf("%d, then %d, %v", n, m, again)
	}
	// The other direction lives.
	go b.Write((&peer{key: keyB}).seal([]byte("text")))
	got := make([]byte, 10)
	if n, err := c.Read(got); string(got[:n]) != "text" || err != nil {
		t.Errorf("%q, %v", got[:n], err)
	}
	a.Close()
}
