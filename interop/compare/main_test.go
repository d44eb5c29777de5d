package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	args := []string{
		"-work", "encrypt, one|decrypt, lists", "-impl", "^(Generic|64 B)$", "-size", "64,16384,65536", "-key", "128",
		"-slices", "1", "-time", "1s", "-csv", filepath.Join(dir, "x.csv"), "-svg", filepath.Join(dir, "x.svg"),
	}
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(o, args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"== AES-128-XTS encrypt, one unit ==", "== AES-128-XTS decrypt, lists ==", "Generic", "one buffer"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "sectors") {
		t.Errorf("sectors in:\n%s", &out)
	}
	table, err := os.ReadFile(o.csv)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"one unit\",64,Generic", "lists\",65536,64 B,"} {
		if !bytes.Contains(table, []byte(want)) {
			t.Errorf("no %q in:\n%s", want, table)
		}
	}
	chart, err := os.ReadFile(o.svg)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(chart, new(struct{ XMLName xml.Name })); err != nil {
		t.Error(err)
	}
}

func TestRunFails(t *testing.T) {
	for _, args := range [][]string{
		{"-work", "no such"},
		{"-work", "XTS", "-size", "3"},
		{"-base", "no such"},
		{"-size", "16", "-slices", "1", "-work", "AES-256-XTS encrypt, one", "-csv", filepath.Join(t.TempDir(), "absent", "x")},
	} {
		o, err := parse(args, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if err := run(o, args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestList(t *testing.T) {
	o, err := parse([]string{"-list", "-key", "128,256"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(o, nil, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"AES-128-XTS encrypt, one unit\n  sizes: 16 63 64 ", "AES-256-XTS decrypt, lists", "implementations: Generic; "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
}

func TestParse(t *testing.T) {
	var help bytes.Buffer
	if _, err := parse([]string{"-h"}, &help); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
	if !strings.Contains(help.String(), "-tags openssl") {
		t.Errorf("nothing of OpenSSL in:\n%s", &help)
	}
	for _, args := range [][]string{
		{"-key", "100"}, {"-size", "1,x"}, {"-size", "0"}, {"-work", "("}, {"-impl", "("}, {"-slices", "0"}, {"word"}, {"-x"},
	} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	o, err := parse([]string{"-size", "16, 4096", "-key", "128,192"}, io.Discard)
	if err != nil || len(o.sizes) != 2 || len(o.bits) != 2 {
		t.Errorf("%+v, %v", o, err)
	}
}
