package gcm_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// exampleKey stands for 32 secret random bytes.
var exampleKey = []byte("thirty-two bytes, but no secret!")[:32]

// counter returns the nonce of message n.
func counter(n uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, gcm.NonceSize), n)
}

// An AEAD takes the place of that of crypto/cipher.
func ExampleAEAD_Seal() {
	var a cipher.AEAD
	a, err := gcm.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	nonce := counter(1) // never twice with one key
	ciphertext := a.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: all"))
	text, err := a.Open(nil, nonce, ciphertext, []byte("to: all"))
	fmt.Printf("%s, %v\n", text, err)
	_, err = a.Open(nil, nonce, ciphertext, []byte("to: few"))
	fmt.Println(errors.Is(err, gcm.ErrOpen))
	// Output:
	// attack at dawn, <nil>
	// true
}

// The header of a packet, which stays readable, is additional data. The payload
// is encrypted in place where it lies, in two pieces.
func ExampleAEAD_SealList() {
	a, err := gcm.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	header := []byte("from 10.0.0.1 to 10.0.0.2")
	payload := sg.List{[]byte("hello, "), []byte("neighbour")}
	tag := make([]byte, a.Overhead())
	if err := a.SealList(payload, payload, tag, counter(2), sg.List{header}); err != nil {
		log.Fatal(err)
	}
	if err := a.OpenList(payload, payload, tag, counter(2), sg.List{header}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", bytes.Join(payload, nil))
	// Output: hello, neighbour
}

// Buffers for one writev are sealed in place and sent with their tag, without
// being gathered.
func ExampleAEAD_SealList_buffers() {
	a, err := gcm.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	buffers := net.Buffers{[]byte("HTTP/1.1 200 OK\r\n\r\n"), []byte("body")}
	tag := make([]byte, a.Overhead())
	if err := a.SealList(sg.List(buffers), sg.List(buffers), tag, counter(3), nil); err != nil {
		log.Fatal(err)
	}
	buffers = append(buffers, tag)
	var wire bytes.Buffer // a net.Conn
	if _, err := buffers.WriteTo(&wire); err != nil {
		log.Fatal(err)
	}
	text, err := a.Open(nil, counter(3), wire.Bytes(), nil)
	fmt.Printf("%q, %v\n", text, err)
	// Output: "HTTP/1.1 200 OK\r\n\r\nbody", <nil>
}

// A cache checks what it stores without ever holding the text, which is
// decrypted when somebody asks for it.
func ExampleAEAD_VerifyList() {
	a, err := gcm.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	stored := a.Seal(nil, counter(4), []byte("for later"), nil)
	n := len(stored) - a.Overhead()
	text, tag := sg.List{stored[:4], stored[4:n]}, stored[n:]
	fmt.Println(a.VerifyList(text, tag, counter(4), nil))
	got := make([]byte, n)
	fmt.Println(a.OpenList(sg.List{got}, text, tag, counter(4), nil))
	fmt.Printf("%s\n", got)
	// Output:
	// <nil>
	// <nil>
	// for later
}

// A text that is read bit by bit is one message all the same.
func ExampleSealer() {
	a, err := gcm.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	s, err := a.NewSealer(counter(5))
	if err != nil {
		log.Fatal(err)
	}
	if err := s.AAD([]byte("header")); err != nil {
		log.Fatal(err)
	}
	src := bytes.NewReader([]byte("whatever a reader gives"))
	var sealed bytes.Buffer
	var buf [7]byte
	for {
		n, err := src.Read(buf[:])
		if err == io.EOF {
			break
		}
		if err := s.Update(buf[:n], buf[:n]); err != nil {
			log.Fatal(err)
		}
		sealed.Write(buf[:n])
	}
	var tag [gcm.TagSize]byte
	if err := s.Sum(tag[:]); err != nil {
		log.Fatal(err)
	}
	sealed.Write(tag[:])
	text, err := a.Open(nil, counter(5), sealed.Bytes(), []byte("header"))
	fmt.Printf("%s, %v\n", text, err)
	// Output: whatever a reader gives, <nil>
}

// ESP: key and salt come from the key exchange, the explicit IV with the packet.
func ExampleNewRFC4106() {
	keyAndSalt := append(bytes.Clone(exampleKey), 0xca, 0xfe, 0xba, 0xbe)
	esp, err := gcm.NewRFC4106(keyAndSalt)
	if err != nil {
		log.Fatal(err)
	}
	iv := make([]byte, esp.NonceSize())
	binary.BigEndian.PutUint64(iv, 1)
	spiAndSequence := []byte{0, 0, 0x12, 0x34, 0, 0, 0, 1}
	packet := esp.Seal(nil, iv, []byte("IP datagram"), spiAndSequence)
	text, err := esp.Open(nil, iv, packet, spiAndSequence)
	fmt.Printf("%s, %v\n", text, err)
	// Output: IP datagram, <nil>
}
