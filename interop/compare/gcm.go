package main

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"slices"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/interop/internal/openssl"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// gcmAAD is the length of the additional data, that of a header.
const gcmAAD = 16

// gcmWorks returns the works of GCM for a size of key in bits: whole messages with
// 16 bytes of additional data and a tag of 16, and lists.
func gcmWorks(bits int) []work {
	var works []work
	for _, seal := range []bool{true, false} {
		name := fmt.Sprintf("AES-%d-GCM %s", bits, map[bool]string{true: "seal", false: "open"}[seal])
		works = append(works, work{
			name:   name,
			base:   "crypto/cipher",
			rounds: aesRounds(bits),
			sizes:  append([]int{128}, sizesOfMessages...),
			fits:   func(n int) bool { return n > 0 && n <= 64<<20 },
			cases:  func(n int) []benchCase { return gcmCases(bits, seal, n) },
		}, work{
			name:   name + ", lists",
			base:   oneBuffer,
			rounds: aesRounds(bits),
			sizes:  []int{16 << 10, 64 << 10, 1 << 20},
			fits:   func(n int) bool { return n >= 16<<10 && n <= 16<<20 },
			cases:  func(n int) []benchCase { return gcmListCases(bits, seal, n) },
		})
	}
	return works
}

// gcmKey returns a key for AES-GCM, a nonce, additional data, and a message of n
// bytes, plain and sealed.
func gcmKey(bits, n int) (key, nonce, aad, plain, sealed []byte) {
	key, nonce, aad, plain = text(bits/8), text(12), text(gcmAAD), text(n)
	a, err := gcm.New(key)
	must(err)
	return key, nonce, aad, plain, a.Seal(buffer(n + gcm.TagSize)[:0], nonce, plain, aad)
}

// gcmCases returns the implementations for a message of n bytes.
func gcmCases(bits int, seal bool, n int) []benchCase {
	key, nonce, aad, plain, sealed := gcmKey(bits, n)
	dst := buffer(n + gcm.TagSize)
	out := dst
	if !seal {
		out = dst[:n]
	}
	var cases []benchCase
	add := func(impl string, width int, run func(n int)) {
		cases = append(cases, benchCase{impl: impl, bytes: n, width: width, run: run, out: sg.List{out}})
	}
	for _, level := range kernels.Levels() {
		k := kernels.NewGCMKey(level, key)
		var tag [16]byte
		if seal {
			add(level.String(), levelWidth(level), times(func() {
				kernels.GCMSealMessage(k, (*[16]byte)(dst[n:]), dst[:n], plain, nonce, aad)
			}))
		} else {
			add(level.String(), levelWidth(level), times(func() {
				kernels.GCMOpenMessage(k, &tag, dst[:n], sealed[:n], nonce, aad)
			}))
		}
	}
	aead := func(impl string, width int, a cipher.AEAD) {
		if seal {
			add(impl, width, times(func() { a.Seal(dst[:0], nonce, plain, aad) }))
			return
		}
		add(impl, width, times(func() {
			_, err := a.Open(dst[:0], nonce, sealed, aad)
			must(err)
		}))
	}
	ours, err := gcm.New(key)
	must(err)
	aead("gcm.AEAD", levelWidth(kernels.Best()), ours)
	block, err := aes.NewCipher(key)
	must(err)
	std, err := cipher.NewGCM(block)
	must(err)
	aead("crypto/cipher", widest(), std)
	if openssl.Available {
		x, err := openssl.NewGCM(key, seal)
		must(err)
		if seal {
			add("OpenSSL", widest(), func(reps int) { x.Seal(reps, dst, plain, nonce, aad) })
		} else {
			add("OpenSSL", widest(), func(reps int) { x.Open(reps, dst[:n], sealed, nonce, aad) })
		}
	}
	return cases
}

// gcmListCases returns the divisions of a message of n bytes.
func gcmListCases(bits int, seal bool, n int) []benchCase {
	key, nonce, aad, plain, sealed := gcmKey(bits, n)
	a, err := gcm.New(key)
	must(err)
	src, tag := plain, buffer(gcm.TagSize)
	if !seal {
		src = sealed[:n]
		copy(tag, sealed[n:])
	}
	dst, whole := buffer(n), buffer(n+gcm.TagSize)
	width := levelWidth(kernels.Best())
	call := a.OpenList
	one := func() {
		_, err := a.Open(whole[:0], nonce, sealed, aad)
		must(err)
	}
	if seal {
		call = a.SealList
		one = func() { a.Seal(whole[:0], nonce, plain, aad) }
	}
	cases := []benchCase{{impl: oneBuffer, bytes: n, width: width, out: sg.List{whole[:n]}, run: times(one)}}
	add := func(impl string, d, s sg.List) {
		cases = append(cases, benchCase{
			impl: impl, bytes: n, width: width, out: d,
			run: times(func() { must(call(d, s, tag, nonce, sg.List{aad})) }),
		})
	}
	add("one segment", sg.List{dst}, sg.List{src})
	for _, size := range []int{4096, 1420, 256, 64, 16} {
		add(fmt.Sprintf("%d B", size), cut(dst, size), cut(src, size))
	}
	add("1420 to 4096 B", cut(dst, 4096), cut(src, 1420))
	return slices.Clip(cases)
}
