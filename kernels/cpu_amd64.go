//go:build !purego

package kernels

import "golang.org/x/sys/cpu"

// detected is what this machine offers, less what the operator switched off.
// golang.org/x/sys/cpu knows VAES and VPCLMULQDQ only beside AVX-512, so their
// CPUID bits are read here; the levels AND them with AVX2, which x/sys/cpu
// reports only if the operating system saves YMM registers, and the AVX-512
// levels with its own AVX-512 flags.
var detected = detect()

func detect() features {
	var f features
	for _, c := range []struct {
		has  bool
		feat features
	}{
		{cpu.X86.HasAES, featAES},
		{cpu.X86.HasPCLMULQDQ, featPCLMULQDQ},
		{cpu.X86.HasSSSE3, featSSSE3},
		{cpu.X86.HasSSE41, featSSE41},
		{cpu.X86.HasAVX, featAVX},
		{cpu.X86.HasAVX2, featAVX2},
		{cpu.X86.HasBMI2, featBMI2},
		{cpu.X86.HasAVX512BW, featAVX512BW},
		{cpu.X86.HasAVX512VL, featAVX512VL},
		// GODEBUG names each of these apart, and switching one off
		// leaves the others: all must be there.
		{cpu.X86.HasAVX512 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VAES &&
			cpu.X86.HasAVX512VPCLMULQDQ, featAVX512F},
	} {
		if c.has {
			f |= c.feat
		}
	}
	return f | cpuidFeatures(cpuid, xgetbv)
}

// cpuidFeatures reads what x/sys/cpu does not tell: VAES and VPCLMULQDQ (leaf
// 7, ECX bits 9 and 10), if the operating system enabled XMM and YMM state
// (leaf 1, ECX bit 27, then XCR0 bits 1 and 2), and whether this is one of
// Intel's cores that slow down for 512-bit registers (family 6, by model).
func cpuidFeatures(cpuid func(leaf, sub uint32) (a, b, c, d uint32), xgetbv func() uint32) features {
	var f features
	top, b0, c0, d0 := cpuid(0, 0)
	if top < 7 {
		return 0
	}
	sig, _, c1, _ := cpuid(1, 0)
	const osxsave = 1 << 27
	if c1&osxsave != 0 && xgetbv()&6 == 6 {
		_, _, c7, _ := cpuid(7, 0)
		if c7&(1<<9) != 0 {
			f |= featVAES
		}
		if c7&(1<<10) != 0 {
			f |= featVPCLMULQDQ
		}
	}
	intel := b0 == 0x756e6547 && d0 == 0x49656e69 && c0 == 0x6c65746e // "GenuineIntel"
	family := sig >> 8 & 0xf
	model := sig>>4&0xf | sig>>12&0xf0
	if intel && family == 6 {
		switch model {
		case 0x55, // Skylake-X, Cascade Lake, Cooper Lake
			0x6a, 0x6c, 0x7d, 0x7e, 0x9d, // Ice Lake
			0x8c, 0x8d: // Tiger Lake
			f |= featPrefer256
		}
	}
	return f
}

// cpuid executes CPUID with EAX = leaf and ECX = sub.
//
//go:noescape
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv returns the low half of XCR0. The caller has checked OSXSAVE.
//
//go:noescape
func xgetbv() uint32
