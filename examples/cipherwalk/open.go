package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/cipherwalk/cipherwalk/stream"
)

var openCommand = command{
	name: "open", args: "[flags] INPUT [OUTPUT]", min: 1, max: 2,
	summary: "decrypt it again",
	help: `Decrypts what seal has made. The output is INPUT without its ` + suffix + `, or if INPUT is -
the standard output. INPUT itself stays.

An output file appears only when everything has turned out to be genuine. The
standard output gets each part as soon as that has, but whether all has come is
known at the end only: unless the exit code is 0, do not use what came.
`,
	setup: func(f *flag.FlagSet) func([]string) error {
		var o opening
		o.define(f)
		return func(args []string) error { return o.run(args[0], append(args, "")[1]) }
	},
}

// opening is the command open with its flags.
type opening struct{ flags }

func (o *opening) run(name, to string) error {
	if to == "" {
		var ok bool
		if to, ok = strings.CutSuffix(name, suffix); name == "-" {
			to = "-"
		} else if !ok || strings.HasSuffix(to, "/") || to == "" {
			return usageError(fmt.Sprintf("name an output, since %s does not end in %s", name, suffix))
		}
	}
	if err := o.check(name); err != nil {
		return err
	}
	in, err := openInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	t, err := planOutput(to, in, o.replace)
	if err != nil {
		return err
	}
	quiet := o.quiet || to == "-" && term.IsTerminal(int(os.Stdout.Fd())) // where it would be in the way
	p := newProgress("opened", in.size, quiet)
	// Beyond the header, the buffer is passed by.
	buffered := bufio.NewReaderSize(p.reader(in), maxLine)
	l, err := o.findLock(buffered)
	if err != nil {
		return about(in, err)
	}
	defer clear(l.key)
	out, err := t.create()
	if err != nil {
		return err
	}
	defer out.discard()
	r, err := stream.NewReader(buffered, l.suite, l.key, []byte(o.context), o.options())
	if err != nil {
		return err
	}
	p.start()
	defer p.stop()
	if n, err := r.WriteTo(out); err != nil {
		err = about(in, l.explain(err))
		if to == "-" && n > 0 {
			err = fmt.Errorf("%w; the %d bytes that were put out are genuine, but not all", err, n)
		}
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	p.finish(out.path)
	return nil
}

// about says which file a fault is in. Errors of the file itself have its name.
func about(in *input, err error) error {
	if data, ok := err.(dataError); ok {
		return dataError(in.name + ": " + string(data))
	}
	return err
}
