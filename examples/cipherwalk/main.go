// Command cipherwalk seals files and pipes and opens them again.
//
//	cipherwalk seal notes.txt              # asks for a passphrase, writes notes.txt.cw
//	cipherwalk open notes.txt.cw           # writes notes.txt
//	tar c dir | cipherwalk seal -key my.key - dir.tar.cw
//	cipherwalk cat -key my.key -range 1M:4K dir.tar.cw
//
// It is a module of its own, so that what it needs for terminals stays out of
// the library. The work is done by package stream. What is here is what a
// program must add: where the key comes from (access.go, key.go, passphrase.go,
// header.go), how an output comes to stand whole under its name or not at all
// (output.go, interrupt.go), and what it tells its user.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

const introduction = `cipherwalk seals files and pipes, and opens them again.

Usage:
  cipherwalk COMMAND [flags] [arguments]

Commands:
`

const topics = `
"cipherwalk COMMAND -h" explains one of them. Flags may also follow the arguments,
and the name - stands for the standard input or output.

First steps:
  cipherwalk seal notes.txt                   asks for a passphrase, writes notes.txt.cw
  cipherwalk open notes.txt.cw                writes notes.txt, if there is none
  cipherwalk keygen my.key                    makes a key, for scripts and large files
  tar c dir | cipherwalk seal -key my.key - dir.tar.cw

An output appears under its name when it is complete and on the disk, never
before. A file that exists is left alone, unless -f allows to replace it.

Exit codes:
  0  done
  1  failed: no such file, disk full, output exists ...
  2  wrong usage
  3  wrong key, passphrase or context, or the data were damaged, cut off or extended
  128 + n  ended by signal n, such as 130 for Ctrl-C
`

// commands are the verbs, in the order of the help.
var commands = []command{sealCommand, openCommand, catCommand, keygenCommand, infoCommand, benchCommand}

func main() {
	watchSignals()
	os.Exit(report(run(os.Args[1:])))
}

// run executes a command line.
func run(args []string) error {
	if len(args) == 0 {
		printUsage(os.Stderr)
		return usageError("")
	}
	name := args[0]
	switch name {
	case "-h", "-help", "--help", "help":
		if len(args) > 1 {
			return run([]string{args[1], "-h"})
		}
		printUsage(os.Stdout)
		return nil
	case "-version", "--version", "version":
		fmt.Println("cipherwalk", version())
		return nil
	}
	for _, c := range commands {
		if c.name == name {
			return c.execute(args[1:])
		}
	}
	return usageError(fmt.Sprintf("there is no command %q; see cipherwalk -h", name))
}

func printUsage(w io.Writer) {
	var b strings.Builder
	b.WriteString(introduction)
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-8s %s\n", c.name, c.summary)
	}
	b.WriteString(topics)
	io.WriteString(w, b.String())
}

// The exit codes; see topics.
const (
	exitFailed = 1
	exitUsage  = 2
	exitData   = 3
)

// A usageError is a fault of the command line. If it is empty, everything has
// been said.
type usageError string

func (e usageError) Error() string { return string(e) }

// A dataError says that a sealed file does not open: because of the key, the
// passphrase or the context, or of what happened to it.
type dataError string

func (e dataError) Error() string { return string(e) }

// report tells the user of an error and returns the exit code.
func report(err error) int {
	var usage usageError
	var data dataError
	code := exitFailed
	switch {
	case err == nil:
		return 0
	case errors.Is(err, syscall.EPIPE): // who reads our output has enough
		return 128 + int(syscall.SIGPIPE)
	case errors.As(err, &usage):
		code = exitUsage
	case errors.As(err, &data):
		code = exitData
	}
	if usage != "" || code != exitUsage {
		fmt.Fprintln(os.Stderr, "cipherwalk:", err)
	}
	return code
}

// warn tells the user of something that is no error.
func warn(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "cipherwalk: warning: "+format+"\n", args...)
}
