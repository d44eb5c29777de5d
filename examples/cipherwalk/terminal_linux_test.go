package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A screen is the program in a terminal, and what it has shown there.
type screen struct {
	*exec.Cmd
	person *os.File // the side of the terminal where people are
	tty    *os.File // the side of programs, kept open to look at its state
	done   chan struct{}

	mu    sync.Mutex
	shown bytes.Buffer
}

// show starts the program in dir in a terminal of its own. change may give it
// other standard streams, but for the standard error.
func show(t *testing.T, dir string, change func(*exec.Cmd), args ...string) *screen {
	t.Helper()
	s := &screen{Cmd: exec.Command(program, args...), done: make(chan struct{})}
	var err error
	if s.person, s.tty, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.person.Close() })
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	s.Dir, s.Env = dir, append(os.Environ(), "TERM=xterm")
	s.Stdin, s.Stdout, s.Stderr = s.tty, s.tty, s.tty
	s.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	change(s.Cmd)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		buf := make([]byte, 4096)
		for {
			n, err := s.person.Read(buf)
			s.mu.Lock()
			s.shown.Write(buf[:n])
			s.mu.Unlock()
			if err != nil { // EIO when the last program has closed it
				return
			}
		}
	}()
	return s
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown.String()
}

// silent reports whether the terminal does not show what is typed.
func (s *screen) silent(t *testing.T) bool {
	t.Helper()
	attr, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return attr.Lflag&unix.ECHO == 0
}

// answer waits for a prompt and types after it.
func (s *screen) answer(t *testing.T, prompt, typed string) {
	t.Helper()
	await(t, prompt, func() bool { return strings.HasSuffix(s.text(), prompt) && s.silent(t) })
	if _, err := io.WriteString(s.person, typed); err != nil {
		t.Fatal(err)
	}
}

// end waits for the end of the program, which must have the exit code and leave
// the terminal as it was, and returns all it has shown.
func (s *screen) end(t *testing.T, code int) string {
	t.Helper()
	s.Wait()
	if s.silent(t) {
		t.Error("the terminal does not show any more what is typed")
	}
	s.tty.Close()
	<-s.done
	if got := exitCode(s.Cmd); got != code {
		t.Fatalf("exit code %d, want %d:\n%s", got, code, s.text())
	}
	return s.text()
}

func as(*exec.Cmd) {}

// TestPrompt types passphrases at a terminal, where they are not shown.
func TestPrompt(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	s := show(t, d.string, as, "seal", "plain", "p.cw")
	s.answer(t, "Passphrase: ", "open sesame\r")
	s.answer(t, "Again: ", "open sesame\r")
	if text := s.end(t, 0); strings.Contains(text, "sesame") || !strings.Contains(text, "sealed 1.00 kB") {
		t.Errorf("shown:\n%s", text)
	}

	// The data may come through the standard streams meanwhile.
	d.write(t, "p.cw", d.sealCheaply(t, "open sesame"))
	var out bytes.Buffer
	s = show(t, d.string, func(c *exec.Cmd) { c.Stdin, c.Stdout = bytes.NewReader(d.read(t, "p.cw")), &out }, "open", "-")
	s.answer(t, "Passphrase: ", "open sesame\r")
	s.end(t, 0)
	if !bytes.Equal(out.Bytes(), d.text) {
		t.Error("it came back changed")
	}

	s = show(t, d.string, as, "open", "p.cw", "again")
	s.answer(t, "Passphrase: ", "close sesame\r")
	if text := s.end(t, exitData); !strings.Contains(text, "wrong passphrase") {
		t.Errorf("shown:\n%s", text)
	}
	s = show(t, d.string, as, "seal", "plain", "q.cw")
	s.answer(t, "Passphrase: ", "a\r")
	s.answer(t, "Again: ", "b\r")
	if text := s.end(t, exitFailed); !strings.Contains(text, "not the same") {
		t.Errorf("shown:\n%s", text)
	}
	s = show(t, d.string, as, "seal", "plain", "q.cw")
	s.answer(t, "Passphrase: ", "\r")
	if text := s.end(t, exitFailed); !strings.Contains(text, "no passphrase") {
		t.Errorf("shown:\n%s", text)
	}
	d.want(t, "key", "p.cw", "plain", "plain.cw")

	// No question is asked in vain: what is refused anyway is refused before.
	s = show(t, d.string, as, "seal", "plain", "p.cw")
	if text := s.end(t, exitFailed); strings.Contains(text, "Passphrase") || !strings.Contains(text, "exists") {
		t.Errorf("shown:\n%s", text)
	}
}

// TestInterruptedPrompt: a signal at the prompt leaves a terminal that shows what
// is typed.
func TestInterruptedPrompt(t *testing.T) {
	t.Parallel()
	d := newFolder(t, 1000)
	s := show(t, d.string, as, "seal", "plain", "p.cw")
	s.answer(t, "Passphrase: ", "abc\x03")
	s.end(t, 130)
	s = show(t, d.string, as, "seal", "plain", "p.cw")
	s.answer(t, "Passphrase: ", "abc\r")
	s.answer(t, "Again: ", "abc")
	s.Process.Signal(syscall.SIGTERM)
	s.end(t, 143)
	d.want(t, "key", "plain", "plain.cw")
}

// TestProgress: a bar with the rate and the time on a terminal, and none
// elsewhere or with -q. It is gone at the end.
func TestProgress(t *testing.T) {
	t.Parallel()
	const length = 8 << 20
	d := newFolder(t, length)

	// Who reads the output makes the program slow enough to look at.
	slowly := func(c *exec.Cmd) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Close() })
		c.Stdout = w
		go func() {
			defer r.Close()
			for buf := make([]byte, 128<<10); ; time.Sleep(5 * time.Millisecond) {
				if _, err := r.Read(buf); err != nil {
					return
				}
			}
		}()
	}
	shown := show(t, d.string, slowly, "seal", "-key", "key", "plain", "-").end(t, 0)
	for _, want := range []string{`\d%`, `/8.4 MB, `, `\d [kMG]B/s`, `\[\d+s:\d+s\]`, `sealed 8.39 MB in \d`} {
		if !regexp.MustCompile(want).MatchString(shown) {
			t.Errorf("no %s in %q", want, shown)
		}
	}
	if shown := show(t, d.string, slowly, "seal", "-q", "-key", "key", "plain", "-").end(t, 0); shown != "" {
		t.Errorf("-q shows %q", shown)
	}

	// From a pipe the size is not known.
	s := show(t, d.string, func(c *exec.Cmd) { slowly(c); c.Stdin = bytes.NewBuffer(d.text) }, "seal", "-key", "key", "-")
	if shown := s.end(t, 0); !regexp.MustCompile(`\d [kMG]B/s`).MatchString(shown) || !strings.Contains(shown, "sealed 8.39 MB in ") || strings.Contains(shown, "%") {
		t.Errorf("from a pipe %q", shown)
	}

	// Text that is put out on the terminal has it to itself.
	d.write(t, "text", []byte("Hello.\n"))
	do(t, d.string, "seal", "-key", "key", "text").want(t, 0, "")
	if shown := show(t, d.string, as, "open", "-key", "key", "text.cw", "-").end(t, 0); shown != "Hello.\r\n" {
		t.Errorf("open shows %q", shown)
	}
	if shown := show(t, d.string, as, "seal", "-key", "key", "text", "-").end(t, exitUsage); !strings.Contains(shown, "garble") {
		t.Errorf("seal to the terminal shows %q", shown)
	}
}
