package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/cipherwalk/cipherwalk/stream"
)

var catCommand = command{
	name: "cat", args: "[flags] INPUT", min: 1, max: 1,
	summary: "decrypt a part of a file, by random access",
	help: `Decrypts a part of INPUT, or all of it, to the standard output. No more is read
than it takes, so the end of a huge file is there at once, and only what is read is
checked. INPUT must be a file; a pipe can only be opened.

A range is OFFSET:LENGTH in bytes of the plaintext; without LENGTH it is all from
there. A negative OFFSET counts from the end. K, M, G and T multiply by powers of
1024. What goes beyond the end is left out.

  cipherwalk cat -range 1M:512 disk.img.cw | hexdump -C
  cipherwalk cat -range -100: log.cw
`,
	setup: func(f *flag.FlagSet) func([]string) error {
		c := catting{extent: extent{length: -1}}
		c.define(f)
		f.Var(&c.extent, "range", "which part, as `OFFSET:LENGTH` (default: everything)")
		return func(args []string) error { return c.run(args[0]) }
	},
}

// catting is the command cat with its flags.
type catting struct {
	access
	extent extent
}

func (c *catting) run(name string) error {
	if err := c.check(name); err != nil {
		return err
	}
	in, err := openInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if in.size < 0 {
		return fmt.Errorf("%s is a pipe, of which no part can be read by itself; see cipherwalk open -h", in.name)
	}
	here, err := in.Seek(0, io.SeekCurrent) // the standard input may have been read from
	if err != nil {
		return err
	}
	file := io.NewSectionReader(in, here, in.size)
	l, err := c.findLock(bufio.NewReaderSize(file, maxLine))
	if err != nil {
		return about(in, err)
	}
	defer clear(l.key)
	skip := int64(len(l.header))
	sealed := io.NewSectionReader(file, skip, in.size-skip)
	r, err := stream.NewReaderAt(sealed, sealed.Size(), l.suite, l.key, []byte(c.context), c.options())
	if err != nil {
		return about(in, l.explain(err))
	}
	off, n, err := c.extent.within(r.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	// The writer hides that of os.File, which would choose small buffers.
	buffer := make([]byte, min(int64(c.workers)<<19, max(n, 1)))
	defer clear(buffer)
	_, err = io.CopyBuffer(struct{ io.Writer }{os.Stdout}, struct{ io.Reader }{io.NewSectionReader(r, off, n)}, buffer)
	return about(in, l.explain(err))
}

// An extent is the flag -range.
type extent struct {
	offset int64 // negative: from the end
	length int64 // negative: to the end
	text   string
}

func (e *extent) String() string { return e.text }

func (e *extent) Set(text string) error {
	offset, length, ok := strings.Cut(text, ":")
	if !ok {
		return errors.New("want OFFSET:LENGTH")
	}
	sign := int64(1)
	if strings.HasPrefix(offset, "-") {
		sign, offset = -1, offset[1:]
	}
	n, err := parseSize(offset)
	if err != nil {
		return err
	}
	e.offset, e.length, e.text = sign*n, -1, text
	if length != "" {
		e.length, err = parseSize(length)
	}
	return err
}

// within returns the part of it that something of the given size has.
func (e *extent) within(size int64) (off, n int64, err error) {
	off = e.offset
	if off < 0 {
		off = max(0, size+off)
	}
	if off > size {
		return 0, 0, fmt.Errorf("offset %d is behind its end, at %d", off, size)
	}
	n = size - off
	if e.length >= 0 {
		n = min(n, e.length)
	}
	return off, n, nil
}

// parseSize reads a number of bytes, such as 100 or 4K.
func parseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGT")
	shift := 0
	if unit := text[len(digits):]; len(unit) == 1 {
		shift = 10 * (1 + strings.Index("KMGT", unit))
	} else if unit != "" {
		return 0, fmt.Errorf("%q is no number of bytes", text)
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%q is no number of bytes", text)
	}
	return int64(n) << shift, nil
}
