package aegis_test

import (
	"bytes"
	"crypto/cipher"
	"crypto/hmac"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/sg"
)

// exampleKey stands for 16 secret random bytes.
var exampleKey = []byte("sixteen bytes, but no secret")[:16]

// counter returns the nonce of message n.
func counter(n uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 8, 16), n)
}

// An AEAD is one of crypto/cipher.
func ExampleAEAD_Seal() {
	var a cipher.AEAD
	a, err := aegis.New(aegis.AEGIS128L, exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	nonce := counter(1) // never twice with one key
	ciphertext := a.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: all"))
	text, err := a.Open(nil, nonce, ciphertext, []byte("to: all"))
	fmt.Printf("%s, %v\n", text, err)
	_, err = a.Open(nil, nonce, ciphertext, []byte("to: few"))
	fmt.Println(errors.Is(err, aegis.ErrOpen))
	// Output:
	// attack at dawn, <nil>
	// true
}

// The header of a packet, which stays readable, is additional data. The payload
// is encrypted in place where it lies, in two pieces.
func ExampleAEAD_SealList() {
	a, err := aegis.New(aegis.AEGIS128L, exampleKey)
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
// being gathered. Long ones are what the X4 form is for.
func ExampleAEAD_SealList_buffers() {
	a, err := aegis.New(aegis.AEGIS128X4, exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	buffers := net.Buffers{[]byte("HTTP/1.1 200 OK\r\n\r\n"), []byte("a long body")}
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
	// Output: "HTTP/1.1 200 OK\r\n\r\na long body", <nil>
}

// A cache checks what it stores without keeping the text, which is decrypted when
// somebody asks for it.
func ExampleAEAD_VerifyList() {
	a, err := aegis.NewWithTagSize(aegis.AEGIS128L, exampleKey, aegis.LongTagSize)
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
	a, err := aegis.New(aegis.AEGIS128L, exampleKey)
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
	var tag [aegis.TagSize]byte
	if err := s.Sum(tag[:]); err != nil {
		log.Fatal(err)
	}
	sealed.Write(tag[:])
	text, err := a.Open(nil, counter(5), sealed.Bytes(), []byte("header"))
	fmt.Printf("%s, %v\n", text, err)
	// Output: whatever a reader gives, <nil>
}

// A MAC is a hash.Hash with a key. Tags are compared in constant time.
func ExampleNewMAC() {
	nonce := make([]byte, aegis.AEGIS128X2.NonceSize())
	tag := func(r io.Reader) []byte {
		h, err := aegis.NewMAC(aegis.AEGIS128X2, exampleKey, nonce, 32)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := io.Copy(h, r); err != nil {
			log.Fatal(err)
		}
		return h.Sum(nil)
	}
	sent := tag(bytes.NewReader([]byte("pay 10 to the bearer")))
	fmt.Println(hmac.Equal(sent, tag(bytes.NewReader([]byte("pay 10 to the bearer")))))
	fmt.Println(hmac.Equal(sent, tag(bytes.NewReader([]byte("pay 99 to the bearer")))))
	// Output:
	// true
	// false
}
