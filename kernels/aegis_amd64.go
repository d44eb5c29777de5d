//go:build !purego

package kernels

// aegisPiece makes one call of the assembly of k's level. The functions with an X
// in their names take vectors of several lanes, as many as a word has at most; the
// others go lane by lane, and above AVX are for one lane only. Like xtsPiece this
// must not be inlined.
//
//go:noinline
func aegisPiece(k *AEGISKey, c *aegisCall) {
	level, lanes := k.level, k.lanes
	switch k.words {
	case 5:
		switch {
		case level == AESNI:
			aegis128AESNI(c)
		case level < AVX512VL:
			aegis128AVX(c)
		default:
			aegis128AVX512VL(c)
		}
	case 6:
		switch {
		case level == AESNI:
			aegis256AESNI(c)
		case level == AVX || level == VAESAVX2 && lanes == 1:
			aegis256AVX(c)
		case level == VAESAVX2:
			aegis256XVAESAVX2(c)
		case lanes == 1:
			aegis256AVX512VL(c)
		case level == AVX512VL || lanes == 2:
			aegis256XAVX512VL(c)
		default:
			aegis256XAVX512(c)
		}
	case 8:
		switch {
		case level == AESNI:
			aegis128LAESNI(c)
		case level == AVX || level == VAESAVX2 && lanes == 1:
			aegis128LAVX(c)
		case level == VAESAVX2:
			aegis128XVAESAVX2(c)
		case lanes == 1:
			aegis128LAVX512VL(c)
		case level == AVX512VL || lanes == 2:
			aegis128XAVX512VL(c)
		default:
			aegis128XAVX512(c)
		}
	}
}
