package stream

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/gcm"
)

// A Suite is the AEAD that a message is sealed with. The other parts of the
// construction are the same in all.
type Suite int

// The suites. The two Cobblestones are those of c2sp.org/chunked-encryption; the
// smaller key is the one recommended there.
const (
	Cobblestone128 Suite = iota + 1 // AES-128-GCM
	Cobblestone256                  // AES-256-GCM

	// The same construction over AEGIS (RFC 10032) with tags of 16 bytes,
	// which is not part of Cobblestone: other programs must know it.
	AEGIS128L
	AEGIS128X2
	AEGIS128X4
	AEGIS256
	AEGIS256X2
	AEGIS256X4
)

// suites has what differs between them. A row is all that a new one takes.
var suites = map[Suite]struct {
	name      string // in IANA's registry of AEADs; it goes into the derivation
	keySize   int
	nonceSize int
	setKey    func(m *message, key []byte) error
}{
	Cobblestone128: {"AEAD_AES_128_GCM", 16, gcm.NonceSize, setGCM},
	Cobblestone256: {"AEAD_AES_256_GCM", 32, gcm.NonceSize, setGCM},
	AEGIS128L:      {"AEAD_AEGIS128L", 16, 16, setAEGIS(aegis.AEGIS128L)},
	AEGIS128X2:     {"AEAD_AEGIS128X2", 16, 16, setAEGIS(aegis.AEGIS128X2)},
	AEGIS128X4:     {"AEAD_AEGIS128X4", 16, 16, setAEGIS(aegis.AEGIS128X4)},
	AEGIS256:       {"AEAD_AEGIS256", 32, 32, setAEGIS(aegis.AEGIS256)},
	AEGIS256X2:     {"AEAD_AEGIS256X2", 32, 32, setAEGIS(aegis.AEGIS256X2)},
	AEGIS256X4:     {"AEAD_AEGIS256X4", 32, 32, setAEGIS(aegis.AEGIS256X4)},
}

// maxNonceSize is the greatest of the sizes of nonces.
const maxNonceSize = 32

func setGCM(m *message, key []byte) (err error) {
	m.gcm, err = gcm.New(key)
	return err
}

func setAEGIS(v aegis.Variant) func(m *message, key []byte) error {
	return func(m *message, key []byte) (err error) {
		m.aegis, err = aegis.New(v, key)
		return err
	}
}

// String returns the name of the AEAD in IANA's registry, such as
// AEAD_AES_128_GCM.
func (s Suite) String() string {
	if row, ok := suites[s]; ok {
		return row.name
	}
	return fmt.Sprintf("Suite(%d)", int(s))
}

// KeySize returns the length that keys must have, in bytes: 16 or 32, and 0 for
// a value that is no suite.
func (s Suite) KeySize() int { return suites[s].keySize }
