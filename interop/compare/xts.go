package main

import (
	"crypto/aes"
	"fmt"
	"math/rand/v2"

	xcrypto "golang.org/x/crypto/xts"

	"github.com/cipherwalk/cipherwalk/interop/internal/openssl"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

// sector is the number of the first data unit.
const sector = 0x123456

// sizesOfMessages are the sizes that every mode is measured at: those of the
// report, and ragged ones.
var sizesOfMessages = []int{16, 63, 64, 256, 500, 512, 1419, 1420, 1424, 4095, 4096, 16 << 10, 64 << 10, 1 << 20}

// xtsWorks returns the works of XTS on contiguous memory for a size of key in
// bits.
func xtsWorks(bits int) []work {
	var works []work
	for _, encrypt := range []bool{true, false} {
		name := fmt.Sprintf("AES-%d-XTS %s", bits, way(encrypt))
		works = append(works, work{
			name:   name + ", one unit",
			base:   kernels.Best().String(),
			rounds: aesRounds(bits),
			sizes:  sizesOfMessages,
			fits:   func(n int) bool { return n >= xts.BlockSize && n <= xts.MaxUnitSize },
			cases:  func(n int) []benchCase { return xtsCases(bits, encrypt, n, n) },
		})
		for _, unit := range []int{512, 4096} {
			works = append(works, work{
				name:   fmt.Sprintf("%s, %d-byte sectors", name, unit),
				base:   kernels.Best().String(),
				rounds: aesRounds(bits),
				sizes:  []int{4 << 10, 16 << 10, 64 << 10, 1 << 20},
				fits:   func(n int) bool { return n > 0 && n%unit == 0 },
				cases:  func(n int) []benchCase { return xtsCases(bits, encrypt, unit, n) },
			})
		}
	}
	return works
}

// xtsCases returns the implementations of XTS for n bytes in units. Portable Go
// has no ceiling; whoever chooses its instructions itself is compared with the
// widest.
func xtsCases(bits int, encrypt bool, unit, n int) []benchCase {
	key, src, dst := xtsKey(bits), text(n), buffer(n)
	tweak := xts.SectorTweak(sector)
	var cases []benchCase
	add := func(impl string, width int, run func(n int)) {
		cases = append(cases, benchCase{impl: impl, bytes: n, width: width, run: run, out: sg.List{dst}})
	}

	dir := kernels.Decrypt
	if encrypt {
		dir = kernels.Encrypt
	}
	for _, level := range kernels.Levels() {
		k := kernels.NewXTSKey(level, key)
		add(level.String(), levelWidth(level), times(func() { kernels.XTSUnits(k, dir, tweak, 1, unit, dst, src) }))
	}

	c := newXTS(key)
	if unit == n {
		do := c.Decrypt
		if encrypt {
			do = c.Encrypt
		}
		add("xts.Cipher", levelWidth(kernels.Best()), times(func() { do(dst, src, tweak) }))
	} else {
		do := c.DecryptUnits
		if encrypt {
			do = c.EncryptUnits
		}
		d, s, u := sg.List{dst}, sg.List{src}, xts.Units{Size: unit, First: sector}
		add("xts.Cipher", levelWidth(kernels.Best()), times(func() { must(do(d, s, u)) }))
	}

	if unit%xts.BlockSize == 0 { // it has no ciphertext stealing
		x, err := xcrypto.NewCipher(aes.NewCipher, key)
		must(err)
		do := x.Decrypt
		if encrypt {
			do = x.Encrypt
		}
		add("x/crypto/xts", widest(), times(func() {
			for i := 0; i < n; i += unit {
				do(dst[i:i+unit], src[i:i+unit], sector+uint64(i/unit))
			}
		}))
	}

	if openssl.Available && bits != 192 { // which it does not have
		x, err := openssl.NewXTS(key, encrypt)
		must(err)
		add("OpenSSL", widest(), func(reps int) { x.Units(reps, tweak, 1, unit, dst, src) })
	}
	return cases
}

// xtsKey returns a key for AES-XTS with AES keys of the given size in bits.
func xtsKey(bits int) []byte { return text(bits / 4) }

// newXTS returns the public cipher.
func newXTS(key []byte) *xts.Cipher {
	c, err := xts.New(key)
	must(err)
	return c
}

// way names a direction.
func way(encrypt bool) string {
	if encrypt {
		return "encrypt"
	}
	return "decrypt"
}

// aesRounds returns the number of rounds of AES with a key of so many bits.
func aesRounds(bits int) int { return bits/32 + 6 }

// text returns n bytes that are the same in every call and look random.
func text(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := buffer(n)
	r.Read(b)
	return b
}

// buffer returns n bytes, aligned to a page whatever n is: no implementation
// shall be lucky or unlucky with the place of a short one.
func buffer(n int) []byte {
	const page = 8192 // what Go aligns large objects to
	return make([]byte, max(n, 5*page))[:n:n]
}

// must panics if there is an error. None is possible in what it guards.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
