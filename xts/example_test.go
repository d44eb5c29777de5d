package xts_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

// exampleKey stands for 64 secret random bytes.
var exampleKey = []byte("a key is random; this one is sixty-four readable bytes, so do not")[:64]

func ExampleCipher_EncryptSector() {
	c, err := xts.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	sector := make([]byte, 512)
	copy(sector, "boot record")
	c.EncryptSector(sector, sector, 7) // in place
	c.DecryptSector(sector, sector, 7)
	fmt.Printf("%s\n", sector[:11])
	// Output: boot record
}

// Three sectors of 4096 bytes, numbered as dm-crypt does in units of 512, lie
// in network buffers that do not line up with them.
func ExampleCipher_EncryptUnits() {
	c, err := xts.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	packets := net.Buffers(sg.Split(make([]byte, 3*4096), 1420, 1420, 9000))
	disk := sg.List{make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)}
	u := xts.Units{Size: 4096, First: 2048, Step: 8}
	if err := c.EncryptUnits(disk, sg.List(packets), u); err != nil {
		log.Fatal(err)
	}
	third := make([]byte, 4096)
	c.DecryptSector(third, disk[2], 2048+2*8)
	fmt.Println(bytes.Equal(third, make([]byte, 4096)))
	// Output: true
}

// A data unit of 21 bytes in two pieces: the end goes through ciphertext
// stealing.
func ExampleCipher_EncryptList() {
	c, err := xts.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	text := sg.List{[]byte("twenty-one "), []byte("bytes long")}
	if err := c.EncryptList(text, text, [16]byte{1, 2, 3}); err != nil {
		log.Fatal(err)
	}
	if err := c.DecryptList(text, text, [16]byte{1, 2, 3}); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", bytes.Join(text, nil))
	// Output: twenty-one bytes long
}

func ExampleCipher_NewWriter() {
	c, err := xts.New(exampleKey)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	w := c.NewWriter(&file, xts.SectorTweak(0))
	fmt.Fprint(w, "written in pieces, ")
	fmt.Fprint(w, "of any length")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(c.NewReader(&file, xts.SectorTweak(0)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)
	// Output: written in pieces, of any length
}
