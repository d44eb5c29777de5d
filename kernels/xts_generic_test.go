package kernels

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	peer "golang.org/x/crypto/xts"
)

// The portable twin against the definition, which knows nothing of batches: the
// tests of the other levels take the twin for the truth.

// xtsDefinition is IEEE 1619-2018 section 5 over crypto/aes, a block at a time.
type xtsDefinition struct{ k1, k2 cipher.Block }

// defined returns the twin for a key and the definition for the same.
func defined(t *testing.T, key []byte) (*xtsGeneric, xtsDefinition) {
	t.Helper()
	h := len(key) / 2
	k1, err1 := aes.NewCipher(key[:h])
	k2, err2 := aes.NewCipher(key[h:])
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return NewXTSKey(Generic, key).generic, xtsDefinition{k1, k2}
}

// timesAlpha is section 5.2: bytes shift up by a bit each, the carry of one
// enters the next, that of the last returns as 135.
func timesAlpha(a [16]byte) (r [16]byte) {
	for k := range r {
		r[k] = a[k] << 1
		if k > 0 {
			r[k] |= a[k-1] >> 7
		}
	}
	if a[15] >= 128 {
		r[0] ^= 135
	}
	return r
}

// block is section 5.3.1 or 5.4.1 with the tweak of the block at hand.
func (d xtsDefinition) block(dir Direction, t [16]byte, p []byte) (c [16]byte) {
	for i := range c {
		c[i] = p[i] ^ t[i]
	}
	if dir == Decrypt {
		d.k1.Decrypt(c[:], c[:])
	} else {
		d.k1.Encrypt(c[:], c[:])
	}
	for i := range c {
		c[i] ^= t[i]
	}
	return c
}

// run is section 5.3.2 or 5.4.2 from the encrypted tweak t on, and the tweak
// behind the whole blocks.
func (d xtsDefinition) run(dir Direction, t [16]byte, src []byte) (dst []byte, next [16]byte) {
	for len(src) >= 32 || len(src) == 16 {
		c := d.block(dir, t, src)
		dst, src, t = append(dst, c[:]...), src[16:], timesAlpha(t)
	}
	if len(src) == 0 {
		return dst, t
	}
	// 17 to 31 bytes are left. The block at the full place is done first; what
	// it lends to the partial one fills up the block that takes its place. In
	// decryption the two tweaks change places.
	m, n := t, timesAlpha(t)
	if dir == Decrypt {
		m, n = n, m
	}
	full := d.block(dir, m, src)
	part := len(src) - 16
	filled := append(bytes.Clone(src[16:]), full[part:]...)
	last := d.block(dir, n, filled)
	return append(append(dst, last[:]...), full[:part]...), t
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// framed returns p between two margins, and a function that tells whether these
// are as they were.
func framed(p []byte) (inside []byte, intact func() bool) {
	const margin, mark = 80, 0xa7
	b := bytes.Repeat([]byte{mark}, 2*margin+len(p))
	inside = b[margin : margin+len(p)]
	copy(inside, p)
	want := [margin]byte(b)
	return inside, func() bool {
		return [margin]byte(b) == want && [margin]byte(b[margin+len(p):]) == want
	}
}

// TestTweakDouble has every single bit, which is every carry: doubling is
// linear. Sums of them show that it is so here as well.
func TestTweakDouble(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 1))
	check := func(x [16]byte) {
		var got [16]byte
		loadTweak(&x).double().store(&got)
		if want := timesAlpha(x); got != want {
			t.Errorf("%x doubled: %x, want %x", x, got, want)
		}
	}
	for i := range 128 {
		var x [16]byte
		x[i/8] = 1 << (i % 8)
		check(x)
		check([16]byte(randomBytes(r, 16)))
	}
	check([16]byte{})
	check([16]byte(bytes.Repeat([]byte{0xff}, 16)))
}

// TestXTSGenericEveryLength has lengths of up to nine batches and every
// remainder, in place and not, with tweaks that carry at each place of a batch:
// the top byte goes through all its values.
func TestXTSGenericEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 2))
	for _, size := range []int{32, 48, 64} {
		k, d := defined(t, randomBytes(r, size))
		for n := 16; n <= 600; n++ {
			for _, dir := range []Direction{Encrypt, Decrypt} {
				text, tweak := randomBytes(r, n), [16]byte(randomBytes(r, 16))
				tweak[15], tweak[7] = byte(n), byte(n/2)
				want, next := d.run(dir, tweak, text)

				src, srcIntact := framed(text)
				dst, dstIntact := framed(make([]byte, n))
				check := func(how string, dst, src []byte) {
					got := tweak
					k.run(dir, &got, dst, src)
					if !bytes.Equal(dst, want) {
						t.Fatalf("%d bytes %s, key of %d, decrypt %v: %x, want %x", n, how, size, dir, dst, want)
					}
					if n%16 == 0 && got != next {
						t.Fatalf("%d bytes %s, key of %d, decrypt %v: next tweak %x, want %x", n, how, size, dir, got, next)
					}
					if !srcIntact() || !dstIntact() {
						t.Fatalf("%d bytes %s, key of %d, decrypt %v: written outside", n, how, size, dir)
					}
				}
				check("apart", dst, src)
				if !bytes.Equal(src, text) {
					t.Fatalf("%d bytes, key of %d, decrypt %v: src is written", n, size, dir)
				}
				check("in place", src, src)
			}
		}
	}
}

// TestXTSGenericPeer has whole blocks and a sector number, tweak included.
func TestXTSGenericPeer(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 3))
	for _, size := range []int{32, 48, 64} {
		key := randomBytes(r, size)
		k, _ := defined(t, key)
		other, err := peer.NewCipher(aes.NewCipher, key)
		if err != nil {
			t.Fatal(err)
		}
		for n := 16; n <= 1040; n += 16 {
			sector, text := r.Uint64()>>r.IntN(64), randomBytes(r, n)
			got, want := make([]byte, n), make([]byte, n)
			for _, dir := range []Direction{Encrypt, Decrypt} {
				var tweak [16]byte
				binary.LittleEndian.PutUint64(tweak[:], sector)
				k.encryptTweak(&tweak)
				k.run(dir, &tweak, got, text)
				if dir == Decrypt {
					other.Decrypt(want, text, sector)
				} else {
					other.Encrypt(want, text, sector)
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, key of %d, sector %d, decrypt %v: wrong", n, size, sector, dir)
				}
			}
		}
	}
}

// TestXTSGenericSplit cuts runs, with and without a ragged end, at every block
// and goes on with the running tweak.
func TestXTSGenericSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 4))
	k, d := defined(t, randomBytes(r, 64))
	for n := 32; n <= 330; n++ {
		dir := Direction(r.IntN(2) > 0)
		text, tweak := randomBytes(r, n), [16]byte(randomBytes(r, 16))
		want, next := d.run(dir, tweak, text)
		for cut := 16; n-cut >= 16; cut += 16 {
			got, running := bytes.Clone(text), tweak
			k.run(dir, &running, got[:cut], got[:cut])
			k.run(dir, &running, got[cut:], got[cut:])
			if !bytes.Equal(got, want) || n%16 == 0 && running != next {
				t.Fatalf("%d bytes cut at %d, decrypt %v: wrong", n, cut, dir)
			}
		}
	}
}

// TestXTSGenericUnits has numbers of units around the four of a batch, and unit
// numbers that wrap without a carry into the upper half.
func TestXTSGenericUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 5))
	for i, size := range []int{16, 17, 31, 32, 64, 65, 100, 128, 512, 520} {
		k, d := defined(t, randomBytes(r, 32+16*(i%3)))
		for count := range 10 {
			for _, dir := range []Direction{Encrypt, Decrypt} {
				text := randomBytes(r, size*count)
				step := r.Uint64() >> r.IntN(64)
				first := -step * uint64(r.IntN(count+1))
				high := r.Uint64() * uint64(r.IntN(2))
				var start [16]byte
				binary.LittleEndian.PutUint64(start[:], first)
				binary.LittleEndian.PutUint64(start[8:], high)

				var want []byte
				for u := range count {
					tweak := start
					binary.LittleEndian.PutUint64(tweak[:], first+uint64(u)*step)
					d.k2.Encrypt(tweak[:], tweak[:])
					unit, _ := d.run(dir, tweak, text[size*u:][:size])
					want = append(want, unit...)
				}
				src, srcIntact := framed(text)
				dst, dstIntact := framed(make([]byte, len(text)))
				tweak := start
				k.units(dir, &tweak, step, size, dst, src)
				apart := bytes.Equal(dst, want) && bytes.Equal(src, text)
				tweak = start
				k.units(dir, &tweak, step, size, src, src)
				if !apart || !bytes.Equal(src, want) || !srcIntact() || !dstIntact() {
					t.Fatalf("%d units of %d from %d in steps of %d, decrypt %v: wrong", count, size, first, step, dir)
				}
			}
		}
	}
}

func TestXTSGenericNoAllocs(t *testing.T) {
	k, _ := defined(t, make([]byte, 64))
	if n := testing.AllocsPerRun(50, func() {
		var a, b [528]byte
		var tweak [16]byte
		k.encryptTweak(&tweak)
		k.run(Encrypt, &tweak, b[:512], a[:512])
		k.run(Decrypt, &tweak, a[:523], b[:523])
		k.units(Encrypt, &tweak, 1, 66, a[:], b[:])
		k.units(Decrypt, &tweak, 1, 66, a[:], a[:])
	}); n != 0 {
		t.Errorf("%v allocations on stack buffers, want none", n)
	}
}
