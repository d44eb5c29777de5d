package aegis

import (
	"strconv"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// A Variant is a member of the AEGIS family.
type Variant uint8

// The variants, in the order of package kernels. The rate is the number of bytes
// that the cipher takes in at once.
const (
	AEGIS128   Variant = iota // key 16 bytes, rate 16, tags of 16 bytes only
	AEGIS128L                 // key 16, rate 32
	AEGIS128X2                // key 16, rate 64
	AEGIS128X4                // key 16, rate 128
	AEGIS256                  // key 32, rate 16
	AEGIS256X2                // key 32, rate 32
	AEGIS256X4                // key 32, rate 64
)

// maxRate is the greatest rate, and a multiple of all others.
const maxRate = 128

var names = [...]string{
	AEGIS128:   "AEGIS-128",
	AEGIS128L:  "AEGIS-128L",
	AEGIS128X2: "AEGIS-128X2",
	AEGIS128X4: "AEGIS-128X4",
	AEGIS256:   "AEGIS-256",
	AEGIS256X2: "AEGIS-256X2",
	AEGIS256X4: "AEGIS-256X4",
}

func (v Variant) known() bool { return int(v) < len(names) }

// String returns the name in RFC 10032, such as "AEGIS-128L".
func (v Variant) String() string {
	if !v.known() {
		return "AEGIS variant " + strconv.Itoa(int(v))
	}
	return names[v]
}

// KeySize returns the length of a key in bytes, 16 or 32, or 0 for what is none
// of the variants.
func (v Variant) KeySize() int {
	if !v.known() {
		return 0
	}
	return kernels.AEGIS(v).KeySize()
}

// NonceSize returns the length of a nonce in bytes, which is that of a key.
func (v Variant) NonceSize() int { return v.KeySize() }
