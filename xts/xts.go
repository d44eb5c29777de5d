package xts

import (
	"crypto/fips140"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// Sizes in bytes.
const (
	// BlockSize is the block size of AES, and the least size of a data unit.
	BlockSize = 16

	// MaxUnitSize is the greatest size of a data unit: 2^20 blocks (NIST SP
	// 800-38E).
	MaxUnitSize = BlockSize << 20
)

// A KeySizeError is a key length in bytes that [New] does not take.
type KeySizeError int

func (k KeySizeError) Error() string {
	return "xts: key of " + strconv.Itoa(int(k)) + " bytes, want 32, 48 or 64"
}

var (
	// ErrEqualHalves is the error of [New] for a key whose halves are equal.
	ErrEqualHalves = errors.New("xts: the two halves of the key are equal")

	errZero = errors.New("xts: Cipher was not made by New")

	// ErrUnitSize is what the errors about the size of a data unit wrap.
	ErrUnitSize = errors.New("xts: impossible size of a data unit")
)

// A Cipher is an AES-XTS key. It is immutable and safe for concurrent use.
type Cipher struct {
	key *kernels.XTSKey
}

// New returns a cipher for a key of 32, 48 or 64 bytes, the concatenation of
// the data key and the tweak key for AES-128, AES-192 or AES-256; other lengths
// are a [KeySizeError]. Equal halves, against which FIPS 140 warns because they
// void the proof of security, are [ErrEqualHalves]. It fails while only FIPS
// 140-3 validated modules are allowed ([fips140.Enforced]), since this is none.
// The key is copied.
func New(key []byte) (*Cipher, error) {
	h := len(key) / 2
	if len(key) > 0 && subtle.ConstantTimeCompare(key[:h], key[h:]) == 1 {
		return nil, ErrEqualHalves
	}
	return NewUnchecked(key)
}

// NewUnchecked is [New] for keys whose halves may be equal: for volumes that
// were made with one, and for test vectors.
func NewUnchecked(key []byte) (*Cipher, error) {
	if fips140.Enforced() {
		return nil, errors.New("xts: not available while FIPS 140 is enforced: this package is not a validated module")
	}
	switch len(key) {
	case 32, 48, 64:
		return &Cipher{kernels.NewXTSKey(kernels.Best(), key)}, nil
	}
	return nil, KeySizeError(len(key))
}

// String names the cipher without its key.
func (c *Cipher) String() string { return "AES-XTS (" + c.key.Level().String() + ")" }

// SectorTweak returns the tweak of sector n: the number in little-endian order,
// as IEEE 1619 section 5.1 and dm-crypt's plain64 have it.
func SectorTweak(n uint64) (tweak [16]byte) {
	binary.LittleEndian.PutUint64(tweak[:], n)
	return tweak
}

// Encrypt encrypts the data unit src with the given tweak into the first
// len(src) bytes of dst. The unit has any length from 16 bytes to
// [MaxUnitSize]. It panics at other lengths, if dst is shorter than src, and if
// they overlap without starting at the same byte.
func (c *Cipher) Encrypt(dst, src []byte, tweak [16]byte) {
	c.unit(kernels.Encrypt, dst, src, tweak)
}

// Decrypt is the inverse of [Cipher.Encrypt] with the same rules.
func (c *Cipher) Decrypt(dst, src []byte, tweak [16]byte) {
	c.unit(kernels.Decrypt, dst, src, tweak)
}

func (c *Cipher) unit(dir kernels.Direction, dst, src []byte, tweak [16]byte) {
	if c.key == nil {
		panic(errZero.Error())
	}
	if !isUnit(len(src)) {
		panic(unitError(len(src)).Error())
	}
	if len(dst) < len(src) {
		panic(fmt.Sprintf("xts: dst of %d bytes, want at least the %d of src", len(dst), len(src)))
	}
	dst = dst[:len(src)]
	if alias.Inexact(dst, src) {
		panic("xts: dst and src overlap inexactly")
	}
	kernels.XTSUnits(c.key, dir, tweak, 0, len(src), dst, src)
}

// EncryptSector is [Cipher.Encrypt] with the tweak [SectorTweak] of the sector.
// It replaces the method Encrypt of golang.org/x/crypto/xts, byte for byte,
// which knows neither lengths that are no multiple of 16 nor larger tweaks; but
// that one does nothing for an empty src, where this one panics.
func (c *Cipher) EncryptSector(dst, src []byte, sector uint64) {
	c.Encrypt(dst, src, SectorTweak(sector))
}

// DecryptSector is the inverse of [Cipher.EncryptSector] with the same rules.
func (c *Cipher) DecryptSector(dst, src []byte, sector uint64) {
	c.Decrypt(dst, src, SectorTweak(sector))
}

// isUnit reports whether a data unit may have n bytes.
func isUnit(n int) bool { return BlockSize <= n && n <= MaxUnitSize }

// unitError is the error for a data unit of n bytes.
func unitError(n int) error {
	return fmt.Errorf("%w: %d bytes, want %d to %d", ErrUnitSize, n, BlockSize, MaxUnitSize)
}
