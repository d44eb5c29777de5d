//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/stream"
)

// TestRealFile seals some tens of megabytes of Go's source, opens them, and has
// the library open them too.
func TestRealFile(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	size := int(min(32<<20, speed(t)/8)) // less where it is slow
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || text.Len() > size {
			return err
		}
		data, err := os.ReadFile(path)
		text.Write(data)
		return err
	})
	if err != nil || text.Len() < 1<<20 {
		t.Fatalf("%d bytes of Go's source: %v", text.Len(), err)
	}
	d := newFolder(t, 0)
	d.text = text.Bytes()
	d.write(t, "source", d.text)
	do(t, d.string, "seal", "-key", "key", "source").want(t, 0, "")
	do(t, d.string, "open", "-key", "key", "source.cw", "again").want(t, 0, "")
	if !bytes.Equal(d.read(t, "again"), d.text) {
		t.Error("it came back changed")
	}
	sealed := d.read(t, "source.cw")
	if !d.opens(t, sealed) {
		t.Error("the library does not open it")
	}
	if want, _ := stream.EncryptedSize(int64(len(d.text))); int64(len(sealed)) != want {
		t.Errorf("%d bytes sealed, want %d", len(sealed), want)
	}
	if bytes.Contains(sealed, []byte("package ")) {
		t.Error("plaintext in the sealed file")
	}
	d.want(t, "again", "key", "plain", "plain.cw", "source", "source.cw")
}

// TestSizes goes around the borders of chunks and through the suites, from files and
// through pipes, with several numbers of workers.
func TestSizes(t *testing.T) {
	t.Parallel()
	const c = stream.ChunkSize
	sizes := []int{0, 1, c - 1, c, c + 1, 40 * c, 41*c + 7}
	for i := range max(len(sizes), len(suites())) {
		suite := suites()[i%len(suites())]
		size := sizes[i%len(sizes)]
		d := folder{t.TempDir(), noise(size)}
		workers := fmt.Sprint(1 + i%3)
		do(t, d.string, "keygen", "key", "-suite", suiteNames[suite]).want(t, 0, "")
		piped := finish(t, prepare(d.string, bytes.NewReader(d.text), "seal", "-workers", workers, "-key", "key", "-")).want(t, 0, "")
		if !d.opens(t, []byte(piped.stdout)) {
			t.Fatalf("%v, %d bytes: the library does not open it", suite, size)
		}
		opened := finish(t, prepare(d.string, strings.NewReader(piped.stdout), "open", "-key", "key", "-workers", workers, "-")).want(t, 0, "")
		if opened.stdout != string(d.text) {
			t.Fatalf("%v, %d bytes came back changed through pipes", suite, size)
		}
		d.write(t, "a.cw", []byte(piped.stdout))
		do(t, d.string, "open", "-key", "key", "a.cw").want(t, 0, "")
		if !bytes.Equal(d.read(t, "a"), d.text) {
			t.Fatalf("%v, %d bytes came back changed through files", suite, size)
		}
		d.want(t, "a", "a.cw", "key")
	}
}

// TestRange reads parts by random access.
func TestRange(t *testing.T) {
	t.Parallel()
	const size = 5*stream.ChunkSize + 1000
	d := newFolder(t, size)
	for _, c := range []struct {
		extent   string
		from, to int
	}{
		{"0:", 0, size}, {"0:1", 0, 1}, {"16K:16K", 16 << 10, 32 << 10}, {"16383:2", 16383, 16385},
		{"100:70000", 100, 70100}, {"-10:", size - 10, size}, {"-10:4", size - 10, size - 6}, {"-1G:3", 0, 3},
		{"80K:1T", 80 << 10, size}, {fmt.Sprint(size, ":"), size, size}, {fmt.Sprint(size-1, ":9"), size - 1, size}, {"7:0", 7, 7},
	} {
		c.extent = strings.ReplaceAll(c.extent, " ", "")
		if got := do(t, d.string, "cat", "-key", "key", "-range", c.extent, "plain.cw").want(t, 0, ""); got.stdout != string(d.text[c.from:c.to]) {
			t.Errorf("%s: %d bytes, not those from %d to %d", c.extent, len(got.stdout), c.from, c.to)
		}
	}
	if got := do(t, d.string, "cat", "-key", "key", "plain.cw").want(t, 0, ""); got.stdout != string(d.text) {
		t.Error("cat without a range is not the whole")
	}
	do(t, d.string, "cat", "-key", "key", "-range", fmt.Sprintf("%d:1", size+1), "plain.cw").want(t, exitFailed, "behind its end")
	for _, bad := range []string{"", "5", ":", "x:1", "1:x", "1:-1", "--1:", "1KK:", "9999999T:", "1:2:3"} {
		do(t, d.string, "cat", "-key", "key", "-range="+bad, "plain.cw").want(t, exitUsage, "-range")
	}

	// The standard input can be a file, and be behind something else; a pipe has
	// no random access.
	f, err := os.Open(d.path("plain.cw"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := finish(t, prepare(d.string, f, "cat", "-key", "key", "-range", "-3:", "-")).want(t, 0, ""); got.stdout != string(d.text[size-3:]) {
		t.Error("cat of the standard input failed")
	}
	pipe := bytes.NewReader(d.read(t, "plain.cw"))
	finish(t, prepare(d.string, pipe, "cat", "-key", "key", "-range", "0:1", "-")).want(t, exitFailed, "pipe")
}

// TestReaderGone: an output that nobody reads any more is no reason to
// complain.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 4<<20)
	for _, verb := range []string{"open", "cat"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		args := []string{verb, "-key", "key", "plain.cw"}
		if verb == "open" {
			args = append(args, "-")
		}
		c := prepare(d.string, nil, args...)
		c.Stdout = w
		got := finish(t, c)
		w.Close()
		if got.code != 128+13 || got.stderr != "" {
			t.Errorf("%s: exit code %d and %q, want 141 and nothing", verb, got.code, got.stderr)
		}
	}
}
