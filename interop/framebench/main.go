// Command framebench measures connections over TCP on loopback: package frame
// against crypto/tls and against TCP itself, in one run.
//
//	go run ./framebench              # in the folder interop
//	go run ./framebench -rounds 300
//
// All kinds of connection take turns in slices of some milliseconds, so that a noisy
// machine disturbs them alike; what counts is the best and the median slice, and of
// these the ratios. A slice ends when the receiver has everything. Both ends are in
// this process.
//
// Where crypto/tls may choose, which it does in TLS 1.3, it uses AES-128-GCM; frame
// always AES-256-GCM.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"slices"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("framebench: ")
	rounds := flag.Int("rounds", 150, "slices of each kind and work")
	slice := flag.Duration("slice", 8*time.Millisecond, "length of a slice, about")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, *rounds, *slice); err != nil {
		log.Fatal(err)
	}
}

func run(w io.Writer, rounds int, slice time.Duration) error {
	kinds, err := newKinds()
	if err != nil {
		return err
	}
	defer kinds.close()
	fmt.Fprintf(w, "%s %s/%s, GOMAXPROCS %d, %d slices of %v; TLS: %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), rounds, slice, kinds.suite())

	fmt.Fprint(w, "\n| | | best, GB/s | median | of crypto/tls, best (median) | of TCP, best (median) | calls a MiB |\n|---|---|---|---|---|---|---|\n")
	for _, job := range works {
		kinds := kinds.of(job)
		all := measure(kinds, rounds, slice, job.transfer)
		for i, k := range kinds {
			best, median := summary(all[i])
			calls := "–"
			if n, ok, err := count(k, job); err != nil {
				return err
			} else if ok {
				calls = fmt.Sprintf("%.1f", n)
			}
			tls, tcp := kinds.index("crypto/tls"), kinds.index("TCP")
			fmt.Fprintf(w, "| %s | %s | %.2f | %.2f | %s | %s | %s |\n", job.name, k.name,
				1/best, 1/median, ratio(all[tls], all[i]), ratio(all[tcp], all[i]), calls)
		}
	}

	fmt.Fprint(w, "\n| round trip | | best, µs | median | of crypto/tls, best (median) |\n|---|---|---|---|---|\n")
	kinds = kinds.of(work{})
	all := measure(kinds, rounds, slice, roundTrips)
	for i, k := range kinds {
		best, median := summary(all[i])
		fmt.Fprintf(w, "| %d bytes | %s | %.2f | %.2f | %s |\n", pingSize, k.name, best/1e3, median/1e3,
			ratio(all[i], all[kinds.index("crypto/tls")]))
	}
	return nil
}

// measure goes round the kinds and returns the nanoseconds that one unit of work
// took in each slice of each.
func measure(kinds kinds, rounds int, slice time.Duration, work func(k *kind, d time.Duration) float64) [][]float64 {
	all := make([][]float64, len(kinds))
	for round := range rounds + 1 {
		for i, k := range kinds {
			if ns := work(k, slice); round > 0 { // the first is to warm up
				all[i] = append(all[i], ns)
			}
		}
	}
	return all
}

// summary returns the least and the median.
func summary(ns []float64) (least, median float64) {
	sorted := slices.Sorted(slices.Values(ns))
	return sorted[0], sorted[len(sorted)/2]
}

// ratio says how many times longer a takes than b.
func ratio(a, b []float64) string {
	aLeast, aMedian := summary(a)
	bLeast, bMedian := summary(b)
	return fmt.Sprintf("%.2f (%.2f)", aLeast/bLeast, aMedian/bMedian)
}
