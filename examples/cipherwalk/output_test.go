//go:build unix

package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestExisting: what exists stays as it is, unless -f is given.
func TestExisting(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	d.write(t, "old", []byte("precious"))
	sealed := d.read(t, "plain.cw")

	do(t, d.string, "seal", "-key", "key", "plain").want(t, exitFailed, "plain.cw exists; -f would replace it")
	do(t, d.string, "seal", "-key", "key", "plain", "old").want(t, exitFailed, "old exists")
	do(t, d.string, "open", "-key", "key", "plain.cw").want(t, exitFailed, "plain exists")
	do(t, d.string, "keygen", "key").want(t, exitFailed, "key exists")
	if string(d.read(t, "old")) != "precious" || !bytes.Equal(d.read(t, "plain.cw"), sealed) {
		t.Fatal("an existing file was touched")
	}

	// A failure leaves it too, with -f.
	bad := bytes.Clone(sealed)
	bad[len(bad)-1]++
	d.write(t, "bad.cw", bad)
	do(t, d.string, "open", "-f", "-key", "key", "bad.cw", "old").want(t, exitData, "damaged")
	if string(d.read(t, "old")) != "precious" {
		t.Fatal("a failure touched an existing file")
	}

	do(t, d.string, "open", "-f", "-key", "key", "plain.cw", "old").want(t, 0, "")
	if !bytes.Equal(d.read(t, "old"), d.text) {
		t.Error("-f did not replace the file")
	}
	for _, same := range []string{"plain", "./plain", "../" + filepath.Base(d.string) + "/plain"} {
		do(t, d.string, "seal", "-f", "-key", "key", "plain", same).want(t, exitFailed, "is the input file")
	}
	if err := os.Link(d.path("plain"), d.path("link")); err != nil {
		t.Fatal(err)
	}
	do(t, d.string, "seal", "-f", "-key", "key", "plain", "link").want(t, exitFailed, "is the input file")
	if !bytes.Equal(d.read(t, "plain"), d.text) {
		t.Error("the input was touched")
	}
	d.want(t, "bad.cw", "key", "link", "old", "plain", "plain.cw")

	// The standard output can be the input file as well.
	f, err := os.OpenFile(d.path("plain"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := prepare(d.string, nil, "seal", "-key", "key", "plain", "-")
	c.Stdout = f
	finish(t, c).want(t, exitFailed, "is the input file")
}

// TestNoReplace: a file that comes into being while the work is done is not
// replaced either.
func TestNoReplace(t *testing.T) {
	t.Parallel()
	for name, rename := range map[string]func(from, to string) error{"renameNew": renameNew, "linkNew": linkNew} {
		d := folder{string: t.TempDir()}
		d.write(t, "new", []byte("new"))
		d.write(t, "old", []byte("old"))
		if err := rename(d.path("new"), d.path("old")); !os.IsExist(err) {
			t.Errorf("%s: %v, want that the file exists", name, err)
		}
		if string(d.read(t, "old")) != "old" {
			t.Errorf("%s replaced a file", name)
		}
		if err := rename(d.path("new"), d.path("other")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		d.want(t, "old", "other")
	}

	d := newFolder(t, 1000)
	c := prepare(d.string, nil, "seal", "-key", "key", "-", "late.cw")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "a temporary file", func() bool { return len(d.temporary(t)) == 1 })
	d.write(t, "late.cw", []byte("precious"))
	in.Close()
	c.Wait()
	result{exitCode(c), "", stderr.String()}.want(t, exitFailed, "late.cw exists by now")
	if string(d.read(t, "late.cw")) != "precious" {
		t.Error("the file was replaced")
	}
	d.want(t, "key", "late.cw", "plain", "plain.cw")
}

// TestLinks: a symbolic link stays and its target is replaced, as by a shell.
// What is no regular file is not replaced at all.
func TestLinks(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	d.write(t, "real", []byte("old"))
	for from, to := range map[string]string{"link": "real", "null": "/dev/null", "loose": "nowhere"} {
		if err := os.Symlink(to, d.path(from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(d.path("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := []string{"open", "-key", "key", "-f", "plain.cw"}
	do(t, d.string, append(open, "link")...).want(t, 0, "")
	if !bytes.Equal(d.read(t, "real"), d.text) {
		t.Error("the target of the link was not replaced")
	}
	if info, err := os.Lstat(d.path("link")); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link was replaced: %v", err)
	}
	do(t, d.string, append(open, "null")...).want(t, exitFailed, "no regular file")
	do(t, d.string, append(open, "fifo")...).want(t, exitFailed, "no regular file")
	do(t, d.string, append(open, "/dev/null")...).want(t, exitFailed, "no regular file")
	do(t, d.string, append(open, "/")...).want(t, exitFailed, "no regular file")
	do(t, d.string, append(open, "loose")...).want(t, exitFailed, "no such file")
	do(t, d.string, append([]string{"seal", "-key", "key", "plain"}, "loose")...).want(t, exitFailed, "loose exists")
	d.want(t, "fifo", "key", "link", "loose", "null", "plain", "plain.cw", "real")
}

// TestModes: an output has the permissions of its input, less the umask, and not
// more than what it replaces. A key is its owner's.
func TestModes(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(d.path(name))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	shell := func(umask, line string) {
		t.Helper()
		c := prepare(d.string, nil, "-c", "umask "+umask+"; "+line)
		c.Path, c.Args[0] = "/bin/sh", "sh"
		c.Env = append(os.Environ(), "cipherwalk="+program)
		finish(t, c).want(t, 0, "")
	}
	for _, c := range []struct {
		in, umask, line, out string
		want                 fs.FileMode
	}{
		{"600", "022", "$cipherwalk seal -key key plain a", "a", 0o600},
		{"644", "022", "$cipherwalk seal -key key plain b", "b", 0o644},
		{"666", "027", "$cipherwalk seal -key key plain c", "c", 0o640},
		{"600", "022", "$cipherwalk seal -key key - <plain d", "d", 0o600},
		{"600", "022", "cat plain | $cipherwalk seal -key key - e", "e", 0o644},
		{"600", "000", "cat plain | $cipherwalk seal -key key - f", "f", 0o666},
		{"644", "022", "$cipherwalk seal -f -key key plain a", "a", 0o600},
		{"444", "022", "$cipherwalk seal -key key plain g", "g", 0o444},
		{"600", "000", "$cipherwalk keygen k", "k", 0o600},
		{"600", "777", "$cipherwalk keygen l", "l", 0o600},
	} {
		shell("022", "chmod "+c.in+" plain")
		shell(c.umask, c.line)
		if got := mode(c.out); got != c.want {
			t.Errorf("umask %s, input %s, %s: mode %04o, want %04o", c.umask, c.in, c.line, got, c.want)
		}
	}

	// While it is written, an output is its owner's as well.
	shell("022", "chmod 644 plain")
	c := prepare(d.string, nil, "seal", "-key", "key", "-", "z")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "a temporary file", func() bool { return len(d.temporary(t)) == 1 })
	if got := mode(d.temporary(t)[0]); got != 0o600 {
		t.Errorf("temporary file has mode %04o", got)
	}
	in.Close()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}

	// Key files that others can read are complained about, and used.
	if err := os.Chmod(d.path("key"), 0o640); err != nil {
		t.Fatal(err)
	}
	do(t, d.string, "open", "-key", "key", "plain.cw", "y").want(t, 0, "warning: others than its owner have access to key (mode 0640)")
}
