package cipherwalk_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
	"github.com/cipherwalk/cipherwalk/walk"
	"github.com/cipherwalk/cipherwalk/xts"
)

// These benchmarks are for finding regressions with benchstat; ratios between
// implementations come from interop/compare, which interleaves them.

func newCipher(b *testing.B) *xts.Cipher {
	key := make([]byte, 64)
	key[0] = 1
	c, err := xts.New(key)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// split cuts n bytes of fresh memory into segments of one size and a rest.
func split(n, size int) sg.List {
	return sg.Split(make([]byte, n), slices.Repeat([]int{size}, n/size)...)
}

func BenchmarkXTS(b *testing.B) {
	c := newCipher(b)
	for _, n := range []int{16, 63, 64, 256, 500, 512, 1420, 4095, 4096, 16384, 65536, 1 << 20} {
		p := make([]byte, n)
		b.Run(fmt.Sprintf("encrypt/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				c.Encrypt(p, p, [16]byte{})
			}
		})
		b.Run(fmt.Sprintf("decrypt/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				c.Decrypt(p, p, [16]byte{})
			}
		})
	}
}

func BenchmarkXTSUnits(b *testing.B) {
	c := newCipher(b)
	const n = 64 << 10
	src, dst := split(n, n), split(n, n)
	for _, size := range []int{512, 520, 4096} {
		total := n - n%size
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(total))
			for b.Loop() {
				if err := c.EncryptUnits(sg.List{dst[0][:total]}, sg.List{src[0][:total]}, xts.Units{Size: size}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkXTSList has 64 KiB in segments of one size, src and dst alike, and
// once divided differently.
func BenchmarkXTSList(b *testing.B) {
	c := newCipher(b)
	const n = 64 << 10
	for _, s := range [][2]int{{16, 16}, {64, 64}, {256, 256}, {1420, 1420}, {4096, 4096}, {n, n}, {1420, 4096}} {
		src, dst := split(n, s[0]), split(n, s[1])
		b.Run(fmt.Sprintf("src=%d/dst=%d", s[0], s[1]), func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				if err := c.EncryptList(dst, src, [16]byte{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWalk is the walker alone: what a step costs beside the kernel.
func BenchmarkWalk(b *testing.B) {
	const n = 64 << 10
	for _, size := range []int{16, 64, 256, 1420, 4096, n} {
		src, dst := split(n, size), split(n, size)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			steps := 0
			for b.Loop() {
				w, err := walk.New(dst, src, walk.Geometry{Chunk: 16, Keep: 16})
				if err != nil {
					b.Fatal(err)
				}
				steps = 0
				for _, _, ok := w.Next(); ok; _, _, ok = w.Next() {
					steps++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*steps), "ns/step")
		})
	}
}

// aeads returns the authenticated ciphers by name.
func aeads(b *testing.B) map[string]sg.AEAD {
	list := map[string]sg.AEAD{}
	add := func(name string, a sg.AEAD, err error) {
		if err != nil {
			b.Fatal(err)
		}
		list[name] = a
	}
	for _, size := range []int{16, 32} {
		a, err := gcm.New(make([]byte, size))
		add(fmt.Sprintf("AES-%d-GCM", 8*size), a, err)
	}
	for v := aegis.AEGIS128; v <= aegis.AEGIS256X4; v++ {
		a, err := aegis.New(v, make([]byte, v.KeySize()))
		add(v.String(), a, err)
	}
	return list
}

func BenchmarkAEAD(b *testing.B) {
	for name, a := range aeads(b) {
		nonce, aad := make([]byte, a.NonceSize()), make([]byte, 16)
		for _, n := range []int{16, 63, 256, 1420, 4096, 16384, 65536} {
			text := make([]byte, n, n+a.Overhead())
			sealed := a.Seal(nil, nonce, text, aad)
			out := make([]byte, 0, len(sealed))
			b.Run(fmt.Sprintf("%s/seal/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					a.Seal(out, nonce, text, aad)
				}
			})
			b.Run(fmt.Sprintf("%s/open/%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					if _, err := a.Open(out, nonce, sealed, aad); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for _, size := range []int{256, 1420, 4096} {
			const n = 64 << 10
			src, dst, tag := split(n, size), split(n, size), make([]byte, a.Overhead())
			b.Run(fmt.Sprintf("%s/list/%d", name, size), func(b *testing.B) {
				b.SetBytes(n)
				for b.Loop() {
					if err := a.SealList(dst, src, tag, nonce, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkStream(b *testing.B) {
	text := make([]byte, 16<<20)
	for _, suite := range []stream.Suite{stream.Cobblestone256, stream.AEGIS128X2} {
		key := make([]byte, suite.KeySize())
		var sealed bytes.Buffer
		seal := func(b *testing.B, w io.Writer) {
			s, err := stream.NewWriter(w, suite, key, nil)
			if err != nil {
				b.Fatal(err)
			}
			for at := 0; at < len(text); at += 1 << 20 {
				if _, err := s.Write(text[at : at+1<<20]); err != nil {
					b.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		}
		seal(b, &sealed)
		b.Run(fmt.Sprintf("%v/Writer", suite), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				seal(b, io.Discard)
			}
		})
		b.Run(fmt.Sprintf("%v/Reader", suite), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			p := make([]byte, 1<<20)
			for b.Loop() {
				r, err := stream.NewReader(bytes.NewReader(sealed.Bytes()), suite, key, nil)
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, err = r.Read(p)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
