//go:build unix

package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

// TestFullDisk: a disk that becomes full, or a limit of the size of files, leaves
// what was there and nothing else.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, d folder, message string, seal func(args ...string) result) {
		t.Helper()
		seal("seal", "-key", "key", "plain", "new").want(t, exitFailed, message)
		d.write(t, "old", []byte("precious"))
		seal("seal", "-f", "-key", "key", "plain", "old").want(t, exitFailed, message)
		if string(d.read(t, "old")) != "precious" {
			t.Error("an existing file was touched")
		}
		d.want(t, "key", "old", "plain", "plain.cw")
	}

	t.Run("limit", func(t *testing.T) {
		d := newFolder(t, 2<<20)
		check(t, d, "file too large", func(args ...string) result {
			c := prepare(d.string, nil, append([]string{"-c", `ulimit -f 1000; exec "$@"`, "sh", program}, args...)...)
			c.Path, c.Args[0] = "/bin/sh", "sh"
			return finish(t, c)
		})
	})
	t.Run("small file system", func(t *testing.T) {
		d := newFolder(t, 2<<20)
		small := t.TempDir()
		if err := mountSmall(small, 5<<20); err != nil {
			if os.Geteuid() == 0 && runtime.GOOS == "linux" && !os.IsPermission(err) {
				t.Fatal(err)
			}
			t.Skipf("cannot mount a file system, so only the limit was tested: %v", err)
		}
		defer unmount(t, small)
		for _, name := range []string{"key", "plain", "plain.cw"} { // together 4 MiB
			data := d.read(t, name)
			folder{string: small}.write(t, name, data)
		}
		d.string = small
		check(t, d, "no space left", func(args ...string) result { return do(t, small, args...) })
		if !bytes.Equal(d.read(t, "plain"), d.text) {
			t.Error("the input was touched")
		}
	})
	t.Run("full device", func(t *testing.T) {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skipf("only Linux has a device that is always full: %v", err)
		}
		defer full.Close()
		d := newFolder(t, 100)
		for _, args := range [][]string{{"seal", "plain", "-"}, {"open", "plain.cw", "-"}, {"cat", "plain.cw"}} {
			c := prepare(d.string, nil, append(args, "-key", "key")...)
			c.Stdout = full
			finish(t, c).want(t, exitFailed, "no space left")
		}
	})
}
