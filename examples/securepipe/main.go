// Command securepipe sends a file over an encrypted connection and back.
//
//	go run . [file]      # in the folder examples/securepipe
//
// A server and a client, both in this process, speak over TCP on loopback. They share
// a secret, from which a Noise handshake (github.com/flynn/noise, Noise_NNpsk0) makes
// a key for each direction; package frame does the rest. The server stores what it
// receives and sends it back; the client compares. The default file is the program
// itself.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("securepipe: ")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: securepipe [file]\n\nSends the file, by default this program, over an encrypted connection on loopback\nand back, compares, and prints how fast that was.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	path := flag.Arg(0)
	if path == "" {
		var err error
		if path, err = os.Executable(); err != nil {
			log.Fatal(err)
		}
	}
	if err := run(os.Stdout, path); err != nil {
		log.Fatal(err)
	}
}

// run sends one file to and fro and reports to out.
func run(out io.Writer, path string) error {
	secret := make([]byte, pskSize)
	rand.Read(secret)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	served := make(chan error, 1)
	go func() { served <- serve(l, secret) }()

	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	c, err := secure(conn, true, secret)
	if err != nil {
		conn.Close()
		return err
	}
	defer c.Close()
	fmt.Fprintf(out, "connection  %v, handshake %s\n", c, protocol)

	// The Conn reads the file itself, 256 KiB at a time.
	start := time.Now()
	n, err := io.Copy(c, f)
	if err != nil {
		return fmt.Errorf("sending: %w", err)
	}
	if err := c.CloseWrite(); err != nil { // or the server would take it for cut off
		return fmt.Errorf("sending: %w", err)
	}
	var ready [1]byte // the server has it all
	if _, err := io.ReadFull(c, ready[:]); err != nil {
		return fmt.Errorf("waiting: %w", err)
	}
	report(out, "sent", n, time.Since(start))

	start = time.Now()
	sum := sha256.New()
	back, err := os.CreateTemp("", "securepipe-*")
	if err != nil {
		return err
	}
	defer os.Remove(back.Name())
	defer back.Close()
	if n, err = io.Copy(back, c); err != nil {
		return fmt.Errorf("receiving: %w", err)
	}
	report(out, "received", n, time.Since(start))
	if err := <-served; err != nil {
		return fmt.Errorf("server: %w", err)
	}

	var sums [2][]byte
	for i, f := range []*os.File{f, back} {
		sum.Reset()
		if _, err := io.Copy(sum, io.NewSectionReader(f, 0, 1<<62)); err != nil {
			return err
		}
		sums[i] = sum.Sum(nil)
	}
	if !bytes.Equal(sums[0], sums[1]) {
		return fmt.Errorf("the file came back changed")
	}
	fmt.Fprintf(out, "compared    equal, SHA-256 %x\n", sums[0])
	return nil
}

func report(out io.Writer, what string, n int64, d time.Duration) {
	fmt.Fprintf(out, "%-11s %d bytes, %.2f GB/s\n", what, n, float64(n)/max(d.Seconds(), 1e-9)/1e9)
}

// serve takes one connection, stores what it brings, and sends it back.
func serve(l net.Listener, secret []byte) error {
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	c, err := secure(conn, false, secret)
	if err != nil {
		conn.Close()
		return err
	}
	defer c.Close()
	store, err := os.CreateTemp("", "securepipe-*")
	if err != nil {
		return err
	}
	defer os.Remove(store.Name())
	defer store.Close()
	if _, err := io.Copy(store, c); err != nil { // nil: to the end, not cut off
		return err
	}
	if _, err := store.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := c.Write([]byte{1}); err != nil {
		return err
	}
	if _, err := io.Copy(c, store); err != nil {
		return err
	}
	return c.CloseWrite()
}

// secure makes keys for a connection and returns it encrypted.
func secure(conn net.Conn, initiator bool, secret []byte) (*frame.Conn, error) {
	conn.SetDeadline(time.Now().Add(10 * time.Second)) // for the handshake
	send, recv, err := handshake(conn, initiator, secret)
	if err != nil {
		return nil, fmt.Errorf("handshake: %w", err)
	}
	conn.SetDeadline(time.Time{})
	c, err := frame.NewConn(conn, send[:], recv[:])
	clear(send[:])
	clear(recv[:])
	return c, err
}
