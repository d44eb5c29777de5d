package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
)

// TestMethods lists the methods: one more, promoted from the connection below or
// added without thought, could be a way around the encryption.
func TestMethods(t *testing.T) {
	want := []string{
		"Close", "CloseWrite", "Format", "LocalAddr", "Read", "ReadFrom", "RekeyRecv", "RekeySend", "RemoteAddr",
		"SetDeadline", "SetReadDeadline", "SetWriteDeadline", "Write", "WriteBuffers", "WriteTo",
	}
	c := reflect.TypeFor[*frame.Conn]()
	var got []string
	for i := range c.NumMethod() {
		got = append(got, c.Method(i).Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("methods %v, want %v", got, want)
	}
	// Not exported methods are promoted as well, and net.Buffers looks for one.
	for i := range c.Elem().NumField() {
		if f := c.Elem().Field(i); f.Anonymous || f.IsExported() {
			t.Errorf("field %s is embedded or exported", f.Name)
		}
	}
}

// TestNewConn has what the constructor refuses.
func TestNewConn(t *testing.T) {
	f := &fake{}
	for _, n := range []int{0, 16, 24, 31, 33, 64} {
		for _, keys := range [][2][]byte{{make([]byte, n), keyB}, {keyA, make([]byte, n)}} {
			if _, err := frame.NewConn(f, keys[0], keys[1]); err == nil || !strings.HasPrefix(err.Error(), "frame: ") {
				t.Errorf("key of %d bytes: %v", n, err)
			}
		}
	}
	if _, err := frame.NewConn(f, keyA, bytes.Clone(keyA)); err != frame.ErrEqualKeys {
		t.Errorf("equal keys: %v", err)
	}
	if _, err := frame.NewConn(nil, keyA, keyB); err == nil {
		t.Error("no connection: no error")
	}
	for _, n := range []int{-1, 0, 65520, 1 << 40 % (1 << 31)} {
		if _, err := frame.NewConn(f, keyA, keyB, frame.WithMaxRecord(n)); err == nil {
			t.Errorf("records of %d bytes: no error", n)
		}
	}
	if f.writes != 0 || f.closed != 0 {
		t.Error("the constructor used the connection")
	}
}

// TestKeysAreCopied changes the keys after they were handed in.
func TestKeysAreCopied(t *testing.T) {
	k1, k2 := bytes.Clone(keyA), bytes.Clone(keyB)
	var wire bytes.Buffer
	c, err := frame.NewConn(&fake{w: &wire}, k1, k2)
	if err != nil {
		t.Fatal(err)
	}
	clear(k1)
	clear(k2)
	c.Write([]byte("text"))
	if err := c.RekeySend(); err != nil {
		t.Fatal(err)
	}
	c.Write([]byte("more"))
	p := &peer{key: keyA}
	want := p.seal([]byte("text"))
	p.rekey()
	if !bytes.Equal(wire.Bytes(), append(want, p.seal([]byte("more"))...)) {
		t.Error("wrong on the wire")
	}
}

// TestAddresses has the addresses and deadlines of the connection below.
func TestAddresses(t *testing.T) {
	c := mustConn(t, &fake{})
	if c.LocalAddr() != addr("here") || c.RemoteAddr() != addr("there") {
		t.Errorf("from %v to %v", c.LocalAddr(), c.RemoteAddr())
	}
}

// TestPrinting prints a Conn that holds text and keys, in every way: fmt would go
// through all fields.
func TestPrinting(t *testing.T) {
	c := receiving(t, (&peer{key: keyB}).seal([]byte("nobody else should see this")))
	if n, err := c.Read(make([]byte, 5)); n != 5 || err != nil {
		t.Fatal(n, err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
		got := fmt.Sprintf(verb, c)
		if got != "frame.Conn(here to there)" {
			t.Errorf("%s: %.100s", verb, got)
		}
	}
}

// TestRekey has both directions rekey on their own, at different records. B117: the
// counters go on, each its own.
func TestRekey(t *testing.T) {
	out, in := &peer{key: keyA}, &peer{key: keyB}
	var script bytes.Buffer
	for i := range 6 {
		if i == 2 || i == 5 {
			in.rekey()
		}
		script.Write(in.seal(cryptotest.Pattern(i, 10, 0)))
	}
	var wire bytes.Buffer
	c := mustConn(t, &fake{r: &script, w: &wire})
	var want []byte
	for i := range 9 {
		if i == 4 || i == 5 {
			if err := c.RekeySend(); err != nil {
				t.Fatal(err)
			}
			out.rekey()
		}
		text := cryptotest.Pattern(i, 30, 0)
		if _, err := c.Write(text); err != nil {
			t.Fatal(err)
		}
		want = append(want, out.seal(text)...)
	}
	if !bytes.Equal(wire.Bytes(), want) {
		t.Error("wrong on the wire")
	}
	// The records are all in the buffer by now; those not yet opened take the
	// new key.
	for i := range 6 {
		if i == 2 || i == 5 {
			if err := c.RekeyRecv(); err != nil {
				t.Fatal(err)
			}
		}
		got := make([]byte, 4)
		for off := 0; off < 10; off += 4 {
			n, err := c.Read(got)
			if err != nil || !bytes.Equal(got[:n], cryptotest.Pattern(i, 10, 0)[off:off+n]) {
				t.Fatalf("record %d: %x, %v", i, got[:n], err)
			}
		}
	}
	// Without the rekey the next would not open.
	in.rekey()
	script.Write(in.seal([]byte("text")))
	if n, err := c.Read(make([]byte, 9)); n != 0 || err == nil {
		t.Errorf("record under the next key: %d, %v", n, err)
	}
}

// TestFIPS: these kernels are no validated module, and say so.
func TestFIPS(t *testing.T) {
	cryptotest.EnforceFIPS(t, "frame: ", func() []error {
		_, err := frame.NewConn(&fake{}, keyA, keyB)
		return []error{err}
	})
}

// wantPermanent fails the test unless err is the error of a dead direction, and is
// cause.
func wantPermanent(t testing.TB, what string, err, cause error) {
	t.Helper()
	e, ok := err.(net.Error)
	temporary, _ := err.(interface{ Temporary() bool })
	if !ok || e.Timeout() || temporary.Temporary() || !errors.Is(err, cause) || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%s: %v, want a permanent error that is %q", what, err, cause)
	}
}
