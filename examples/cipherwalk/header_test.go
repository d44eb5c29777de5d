package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"github.com/cipherwalk/cipherwalk/stream"
)

const goodHeader = "cipherwalk-passphrase-v1 AEAD_AES_256_GCM 262144 3 4 AAECAwQFBgcICQoLDA0ODw\n"

func TestHeader(t *testing.T) {
	h, err := parseHeader(goodHeader)
	if err != nil {
		t.Fatal(err)
	}
	want := header{suite: stream.Cobblestone256, cost: defaultCost, salt: [16]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}
	if h != want || h.String() != goodHeader {
		t.Errorf("parsed as %v", h)
	}
	h.cost = cost{memory: 8 << 10, passes: 2, lanes: 3}
	if got, want := h.key([]byte("sesame")), argon2.IDKey([]byte("sesame"), h.salt[:], 2, 8<<10, 3, 32); !bytes.Equal(got, want) {
		t.Errorf("key %x, want %x", got, want)
	}
	for _, s := range suites() { // every header fits what is read of one
		h := header{suite: s, cost: cost{maxMemory, maxPasses, maxLanes}}
		if n := len(h.String()); n > maxLine/2 {
			t.Errorf("header of %d bytes", n)
		}
	}
}

// TestHeaderRefused has what no header may be: another way to write one, or one
// that asks too much of the machine.
func TestHeaderRefused(t *testing.T) {
	change := func(from, to string) string {
		if !strings.Contains(goodHeader, from) {
			t.Fatalf("no %q to replace", from)
		}
		return strings.Replace(goodHeader, from, to, 1)
	}
	for _, line := range []string{
		change("v1", "v2"),
		change("v1", "v1 "),
		change(" 3", "  3"),
		change(" 3", "\t3"),
		change(" 3", " 03"),
		change(" 3", " +3"),
		change(" 3", " 0"),
		change(" 3", " 17"),
		change(" 3", " -1"),
		change(" 3", ""),
		change(" 4", " 0"),
		change(" 4", " 17"),
		change(" 4", " 256"),
		change(" 4", " 260"), // 4 in 8 bits
		change("262144", "0"),
		change("262144", "8191"),
		change("262144", "524289"),
		change("262144", "4294967295"),
		change("262144", "4295229440"), // the same in 32 bits
		change("262144", "99999999999999999999999"),
		change("AEAD_AES_256_GCM", "cobblestone256"),
		change("AEAD_AES_256_GCM", "aead_aes_256_gcm"),
		change("AEAD_AES_256_GCM", "AEAD_NONE"),
		change("ODw", "ODx"), // bits that are not used
		change("ODw", "ODw=="),
		change("ODw", "OD"),
		change("ODw", "OD-"),
		change("ODw", "ODwAAAA"),
		change("ODw", "O\rDw"),
		change("\n", " \n"),
		change("\n", "\r\n"),
		change("\n", ""),
		change("\n", strings.Repeat("x", 10000)+"\n"),
		headerMagic,
		headerFormat,
		headerFormat + "\n",
	} {
		_, ok, err := readHeader(bufio.NewReaderSize(strings.NewReader(line), maxLine))
		var data dataError
		if ok || !errors.As(err, &data) {
			t.Errorf("%.100q: %v, %v", line, ok, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("error of %d bytes", len(err.Error()))
		}
	}
}

// TestNoHeader: what begins otherwise is left as it is, from any reader.
func TestNoHeader(t *testing.T) {
	for _, text := range []string{"", "c", "cipherwalk-passphrase", "some text\n", strings.Repeat("x", 1000)} {
		r := bufio.NewReaderSize(strings.NewReader(text), maxLine)
		_, ok, err := readHeader(r)
		rest, _ := io.ReadAll(r)
		if ok || err != nil || string(rest) != text {
			t.Errorf("%.40q: %v, %v, rest %.40q", text, ok, err, rest)
		}
	}
	r := bufio.NewReaderSize(strings.NewReader(goodHeader+"rest"), maxLine)
	_, ok, err := readHeader(r)
	if rest, _ := io.ReadAll(r); !ok || err != nil || string(rest) != "rest" {
		t.Errorf("%v, %v, rest %q", ok, err, rest)
	}
	broken := errors.New("broken")
	if _, _, err := readHeader(bufio.NewReader(io.MultiReader(strings.NewReader("ciph"), failing{broken}))); err != broken {
		t.Errorf("error %v of the source was lost", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// FuzzHeader: nothing makes the parser panic, or take what it would not write,
// or what goes beyond its bounds.
func FuzzHeader(f *testing.F) {
	f.Add(goodHeader)
	f.Add(headerFormat + " x 1 1 1 AA\n")
	f.Fuzz(func(t *testing.T, line string) {
		h, err := parseHeader(line)
		if err != nil {
			return
		}
		if h.String() != line {
			t.Errorf("%q is written as %q", line, h)
		}
		if c := h.cost; c.memory < 8*uint32(c.lanes) || c.memory > maxMemory || c.passes < 1 || c.passes > maxPasses || c.lanes < 1 || c.lanes > maxLanes {
			t.Errorf("cost %+v", c)
		}
	})
}
