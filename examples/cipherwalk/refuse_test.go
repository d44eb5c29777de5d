//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/stream"
)

const sealedChunk = stream.ChunkSize + 16

// refused opens the file in all ways, which must fail as faulty data, leave no
// file, and put out no more than the first good bytes of the text.
func (d folder) refused(t *testing.T, sealed []byte, good int, message string, flags ...string) {
	t.Helper()
	d.write(t, "bad.cw", sealed)
	defer os.Remove(d.path("bad.cw"))
	before, err := os.ReadDir(d.string)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"open", "bad.cw"}, flags...)
	do(t, d.string, args...).want(t, exitData, message)
	after, err := os.ReadDir(d.string)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("files before %v, after %v", before, after)
	}
	got := do(t, d.string, append(args, "-")...).want(t, exitData, message)
	if got.stdout != string(d.text[:good]) {
		t.Errorf("%d bytes put out, want the first %d", len(got.stdout), good)
	}
	if good > 0 && !strings.Contains(got.stderr, fmt.Sprintf("the %d bytes that were put out are genuine, but not all", good)) {
		t.Errorf("no warning of what was put out in %q", got.stderr)
	}
	if got := do(t, d.string, append([]string{"cat", "bad.cw"}, flags...)...); got.code != exitData {
		t.Errorf("cat: exit code %d: %s", got.code, got.stderr)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 3*stream.ChunkSize+100)
	sealed := d.read(t, "plain.cw")
	key := []string{"-key", "key"}
	do(t, d.string, "keygen", "other").want(t, 0, "")
	do(t, d.string, "keygen", "small", "-suite", "cobblestone128").want(t, 0, "")

	d.refused(t, sealed, 0, "bad.cw: wrong key file or -context", "-key", "other")
	d.refused(t, sealed, 0, "bad.cw: wrong key file or -context", "-key", "small")
	d.refused(t, sealed, 0, "bad.cw: wrong key file or -context", "-key", "key", "-context", "x")
	d.refused(t, sealed, 0, "bad.cw: not sealed with a passphrase")
	d.refused(t, nil, 0, "its end is missing", key...)
	d.refused(t, nil, 0, "not sealed with a passphrase")
	d.refused(t, []byte("some other file, which is longer than the header of a sealed one"), 0, "wrong key file", key...)

	// Cut off anywhere, also between chunks.
	d.refused(t, sealed[:55], 0, "its end is missing", key...)
	d.refused(t, sealed[:56], 0, "its end is missing", key...)
	d.refused(t, sealed[:56+sealedChunk], stream.ChunkSize, "its end is missing", key...)
	d.refused(t, sealed[:56+3*sealedChunk], 3*stream.ChunkSize, "its end is missing", key...)
	d.refused(t, sealed[:56+2*sealedChunk+5000], 2*stream.ChunkSize, "its end is missing or damaged", key...)
	d.refused(t, sealed[:len(sealed)-1], 3*stream.ChunkSize, "its end is missing or damaged", key...)

	// Something behind the end, and two files in one.
	d.refused(t, append(bytes.Clone(sealed), 0), 3*stream.ChunkSize, "added behind its end", key...)
	d.refused(t, append(bytes.Clone(sealed), sealed...), 3*stream.ChunkSize, "added behind its end", key...)

	// Changed in each part.
	for at, good := range map[int]int{0: 0, 30: 0, 60: 0, 56 + sealedChunk: 1, 56 + 3*sealedChunk - 1: 2, len(sealed) - 1: 3} {
		bad := bytes.Clone(sealed)
		bad[at] ^= 4
		d.refused(t, bad, good*stream.ChunkSize, "damaged", key...)
	}
	swapped := bytes.Clone(sealed)
	copy(swapped[56:], sealed[56+sealedChunk:][:sealedChunk])
	d.refused(t, swapped, 0, "damaged", key...)
}

// TestContext: what was sealed with one opens with the same one.
func TestContext(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 100)
	do(t, d.string, "seal", "-key", "key", "-context", "backup 7", "plain", "b.cw").want(t, 0, "")
	if got := do(t, d.string, "open", "b.cw", "-", "-key", "key", "-context", "backup 7").want(t, 0, ""); got.stdout != string(d.text) {
		t.Error("it came back changed")
	}
	d.refused(t, d.read(t, "b.cw"), 0, "-context", "-key", "key")
	d.refused(t, d.read(t, "b.cw"), 0, "-context", "-key", "key", "-context", "backup 8")
}

// TestUsage: faults of the command line are told apart from all others, before
// anything happens.
func TestUsage(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 100)
	for _, c := range []struct{ line, message string }{
		{"", "Usage:"},
		{"frobnicate", `no command "frobnicate"`},
		{"seal", "usage: cipherwalk seal"},
		{"seal a b c", "usage: cipherwalk seal"},
		{"seal -frob plain", "-frob"},
		{"seal plain -workers 0", "-workers"},
		{"cat plain.cw -passphrase-file key -workers 2000", "-workers"},
		{"seal plain -suite rot13", "rot13"},
		{"seal plain x -key key -passphrase-file key", "exclude"},
		{"seal - -key -", "both"},
		{"open - -passphrase-file -", "both"},
		{"seal plain x -key key -suite cobblestone128", "for cobblestone256"},
		{"seal plain x", "no terminal"}, // where no passphrase can be asked for
		{"open plain -key key", "name an output"},
		{"open .cw -key key", "name an output"},
		{"bench -workers 0", "-workers"},
		{"info a b", "usage"},
	} {
		got := do(t, d.string, strings.Fields(c.line)...)
		if got.code != exitUsage || !strings.Contains(got.stderr, c.message) || got.stdout != "" {
			t.Errorf("%q: exit code %d, %q", c.line, got.code, got.stderr)
		}
	}
	for _, c := range []struct{ line, message string }{
		{"seal none x -key key", "none: no such file"},
		{"seal plain x -key nokey", "cipherwalk keygen nokey"},
		{"seal plain x -key plain", "no key file"},
		{"seal . x -key key", "tar c . |"},
		{"seal plain nodir/x -key key", "nodir/x: no such file"},
		{"open none.cw -key key", "none.cw: no such file"},
	} {
		got := do(t, d.string, strings.Fields(c.line)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, c.message) || got.stdout != "" {
			t.Errorf("%q: exit code %d, %q", c.line, got.code, got.stderr)
		}
	}
	d.want(t, "key", "plain", "plain.cw")

	// Behind -- a name may look like a flag.
	d.write(t, "-f", d.text)
	do(t, d.string, "seal", "-key", "key", "--", "-f", "x").want(t, 0, "")
	d.want(t, "-f", "key", "plain", "plain.cw", "x")
}
