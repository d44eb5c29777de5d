package frame_test

import (
	"bytes"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
)

// goroutines fails the test if more run in this package at its end than at its start.
func goroutines(t *testing.T) {
	t.Helper()
	count := func() int {
		buf := make([]byte, 1<<20)
		return strings.Count(string(buf[:runtime.Stack(buf, true)]), "cipherwalk/frame")
	}
	before := count()
	t.Cleanup(func() {
		for range 100 {
			if count() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		buf := make([]byte, 1<<20)
		t.Errorf("goroutines are left:\n%s", buf[:runtime.Stack(buf, true)])
	})
}

// TestManyConns has 64 connections at once, each busy both ways in every way, and
// leaves no goroutine behind.
func TestManyConns(t *testing.T) {
	goroutines(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	defer l.Close()
	wg.Go(func() { // echoes
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c := other(t, conn)
			wg.Go(func() {
				defer c.Close()
				if _, err := io.Copy(c, c); err != nil {
					t.Errorf("echo: %v", err)
				}
				c.CloseWrite()
			})
		}
	})
	var clients sync.WaitGroup
	size := pick(300000, 80000)
	for i := range 64 {
		clients.Go(func() {
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			c := mustConn(t, conn)
			text := cryptotest.Pattern(i, size+i, byte(i))
			sent := make(chan bool)
			defer func() { <-sent; c.Close() }()
			go func() {
				defer close(sent)
				v := divide(text[:size/2], 1+i)
				c.Write(text[:0])
				c.WriteBuffers(&v)
				c.SetDeadline(time.Now().Add(time.Minute))
				c.Write(text[size/2:][:10])
				c.ReadFrom(bytes.NewReader(text[size/2+10:]))
				if err := c.CloseWrite(); err != nil {
					t.Error(err)
				}
			}()
			if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, text) {
				t.Errorf("conn %d: %d bytes, %v, or wrong text", i, len(got), err)
			}
		})
	}
	clients.Wait()
}

// TestConcurrentWrites: calls that write at the same time do not mix, each is a run of
// records of its own.
func TestConcurrentWrites(t *testing.T) {
	var wire bytes.Buffer
	c := mustConn(t, &fake{w: &wire}, frame.WithMaxRecord(100))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				c.Write(bytes.Repeat([]byte{byte(i)}, 250))
			}
		})
	}
	wg.Wait()
	texts, left := (&peer{key: keyA}).open(t, wire.Bytes())
	all := bytes.Join(texts, nil)
	if len(all) != 8*100*250 || left != 0 {
		t.Fatalf("%d bytes", len(all))
	}
	for at := 0; at < len(all); at += 250 {
		if bytes.Count(all[at:at+250], all[at:at+1]) != 250 {
			t.Fatal("two writes are mixed")
		}
	}
}

// TestSlowPeer has writers whose peers read nothing, and readers whose peers send half
// a record: what each holds is bounded.
func TestSlowPeer(t *testing.T) {
	goroutines(t)
	const conns = 16
	text := make([]byte, 16<<20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	var all []*frame.Conn
	for range conns {
		a, b := tcpPair(t)
		a.SetWriteBuffer(1 << 16) // so that it is soon full
		b.SetReadBuffer(1 << 16)
		c := mustConn(t, a)
		all = append(all, c)
		b.Write((&peer{key: keyB}).seal(make([]byte, 60000))[:50000])
		wg.Go(func() { v := net.Buffers{text}; c.WriteBuffers(&v) })
		wg.Go(func() { c.WriteTo(io.Discard) })
	}
	time.Sleep(200 * time.Millisecond) // until they block
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / conns; each > frame.BatchSize+frame.LargeIntake+64<<10 {
		t.Errorf("%d bytes for each connection, want at most %d", each, frame.BatchSize+frame.LargeIntake+64<<10)
	}
	for _, c := range all {
		c.Close()
	}
	wg.Wait()
}

// TestNoAllocs: no call that reads or writes allocates, also with buffers on the stack.
func TestNoAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops buffers at random under the race detector")
	}
	p := &peer{key: keyB}
	var wire []byte
	for range 1500 {
		wire = append(wire, p.seal(make([]byte, 1000))...)
	}
	c := mustConn(t, &fake{})
	for _, n := range []int{1, 64, 1000, 4078, 4079, 20000, 65519, 700000} {
		if slow && n > 20000 {
			continue // a hundred of them take long
		}
		text := make([]byte, n)
		cryptotest.NoAllocs(t, "Write", func() { c.Write(text) })
		whole := divide(text, 1+n/4096)
		tiny := divide(text, min(n, 500))
		v := make(net.Buffers, max(len(whole), len(tiny)))
		// The header of the list is the caller's, here one that stays.
		list := new(net.Buffers)
		cryptotest.NoAllocs(t, "WriteBuffers", func() {
			*list = v[:copy(v, whole)]
			c.WriteBuffers(list)
			*list = v[:copy(v, tiny)]
			if m, err := c.WriteBuffers(list); int(m) != n || err != nil {
				t.Error(m, err)
			}
		})
	}
	switch runtime.GOARCH {
	case "arm64", "ppc64le", "s390x": // what gcm.AEAD.Seal gets escapes there
	default:
		r := receiving(t, wire)
		cryptotest.NoAllocs(t, "Write and Read on the stack", func() {
			var p [1000]byte
			c.Write(p[:])
			if n, err := r.Read(p[:]); n != 1000 || err != nil {
				t.Fatal(n, err)
			}
		})
	}
	c = receiving(t, wire)
	small, large := make([]byte, 100), make([]byte, 1000)
	cryptotest.NoAllocs(t, "Read", func() {
		for range 10 {
			if n, err := c.Read(small); n != 100 || err != nil {
				t.Fatal(n, err)
			}
		}
		if n, err := c.Read(large); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	})
	c = receiving(t, wire)
	sink := &limited{w: io.Discard}
	cryptotest.NoAllocs(t, "WriteTo", func() {
		sink.left = 10500
		if n, err := c.WriteTo(sink); n != 10500 || err != errLimit {
			t.Fatal(n, err)
		}
	})
}
