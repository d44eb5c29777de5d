package main

import (
	"flag"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/cipherwalk/cipherwalk/stream"
)

// suffix is what the names of sealed files end in, when nothing else is said.
const suffix = ".cw"

var sealCommand = command{
	name: "seal", args: "[flags] INPUT [OUTPUT]", min: 1, max: 2,
	summary: "encrypt a file or a pipe",
	help: `Encrypts INPUT, so that it can be neither read nor changed without the key. The
output is INPUT` + suffix + `, or if INPUT is - the standard output. INPUT itself stays.

The key comes from a passphrase, which is asked for twice at the terminal, or with
-key from a file that keygen has made. What a key file seals is in the format of
c2sp.org/chunked-encryption and nothing else; before that, what a passphrase seals
has a line that says how the key comes from it.
`,
	setup: func(f *flag.FlagSet) func([]string) error {
		var s sealing
		s.define(f)
		s.suite.suite = defaultSuite
		f.Var(&s.suite, "suite", suiteUsage()+";\na key file has the one it was made for")
		return func(args []string) error { return s.run(args[0], append(args, "")[1]) }
	},
}

// flags are those of seal and open.
type flags struct {
	access
	replace bool
	quiet   bool
}

func (o *flags) define(f *flag.FlagSet) {
	o.access.define(f)
	f.BoolVar(&o.replace, "f", false, "replace OUTPUT if it exists, once the new one is complete")
	f.BoolVar(&o.quiet, "q", false, "show no progress")
}

// sealing is the command seal with its flags.
type sealing struct {
	flags
	suite suiteFlag
}

func (s *sealing) run(name, to string) error {
	if to == "" {
		if to = name + suffix; name == "-" {
			to = "-"
		}
	}
	if err := s.check(name); err != nil {
		return err
	}
	if to == "-" && term.IsTerminal(int(os.Stdout.Fd())) {
		return usageError("encrypted data would garble the terminal; name an output, or redirect it")
	}
	in, err := openInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	t, err := planOutput(to, in, s.replace)
	if err != nil {
		return err
	}
	l, err := s.newLock(s.suite)
	if err != nil {
		return err
	}
	defer clear(l.key)
	out, err := t.create()
	if err != nil {
		return err
	}
	defer out.discard()

	p := newProgress("sealed", in.size, s.quiet)
	p.start()
	defer p.stop()
	w, err := stream.NewWriter(out, l.suite, l.key, []byte(s.context), s.options())
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, l.header); err != nil {
		return err
	}
	if _, err := w.ReadFrom(p.reader(in)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	p.finish(out.path)
	return nil
}
