package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/stream"
)

// TestPrinted: no verb shows a key, a nonce or a text.
func TestPrinted(t *testing.T) {
	text := []byte("a secret text that waits in a buffer")
	key := keyOf(suite, 1)
	sealed := seal(t, suite, text)
	w, err := stream.NewWriter(io.Discard, suite, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	r := newReader(t, bytes.NewReader(sealed))
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{w, newReader(t, nil), r, newReaderAt(t, sealed)} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q", "%p"} {
			got := fmt.Sprintf(verb, v)
			if want := strings.TrimPrefix(fmt.Sprintf("%T", v), "*"); got != want && verb != "%p" {
				t.Errorf("%T with %s: %.100s", v, verb, got)
			}
		}
	}
}

// TestWiped looks at buffers that are over. B101: none is used or kept after it has
// gone back, whatever is called how often.
func TestWiped(t *testing.T) {
	text := cryptotest.Pattern(0, 5000, 1)
	for name, end := range map[string]func(w *stream.Writer){
		"Close":     func(w *stream.Writer) { w.Close(); w.Close() },
		"a failure": func(w *stream.Writer) { w.Write(make([]byte, 1<<20)); w.Close() },
	} {
		sink := &faulty{room: 1 << 30, err: errSink}
		w, err := stream.NewWriter(sink, suite, keyOf(suite, 1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		held := stream.HeldText(w)
		if !bytes.Equal(held, text) {
			t.Fatal("nothing is held: the test is void")
		}
		if name != "Close" {
			sink.room = 0
		}
		end(w)
		if bytes.Count(held, []byte{0}) != len(held) {
			t.Errorf("%s leaves the text", name)
		}
	}
	r := newReader(t, bytes.NewReader(seal(t, suite, text)))
	key := stream.LockKey(r)
	if _, err := r.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if bytes.Count(key, []byte{0}) != len(key) {
		t.Error("the header has been read, and the key is still there")
	}
	plain := stream.PlainText(r)
	if !bytes.Equal(plain, text[10:]) {
		t.Fatal("nothing is kept: the test is void")
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	if bytes.Count(plain, []byte{0}) != len(plain) {
		t.Error("the end leaves the text")
	}
	// What went back once must not be there twice: two streams would share it.
	for range 2 {
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("Read at the end: %d, %v", n, err)
		}
	}
	one, two := newReader(t, bytes.NewReader(seal(t, suite, text))), newReader(t, bytes.NewReader(seal(t, suite, text)))
	p, q := make([]byte, 1), make([]byte, 1)
	_, e1 := one.Read(p)
	_, e2 := two.Read(q)
	if err := errors.Join(e1, e2); err != nil {
		t.Fatal(err)
	}
	if &stream.PlainText(one)[0] == &stream.PlainText(two)[0] {
		t.Error("two readers have one buffer")
	}
}

// keeper is a sink and a source that keeps the memory that it was given, which it
// must not.
type keeper struct {
	bytes.Reader
	kept [][]byte
}

func (k *keeper) Write(p []byte) (int, error) {
	k.kept = append(k.kept, p)
	return len(p), nil
}

func (k *keeper) Read(p []byte) (int, error) {
	k.kept = append(k.kept, p)
	return k.Reader.Read(p)
}

func (k *keeper) wiped() bool {
	for _, p := range k.kept {
		if bytes.Count(p, []byte{0}) != len(p) {
			return false
		}
	}
	return len(k.kept) > 0
}

// TestCopiesWiped: what plaintext went through in ReadFrom and WriteTo is wiped
// in the end.
func TestCopiesWiped(t *testing.T) {
	text := cryptotest.Pattern(0, 100*stream.ChunkSize+500, 9)
	sealed := seal(t, suite, text)
	for _, workers := range []int{1, 3} {
		w, err := stream.NewWriter(io.Discard, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
		if err != nil {
			t.Fatal(err)
		}
		src := &keeper{Reader: *bytes.NewReader(text)}
		_, err = w.ReadFrom(struct{ io.Reader }{src})
		// What was held of the last chunk may have taken the same memory since.
		if err := errors.Join(err, w.Close()); err != nil || !src.wiped() {
			t.Errorf("%d workers: ReadFrom: %v, or the text is still there", workers, err)
		}
		sink := &keeper{}
		if _, err := newReader(t, bytes.NewReader(sealed), stream.WithConcurrency(workers)).WriteTo(sink); err != nil || !sink.wiped() {
			t.Errorf("%d workers: WriteTo: %v, or the text is still there", workers, err)
		}
	}
}

// TestFIPS: these kernels are no validated module, and say so.
func TestFIPS(t *testing.T) {
	cryptotest.EnforceFIPS(t, "stream: ", func() []error {
		return slices.Collect(maps.Values(constructors(suite, make([]byte, 32), nil)))
	})
}
