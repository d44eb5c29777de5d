package main

import (
	"bytes"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 20, 5_000_001} {
		name := filepath.Join(t.TempDir(), "file")
		text := make([]byte, n)
		rand.Read(text)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := run(&out, name); err != nil || !strings.Contains(out.String(), "equal") {
			t.Errorf("%d bytes: %v\n%s", n, err, &out)
		}
	}
	if err := run(new(bytes.Buffer), "/no/such/file"); err == nil {
		t.Error("no file: no error")
	}
}

// TestWrongSecret: no connection between ends that do not share the secret.
func TestWrongSecret(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	go func() {
		secure(a, true, bytes.Repeat([]byte{1}, pskSize))
	}()
	if _, err := secure(b, false, bytes.Repeat([]byte{2}, pskSize)); err == nil {
		t.Error("handshake without the secret")
	}
	b.Close()
}
