//go:build (arm64 || ppc64le || s390x) && !purego

package kernels

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// hardwareAES is what the standard library asks for before it uses its assembly
// for AES-GCM; on ppc64le it needs nothing beyond what Go itself needs.
var hardwareAES = runtime.GOARCH == "ppc64le" ||
	cpu.ARM64.HasAES && cpu.ARM64.HasPMULL ||
	cpu.S390X.HasAES && cpu.S390X.HasAESCBC && cpu.S390X.HasAESCTR && cpu.S390X.HasGHASH
