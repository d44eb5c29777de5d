package kernels_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// crypt calls the kernel for a direction.
func crypt(dec bool, k *kernels.XTSKey, t *[16]byte, dst, src []byte) {
	kernels.XTSRun(k, kernels.Direction(dec), t, dst, src)
}

func cryptUnits(dec bool, k *kernels.XTSKey, tweak [16]byte, step uint64, size int, dst, src []byte) {
	kernels.XTSUnits(k, kernels.Direction(dec), tweak, step, size, dst, src)
}

// TestXTSEveryLength compares every level with the portable twin: every length
// of two groups of the widest level and more, every misalignment, in place and
// not, both directions, all key sizes, between guard pages.
func TestXTSEveryLength(t *testing.T) {
	const most = 1100
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		if level == kernels.Generic {
			return
		}
		r := rand.New(rand.NewPCG(1, uint64(level)))
		srcGuard, dstGuard := cryptotest.NewGuard(t, most+16), cryptotest.NewGuard(t, most+16)
		for _, size := range []int{32, 48, 64} {
			key := cryptotest.Bytes(r, size)
			twin, k := kernels.NewXTSKey(kernels.Generic, key), kernels.NewXTSKey(level, key)
			for n := 16; n <= most; n++ {
				for _, dec := range []bool{false, true} {
					text, tweak := cryptotest.Bytes(r, n), [16]byte(cryptotest.Bytes(r, 16))
					want, next := make([]byte, n), tweak
					crypt(dec, twin, &next, want, text)
					check := func(dst, src []byte) {
						copy(src, text)
						got := tweak
						crypt(dec, k, &got, dst, src)
						if !bytes.Equal(dst, want) {
							t.Fatalf("%d bytes, key of %d, decrypt %v: wrong from byte %d on", n, size, dec, firstDifference(dst, want))
						}
						if n%16 == 0 && got != next {
							t.Fatalf("%d bytes, key of %d, decrypt %v: next tweak %x, want %x", n, size, dec, got, next)
						}
					}
					for back := range 16 {
						check(dstGuard.At(n, (back*7)%16), srcGuard.At(n, back))
						check(dstGuard.At(n, back), dstGuard.At(n, back))
					}
					check(dstGuard.Start(n), srcGuard.Start(n))
					check(dstGuard.Start(n), dstGuard.Start(n))
				}
			}
		}
	})
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestXTSTweaks has thousands of tweaks at lengths that take every path, among
// them those whose top bits are set in all combinations.
func TestXTSTweaks(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(2, uint64(level)))
		key := cryptotest.Bytes(r, 64)
		twin, k := kernels.NewXTSKey(kernels.Generic, key), kernels.NewXTSKey(level, key)
		for i := range 4000 {
			n := []int{16, 17, 31, 48, 63, 64, 80, 127, 128, 255, 300, 512, 528, 1023, 1056}[i%15]
			text, tweak := cryptotest.Bytes(r, n), [16]byte(cryptotest.Bytes(r, 16))
			if i%4 == 0 {
				binary.LittleEndian.PutUint32(tweak[12:], uint32(i)<<20)
				binary.LittleEndian.PutUint32(tweak[4:], ^uint32(i)<<20)
			}
			want, got := make([]byte, n), make([]byte, n)
			a, b, start := tweak, tweak, tweak
			crypt(i%2 > 0, twin, &a, want, text)
			crypt(i%2 > 0, k, &b, got, text)
			if !bytes.Equal(got, want) || n%16 == 0 && a != b {
				t.Fatalf("%d bytes, tweak %x: wrong", n, tweak)
			}
			kernels.XTSTweak(twin, &start)
			kernels.XTSTweak(k, &tweak)
			if start != tweak {
				t.Fatalf("encrypted tweak %x, want %x", tweak, start)
			}
		}
	})
}

// TestXTSSwitch feeds a unit in pieces, each at another level: the running
// tweak means the same everywhere.
func TestXTSSwitch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	key := cryptotest.Bytes(r, 48)
	var keys []*kernels.XTSKey
	for _, level := range kernels.Levels() {
		keys = append(keys, kernels.NewXTSKey(level, key))
	}
	for i := range 500 {
		dec := i%2 > 0
		text, tweak := cryptotest.Bytes(r, 16+r.IntN(3000)), [16]byte(cryptotest.Bytes(r, 16))
		want, got := make([]byte, len(text)), make([]byte, len(text))
		start := tweak
		crypt(dec, keys[0], &start, want, text)
		for at := 0; at < len(text); {
			n := 16 * (1 + r.IntN(70))
			if len(text)-at-n < 16 {
				n = len(text) - at
			}
			crypt(dec, keys[r.IntN(len(keys))], &tweak, got[at:at+n], text[at:at+n])
			at += n
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, decrypt %v: wrong from %d on", len(text), dec, firstDifference(got, want))
		}
	}
}

// TestXTSUnits compares the units of every level with those of the twin, and the
// twin's with runs: any size and number, guard pages, tweaks whose low half
// overflows.
func TestXTSUnits(t *testing.T) {
	const most = 9000
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(4, uint64(level)))
		srcGuard, dstGuard := cryptotest.NewGuard(t, most), cryptotest.NewGuard(t, most)
		for i := range 3000 {
			key := cryptotest.Bytes(r, []int{32, 48, 64}[i%3])
			twin, k := kernels.NewXTSKey(kernels.Generic, key), kernels.NewXTSKey(level, key)
			size := []int{16, 17, 31, 32, 48, 64, 65, 100, 256, 512, 520, 528, 1000, 1024}[r.IntN(14)]
			count := 1 + r.IntN(min(40, most/size))
			n := size * count
			dec := r.IntN(2) > 0
			tweak, step := [16]byte(cryptotest.Bytes(r, 16)), r.Uint64()>>r.IntN(64)
			text, want := cryptotest.Bytes(r, n), make([]byte, n)
			number := tweak
			for at := 0; at < n; at += size {
				unit := number
				kernels.XTSTweak(twin, &unit)
				crypt(dec, twin, &unit, want[at:at+size], text[at:at+size])
				binary.LittleEndian.PutUint64(number[:], binary.LittleEndian.Uint64(number[:])+step)
			}
			for _, atEnd := range []bool{false, true} {
				src, dst := srcGuard.Place(n, atEnd), dstGuard.Place(n, atEnd)
				copy(src, text)
				cryptUnits(dec, k, tweak, step, size, dst, src)
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d units of %d, step %d, decrypt %v: wrong from %d on", count, size, step, dec, firstDifference(dst, want))
				}
				cryptUnits(dec, k, tweak, step, size, src, src)
				if !bytes.Equal(src, want) {
					t.Fatalf("%d units of %d in place, step %d, decrypt %v: wrong from %d on", count, size, step, dec, firstDifference(src, want))
				}
			}
		}
	})
}

// TestXTSPieces has lengths around the bound of a call of assembly.
func TestXTSPieces(t *testing.T) {
	const piece = 64 << 10
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		if level == kernels.Generic {
			return
		}
		r := rand.New(rand.NewPCG(5, uint64(level)))
		key := cryptotest.Bytes(r, 64)
		twin, k := kernels.NewXTSKey(kernels.Generic, key), kernels.NewXTSKey(level, key)
		for _, n := range []int{piece - 1, piece, piece + 1, piece + 15, piece + 16, piece + 17, 2 * piece, 2*piece + 1, 3*piece + 5} {
			dec := n%2 > 0
			text, tweak := cryptotest.Bytes(r, n), [16]byte(cryptotest.Bytes(r, 16))
			want, got := make([]byte, n), make([]byte, n)
			a, b := tweak, tweak
			crypt(dec, twin, &a, want, text)
			crypt(dec, k, &b, got, text)
			if !bytes.Equal(got, want) || n%16 == 0 && a != b {
				t.Fatalf("%d bytes: wrong from %d on", n, firstDifference(got, want))
			}
			for _, size := range []int{n, n - n%512, 512} {
				m := n - n%size
				cryptUnits(dec, twin, tweak, 3, size, want[:m], text[:m])
				cryptUnits(dec, k, tweak, 3, size, got[:m], text[:m])
				if !bytes.Equal(got[:m], want[:m]) {
					t.Fatalf("%d bytes in units of %d: wrong from %d on", m, size, firstDifference(got[:m], want[:m]))
				}
			}
		}
	})
}

func TestXTSNoAllocs(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		k := kernels.NewXTSKey(level, make([]byte, 64))
		cryptotest.NoAllocs(t, "kernels on stack buffers", func() {
			var a, b [1024]byte
			var tweak [16]byte
			kernels.XTSTweak(k, &tweak)
			kernels.XTSRun(k, kernels.Encrypt, &tweak, b[:], a[:])
			kernels.XTSRun(k, kernels.Decrypt, &tweak, b[:515], b[:515])
			kernels.XTSUnits(k, kernels.Encrypt, tweak, 1, 512, a[:], b[:])
			kernels.XTSUnits(k, kernels.Decrypt, tweak, 1, 512, a[:], a[:])
		})
	})
}

func FuzzXTS(f *testing.F) {
	f.Add([]byte("seed of a text with a ragged end"), []byte{1}, uint16(16), uint8(2))
	f.Add(bytes.Repeat([]byte{0xff}, 700), bytes.Repeat([]byte{0xff}, 16), uint16(528), uint8(0))
	f.Fuzz(func(t *testing.T, text, tweak []byte, cut uint16, keySize uint8) {
		if len(text) < 16 {
			return
		}
		key := make([]byte, 32+16*(keySize%3))
		copy(key, tweak)
		var tw [16]byte
		copy(tw[:], tweak)
		twin := kernels.NewXTSKey(kernels.Generic, key)
		want := make([]byte, len(text))
		a := tw
		kernels.XTSRun(twin, kernels.Encrypt, &a, want, text)
		for _, level := range kernels.Levels() {
			k := kernels.NewXTSKey(level, key)
			got, b := bytes.Clone(text), tw
			n := int(cut) &^ 15
			if n > len(got)-16 {
				n = 0
			}
			if n > 0 {
				kernels.XTSRun(k, kernels.Encrypt, &b, got[:n], got[:n])
			}
			kernels.XTSRun(k, kernels.Encrypt, &b, got[n:], got[n:])
			if !bytes.Equal(got, want) {
				t.Fatalf("%v cut at %d: wrong from %d on", level, n, firstDifference(got, want))
			}
			b = tw
			kernels.XTSRun(k, kernels.Decrypt, &b, got, got)
			if !bytes.Equal(got, text) {
				t.Fatalf("%v: not back from %d on", level, firstDifference(got, text))
			}
		}
	})
}
