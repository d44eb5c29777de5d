//go:build !purego

package kernels

//go:generate go -C _asm run .

// xtsPiece passes at most maxPiece bytes to the assembly of k's level; see there
// for the meaning of the arguments. data is k.enc or k.dec, or k.tweak to
// encrypt under K2; tweakKeys is nil for a run.
//
// It must not be inlined: a loop around assembly that needs no stack has no
// point at which the goroutine could be stopped, however short the pieces. The
// prologue of this function is that point; TestPause guards it.
//
//go:noinline
func xtsPiece(k *XTSKey, data, tweakKeys *schedule, tweak *[16]byte, step uint64, size int, dst, src *byte, n int) {
	var tk *[15][16]byte
	if tweakKeys != nil {
		tk = &tweakKeys.keys
	}
	dk, r := &data.keys, data.rounds
	if data == &k.dec {
		switch k.level {
		case AESNI:
			xtsDecryptAESNI(dk, tk, r, tweak, step, size, dst, src, n)
		case AVX:
			xtsDecryptAVX(dk, tk, r, tweak, step, size, dst, src, n)
		case VAESAVX2:
			xtsDecryptVAESAVX2(dk, tk, r, tweak, step, size, dst, src, n)
		case AVX512VL:
			xtsDecryptAVX512VL(dk, tk, r, tweak, step, size, dst, src, n)
		case AVX512:
			xtsDecryptAVX512(dk, tk, r, tweak, step, size, dst, src, n)
		}
		return
	}
	switch k.level {
	case AESNI:
		xtsEncryptAESNI(dk, tk, r, tweak, step, size, dst, src, n)
	case AVX:
		xtsEncryptAVX(dk, tk, r, tweak, step, size, dst, src, n)
	case VAESAVX2:
		xtsEncryptVAESAVX2(dk, tk, r, tweak, step, size, dst, src, n)
	case AVX512VL:
		xtsEncryptAVX512VL(dk, tk, r, tweak, step, size, dst, src, n)
	case AVX512:
		xtsEncryptAVX512(dk, tk, r, tweak, step, size, dst, src, n)
	}
}
