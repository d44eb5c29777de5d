package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/stream"
)

var benchCommand = command{
	name: "bench", args: "[flags]", min: 0, max: 0,
	summary: "measure the speed of sealing and opening",
	help: `Seals and opens messages of several sizes in memory, and shows how many bytes of
plaintext a second that is. Each figure is the best of many rounds. Small messages
are slower because each has keys of its own.
`,
	setup: func(f *flag.FlagSet) func([]string) error {
		workers := f.Int("workers", runtime.GOMAXPROCS(0), "how many `threads` the last column has")
		var suite suiteFlag
		f.Var(&suite, "suite", suiteUsage()+"\n(default all)")
		return func([]string) error {
			if *workers < 1 || *workers > 1024 {
				return usageError(fmt.Sprintf("-workers %d, want 1 to 1024", *workers))
			}
			list := suites()
			if suite.set {
				list = []stream.Suite{suite.suite}
			}
			return bench(list, *workers)
		}
	},
}

func bench(list []stream.Suite, workers int) error {
	fmt.Printf("%v of %v, %s/%s, %s\n\n", kernels.Best(), kernels.Levels(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	type column struct {
		name          string
		size, workers int
	}
	columns := []column{{"1 KiB", 1 << 10, 1}, {"16 KiB", 16 << 10, 1}, {"256 KiB", 256 << 10, 1}, {"16 MiB", 16 << 20, 1}}
	if workers > 1 {
		columns = append(columns, column{fmt.Sprintf("16 MiB, %d threads", workers), 16 << 20, workers})
	}
	fmt.Printf("%-20s", "suite")
	for _, c := range columns {
		fmt.Printf("  %10s", c.name)
	}
	fmt.Println()
	for _, s := range list {
		seal, open := fmt.Sprintf("%-15s seal", suiteNames[s]), fmt.Sprintf("%-15s open", "")
		for _, c := range columns {
			f, err := measure(s, c.size, c.workers, 100*time.Millisecond)
			if err != nil {
				return err
			}
			width := max(len(c.name), 10)
			seal += fmt.Sprintf("  %*s", width, size(f.seal)+"/s")
			open += fmt.Sprintf("  %*s", width, size(f.open)+"/s")
		}
		fmt.Printf("%s\n%s\n", seal, open)
	}
	return nil
}

// figures are bytes of plaintext a second.
type figures struct{ seal, open int64 }

// measure seals and opens a message of n bytes in memory again and again, for the
// given time but at least twice, and takes the best round of each.
func measure(suite stream.Suite, n, workers int, atLeast time.Duration) (figures, error) {
	key := make([]byte, suite.KeySize())
	text := make([]byte, n)
	var sealed bytes.Buffer
	var f figures
	for began, rounds := time.Now(), 0; rounds < 2 || time.Since(began) < atLeast; rounds++ {
		sealed.Reset()
		start := time.Now()
		w, err := stream.NewWriter(&sealed, suite, key, nil, stream.WithConcurrency(workers))
		if err != nil {
			return f, err
		}
		if _, err := w.Write(text); err != nil {
			return f, err
		}
		if err := w.Close(); err != nil {
			return f, err
		}
		f.seal = max(f.seal, rate(n, time.Since(start)))

		start = time.Now()
		r, err := stream.NewReader(bytes.NewReader(sealed.Bytes()), suite, key, nil, stream.WithConcurrency(workers))
		if err != nil {
			return f, err
		}
		if _, err := io.ReadFull(r, text); err != nil {
			return f, err
		}
		if _, err := r.Read(make([]byte, 1)); err != io.EOF {
			return f, fmt.Errorf("what was sealed did not open: %w", err)
		}
		f.open = max(f.open, rate(n, time.Since(start)))
	}
	return f, nil
}

func rate(n int, d time.Duration) int64 { return int64(float64(n) / max(d.Seconds(), 1e-9)) }
