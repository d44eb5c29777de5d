// Command compare measures this library against others, and against the AES
// units of the machine, side by side.
//
//	go run ./compare                      # in the folder interop
//	go run -tags openssl ./compare        # with OpenSSL: needs cgo and libssl-dev
//	go run ./compare -work 'encrypt, one' -size 512,4096 -svg xts.svg
//
// All cases of one work and size are interleaved in slices of about a
// millisecond, so that a noisy machine disturbs all of them alike; what counts
// is the least and the median of many slices, and of these the ratios. Before
// anything is measured, all implementations must give the same bytes.
//
// # How to add a work
//
// Write a function like xtsWorks in a file of its own and add it to families.
// The rest, that is interleaving, verification and reports, comes by itself.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// families returns the works for a size of AES keys in bits, in the order of
// the report.
var families = []func(bits int) []work{
	xtsWorks,
	listWorks,
	gcmWorks,
	aegisWorks,
	streamWorks,
}

const usage = `Usage: go run ./compare [flags]                  (in the folder interop)
       go run -tags openssl ./compare [flags]    (with OpenSSL; needs cgo and libssl-dev)

Measures AES implementations side by side: all cases of one work and size take
turns in slices of about a millisecond, the least and the median slice of each
count. Besides, AES ceilings are measured: loops of nothing but AES rounds.

Flags:
`

// options are the command line.
type options struct {
	work, impl *regexp.Regexp // nil: all
	sizes      []int          // nil: those of each work
	bits       []int
	slices     int
	bound      time.Duration // 0: none
	base       string        // empty: that of each work
	csv, svg   string        // empty: none
	list       bool
}

// parse reads the command line.
func parse(args []string, stderr io.Writer) (options, error) {
	o := options{bits: []int{256}}
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, usage)
		f.PrintDefaults()
	}
	pattern := func(to **regexp.Regexp) func(string) error {
		return func(s string) (err error) {
			*to, err = regexp.Compile(s)
			return err
		}
	}
	f.Func("work", "only works that match the `regexp`", pattern(&o.work))
	f.Func("impl", "only implementations that match the `regexp`, and the base", pattern(&o.impl))
	f.Func("size", "`list` of sizes in bytes, separated by commas, instead of those of each work;\na work leaves out what it cannot do", func(s string) (err error) {
		o.sizes, err = numbers(s)
		return err
	})
	f.Func("key", "`bits` of the AES key: 128, 192 or 256, or several separated by commas (default 256)", func(s string) (err error) {
		o.bits, err = numbers(s)
		for _, b := range o.bits {
			if b != 128 && b != 192 && b != 256 {
				return fmt.Errorf("no AES key has %d bits", b)
			}
		}
		return err
	})
	f.IntVar(&o.slices, "slices", 400, "slices of a millisecond per case")
	f.DurationVar(&o.bound, "time", 10*time.Minute, "bound of the whole run, divided among the groups; 0 for none")
	f.StringVar(&o.base, "base", "", "`implementation` that speeds are relative to, where a work has it\n(default the best level; for lists, one buffer)")
	f.StringVar(&o.csv, "csv", "", "write all figures to this `file`")
	f.StringVar(&o.svg, "svg", "", "write a chart of each work to this `file`")
	f.BoolVar(&o.list, "list", false, "list the works and implementations, measure nothing")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if o.slices < 1 {
		return o, errors.New("at least one slice is needed")
	}
	return o, nil
}

// numbers parses a list of positive numbers.
func numbers(s string) ([]int, error) {
	var list []int
	for field := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("%q is no positive number", field)
		}
		list = append(list, n)
	}
	return list, nil
}

// A task is a group that is not yet built: buffers come when they are needed.
type task struct {
	work work
	size int
}

// tasks returns what the options choose.
func (o options) tasks() []task {
	var all []task
	for _, bits := range o.bits {
		for _, family := range families {
			for _, w := range family(bits) {
				if o.work != nil && !o.work.MatchString(w.name) {
					continue
				}
				sizes := w.sizes
				if o.sizes != nil {
					sizes = o.sizes
				}
				for _, n := range sizes {
					if w.fits(n) {
						all = append(all, task{w, n})
					}
				}
			}
		}
	}
	return all
}

// group builds the group of a task.
func (o options) group(t task) group {
	return newGroup(t.work, t.size, o.base, func(impl string) bool {
		return o.impl == nil || o.impl.MatchString(impl)
	})
}

// run does all that the options say. Progress goes to a terminal or nowhere.
func run(o options, args []string, stdout, progress io.Writer) error {
	tasks := o.tasks()
	if len(tasks) == 0 {
		return errors.New("no work of that name and size")
	}
	if o.base != "" && !slices.ContainsFunc(tasks, func(t task) bool { return hasImpl(t.work.cases(t.size), o.base) }) {
		return fmt.Errorf("no implementation %q here to be the base; -list shows them", o.base)
	}
	if o.list {
		return list(o, tasks, stdout)
	}
	fmt.Fprint(stdout, header(time.Now(), args))

	r := runner{slices: o.slices, slice: time.Millisecond}
	var end time.Time
	if o.bound > 0 {
		end = time.Now().Add(o.bound)
	}
	var rows []row
	for i, t := range tasks {
		g := o.group(t)
		if err := g.verify(); err != nil {
			return err
		}
		fmt.Fprintf(progress, "\r\x1b[K%d/%d %s, %d bytes", i+1, len(tasks), t.work.name, t.size)
		var deadline time.Time
		if o.bound > 0 {
			deadline = time.Now().Add(time.Until(end) / time.Duration(len(tasks)-i))
		}
		rows = append(rows, rowsOf(g, r.measure(g, deadline))...)
		if i+1 == len(tasks) || tasks[i+1].work.name != t.work.name {
			fmt.Fprint(progress, "\r\x1b[K")
			all := byWork(rows)
			if err := writeTable(stdout, all[len(all)-1]); err != nil {
				return err
			}
		}
	}
	return errors.Join(
		save(o.csv, func(w io.Writer) error { return writeCSV(w, rows) }),
		save(o.svg, func(w io.Writer) error { return writeSVG(w, rows) }))
}

// list prints the works with their sizes and implementations.
func list(o options, tasks []task, w io.Writer) error {
	for i, t := range tasks {
		if i > 0 && tasks[i-1].work.name == t.work.name {
			continue
		}
		fmt.Fprintf(w, "%s\n  sizes:", t.work.name)
		var impls []string
		for _, u := range tasks[i:] {
			if u.work.name != t.work.name {
				break
			}
			fmt.Fprintf(w, " %d", u.size)
			for _, c := range o.group(u).cases {
				if !slices.Contains(impls, c.impl) {
					impls = append(impls, c.impl)
				}
			}
		}
		if _, err := fmt.Fprintf(w, "\n  implementations: %s\n", strings.Join(impls, "; ")); err != nil {
			return err
		}
	}
	return nil
}

// save writes a file, unless the name is empty.
func save(name string, write func(w io.Writer) error) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	if err == nil {
		var progress io.Writer = io.Discard
		if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			progress = os.Stderr
		}
		err = run(o, append([]string{"compare"}, os.Args[1:]...), os.Stdout, progress)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}
