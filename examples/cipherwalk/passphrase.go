package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// passphrase reads the passphrase from where the command line says: a file, or
// the terminal, there twice if it is new. It is not empty. The caller clears it.
func (a *access) passphrase(fresh bool) ([]byte, error) {
	if a.passphraseFile != "" {
		return readPassphrase(a.passphraseFile)
	}
	t, err := openTerminal()
	if err != nil {
		return nil, err
	}
	defer t.close()
	first, err := t.ask("Passphrase: ")
	if err != nil || !fresh {
		return first, err
	}
	second, err := t.ask("Again: ")
	if err != nil {
		clear(first)
		return nil, err
	}
	defer clear(second)
	if !bytes.Equal(first, second) {
		clear(first)
		return nil, errors.New("the two passphrases are not the same")
	}
	return first, nil
}

// readPassphrase reads the first line of a file. It may be the only one and need
// not end, and the end of a line may be that of Windows.
func readPassphrase(path string) ([]byte, error) {
	text, err := readSecretFile(path)
	if err != nil {
		return nil, err
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	clear(rest)
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) == 0 {
		return nil, fmt.Errorf("%s: its first line, the passphrase, is empty", path)
	}
	return line, nil
}

// A terminal is where a person can be asked, whatever the standard streams are.
type terminal struct {
	in, out *os.File
}

func openTerminal() (*terminal, error) {
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		return &terminal{tty, tty}, nil
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		return &terminal{os.Stdin, os.Stderr}, nil
	}
	return nil, usageError("no terminal to ask for the passphrase at: say -passphrase-file FILE or -key FILE")
}

func (t *terminal) close() {
	if t.in != os.Stdin {
		t.in.Close()
	}
}

// ask reads a line that is not shown. Should a signal end the program meanwhile,
// the terminal gets its echo back.
func (t *terminal) ask(prompt string) ([]byte, error) {
	fd := int(t.in.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	uninterrupted(func() error {
		undo[t] = func() {
			term.Restore(fd, state)
			fmt.Fprintln(t.out)
		}
		return nil
	})
	fmt.Fprint(t.out, prompt)
	line, err := term.ReadPassword(fd)
	fmt.Fprintln(t.out)
	uninterrupted(func() error {
		delete(undo, t)
		return nil
	})
	switch {
	case err == io.EOF || err == nil && len(line) == 0:
		return nil, errors.New("no passphrase, nothing done")
	case err != nil:
		return nil, err
	}
	return line, nil
}
