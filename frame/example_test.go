package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"strings"

	"github.com/cipherwalk/cipherwalk/frame"
)

// Keys as a handshake would give them: secret, random, and fresh for each connection.
var (
	clientKey = []byte("what the client sends with......")
	serverKey = []byte("what the server sends with......")
)

// dial returns both ends of a connection. In a program they are on two machines.
func dial() (client, server *frame.Conn) {
	x, y := net.Pipe()
	client, err := frame.NewConn(x, clientKey, serverKey)
	if err != nil {
		log.Fatal(err)
	}
	server, err = frame.NewConn(y, serverKey, clientKey)
	if err != nil {
		log.Fatal(err)
	}
	return client, server
}

// A response that lies in pieces is sealed where it lies and sent in one call.
func ExampleConn_WriteBuffers() {
	client, server := dial()
	defer client.Close()
	go func() {
		defer server.Close()
		response := net.Buffers{[]byte("HTTP/1.1 200 OK\r\n\r\n"), []byte("first part, "), []byte("second part\n")}
		if _, err := server.WriteBuffers(&response); err != nil {
			log.Print(err)
		}
	}()
	got, err := io.ReadAll(client)
	fmt.Printf("%q, %v\n", got, err)
	// Output: "HTTP/1.1 200 OK\r\n\r\nfirst part, second part\n", <nil>
}

// A Conn goes wherever a net.Conn does. The end of what is copied must be sent, or
// the other side takes it for cut off.
func Example_copy() {
	client, server := dial()
	go func() {
		defer client.Close()
		if _, err := io.Copy(client, strings.NewReader("a file")); err != nil {
			log.Print(err)
		}
		if err := client.CloseWrite(); err != nil {
			log.Print(err)
		}
	}()
	defer server.Close()
	var file bytes.Buffer
	n, err := io.Copy(&file, server)
	fmt.Println(n, err, file.String())
	// Output: 6 <nil> a file
}

// Who cuts the connection cannot make half a message look like a whole one.
func ExampleConn_Read_cut() {
	x, y := net.Pipe()
	server, err := frame.NewConn(y, serverKey, clientKey)
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	go func() {
		client, err := frame.NewConn(x, clientKey, serverKey)
		if err != nil {
			log.Fatal(err)
		}
		client.Write([]byte("pay 100 "))
		x.Close() // not client.Close()
	}()
	text, err := io.ReadAll(server)
	fmt.Printf("%q, cut off: %v\n", text, errors.Is(err, io.ErrUnexpectedEOF))
	// Output: "pay 100 ", cut off: true
}

// Both ends agree on the record from which the next key counts; here, on a message.
func ExampleConn_RekeySend() {
	client, server := dial()
	defer client.Close()
	go func() {
		defer server.Close()
		server.Write([]byte("next key"))
		if err := server.RekeySend(); err != nil {
			log.Print(err)
		}
		server.Write([]byte("under the next key"))
	}()
	var buf [100]byte
	for {
		n, err := client.Read(buf[:])
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", buf[:n])
		if string(buf[:n]) == "next key" {
			if err := client.RekeyRecv(); err != nil {
				log.Fatal(err)
			}
		}
	}
	// Output:
	// next key
	// under the next key
}

// A connection that another implementation has used goes on with its counters.
func ExampleWithSendCounter() {
	var wire bytes.Buffer
	c, err := frame.NewConn(&fake{w: &wire}, clientKey, serverKey, frame.WithSendCounter(12), frame.WithRecvCounter(34))
	if err != nil {
		log.Fatal(err)
	}
	c.Write([]byte("record number 12"))
	fmt.Println(wire.Len()-frame.Overhead, "bytes of text")
	// Output: 16 bytes of text
}
