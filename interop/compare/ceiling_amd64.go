//go:build !purego

package main

import "github.com/cipherwalk/cipherwalk/kernels"

// ceilingRegisters is the number of independent registers in the loops below.
const ceilingRegisters = 12

// Each of these does n AES rounds on each of 12 registers.

//go:noescape
func rounds128(n int)

//go:noescape
func rounds256(n int)

//go:noescape
func rounds512(n int)

// ceilings returns the loops that this machine can run, by width in bits.
func ceilings() map[int]func(n int) {
	loops := map[int]func(n int){}
	for _, l := range kernels.Levels() {
		switch levelWidth(l) {
		case 128:
			loops[128] = rounds128
		case 256:
			loops[256] = rounds256
		case 512:
			loops[512] = rounds512
		}
	}
	return loops
}
