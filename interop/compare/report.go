package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cipherwalk/cipherwalk/interop/internal/openssl"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// absent stands in a table for what does not exist.
const absent = "-"

// header returns what a reader must know to judge the figures.
func header(now time.Time, args []string) string {
	return fmt.Sprintf(`date     %s
cpu      %s, %d threads, %s/%s
levels   %v, best %v
go       %s
openssl  %s
command  %s
`,
		now.Format("2006-01-02 15:04 -0700"),
		cpuModel("/proc/cpuinfo"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		kernels.Levels(), kernels.Best(),
		runtime.Version(),
		openssl.Version(),
		strings.Join(args, " "))
}

// cpuModel returns the model that a file such as /proc/cpuinfo names.
func cpuModel(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// writeTable writes the rows of one work: all figures first, then the speeds
// alone as a matrix of sizes by implementations.
func writeTable(w io.Writer, rows []row) error {
	work := rows[0].work
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n== %s ==\n", work.name)
	fmt.Fprintf(&b, "speed is against %s; ceiling is AES alone at the width given; each from the leasts and from the medians\n\n", work.base)

	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "bytes\timplementation\tns/call\tmedian\tGB/s\tmedian\tspeed\tmedian\tceiling\tmedian\tbits\t\n")
	for i, r := range rows {
		if i > 0 && rows[i-1].size != r.size {
			fmt.Fprint(t, "\t\t\t\t\t\t\t\t\t\t\t\n")
		}
		ns, nsMedian, width := number(r.least), number(r.median), absent
		if r.ceiling {
			ns, nsMedian = absent, absent // of no call that anybody makes
		}
		if r.width > 0 {
			width = strconv.Itoa(r.width)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.size, r.impl, ns, nsMedian,
			number(r.gbps(r.least)), number(r.gbps(r.median)),
			ratio(r.speedLeast), ratio(r.speedMedian), percent(r.partLeast), percent(r.partMedian), width)
	}
	flush(t)

	fmt.Fprint(&b, "\nGB/s of the leasts\n\n")
	impls := names(rows)
	fmt.Fprintf(t, "bytes\t%s\t\n", strings.Join(impls, "\t"))
	for _, line := range bySize(rows) {
		cells := make([]string, len(impls))
		for i, impl := range impls {
			cells[i] = absent
			for _, r := range line {
				if r.impl == impl {
					cells[i] = number(r.gbps(r.least))
				}
			}
		}
		fmt.Fprintf(t, "%d\t%s\t\n", line[0].size, strings.Join(cells, "\t"))
	}
	flush(t)

	// The padding of empty cells at the end of a line is of no use.
	for line := range strings.Lines(b.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// flush ends a table that goes to a bytes.Buffer, which takes everything.
func flush(t *tabwriter.Writer) { must(t.Flush()) }

// bySize divides the rows of one work into those of one size each.
func bySize(rows []row) [][]row {
	var all [][]row
	for _, r := range rows {
		if n := len(all); n > 0 && all[n-1][0].size == r.size {
			all[n-1] = append(all[n-1], r)
		} else {
			all = append(all, []row{r})
		}
	}
	return all
}

// number formats with three digits or more.
func number(x float64) string {
	switch {
	case x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case x >= 1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// ratio formats a ratio, of which 0 means that there is none. Small ones keep
// two digits.
func ratio(x float64) string {
	switch {
	case x == 0:
		return absent
	case x < 0.1:
		return strconv.FormatFloat(x, 'f', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// percent formats a part of a whole, of which 0 means that there is none.
func percent(x float64) string {
	if x == 0 {
		return absent
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + "%"
}
