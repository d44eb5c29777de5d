// Command sectors encrypts a file as a disk would be: in sectors, each under
// its number, out of buffers that have nothing to do with sectors. It reads the
// file back in place, compares, and prints what it did and how fast.
//
//	go run ./examples/sectors [-sector bytes] [-piece bytes] [file]
//
// The default file is the program itself. The last, incomplete sector of a file
// is filled up with zeros, as a disk image would have it.
package main

import (
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"runtime"
	"time"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("sectors: ")
	sector := flag.Int("sector", 512, "sector size in `bytes`, 16 or more")
	piece := flag.Int("piece", 1420, "size of the buffers in `bytes` that the data lie in")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: sectors [flags] [file]\n\nEncrypts the file, by default this program, sector by sector into a temporary\nfile, reads it back in place and compares.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	if *sector < xts.BlockSize || *sector > xts.MaxUnitSize || *piece < 1 {
		log.Fatalf("sector size %d and piece size %d, want %d to %d and at least 1", *sector, *piece, xts.BlockSize, xts.MaxUnitSize)
	}
	path := flag.Arg(0)
	if path == "" {
		var err error
		if path, err = os.Executable(); err != nil {
			log.Fatal(err)
		}
	}
	if err := run(os.Stdout, path, *sector, *piece); err != nil {
		log.Fatal(err)
	}
}

// run does the round trip of one file and reports to out.
func run(out io.Writer, path string, sector, piece int) error {
	plain, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	size := len(plain)
	if short := -size % sector; short != 0 {
		plain = append(plain, make([]byte, sector+short)...)
	}

	key := make([]byte, 64)
	rand.Read(key)
	c, err := xts.New(key)
	if err != nil {
		return err
	}
	disk, err := os.CreateTemp("", "sectors-*")
	if err != nil {
		return err
	}
	defer os.Remove(disk.Name())
	defer disk.Close()

	// The plaintext lies in pieces; the ciphertext goes into buffers of
	// another size, and from there to the file.
	src := pieces(plain, piece)
	dst := pieces(make([]byte, len(plain)), 4096)
	units := xts.Units{Size: sector}
	encrypted, allocs, err := measure(func() error { return c.EncryptUnits(dst, src, units) })
	if err != nil {
		return err
	}
	buffers := net.Buffers(append(sg.List(nil), dst...)) // WriteTo consumes its list
	if _, err := buffers.WriteTo(disk); err != nil {
		return err
	}

	// Back into the same pieces, and decrypted where they lie.
	back := pieces(make([]byte, len(plain)), piece)
	var offset int64
	for _, b := range back {
		n, err := disk.ReadAt(b, offset)
		if err != nil && !(err == io.EOF && n == len(b)) {
			return err
		}
		offset += int64(n)
	}
	decrypted, allocsBack, err := measure(func() error { return c.DecryptUnits(back, back, units) })
	if err != nil {
		return err
	}
	for i := range back {
		if !bytes.Equal(back[i], src[i]) {
			return fmt.Errorf("piece %d came back changed", i)
		}
	}

	rate := func(d time.Duration) float64 { return float64(len(plain)) / max(d.Seconds(), 1e-9) / 1e9 }
	fmt.Fprintf(out, "file       %s, %d bytes\n", path, size)
	fmt.Fprintf(out, "cipher     %v, levels here: %v\n", c, kernels.Levels())
	fmt.Fprintf(out, "layout     %d sectors of %d bytes in %d pieces of %d\n", len(plain)/sector, sector, len(src), piece)
	fmt.Fprintf(out, "encrypted  %.2f GB/s into %d buffers of 4096, %d allocations\n", rate(encrypted), len(dst), allocs)
	fmt.Fprintf(out, "decrypted  %.2f GB/s in place, %d allocations\n", rate(decrypted), allocsBack)
	fmt.Fprintln(out, "compared   equal")
	return nil
}

// pieces cuts p into segments of n bytes and a rest.
func pieces(p []byte, n int) sg.List {
	sizes := make([]int, len(p)/n)
	for i := range sizes {
		sizes[i] = n
	}
	return sg.Split(p, sizes...)
}

// measure times one call and counts its allocations.
func measure(f func() error) (time.Duration, uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	err := f()
	d := time.Since(start)
	runtime.ReadMemStats(&after)
	return d, after.Mallocs - before.Mallocs, err
}
