//go:build unix

package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestHelp looks at the help as a new user does: it is there for the program and
// each command, on the standard output, fits the screen, and has every flag.
func TestHelp(t *testing.T) {
	t.Parallel()
	check := func(text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in\n%s", part, text)
			}
		}
		for line := range strings.Lines(text) {
			if n := len(strings.TrimRight(line, "\n")); n > 96 {
				t.Errorf("line of %d bytes: %s", n, line)
			}
		}
	}
	overview := do(t, "", "-h").want(t, 0, "").stdout
	check(overview, "Usage:\n  cipherwalk COMMAND [flags] [arguments]", "Exit codes:", "3  wrong key", "First steps:")
	for _, alias := range []string{"help", "--help", "-help"} {
		if got := do(t, "", alias).want(t, 0, ""); got.stdout != overview {
			t.Errorf("%s is not -h", alias)
		}
	}
	for _, c := range commands {
		check(overview, fmt.Sprintf("\n  %-8s %s\n", c.name, c.summary))
		text := do(t, "", c.name, "-h").want(t, 0, "").stdout
		check(text, "Usage:\n  cipherwalk "+c.name+" "+c.args+"\n")
		f := flag.NewFlagSet("", flag.ContinueOnError)
		c.setup(f)
		f.VisitAll(func(f *flag.Flag) { check(text, "\n  -"+f.Name) })
		if got := do(t, "", "help", c.name).want(t, 0, ""); got.stdout != text {
			t.Errorf("help %s is not %s -h", c.name, c.name)
		}
	}
	check(do(t, "", "seal", "-h").stdout, ".cw", "-context text", "-passphrase-file", "default cobblestone256", "c2sp.org/chunked-encryption")
	check(do(t, "", "cat", "-h").stdout, "-range OFFSET:LENGTH")
}

// TestReports runs what reports on the machine.
func TestReports(t *testing.T) {
	t.Parallel()
	info := do(t, "", "info").want(t, 0, "").stdout
	for _, part := range []string{"version ", "levels ", "Generic", "chosen ", "cobblestone256 ", "/s seal, "} {
		if !strings.Contains(info, part) {
			t.Errorf("no %q in\n%s", part, info)
		}
	}
	if runtime.GOARCH == "amd64" {
		c := prepare("", nil, "info")
		c.Env = append(os.Environ(), "GODEBUG=cpu.all=off")
		if info := finish(t, c).want(t, 0, "").stdout; !regexp.MustCompile(`chosen +Generic\n`).MatchString(info) {
			t.Errorf("with all features off:\n%s", info)
		}
	}
	table := do(t, "", "bench", "-workers", "2", "-suite", "cobblestone128").want(t, 0, "").stdout
	for _, part := range []string{"16 MiB, 2 threads\n", "cobblestone128  seal  ", "open  "} {
		if !strings.Contains(table, part) {
			t.Errorf("no %q in\n%s", part, table)
		}
	}
	if got := do(t, "", "version").want(t, 0, ""); !strings.HasPrefix(got.stdout, "cipherwalk ") {
		t.Errorf("version says %q", got.stdout)
	}
}
