//go:build !purego

package kernels

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCPUID gives the detection CPUs that are not here.
func TestCPUID(t *testing.T) {
	const (
		osxsave = 1 << 27
		vaes    = 1 << 9
		vpclmul = 1 << 10
	)
	intel := [4]uint32{7, 0x756e6547, 0x6c65746e, 0x49656e69}
	amd := [4]uint32{16, 0x68747541, 0x444d4163, 0x69746e65}
	for _, c := range []struct {
		name   string
		leaf0  [4]uint32
		sig    uint32
		ecx1   uint32
		ecx7   uint32
		xcr0   uint32
		want   features
		noXGET bool // XGETBV would fault
	}{
		{"Zen 5", amd, 0x00b40f40, osxsave, vaes | vpclmul, 0xe7, featVAES | featVPCLMULQDQ, false},
		{"Zen 3", amd, 0x00a20f10, osxsave, vaes | vpclmul, 7, featVAES | featVPCLMULQDQ, false},
		{"VAES alone", amd, 0x00a20f10, osxsave, vaes, 7, featVAES, false},
		{"VPCLMULQDQ alone", amd, 0x00a20f10, osxsave, vpclmul, 7, featVPCLMULQDQ, false},
		{"no YMM state", amd, 0x00a20f10, osxsave, vaes | vpclmul, 3, 0, false},
		{"SSE state missing", amd, 0x00a20f10, osxsave, vaes | vpclmul, 5, 0, false},
		{"no XSAVE", amd, 0x00a20f10, 0, vaes | vpclmul, 7, 0, true},
		{"no leaf 7", [4]uint32{6, 0x756e6547, 0x6c65746e, 0x49656e69}, 0x000206a7, osxsave, vaes, 7, 0, true},
		{"Ice Lake server", intel, 0x000606a6, osxsave, vaes | vpclmul, 0xe7, featVAES | featVPCLMULQDQ | featPrefer256, false},
		{"Tiger Lake", intel, 0x000806c1, osxsave, vaes | vpclmul, 0xe7, featVAES | featVPCLMULQDQ | featPrefer256, false},
		{"Skylake-X", intel, 0x00050654, osxsave, 0, 0xe7, featPrefer256, false},
		{"Sapphire Rapids", intel, 0x000806f8, osxsave, vaes | vpclmul, 0xe7, featVAES | featVPCLMULQDQ, false},
		{"Rocket Lake", intel, 0x000a0671, osxsave, vaes | vpclmul, 0xe7, featVAES | featVPCLMULQDQ, false},
		{"AMD with the model of Tiger Lake", amd, 0x000806c1, osxsave, vaes, 7, featVAES, false},
	} {
		cpuid := func(leaf, sub uint32) (uint32, uint32, uint32, uint32) {
			switch {
			case leaf == 0:
				return c.leaf0[0], c.leaf0[1], c.leaf0[2], c.leaf0[3]
			case leaf == 1:
				return c.sig, 0, c.ecx1, 0
			case leaf == 7 && sub == 0 && c.leaf0[0] >= 7:
				return 0, 0, c.ecx7, 0
			}
			t.Errorf("%s: unexpected leaf %d, %d", c.name, leaf, sub)
			return 0, 0, 0, 0
		}
		xgetbv := func() uint32 {
			if c.noXGET {
				t.Errorf("%s: XGETBV without OSXSAVE", c.name)
			}
			return c.xcr0
		}
		if got := cpuidFeatures(cpuid, xgetbv); got != c.want {
			t.Errorf("%s: %b, want %b", c.name, got, c.want)
		}
	}
}

// TestOverride starts this test anew with features switched off, as an operator
// would: each flag alone must take away every level that needs it.
func TestOverride(t *testing.T) {
	if want := os.Getenv("KERNELS_TEST_ALLOWED"); want != "" {
		allowed := strings.Split(want, ",")
		for _, l := range Levels() {
			if !slices.Contains(allowed, l.String()) {
				t.Errorf("level %v with %s", l, os.Getenv("GODEBUG"))
			}
		}
		fmt.Println("levels", Levels())
		return
	}
	const (
		sse  = "Generic"
		v128 = "Generic,AESNI,AVX"
		v256 = "Generic,AESNI,AVX,VAESAVX2"
	)
	for flag, allowed := range map[string]string{
		"all": sse, "aes": sse, "pclmulqdq": sse, "ssse3": sse, "sse41": sse,
		"avx": "Generic,AESNI", "avx2": v128,
		"avx512": v256, "avx512f": v256, "avx512bw": v256, "avx512vl": v256,
		"avx512vaes": v256, "avx512vpclmulqdq": v256, "bmi2": v256,
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOverride$")
		cmd.Env = append(os.Environ(), "GODEBUG=cpu."+flag+"=off", "KERNELS_TEST_ALLOWED="+allowed)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("cpu.%s=off: %v\n%s", flag, err, out)
		}
	}
}
