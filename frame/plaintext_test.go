package frame_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
)

// secret is a text each part of which would be known again on the wire.
var secret = func() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < pick(1<<20, 1<<18); i++ {
		fmt.Fprintf(&b, "plaintext line %08d\n", i)
	}
	return b.Bytes()
}()

// A recorder is a TCP connection that records what passes. It has all the methods of
// a TCP connection, by which text could get past the encryption.
type recorder struct {
	*net.TCPConn
	t    *testing.T
	mu   sync.Mutex
	wire bytes.Buffer
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	r.wire.Write(p)
	r.mu.Unlock()
	return r.TCPConn.Write(p)
}

func (r *recorder) ReadFrom(io.Reader) (int64, error) {
	r.t.Error("ReadFrom of the connection below was called")
	return 0, io.ErrClosedPipe
}

func (r *recorder) WriteTo(io.Writer) (int64, error) {
	r.t.Error("WriteTo of the connection below was called")
	return 0, io.ErrClosedPipe
}

// TestNoPlaintext passes a text through a Conn in every way that package io and net
// know, both ways. The other end is crypto/cipher over plain TCP.
func TestNoPlaintext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, secret, 0o600); err != nil {
		t.Fatal(err)
	}
	file := func() *os.File {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	tcp := func() *net.TCPConn {
		a, b := tcpPair(t)
		go func() { a.Write(secret); a.CloseWrite() }()
		return b
	}
	buffers := func() net.Buffers { return divide(bytes.Clone(secret), 300) }
	for name, send := range map[string]func(c *frame.Conn) (int64, error){
		"file":         func(c *frame.Conn) (int64, error) { return io.Copy(c, file()) },
		"TCP":          func(c *frame.Conn) (int64, error) { return io.Copy(c, tcp()) },
		"bytes.Buffer": func(c *frame.Conn) (int64, error) { return io.Copy(c, bytes.NewBuffer(bytes.Clone(secret))) },
		"bytes.Reader": func(c *frame.Conn) (int64, error) { return io.Copy(c, bytes.NewReader(secret)) },
		"copy buffer": func(c *frame.Conn) (int64, error) {
			return io.CopyBuffer(struct{ io.Writer }{c}, file(), make([]byte, 777))
		},
		"ReadFrom file":  func(c *frame.Conn) (int64, error) { return c.ReadFrom(file()) },
		"ReadFrom TCP":   func(c *frame.Conn) (int64, error) { return c.ReadFrom(tcp()) },
		"net.Buffers":    func(c *frame.Conn) (int64, error) { v := buffers(); return v.WriteTo(c) },
		"WriteBuffers":   func(c *frame.Conn) (int64, error) { v := buffers(); return c.WriteBuffers(&v) },
		"io.Writer":      func(c *frame.Conn) (int64, error) { n, err := io.Writer(c).Write(secret); return int64(n), err },
		"strings.Reader": func(c *frame.Conn) (int64, error) { return io.Copy(c, strings.NewReader(string(secret))) },
		"net.Conn":       func(c *frame.Conn) (int64, error) { return io.Copy(net.Conn(c), file()) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := tcpPair(t)
			r := &recorder{TCPConn: a, t: t}
			c := mustConn(t, r)
			received := make(chan []byte)
			go func() { got, _ := io.ReadAll(b); received <- got }()
			if n, err := send(c); n != int64(len(secret)) || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
			if err := c.CloseWrite(); err != nil {
				t.Error(err)
			}
			wire := <-received
			texts, left := (&peer{key: keyA}).open(t, wire)
			if !bytes.Equal(bytes.Join(texts, nil), secret) || left != 0 || len(texts[len(texts)-1]) != 0 {
				t.Error("other text, or no end")
			}
			if !bytes.Equal(r.wire.Bytes(), wire) {
				t.Error("something was sent past Write")
			}
			if i := leak(wire); i >= 0 {
				t.Errorf("plaintext at byte %d of the wire", i)
			}
		})
	}
	for name, receive := range map[string]func(c *frame.Conn) ([]byte, error){
		"file": func(c *frame.Conn) ([]byte, error) {
			name := filepath.Join(t.TempDir(), "out")
			f, err := os.Create(name)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			if _, err := io.Copy(f, c); err != nil {
				return nil, err
			}
			return os.ReadFile(name)
		},
		"TCP": func(c *frame.Conn) ([]byte, error) {
			a, b := tcpPair(t)
			go func() { io.Copy(a, c); a.CloseWrite() }()
			return io.ReadAll(b)
		},
		"bytes.Buffer": func(c *frame.Conn) ([]byte, error) {
			var b bytes.Buffer
			_, err := b.ReadFrom(c)
			return b.Bytes(), err
		},
		"copy buffer": func(c *frame.Conn) ([]byte, error) {
			var b bytes.Buffer
			_, err := io.CopyBuffer(struct{ io.Writer }{&b}, struct{ io.Reader }{c}, make([]byte, 777))
			return b.Bytes(), err
		},
		"another Conn": func(c *frame.Conn) ([]byte, error) {
			x, y := tcpPair(t)
			go func() { d := mustConn(t, x); io.Copy(d, c); d.CloseWrite() }()
			return io.ReadAll(other(t, y))
		},
	} {
		t.Run("to "+name, func(t *testing.T) {
			a, b := tcpPair(t)
			go func() { b.Write((&peer{key: keyB}).session(append(cut(secret, 60000), nil)...)) }()
			got, err := receive(mustConn(t, &recorder{TCPConn: a, t: t}))
			if err != nil || !bytes.Equal(got, secret) {
				t.Errorf("%d bytes, %v, want %d", len(got), err, len(secret))
			}
		})
	}
	// The search does find what it looks for.
	for _, off := range []int{0, 5, 1000} {
		if leak(append(make([]byte, off), secret[300+off:][:40]...)) < 0 {
			t.Error("the search misses plaintext")
		}
	}
}

// leak returns where 8 bytes of the secret stand on the wire, or -1.
func leak(wire []byte) int {
	for _, word := range []string{"plaintex", "laintext", "aintext ", "intext l", "ntext li", "text lin", "ext line", "xt line ", "line 000"} {
		if i := bytes.Index(wire, []byte(word)); i >= 0 {
			return i
		}
	}
	return -1
}
