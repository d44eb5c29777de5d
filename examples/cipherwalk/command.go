package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// A command is one verb of the program.
type command struct {
	name    string
	args    string // of its usage line
	summary string // in the list of commands
	help    string // whole lines, for its own help
	min     int    // how many arguments it takes
	max     int

	// setup defines the flags and returns what to do when they and the
	// arguments have been parsed.
	setup func(f *flag.FlagSet) func(args []string) error
}

// execute parses the command line behind the verb and does what it says.
func (c command) execute(line []string) error {
	f := flag.NewFlagSet(c.name, flag.ContinueOnError)
	f.SetOutput(io.Discard) // its reports are longer than ours
	do := c.setup(f)
	args, err := parse(f, line)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(os.Stdout, f)
		return nil
	case err != nil:
		return usageError(fmt.Sprintf("%v; see cipherwalk %s -h", err, c.name))
	case len(args) < c.min || len(args) > c.max:
		return usageError(fmt.Sprintf("usage: cipherwalk %s %s; see cipherwalk %s -h", c.name, c.args, c.name))
	}
	return do(args)
}

func (c command) printHelp(w io.Writer, f *flag.FlagSet) {
	fmt.Fprintf(w, "Usage:\n  cipherwalk %s %s\n\n%s", c.name, c.args, c.help)
	var flags strings.Builder
	f.SetOutput(&flags)
	f.PrintDefaults()
	if flags.Len() > 0 {
		fmt.Fprintf(w, "\nFlags:\n%s", &flags)
	}
}

// parse is f.Parse, but flags may also stand behind and between arguments, as
// people are used to type them. All that follows -- is an argument.
func parse(f *flag.FlagSet, line []string) (args []string, err error) {
	for {
		if err := f.Parse(line); err != nil {
			return nil, err
		}
		rest := f.Args()
		if parsed := len(line) - len(rest); parsed > 0 && line[parsed-1] == "--" {
			return append(args, rest...), nil
		}
		if len(rest) == 0 {
			return args, nil
		}
		args, line = append(args, rest[0]), rest[1:]
	}
}
