package main

import (
	"crypto/cipher"
	"fmt"

	peer "github.com/ericlagergren/aegis"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// aegisPeer is the other implementation in Go, which uses AES-NI.
const aegisPeer = "ericlagergren/aegis"

// aegisVariant is what a work needs to know of a variant. An update takes in so
// many blocks a lane with so many AES rounds: what the ceiling counts.
type aegisVariant struct {
	aegis.Variant
	bits   int // of a key
	lanes  int
	rounds int // per block of 16 bytes
	peer   bool
}

var aegisVariants = []aegisVariant{
	{aegis.AEGIS128L, 128, 1, 4, true},
	{aegis.AEGIS128X2, 128, 2, 4, false},
	{aegis.AEGIS128X4, 128, 4, 4, false},
	{aegis.AEGIS128, 128, 1, 5, false},
	{aegis.AEGIS256, 256, 1, 6, true},
	{aegis.AEGIS256X2, 256, 2, 6, false},
	{aegis.AEGIS256X4, 256, 4, 6, false},
}

// width returns the width in bits of the AES instructions that a level has for v: a
// vector has no more blocks than lanes.
func (v aegisVariant) width(l kernels.Level) int { return min(levelWidth(l), 128*v.lanes) }

// aegisWorks returns the works of the variants that have keys of so many bits:
// whole messages with 16 bytes of additional data and a tag of 16, next to AES-GCM
// with a key of that size. Ceilings are for the AES rounds of the variant, of which
// there are fewer than AES has; so GCM is not compared with them.
func aegisWorks(bits int) []work {
	var works []work
	for _, v := range aegisVariants {
		if v.bits != bits {
			continue
		}
		base := kernels.Best().String()
		if v.peer {
			base = aegisPeer
		}
		for _, seal := range []bool{true, false} {
			works = append(works, work{
				name:   fmt.Sprintf("%v %s", v, map[bool]string{true: "seal", false: "open"}[seal]),
				base:   base,
				rounds: v.rounds,
				sizes:  append([]int{128}, sizesOfMessages...),
				fits:   func(n int) bool { return n > 0 && n <= 64<<20 },
				cases:  func(n int) []benchCase { return aegisCases(v, seal, n) },
			})
		}
	}
	return works
}

// aegisCases returns the implementations for a message of n bytes.
func aegisCases(v aegisVariant, seal bool, n int) []benchCase {
	key, nonce, aad, plain := text(v.KeySize()), text(v.NonceSize()), text(gcmAAD), text(n)
	ours, err := aegis.New(v.Variant, key)
	must(err)
	sealed, dst := ours.Seal(buffer(n + aegis.TagSize)[:0], nonce, plain, aad), buffer(n+aegis.TagSize)

	var cases []benchCase
	add := func(impl string, width int, run func(n int), out []byte) {
		cases = append(cases, benchCase{impl: impl, bytes: n, width: width, run: run, out: sg.List{out}})
	}
	opened := buffer(n) // GCM seals to other bytes, so results are opened
	for _, level := range kernels.Levels() {
		k := kernels.NewAEGISKey(level, kernels.AEGIS(v.Variant), key)
		var tag [aegis.TagSize]byte
		if seal {
			run := func() { kernels.AEGISMessage(k, kernels.Encrypt, dst[n:], dst[:n], plain, nonce, aad) }
			add(level.String(), v.width(level), sealedThenOpened(run, ours, opened, dst, nonce, aad), opened)
		} else {
			add(level.String(), v.width(level), times(func() {
				kernels.AEGISMessage(k, kernels.Decrypt, tag[:], dst[:n], sealed[:n], nonce, aad)
			}), dst[:n])
		}
	}
	aead := func(impl string, width int, a cipher.AEAD, nonce, sealed []byte) {
		if seal {
			run := func() { a.Seal(dst[:0], nonce, plain, aad) }
			add(impl, width, sealedThenOpened(run, a, opened, dst, nonce, aad), opened)
			return
		}
		add(impl, width, times(func() {
			_, err := a.Open(dst[:0], nonce, sealed, aad)
			must(err)
		}), dst[:n])
	}
	aead("aegis.AEAD", v.width(kernels.Best()), ours, nonce, sealed)
	if v.peer {
		theirs, err := peer.New(key)
		must(err)
		aead(aegisPeer, min(128, widest()), theirs, nonce, sealed)
	}
	g, err := gcm.New(key)
	must(err)
	iv := nonce[:gcm.NonceSize]
	aead("gcm.AEAD", 0, g, iv, g.Seal(buffer(n + gcm.TagSize)[:0], iv, plain, aad))
	return cases
}

// sealedThenOpened returns a run of seal, which leaves a message in sealed. What
// the first iteration of all leaves is opened into out, so that the results of
// different ciphers can be compared.
func sealedThenOpened(seal func(), a cipher.AEAD, out, sealed, nonce, aad []byte) func(n int) {
	first := true
	return func(n int) {
		for range n {
			seal()
		}
		if first && n > 0 {
			first = false
			_, err := a.Open(out[:0], nonce, sealed, aad)
			must(err)
		}
	}
}
