package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

// oneBuffer is the case that lists are compared with.
const oneBuffer = "one buffer"

// listWorks returns the works that set lists of segments against one buffer,
// for a size of key in bits. The implementations here are divisions.
func listWorks(bits int) []work {
	var works []work
	for _, encrypt := range []bool{true, false} {
		works = append(works, work{
			name:   fmt.Sprintf("AES-%d-XTS %s, lists", bits, way(encrypt)),
			base:   oneBuffer,
			rounds: aesRounds(bits),
			sizes:  []int{16 << 10, 64 << 10, 1 << 20},
			fits:   func(n int) bool { return n >= 16<<10 && n <= 16<<20 },
			cases:  func(n int) []benchCase { return listCases(bits, encrypt, n) },
		})
	}
	return works
}

// listCases returns the divisions of a data unit of n bytes. All but the
// scattered ones are cuts of the same two buffers, so that only the cutting
// makes a difference.
func listCases(bits int, encrypt bool, n int) []benchCase {
	c := newXTS(xtsKey(bits))
	src, dst := text(n), buffer(n)
	tweak := [16]byte{1}
	width := levelWidth(kernels.Best())
	slice, list := c.Decrypt, c.DecryptList
	if encrypt {
		slice, list = c.Encrypt, c.EncryptList
	}

	cases := []benchCase{{
		impl: oneBuffer, bytes: n, width: width, out: sg.List{dst},
		run: times(func() { slice(dst, src, tweak) }),
	}}
	add := func(impl string, d, s sg.List) {
		cases = append(cases, benchCase{
			impl: impl, bytes: n, width: width, out: d,
			run: times(func() { must(list(d, s, tweak)) }),
		})
	}
	add("one segment", sg.List{dst}, sg.List{src})
	for _, size := range []int{4096, 1420, 256, 64, 16} {
		add(fmt.Sprintf("%d B", size), cut(dst, size), cut(src, size))
	}
	add("1420 to 4096 B", cut(dst, 4096), cut(src, 1420))
	add("1420 B scattered", scatter(dst, 1420, 1), scatter(src, 1420, 2))
	return cases
}

// cut divides p into segments of the given size and a rest.
func cut(p []byte, size int) sg.List {
	var l sg.List
	for len(p) > size {
		l = append(l, p[:size:size])
		p = p[size:]
	}
	return append(l, p)
}

// scatter returns a copy of p in segments of the given size that lie in an
// order that only seed knows.
func scatter(p []byte, size int, seed uint64) sg.List {
	l := cut(p, size)
	memory := buffer(len(p))
	for _, i := range rand.New(rand.NewPCG(seed, seed)).Perm(len(l)) {
		n := copy(memory, l[i])
		l[i], memory = memory[:n:n], memory[n:]
	}
	return l
}
