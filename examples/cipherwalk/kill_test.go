//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// temporary returns the names of temporary files.
func (d folder) temporary(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(d.string)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".cipherwalk-") {
			names = append(names, e.Name())
		}
	}
	return names
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 2000 {
		if so() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("waited for %s in vain", what)
}

// TestKilled kills the program at random moments: while it reads its input, and
// when it has all of it and brings the output to the disk and under its name.
// There must be the old file or the new one, never anything else, and no
// temporary file unless it was killed with SIGKILL.
func TestKilled(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	d := newFolder(t, 2<<20)
	sealed := d.read(t, "plain.cw")
	old := []byte("the old file")
	cut, stopped, whole := 0, 0, 0
	for i := range 48 {
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}[i%4]
		existed, opening, all := i/4%2 == 0, i/8%2 == 0, i/16 > 0
		verb, input, isNew := "seal", d.text, func(b []byte) bool { return d.opens(t, b) }
		if opening {
			verb, input, isNew = "open", sealed, func(b []byte) bool { return bytes.Equal(b, d.text) }
		}
		flag := "-q"
		if existed {
			d.write(t, "out", old)
			flag = "-f"
		}
		c := prepare(d.string, nil, verb, "-key", "key", flag, "-", "out")
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if all {
			in.Write(input)
			in.Close()
			time.Sleep(time.Duration(random.Int64N(int64(15 * time.Millisecond))))
		} else {
			in.Write(input[:random.IntN(len(input)-1)]) // at most a byte too few
			if i%3 == 0 {
				await(t, "a temporary file", func() bool { return len(d.temporary(t)) == 1 })
			}
		}
		c.Process.Signal(signal)
		c.Wait()
		in.Close()

		done := exitCode(c) == 0
		switch code := exitCode(c); {
		case code == 128+int(signal):
			stopped++
		case code != 0 || !all:
			t.Fatalf("run %d: %v and exit code %d", i, signal, code)
		}
		left := d.temporary(t)
		if len(left) > 0 && signal != syscall.SIGKILL {
			t.Errorf("run %d: %v left %v", i, signal, left)
		}
		for _, name := range left {
			cut++
			os.Remove(d.path(name))
		}
		out, err := os.ReadFile(d.path("out"))
		switch {
		case err != nil && !existed && !done:
		case err == nil && existed && !done && bytes.Equal(out, old):
		case err == nil && all && isNew(out):
			whole++
		default:
			t.Fatalf("run %d: after %v there is neither the old file nor the new one: %d bytes, %v", i, signal, len(out), err)
		}
		os.Remove(d.path("out"))
	}
	t.Logf("%d stopped, %d of them with a temporary file left by SIGKILL, %d outputs whole", stopped, cut, whole)
	if stopped < 16 || cut == 0 {
		t.Error("the signals came too late to test anything")
	}
	d.want(t, "key", "plain", "plain.cw")
}

// TestIgnoredSignal: what was ignored before, as by nohup, stays so.
func TestIgnoredSignal(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	c := exec.Command("/bin/sh", "-c", `trap "" HUP; exec "$@"`, "sh", program, "seal", "-key", "key", "-", "out")
	c.Dir = d.string
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "a temporary file", func() bool { return len(d.temporary(t)) == 1 })
	c.Process.Signal(syscall.SIGHUP)
	time.Sleep(200 * time.Millisecond) // for it to react
	in.Write(d.text)
	in.Close()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if !d.opens(t, d.read(t, "out")) {
		t.Error("the output is not whole")
	}
}
