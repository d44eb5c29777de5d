//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/cipherwalk/cipherwalk/stream"
)

// TestPassphrase seals and opens with the passphrase in a file, and opens by hand
// from what the comment on headerFormat says.
func TestPassphrase(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 2*stream.ChunkSize+5)
	d.write(t, "pass", []byte("correct horse\nsecond line\n"))
	d.write(t, "wrong", []byte("correct horse \n"))
	do(t, d.string, "seal", "-passphrase-file", "pass", "-context", "c", "plain", "p.cw").want(t, 0, "")
	sealed := d.read(t, "p.cw")

	line, rest, _ := strings.Cut(string(sealed), "\n")
	h, err := parseHeader(line + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if h.cost != defaultCost || h.suite != defaultSuite {
		t.Errorf("header %s", h)
	}
	key := argon2.IDKey([]byte("correct horse"), h.salt[:], 3, 256<<10, 4, 32)
	r, err := stream.NewReader(strings.NewReader(rest), stream.Cobblestone256, key, []byte("c"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || !bytes.Equal(text, d.text) {
		t.Errorf("by hand: %d bytes, %v", len(text), err)
	}

	// Open it from a pipe with the passphrase from a descriptor, and read a part.
	passphrase, err := os.Open(d.path("pass"))
	if err != nil {
		t.Fatal(err)
	}
	defer passphrase.Close()
	c := prepare(d.string, bytes.NewReader(sealed), "open", "-passphrase-file", "/dev/fd/3", "-context", "c", "-")
	c.ExtraFiles = []*os.File{passphrase}
	if got := finish(t, c).want(t, 0, ""); got.stdout != string(d.text) {
		t.Error("it came back changed")
	}
	c = prepare(d.string, strings.NewReader("correct horse"), "cat", "-passphrase-file", "-", "-context", "c", "-range", "16K:3", "p.cw")
	if got := finish(t, c).want(t, 0, ""); got.stdout != string(d.text[16<<10:][:3]) {
		t.Error("cat got something else")
	}

	d.refused(t, sealed, 0, "not with a key file", "-key", "key")
	cheap := d.sealCheaply(t, "correct horse")
	d.refused(t, cheap, 0, "wrong passphrase or -context", "-passphrase-file", "wrong")
	d.refused(t, cheap, 0, "wrong passphrase or -context", "-passphrase-file", "pass", "-context", "c")
	d.refused(t, append([]byte("x"), cheap...), 0, "not sealed with a passphrase", "-passphrase-file", "pass")
	d.refused(t, bytes.Replace(cheap, []byte(" 1 2 "), []byte(" 2 2 "), 1), 0, "wrong passphrase", "-passphrase-file", "pass")
	d.refused(t, bytes.Replace(cheap, []byte(" 1 2 "), []byte(" 1 1 "), 1), 0, "wrong passphrase", "-passphrase-file", "pass")
	d.refused(t, bytes.Replace(cheap, []byte(" 8192 "), []byte(" 8193 "), 1), 0, "wrong passphrase", "-passphrase-file", "pass")
	d.refused(t, cheap[:len(cheap)-1], 2*stream.ChunkSize, "its end is missing or damaged", "-passphrase-file", "pass")

	// A header that asks for 4 TiB gets nothing, at once and unasked.
	start := time.Now()
	d.refused(t, bytes.Replace(sealed, []byte(" 262144 "), []byte(" 4294967295 "), 1), 0, "memory of Argon2id")
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	if got := do(t, d.string, "info", "p.cw").want(t, 0, ""); !strings.Contains(got.stdout, "256 MiB, 3 passes, 4 lanes") || !strings.Contains(got.stdout, "32773 bytes when opened") {
		t.Errorf("info says\n%s", got.stdout)
	}
}

// sealCheaply seals the text with a passphrase that takes less of the machine
// than one that the program asks for.
func (d folder) sealCheaply(t *testing.T, passphrase string) []byte {
	t.Helper()
	h := header{suite: stream.Cobblestone256, cost: cost{memory: minMemory, passes: 1, lanes: 2}}
	b := bytes.NewBufferString(h.String())
	w, err := stream.NewWriter(b, h.suite, h.key([]byte(passphrase)), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(d.text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPassphraseFile: its first line is the passphrase, and it must be one.
func TestPassphraseFile(t *testing.T) {
	d := folder{string: t.TempDir()}
	for text, want := range map[string]string{"a": "a", "a\n": "a", "a\r\nb": "a", " a \n": " a ", "a\rb\n": "a\rb", "\n": "", "": "", "\r\n": "", strings.Repeat("x", 5000): ""} {
		d.write(t, "pass", []byte(text))
		if got, err := readPassphrase(d.path("pass")); string(got) != want || (want == "") != (err != nil) {
			t.Errorf("%.20q: %q, %v", text, got, err)
		}
	}
}
