package main

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/stream"
)

func TestKeyFile(t *testing.T) {
	for _, s := range suites() {
		key := bytes.Repeat([]byte{0xfb}, s.KeySize())
		text := formatKey(s, key)
		if want := "cipherwalk-key-v1 " + s.String() + " " + base64.StdEncoding.EncodeToString(key) + "\n"; string(text) != want {
			t.Errorf("written as %q, want %q", text, want)
		}
		for _, text := range []string{string(text), strings.TrimSpace(string(text)), "\r\n" + strings.ReplaceAll(string(text), "\n", "\r\n")} {
			if suite, got, err := parseKey([]byte(text)); suite != s || !bytes.Equal(got, key) || err != nil {
				t.Errorf("%q: %v, %x, %v", text, suite, got, err)
			}
		}
	}
}

func TestKeyFileRefused(t *testing.T) {
	good := string(formatKey(stream.Cobblestone128, make([]byte, 16)))
	for _, text := range []string{
		"", "\n", good + good, good + "x",
		strings.Replace(good, "v1", "v2", 1),
		strings.Replace(good, "_128_", "_256_", 1),
		strings.Replace(good, "AEAD_AES", "AEAD_DES", 1),
		strings.Replace(good, "==", "", 1),
		strings.Replace(good, "A==", "B==", 1), // bits that are not used
		strings.Replace(good, "AAAA", "AA!A", 1),
		strings.Replace(good, "AAAA", "", 1),
	} {
		if _, _, err := parseKey([]byte(text)); err == nil {
			t.Errorf("%q was taken for a key file", text)
		} else if strings.Contains(err.Error(), "AAAAAA") {
			t.Errorf("the error has the key in it: %v", err)
		}
	}
}

func TestQuoting(t *testing.T) {
	for name, want := range map[string]string{"a/b-1.txt": "a/b-1.txt", "two words": "'two words'", "it's": `'it'\''s'`, "$x": "'$x'"} {
		if got := quoteIfNeeded(name); got != want {
			t.Errorf("%q quoted as %s, want %s", name, got, want)
		}
	}
}
