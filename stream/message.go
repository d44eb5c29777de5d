package stream

import (
	"crypto/hkdf"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// The parts of a message, in bytes.
const (
	// ChunkSize is how much of the plaintext a chunk has. The last one has
	// less, perhaps nothing. Calls that begin and end at multiples of it
	// spare a copy.
	ChunkSize = 16 << 10

	tagSize        = 16
	sealedSize     = ChunkSize + tagSize
	saltSize       = 24
	commitmentSize = 32
	headerSize     = saltSize + commitmentSize

	// maxChunks counts the last one. All before it are full.
	maxChunks = 1 << 38
)

// label begins what the key is derived for.
const label = "c2sp.org/chunked-encryption@v1+"

// A message is the secret half of a message: the cipher of its chunks under its
// own key, and the nonce that theirs come from. It never changes, so any number
// of goroutines may use it.
//
// The ciphers are concrete, not an interface, so that nonces stay on the stack.
type message struct {
	gcm       *gcm.AEAD   // or
	aegis     *aegis.AEAD // if that is nil
	base      [maxNonceSize]byte
	nonceSize int
}

// derive returns the message of that key, salt and context, and the commitment
// to them.
func derive(suite Suite, key, salt, context []byte) (*message, [commitmentSize]byte, error) {
	row := suites[suite]
	var info strings.Builder
	info.WriteString(label + row.name)
	info.WriteByte(0)
	info.Write(salt)
	info.Write(context)
	n := row.keySize + row.nonceSize
	out, err := hkdf.Expand(sha512.New, key, info.String(), n+commitmentSize)
	if err != nil {
		return nil, [commitmentSize]byte{}, fmt.Errorf("stream: %w", err)
	}
	defer clear(out)
	m, err := rawMessage(suite, out[:row.keySize], out[row.keySize:n])
	return m, [commitmentSize]byte(out[n:]), err
}

// rawMessage returns the message that has this key for its chunks and this base
// nonce, from wherever they are.
func rawMessage(suite Suite, key, base []byte) (*message, error) {
	m := &message{nonceSize: len(base)}
	copy(m.base[:], base)
	if err := suites[suite].setKey(m, key); err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	return m, nil
}

// nonce returns the nonce of chunk i: the base nonce, with the number of the
// chunk XORed into its right end in big-endian order.
func (m *message) nonce(i uint64) [maxNonceSize]byte {
	nonce := m.base
	end := nonce[m.nonceSize-8 : m.nonceSize]
	binary.BigEndian.PutUint64(end, binary.BigEndian.Uint64(end)^i)
	return nonce
}

// seal writes chunk i, which text is, and its tag to dst, which is as long.
func (m *message) seal(dst []byte, i uint64, text []byte) {
	nonce := m.nonce(i)
	if m.gcm != nil {
		m.gcm.Seal(dst[:0], nonce[:m.nonceSize], text, nil)
	} else {
		m.aegis.Seal(dst[:0], nonce[:m.nonceSize], text, nil)
	}
}

// sealList is seal for a text in segments.
func (m *message) sealList(dst []byte, i uint64, text sg.List) error {
	nonce := m.nonce(i)
	end := len(dst) - tagSize
	if m.gcm != nil {
		return m.gcm.SealList(sg.List{dst[:end]}, text, dst[end:], nonce[:m.nonceSize], nil)
	}
	return m.aegis.SealList(sg.List{dst[:end]}, text, dst[end:], nonce[:m.nonceSize], nil)
}

// open writes the text of chunk i to dst, which is as long, or zeros. sealed has
// the tag at least. It says whether the chunk is authentic. dst may be the
// beginning of sealed.
func (m *message) open(dst []byte, i uint64, sealed []byte) bool {
	nonce := m.nonce(i)
	var err error
	if m.gcm != nil {
		_, err = m.gcm.Open(dst[:0], nonce[:m.nonceSize], sealed, nil)
	} else {
		_, err = m.aegis.Open(dst[:0], nonce[:m.nonceSize], sealed, nil)
	}
	return err == nil
}

// sealRun seals the chunks of a run.
func (m *message) sealRun(r run) {
	for dst, i, text := r.dst, r.i, r.src; len(text) > 0; i++ {
		m.seal(dst[:sealedSize:sealedSize], i, text[:ChunkSize])
		dst, text = dst[sealedSize:], text[ChunkSize:]
	}
}

// openRun opens the chunks of a run, and returns how many were authentic before
// one was not. What it has not opened is undefined in dst.
func (m *message) openRun(r run) int {
	n := 0
	for dst, sealed := r.dst, r.src; len(sealed) > 0; n++ {
		if !m.open(dst[:ChunkSize:ChunkSize], r.i+uint64(n), sealed[:sealedSize]) {
			break
		}
		dst, sealed = dst[ChunkSize:], sealed[sealedSize:]
	}
	return n
}
