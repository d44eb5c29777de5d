//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/stream"
)

// program is the built binary, which the tests run as a user would.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzzworker").Value.String() == "true" {
		os.Exit(m.Run()) // which needs no program, and would be killed before it removes it
	}
	dir, err := os.MkdirTemp("", "cipherwalk-test-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "cipherwalk")
	build := exec.Command("go", append([]string{"build", "-buildvcs=false", "-o", program}, buildFlags...)...)
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Printf("%v\n%s%v\n", build, out, err)
		os.RemoveAll(dir)
		os.Exit(1)
	}
	// What nohup or a shell in the background ignores would be ignored by the
	// program too, and the tests that kill it would wait. A signal that is caught
	// here has its default there.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // a second for each run otherwise
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A result is what a run of the program came to.
type result struct {
	code           int // 128 + n for signal n
	stdout, stderr string
}

// prepare makes a run of the program in dir, in a session of its own, which has
// no terminal.
func prepare(dir string, stdin io.Reader, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir, c.Stdin = dir, stdin
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c
}

// do runs the program in dir without an input.
func do(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return finish(t, prepare(dir, nil, args...))
}

// finish runs c and collects what it puts out.
func finish(t *testing.T, c *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &stdout
	}
	c.Stderr = &stderr
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{exitCode(c), stdout.String(), stderr.String()}
}

func exitCode(c *exec.Cmd) int {
	if s := c.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() {
		return 128 + int(s.Signal())
	}
	return c.ProcessState.ExitCode()
}

// want checks a result: the exit code, and if message is not empty, that the
// error report has it. A success reports nothing.
func (r result) want(t *testing.T, code int, message string) result {
	t.Helper()
	if r.code != code || !strings.Contains(r.stderr, message) || code == 0 && message == "" && r.stderr != "" {
		t.Fatalf("exit code %d, want %d and a report with %q; it is:\n%s", r.code, code, message, r.stderr)
	}
	return r
}

// A folder is where the program works in a test: with a key file key, a plain
// file plain and a sealed one plain.cw.
type folder struct {
	string
	text []byte
}

func newFolder(t *testing.T, size int) folder {
	t.Helper()
	d := folder{t.TempDir(), noise(size)}
	d.write(t, "plain", d.text)
	do(t, d.string, "keygen", "key").want(t, 0, "")
	do(t, d.string, "seal", "-key", "key", "plain").want(t, 0, "")
	return d
}

// speed returns about how many bytes a second are sealed and opened here, which
// without assembly is a hundred times less than with it.
func speed(t *testing.T) int64 {
	t.Helper()
	f, err := measure(defaultSuite, 256<<10, 1, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	return min(f.seal, f.open)
}

// noise returns n bytes that do not compress or repeat, always the same.
func noise(n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(p)
	return p
}

func (d folder) path(name string) string { return filepath.Join(d.string, name) }

func (d folder) write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(d.path(name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d folder) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(d.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// want checks that the folder has exactly these files, so no temporary ones.
func (d folder) want(t *testing.T, names ...string) {
	t.Helper()
	var have []string
	entries, err := os.ReadDir(d.string)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if got, want := strings.Join(have, " "), strings.Join(names, " "); got != want {
		t.Fatalf("files %s, want %s", got, want)
	}
}

// key returns what is in the key file, taken apart by hand.
func (d folder) key(t *testing.T) (stream.Suite, []byte) {
	t.Helper()
	suite, key, err := parseKey(d.read(t, "key"))
	if err != nil {
		t.Fatal(err)
	}
	return suite, key
}

// opens reports whether sealed is text, by the library and not by the program.
func (d folder) opens(t *testing.T, sealed []byte) bool {
	t.Helper()
	suite, key := d.key(t)
	r, err := stream.NewReader(bytes.NewReader(sealed), suite, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	return err == nil && bytes.Equal(text, d.text)
}
