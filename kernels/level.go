package kernels

import "slices"

// A Level is a set of instructions that kernels are written for. Levels are
// ordered within an architecture: a greater one is the better choice, apart
// from the exception that [Best] knows.
type Level uint8

// The levels. A level of another architecture is never in [Levels].
const (
	Generic  Level = iota // portable Go
	AESNI                 // amd64: AES-NI, PCLMULQDQ, SSE4.1
	AVX                   // amd64: the same in VEX encoding
	VAESAVX2              // amd64: 256-bit VAES and VPCLMULQDQ without AVX-512
	AVX512VL              // amd64: 256-bit with AVX-512VL and BW
	AVX512                // amd64: 512-bit
)

var levelNames = [...]string{"Generic", "AESNI", "AVX", "VAESAVX2", "AVX512VL", "AVX512"}

// String returns the name of the constant.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return "unknown level"
}

// features is a set of what a processor and its operating system offer.
type features uint32

const (
	featAES features = 1 << iota
	featPCLMULQDQ
	featSSSE3
	featSSE41
	featAVX  // with the operating system's support for YMM registers
	featAVX2 // likewise
	featVAES // the CPUID bit alone
	featVPCLMULQDQ
	featAVX512F // with the operating system's support for ZMM and masks
	featAVX512BW
	featAVX512VL
	featBMI2
	featPrefer256 // 512-bit registers slow the whole core down

	featAll = featPrefer256<<1 - 1
)

// requirements lists the features that each level needs, every one of them.
var requirements = [...]features{
	Generic: 0,
	AESNI:   featAES | featPCLMULQDQ | featSSSE3 | featSSE41,
	AVX:     featAES | featPCLMULQDQ | featSSSE3 | featSSE41 | featAVX,
	VAESAVX2: featAES | featPCLMULQDQ | featSSSE3 | featSSE41 | featAVX | featAVX2 |
		featVAES | featVPCLMULQDQ,
	AVX512VL: featAES | featPCLMULQDQ | featSSSE3 | featSSE41 | featAVX | featAVX2 |
		featVAES | featVPCLMULQDQ | featAVX512F | featAVX512BW | featAVX512VL | featBMI2,
	AVX512: featAES | featPCLMULQDQ | featSSSE3 | featSSE41 | featAVX | featAVX2 |
		featVAES | featVPCLMULQDQ | featAVX512F | featAVX512BW | featAVX512VL | featBMI2,
}

// levelsFor returns the levels that f suffices for, best last.
func levelsFor(f features) []Level {
	var l []Level
	for level, need := range requirements {
		if f&need == need {
			l = append(l, Level(level))
		}
	}
	return l
}

// bestFor returns the level to use with f. 512-bit registers are declined
// where they lower the clock of the core for everything that runs on it.
func bestFor(f features) Level {
	l := levelsFor(f)
	best := l[len(l)-1]
	if best == AVX512 && f&featPrefer256 != 0 {
		best = AVX512VL
	}
	return best
}

var (
	available = levelsFor(detected)
	best      = bestFor(detected)
)

// Best returns the level to use on this machine: the greatest of [Levels],
// but AVX512VL instead of AVX512 on Intel's Skylake-X to Tiger Lake, whose
// clock drops when 512-bit registers are used.
func Best() Level { return best }

// Levels returns the levels that this machine can run, from Generic upwards.
// The slice is the caller's.
func Levels() []Level { return slices.Clone(available) }

// mustRun panics unless this machine can run the level, so that no later call
// can meet an instruction that it lacks.
func mustRun(l Level) {
	if !slices.Contains(available, l) {
		panic("kernels: level " + l.String() + " is not available on this machine")
	}
}
