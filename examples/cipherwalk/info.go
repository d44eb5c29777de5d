package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"text/tabwriter"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/stream"
)

var infoCommand = command{
	name: "info", args: "[INPUT]", min: 0, max: 1,
	summary: "what this machine can do, or what a file is",
	help: `Says which instructions this machine has for the ciphers, which are chosen, and
measures shortly how fast they are. With INPUT, says what can be seen of a sealed
file without its key; nothing of that is checked.
`,
	setup: func(*flag.FlagSet) func([]string) error {
		return func(args []string) error {
			if len(args) == 1 {
				return describeFile(args[0])
			}
			return describeMachine()
		}
	},
}

func describeMachine() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "version\t%s\n", version())
	fmt.Fprintf(w, "system\t%s/%s, %s, %d threads\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.GOMAXPROCS(0))
	fmt.Fprint(w, "levels\t")
	for _, l := range kernels.Levels() {
		fmt.Fprintf(w, "%v ", l)
	}
	fmt.Fprintf(w, "\nchosen\t%v\n", kernels.Best())
	if kernels.Best() == kernels.Generic {
		fmt.Fprint(w, "\tportable code: no assembly for this machine, or switched off\n")
	}
	for _, s := range suites() {
		f, err := measure(s, 1<<20, 1, 50*time.Millisecond)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s/s seal, %s/s open, one thread\n", suiteNames[s], size(f.seal), size(f.open))
	}
	if runtime.GOARCH == "amd64" {
		fmt.Fprint(w, "override\tGODEBUG=cpu.avx512f=off leaves out AVX-512, cpu.avx2=off all wide registers,\n")
		fmt.Fprint(w, "\tcpu.aes=off all assembly\n")
	}
	return w.Flush()
}

// describeFile says what a sealed file shows to everybody.
func describeFile(path string) error {
	in, err := openInput(path)
	if err != nil {
		return err
	}
	defer in.Close()
	h, ok, err := readHeader(bufio.NewReaderSize(io.LimitReader(in, maxLine), maxLine))
	if err != nil {
		return about(in, err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	skip := int64(0)
	if ok {
		skip = int64(len(h.String()))
		fmt.Fprintf(w, "key\tfrom a passphrase, by Argon2id with %d MiB, %d passes, %d lanes\n", h.cost.memory>>10, h.cost.passes, h.cost.lanes)
		fmt.Fprintf(w, "suite\t%s (%v)\n", suiteNames[h.suite], h.suite)
	} else {
		fmt.Fprint(w, "key\tof a key file, if it is a sealed file at all: it is not sealed with a passphrase\n")
	}
	if in.size >= 0 {
		if n, err := stream.DecryptedSize(in.size - skip); err != nil {
			fmt.Fprint(w, "size\tthat of no sealed file, or its end is missing\n")
		} else {
			fmt.Fprintf(w, "size\t%d bytes when opened\n", n)
		}
	}
	return w.Flush()
}

// version is what the Go command has noted in the program.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && v == "(devel)" {
			v += " " + s.Value
		}
	}
	return v
}
