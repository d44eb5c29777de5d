package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/cipherwalk/cipherwalk/stream"
)

// A key file is one line of text: the format, the cipher that the key is for by
// its name at IANA, and the key in base64 with padding, with one space between.
//
//	cipherwalk-key-v1 AEAD_AES_256_GCM q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=
//
// The cipher is in it because a key should serve one only, and so that nobody
// has to remember which.
const keyFormat = "cipherwalk-key-v1"

// maxSecretFile bounds what is read of a key file or a passphrase file, in
// bytes. It is much more than any has.
const maxSecretFile = 4096

var keygenCommand = command{
	name: "keygen", args: "[flags] KEYFILE", min: 1, max: 1,
	summary: "make a key file",
	help: `Makes a random key and writes it to the new file KEYFILE, readable by its owner
only. An existing file is never replaced. Whoever has a key file can open all that
was sealed with it, and if it is lost, nobody can: keep a copy in a safe place.
`,
	setup: func(f *flag.FlagSet) func([]string) error {
		suite := suiteFlag{suite: defaultSuite}
		f.Var(&suite, "suite", suiteUsage())
		return func(args []string) error { return keygen(args[0], suite.suite) }
	},
}

func keygen(path string, suite stream.Suite) error {
	key := make([]byte, suite.KeySize())
	rand.Read(key) // never fails
	line := formatKey(suite, key)
	clear(key)
	defer clear(line)
	if path == "-" {
		_, err := os.Stdout.Write(line)
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists, and a key is never replaced", path)
	}
	out, err := target{path: path, mode: 0o600}.create()
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.commit()
}

func formatKey(suite stream.Suite, key []byte) []byte {
	line := fmt.Appendf(nil, "%s %v ", keyFormat, suite)
	line = base64.StdEncoding.AppendEncode(line, key)
	return append(line, '\n')
}

// parseKey is the inverse of formatKey. White space around the line does no
// harm.
func parseKey(text []byte) (stream.Suite, []byte, error) {
	fields := bytes.Fields(text)
	if len(fields) != 3 || string(fields[0]) != keyFormat {
		return 0, nil, fmt.Errorf("no key file: want one line that begins with %q", keyFormat)
	}
	suite, err := findSuite(string(fields[1]))
	if err != nil {
		return 0, nil, err
	}
	key, err := base64.StdEncoding.Strict().AppendDecode(nil, fields[2])
	if err != nil {
		return 0, nil, errors.New("the key is not base64") // the decoder's error may quote it
	}
	if len(key) != suite.KeySize() {
		return 0, nil, fmt.Errorf("a key of %d bytes, want %d for %v", len(key), suite.KeySize(), suite)
	}
	return suite, key, nil
}

// readKey reads a key file.
func readKey(path string) (stream.Suite, []byte, error) {
	text, err := readSecretFile(path)
	if err != nil {
		return 0, nil, err
	}
	defer clear(text)
	suite, key, err := parseKey(text)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", path, err)
	}
	return suite, key, nil
}

// readSecretFile reads a small file that others should not be able to read, or
// with the name - the standard input.
func readSecretFile(path string) ([]byte, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Mode()&0o077 != 0 && runtime.GOOS != "windows" {
		warn("others than its owner have access to %s (mode %04o); chmod 600 would change that", path, info.Mode().Perm())
	}
	text := make([]byte, maxSecretFile+1)
	n, err := io.ReadFull(f, text)
	if err == nil {
		return nil, fmt.Errorf("%s: longer than %d bytes", path, maxSecretFile)
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return text[:n], nil
}

// quoteIfNeeded makes a name that can be pasted into a shell.
func quoteIfNeeded(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune("_-./+,@%:=", r) && !alphanumeric(r) }) {
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return name
}

func alphanumeric(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
