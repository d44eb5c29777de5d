package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"

	"github.com/cipherwalk/cipherwalk/stream"
)

// A file that was sealed with a passphrase begins with one line of text, which
// says how the key comes from it. Behind the newline is what package stream
// makes, as it is alone in a file that was sealed with a key file. The fields are
// the format, the cipher by its name at IANA, Argon2id's memory in KiB, passes
// and lanes in decimal, and a salt of 16 bytes in base64 without padding, with
// one space between.
//
//	cipherwalk-passphrase-v1 AEAD_AES_256_GCM 262144 3 4 AAECAwQFBgcICQoLDA0ODw
//
// There is one way only to write a header, and its every byte goes into the key:
// Argon2id hashes its parameters, its salt and the length of the key, and the
// cipher's name is in the derivation of package stream. So a header cannot be
// changed without the file failing to open.
const (
	headerFormat = headerMagic + "v1"
	headerMagic  = "cipherwalk-passphrase-"
)

const (
	saltSize = 16
	maxLine  = 256 // bytes of a header, more than any has
)

// What a header may ask of a machine, so that a hostile one can take neither its
// memory nor its day.
const (
	minMemory = 8 << 10   // KiB
	maxMemory = 512 << 10 // KiB
	maxPasses = 16
	maxLanes  = 16
)

// defaultCost is between the two recommendations of RFC 9106, section 4: more
// memory than the second, since files can be attacked at leisure, and less than
// the first, which small machines do not have. It takes half a
// second to a second.
var defaultCost = cost{memory: 256 << 10, passes: 3, lanes: 4}

// A cost is what Argon2id is to spend.
type cost struct {
	memory uint32 // KiB
	passes uint32
	lanes  uint8
}

// A header is that of a passphrase-sealed file.
type header struct {
	suite stream.Suite
	cost  cost
	salt  [saltSize]byte
}

func (h header) String() string {
	return fmt.Sprintf("%s %v %d %d %d %s\n", headerFormat, h.suite, h.cost.memory, h.cost.passes, h.cost.lanes,
		base64.RawStdEncoding.EncodeToString(h.salt[:]))
}

// key derives the key.
func (h header) key(passphrase []byte) []byte {
	return argon2.IDKey(passphrase, h.salt[:], h.cost.passes, h.cost.memory, h.cost.lanes, uint32(h.suite.KeySize()))
}

// parseHeader is the inverse of String.
func parseHeader(line string) (header, error) {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	if fields[0] != headerFormat {
		return header{}, dataError(fmt.Sprintf("passphrase header of format %.40q, want %q", fields[0], headerFormat))
	}
	if len(fields) != 6 {
		return header{}, dataError("damaged passphrase header")
	}
	var h header
	var err error
	if h.suite, err = findSuite(fields[1]); err != nil {
		return header{}, dataError("passphrase header: " + err.Error())
	}
	memory, errMemory := bounded("memory", fields[2], minMemory, maxMemory)
	passes, errPasses := bounded("passes", fields[3], 1, maxPasses)
	lanes, errLanes := bounded("lanes", fields[4], 1, maxLanes)
	if err := cmp.Or(errMemory, errPasses, errLanes); err != nil {
		return header{}, err
	}
	h.cost = cost{uint32(memory), uint32(passes), uint8(lanes)}
	salt, err := base64.RawStdEncoding.DecodeString(fields[5])
	if err != nil || len(salt) != saltSize {
		return header{}, dataError("passphrase header: damaged salt")
	}
	copy(h.salt[:], salt)
	if h.String() != line { // other ways to write the same
		return header{}, dataError("damaged passphrase header")
	}
	return h, nil
}

// bounded reads one of Argon2id's parameters.
func bounded(name, text string, least, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, dataError(fmt.Sprintf("passphrase header: %s of Argon2id is %.20q, want %d to %d", name, text, least, most))
	}
	return n, nil
}

// readHeader reads the header, if there is one, and leaves r behind it. What
// package stream makes begins with 24 random bytes, which do not look like this.
// The buffer of r must have room for maxLine bytes.
func readHeader(r *bufio.Reader) (h header, ok bool, err error) {
	start, err := r.Peek(len(headerMagic))
	if err != nil && err != io.EOF {
		return header{}, false, err
	}
	if string(start) != headerMagic {
		return header{}, false, nil
	}
	line, err := r.Peek(maxLine)
	if err != nil && err != io.EOF {
		return header{}, false, err
	}
	end := bytes.IndexByte(line, '\n') + 1
	if end == 0 {
		return header{}, false, dataError("damaged passphrase header")
	}
	if h, err = parseHeader(string(line[:end])); err != nil {
		return header{}, false, err
	}
	r.Discard(end)
	return h, true, nil
}
