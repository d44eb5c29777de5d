package xts_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
	peer "golang.org/x/crypto/xts"
)

// reference is XTS block by block as IEEE 1619 sections 5.3 and 5.4 define it,
// over crypto/aes, in arithmetic of single bits.
type reference struct{ data, tweak cipher.Block }

func newReference(key []byte) reference {
	h := len(key) / 2
	k1, err1 := aes.NewCipher(key[:h])
	k2, err2 := aes.NewCipher(key[h:])
	if err1 != nil || err2 != nil {
		panic("reference: bad key")
	}
	return reference{k1, k2}
}

// double multiplies by the primitive element: bit i of the polynomial is bit
// i%8 of byte i/8.
func double(t [16]byte) (r [16]byte) {
	bit := func(i int) byte { return t[i/8] >> (i % 8) & 1 }
	for i := range 127 {
		r[(i+1)/8] |= bit(i) << ((i + 1) % 8)
	}
	r[0] ^= bit(127) * 0x87
	return r
}

func (k reference) block(dst, src []byte, t [16]byte, dec bool) {
	var x [16]byte
	for i := range x {
		x[i] = src[i] ^ t[i]
	}
	if dec {
		k.data.Decrypt(x[:], x[:])
	} else {
		k.data.Encrypt(x[:], x[:])
	}
	for i := range x {
		dst[i] = x[i] ^ t[i]
	}
}

// unit returns the result for one data unit.
func (k reference) unit(src []byte, tweak [16]byte, dec bool) []byte {
	dst := make([]byte, len(src))
	t := tweak
	k.tweak.Encrypt(t[:], t[:])
	m, r := len(src)/16, len(src)%16
	last := m
	if r > 0 {
		last = m - 1
	}
	for j := range last {
		k.block(dst[16*j:], src[16*j:], t, dec)
		t = double(t)
	}
	if r > 0 {
		first, second := t, double(t)
		if dec {
			first, second = second, first
		}
		var cc, pp [16]byte
		k.block(cc[:], src[16*last:], first, dec)
		copy(dst[16*m:], cc[:r])
		copy(pp[:], src[16*m:])
		copy(pp[r:], cc[r:])
		k.block(dst[16*last:], pp[:], second, dec)
	}
	return dst
}

// pair is a key in both implementations.
func pair(t testing.TB, key []byte) (*xts.Cipher, reference) {
	t.Helper()
	c, err := xts.NewUnchecked(key)
	if err != nil {
		t.Fatal(err)
	}
	return c, newReference(key)
}

// TestEveryLength compares every length from 16 to 1100 bytes with the
// definition, and multiples of 16 with golang.org/x/crypto, between guard pages
// on both sides, in place and not.
func TestEveryLength(t *testing.T) {
	const most = 1100
	r := rand.New(rand.NewPCG(16, 1100))
	srcGuard, dstGuard := cryptotest.NewGuard(t, most), cryptotest.NewGuard(t, most)
	for _, size := range []int{32, 48, 64} {
		key := cryptotest.Bytes(r, size)
		c, ref := pair(t, key)
		other, err := peer.NewCipher(aes.NewCipher, key)
		if err != nil {
			t.Fatal(err)
		}
		for n := 16; n <= most; n++ {
			sector := r.Uint64()
			tweak := xts.SectorTweak(sector)
			text := cryptotest.Bytes(r, n)
			for _, dec := range []bool{false, true} {
				want := ref.unit(text, tweak, dec)
				if n%16 == 0 {
					got := make([]byte, n)
					if dec {
						other.Decrypt(got, text, sector)
					} else {
						other.Encrypt(got, text, sector)
					}
					if !bytes.Equal(got, want) {
						t.Fatalf("the reference is wrong at %d bytes", n)
					}
				}
				call := c.Encrypt
				if dec {
					call = c.Decrypt
				}
				for _, atEnd := range []bool{false, true} {
					src, dst := srcGuard.Place(n, atEnd), dstGuard.Place(n, atEnd)
					copy(src, text)
					call(dst, src, tweak)
					if !bytes.Equal(dst, want) || !bytes.Equal(src, text) {
						t.Fatalf("%d bytes, key of %d, decrypt %v: wrong", n, size, dec)
					}
					call(src, src, tweak)
					if !bytes.Equal(src, want) {
						t.Fatalf("%d bytes in place, key of %d, decrypt %v: wrong", n, size, dec)
					}
				}
			}
		}
	}
}

// TestEverySplit divides units in two at every point, and short ones in three,
// src and dst alike and crosswise.
func TestEverySplit(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	key := cryptotest.Bytes(r, 64)
	c, ref := pair(t, key)
	try := func(n int, cuts ...int) {
		text := cryptotest.Bytes(r, n)
		tweak := [16]byte(cryptotest.Bytes(r, 16))
		for _, dec := range []bool{false, true} {
			want := ref.unit(text, tweak, dec)
			call := c.EncryptList
			if dec {
				call = c.DecryptList
			}
			src := sg.Split(bytes.Clone(text), cuts...)
			dst := sg.Split(make([]byte, n), n-cuts[0])
			if err := call(dst, src, tweak); err != nil {
				t.Fatal(err)
			}
			if err := call(src, src, tweak); err != nil {
				t.Fatal(err)
			}
			for i, l := range []sg.List{dst, src} {
				if got := bytes.Join(l, nil); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes cut %v, list %d, decrypt %v: %x, want %x", n, cuts, i, dec, got, want)
				}
			}
		}
	}
	for n := 16; n <= 80; n++ {
		for a := range n + 1 {
			for b := range n - a + 1 {
				try(n, a, b)
			}
		}
	}
	for n := 81; n <= 1100; n += 1 + r.IntN(40) {
		for a := range n + 1 {
			try(n, a)
		}
	}
	// The ragged tail in a segment of its own, and in 16 of one byte each.
	for tail := range 16 {
		try(64+tail, 64)
		ones := make([]int, 17)
		ones[0] = 64 + tail - 16
		for i := range 16 {
			ones[i+1] = 1
		}
		try(64+tail, ones...)
	}
}

// TestLists compares random divisions with the definition.
func TestLists(t *testing.T) {
	const seed = 77
	r := rand.New(rand.NewPCG(seed, 0))
	key := cryptotest.Bytes(r, 32)
	c, ref := pair(t, key)
	for i := range 4000 {
		cfg := cryptotest.Random(r, 4000)
		text := cryptotest.Bytes(r, cfg.TextLen())
		l := cfg.Build(t, text, make([]byte, cfg.AADLen()))
		tweak := [16]byte(cryptotest.Bytes(r, 16))
		dec := i%2 > 0
		call := c.EncryptList
		if dec {
			call = c.DecryptList
		}
		err := call(l.Dst, l.Src, tweak)
		if len(text) < 16 {
			if err == nil || l.CheckUntouched() != nil {
				t.Fatalf("round %d of seed %d: %d bytes: %v, %v", i, seed, len(text), err, l.CheckUntouched())
			}
			continue
		}
		if err != nil {
			t.Fatalf("round %d of seed %d: %v\n%v", i, seed, err, cfg)
		}
		if err := l.Check(ref.unit(text, tweak, dec)); err != nil {
			t.Fatalf("round %d of seed %d: %v", i, seed, err)
		}
	}
}

// units returns the result for data units of one size.
func (k reference) units(src []byte, u xts.Units, dec bool) []byte {
	var dst []byte
	for n := u.First; len(src) > 0; n += max(u.Step, 1) {
		var tweak [16]byte
		binary.LittleEndian.PutUint64(tweak[:], n)
		dst = append(dst, k.unit(src[:u.Size], tweak, dec)...)
		src = src[u.Size:]
	}
	return dst
}

// TestUnits has sizes with and without stealing, smaller and larger than the
// walker's bounce, in segments that do not line up with them.
func TestUnits(t *testing.T) {
	const seed = 78
	r := rand.New(rand.NewPCG(seed, 0))
	c, ref := pair(t, cryptotest.Bytes(r, 48))
	sizes := []int{16, 17, 31, 32, 33, 48, 100, 512, 520, 528, 1024, 4096, 4104, 5000}
	for i := range 3000 {
		u := xts.Units{Size: sizes[r.IntN(len(sizes))], First: r.Uint64() >> 1, Step: r.Uint64() >> uint(1+r.IntN(63)) >> 12}
		n := r.IntN(8) * u.Size
		if u.Size < 100 {
			n *= 8
		}
		text := cryptotest.Bytes(r, n)
		cfg := cryptotest.RandomFor(r, n, 0)
		l := cfg.Build(t, text, nil)
		dec := i%2 > 0
		call := c.EncryptUnits
		if dec {
			call = c.DecryptUnits
		}
		if err := call(l.Dst, l.Src, u); err != nil {
			t.Fatalf("round %d of seed %d: %+v: %v", i, seed, u, err)
		}
		if err := l.Check(ref.units(text, u, dec)); err != nil {
			t.Fatalf("round %d of seed %d: %+v: %v", i, seed, u, err)
		}
	}
}

// TestMisaligned has every pair of offsets of src and dst modulo 16.
func TestMisaligned(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	c, ref := pair(t, cryptotest.Bytes(r, 64))
	var a, b [600]byte
	for _, n := range []int{16, 17, 512} {
		text := cryptotest.Bytes(r, n)
		tweak := [16]byte(cryptotest.Bytes(r, 16))
		want := ref.unit(text, tweak, false)
		for i := range 16 {
			for j := range 16 {
				src, dst := a[i:i+n], b[j:j+n]
				copy(src, text)
				c.Encrypt(dst, src, tweak)
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes at %d to %d: wrong", n, i, j)
				}
				c.Decrypt(dst, dst, tweak)
				if !bytes.Equal(dst, text) {
					t.Fatalf("%d bytes at %d: not back", n, j)
				}
			}
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte("seed"), []byte{1})
	f.Add(bytes.Repeat([]byte{9, 1}, 100), []byte{2, 200})
	f.Fuzz(func(t *testing.T, division, tweak []byte) {
		cfg := cryptotest.FromBytes(division)
		r := cfg.Rand()
		c, ref := pair(t, cryptotest.Bytes(r, []int{32, 48, 64}[r.IntN(3)]))
		text := cryptotest.Bytes(r, cfg.TextLen())
		var tw [16]byte
		copy(tw[:], tweak)
		l := cfg.Build(t, text, make([]byte, cfg.AADLen()))
		err := c.EncryptList(l.Dst, l.Src, tw)
		if len(text) < 16 {
			if err == nil {
				t.Fatal("a short unit passes")
			}
			return
		}
		if err == nil {
			err = l.Check(ref.unit(text, tw, false))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := c.DecryptList(l.Dst, l.Dst, tw); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.Join(l.Dst, nil), text) {
			t.Fatalf("not back: %v", cfg)
		}
	})
}

func FuzzUnits(f *testing.F) {
	f.Add([]byte("seed"), uint16(512), uint64(1), uint64(8))
	f.Add([]byte{}, uint16(520), uint64(1<<64-1), uint64(1))
	f.Fuzz(func(t *testing.T, division []byte, size uint16, first, step uint64) {
		cfg := cryptotest.FromBytes(division)
		c, ref := pair(t, cryptotest.Bytes(cfg.Rand(), 32))
		text := cryptotest.Bytes(cfg.Rand(), cfg.TextLen())
		l := cfg.Build(t, text, make([]byte, cfg.AADLen()))
		u := xts.Units{Size: int(size), First: first, Step: step}
		if err := c.EncryptUnits(l.Dst, l.Src, u); err != nil {
			if err := l.CheckUntouched(); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := l.Check(ref.units(text, u, false)); err != nil {
			t.Fatal(fmt.Errorf("%+v: %w", u, err))
		}
	})
}
