package cipherwalk_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

// Data in pieces, encrypted as disk sectors into other pieces, and back in
// place.
func Example() {
	key := make([]byte, 64) // from a key derivation or crypto/rand, not zeros
	key[0] = 1
	c, err := xts.New(key)
	if err != nil {
		log.Fatal(err)
	}
	text := bytes.Repeat([]byte("sixteen bytes.. "), 64)
	src := sg.Split(text, 100, 300, 7)
	dst := sg.Split(make([]byte, len(text)), 512)

	if err := c.EncryptUnits(dst, src, xts.Units{Size: 512, First: 1000}); err != nil {
		log.Fatal(err)
	}
	if err := c.DecryptUnits(dst, dst, xts.Units{Size: 512, First: 1000}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(bytes.Join(dst, nil), text))
	// Output: true
}
