package main

import (
	"fmt"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// ceilingBlocks is the number of AES blocks that each lane of each register is
// said to hold in one iteration of a ceiling.
const ceilingBlocks = 64

// ceilingCase returns the AES ceiling: a loop of nothing but AES rounds on
// independent registers of the given width in bits, without loads, counted as
// the bytes of an AES of the given number of rounds. No mode of AES can be
// faster at that width. It is absent, false, where the instructions are.
func ceilingCase(width, rounds int) (benchCase, bool) {
	loop, ok := ceilings()[width]
	if !ok {
		return benchCase{}, false
	}
	return benchCase{
		impl:    fmt.Sprintf("AES ceiling, %d bit", width),
		bytes:   ceilingRegisters * width / 8 * ceilingBlocks,
		width:   width,
		ceiling: true,
		run:     func(n int) { loop(n * ceilingBlocks * rounds) },
	}, true
}

// levelWidth returns the width in bits of the AES instructions of a level, 0
// for none.
func levelWidth(l kernels.Level) int {
	switch l {
	case kernels.AESNI, kernels.AVX:
		return 128
	case kernels.VAESAVX2, kernels.AVX512VL:
		return 256
	case kernels.AVX512:
		return 512
	}
	return 0
}

// widest returns the width of the widest ceiling of this machine, 0 for none.
func widest() int {
	most := 0
	for width := range ceilings() {
		most = max(most, width)
	}
	return most
}
