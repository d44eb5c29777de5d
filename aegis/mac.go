package aegis

import (
	"fmt"
	"hash"
	"io"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// mac is AEGISMAC of data in pieces. What begins a block waits in block.
type mac struct {
	key     *kernels.AEGISKey
	start   kernels.AEGISState // where Reset goes back to
	state   kernels.AEGISState
	dataLen uint64
	tagSize int
	rate    int
	block   [maxRate]byte
}

var (
	_ hash.Hash   = (*mac)(nil)
	_ hash.Cloner = (*mac)(nil)
)

// NewMAC returns AEGISMAC (RFC 10032) for a key and a nonce of v.KeySize() bytes,
// with tags of 16 or 32 bytes. It fails where [NewWithTagSize] fails, and for
// AEGIS-128, which has no MAC. Key and nonce are copied.
//
// The key must serve no other purpose, and in particular not encrypt. Unlike those
// of messages, a nonce may serve for more than one text, which is what Reset does.
//
// BlockSize of the result is the rate of the variant. Sum may be called at any
// time, and leaves the state as it is. Write returns [ErrLimit] beyond 2^61-1
// bytes, and no other error. Compare tags with [crypto/hmac.Equal], which takes
// the same time wherever they differ. The result is also a [hash.Cloner]. It
// belongs to one goroutine at a time. It holds secrets, and none of its methods
// allocates but Clone, and Sum where its argument has no room.
func NewMAC(v Variant, key, nonce []byte, tagSize int) (hash.Hash, error) {
	if v == AEGIS128 {
		return nil, fmt.Errorf("aegis: %v has no MAC", v)
	}
	if err := check(v, key, tagSize); err != nil {
		return nil, err
	}
	if err := rules.Nonce(nonce, v.NonceSize()); err != nil {
		return nil, err
	}
	return newMAC(kernels.Best(), v, key, nonce, tagSize), nil
}

// newMAC returns a mac at a level; the rest has been checked.
func newMAC(level kernels.Level, v Variant, key, nonce []byte, tagSize int) *mac {
	alg := kernels.AEGIS(v)
	m := &mac{key: kernels.NewAEGISKey(level, alg, key), tagSize: tagSize, rate: alg.Rate()}
	kernels.AEGISStart(m.key, &m.start, nonce)
	m.state = m.start
	return m
}

// Write absorbs p.
func (m *mac) Write(p []byte) (int, error) {
	if err := rules.AAD(m.dataLen, uint64(len(p))); err != nil {
		return 0, err
	}
	used := m.ragged()
	m.dataLen += uint64(len(p))
	absorbPiece(m.key, &m.state, m.block[:m.rate], used, p)
	return len(p), nil
}

// ragged returns how many bytes are in the block that has begun.
func (m *mac) ragged() int { return int(m.dataLen) & (m.rate - 1) }

// Sum appends the tag of what was written so far.
func (m *mac) Sum(b []byte) []byte {
	s := m.state
	kernels.AEGISAbsorb(m.key, &s, m.block[:m.ragged()])
	var tag [LongTagSize]byte
	kernels.AEGISMACTag(m.key, &s, m.dataLen, tag[:m.tagSize])
	s = kernels.AEGISState{}
	return append(b, tag[:m.tagSize]...)
}

// Reset begins anew, with the same key and nonce.
func (m *mac) Reset() {
	m.state, m.dataLen = m.start, 0
	clear(m.block[:])
}

// Size returns the length of the tag, in bytes.
func (m *mac) Size() int { return m.tagSize }

// BlockSize returns the rate of the variant, in bytes.
func (m *mac) BlockSize() int { return m.rate }

// Clone returns a copy that goes on from the same place, independently.
func (m *mac) Clone() (hash.Cloner, error) {
	c := *m
	return &c, nil
}

// Format prints a name, whatever the verb: the fields hold secrets.
func (m *mac) Format(f fmt.State, _ rune) { io.WriteString(f, "AEGISMAC") }
