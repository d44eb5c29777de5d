package main

import (
	"io"
	"log"
	"net"
	"time"
)

// A work is a way to send bytes.
type work struct {
	name string
	size int  // bytes of one write
	list bool // as net.Buffers of 4 KiB
}

const pieceSize = 4 << 10

var works = []work{
	{"writes of 1 KiB", 1 << 10, false},
	{"writes of 16 KiB", 16 << 10, false},
	{"writes of 256 KiB", 256 << 10, false},
	{"net.Buffers of 64 times 4 KiB", 256 << 10, true},
}

// text is what is sent; the kernel and the ciphers do not look at it.
var text, sink = make([]byte, 1<<20), make([]byte, 256<<10)

// sender returns a function that sends once over conn.
func (w work) sender(conn net.Conn, k *kind) func() error {
	if !w.list {
		return func() error { _, err := conn.Write(text[:w.size]); return err }
	}
	// The list is consumed each time, so there is one to copy from.
	var whole, list net.Buffers
	for at := 0; at < w.size; at += pieceSize {
		whole = append(whole, text[at:at+pieceSize])
	}
	list = make(net.Buffers, len(whole))
	return func() error {
		copy(list, whole)
		v := list
		return k.buffers(conn, &v)
	}
}

// transfer sends for about as long as d and returns the nanoseconds a byte, up to
// when all was received.
func (w work) transfer(k *kind, d time.Duration) float64 {
	send := w.sender(k.a, k)
	// As many bytes as 4 GB/s are in that time, or 1 for small ones.
	total := int(d.Nanoseconds()) * 3
	if w.size < 4<<10 {
		total /= 4
	}
	times := max(total/w.size, 1)
	total = times * w.size
	done := make(chan error, 1)
	start := time.Now()
	go func() { done <- readAll(k.b, total, sink) }()
	for range times {
		check(send())
	}
	check(<-done)
	return float64(time.Since(start).Nanoseconds()) / float64(total)
}

// count returns the write calls of the connection below for a MiB, if they can be
// counted.
func count(k *kind, w work) (calls float64, ok bool, err error) {
	if k.counted == nil {
		return 0, false, nil
	}
	a, b, n, err := k.counted()
	if err != nil {
		return 0, false, err
	}
	defer func() { a.Close(); b.Close() }()
	go readAll(b, 1<<40, make([]byte, 256<<10))
	send := w.sender(a, k)
	const warm, total = 1 << 20, 16 << 20 // TLS begins with small records
	for range warm / w.size {
		check(send())
	}
	before := n.Load()
	for range total / w.size {
		check(send())
	}
	return float64(n.Load()-before) / (total >> 20), true, nil
}

// pingSize is the length of the messages that go to and fro.
const pingSize = 64

// roundTrips sends messages to and fro and returns the nanoseconds of one.
func roundTrips(k *kind, d time.Duration) float64 {
	times := max(int(d/(20*time.Microsecond)), 10)
	done := make(chan error, 1)
	go func() {
		var buf [pingSize]byte
		for range times {
			if _, err := io.ReadFull(k.b, buf[:]); err != nil {
				done <- err
				return
			}
			if _, err := k.b.Write(buf[:]); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	buf := make([]byte, pingSize)
	start := time.Now()
	for range times {
		_, err := k.a.Write(buf)
		check(err)
		_, err = io.ReadFull(k.a, buf)
		check(err)
	}
	elapsed := time.Since(start)
	check(<-done)
	return float64(elapsed.Nanoseconds()) / float64(times)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
