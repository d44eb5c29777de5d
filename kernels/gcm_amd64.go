//go:build !purego

package kernels

// gcmPiece passes 1 to maxPiece bytes to the assembly of k's level. It must not
// be inlined; see xtsPiece.
//
//go:noinline
func gcmPiece(k *GCMKey, op gcmOp, acc, ctr *[16]byte, dst, src *byte, n int) {
	keys, r, p := &k.enc.keys, k.enc.rounds, &k.powers
	switch op {
	case gcmHash:
		switch k.level {
		case AESNI:
			gcmHashAESNI(p, acc, src, n)
		case AVX:
			gcmHashAVX(p, acc, src, n)
		case VAESAVX2:
			gcmHashVAESAVX2(p, acc, src, n)
		case AVX512VL:
			gcmHashAVX512VL(p, acc, src, n)
		case AVX512:
			gcmHashAVX512(p, acc, src, n)
		}
	case gcmSeal:
		switch k.level {
		case AESNI:
			gcmSealAESNI(keys, r, p, acc, ctr, dst, src, n)
		case AVX:
			gcmSealAVX(keys, r, p, acc, ctr, dst, src, n)
		case VAESAVX2:
			gcmSealVAESAVX2(keys, r, p, acc, ctr, dst, src, n)
		case AVX512VL:
			gcmSealAVX512VL(keys, r, p, acc, ctr, dst, src, n)
		case AVX512:
			gcmSealAVX512(keys, r, p, acc, ctr, dst, src, n)
		}
	case gcmOpen:
		switch k.level {
		case AESNI:
			gcmOpenAESNI(keys, r, p, acc, ctr, dst, src, n)
		case AVX:
			gcmOpenAVX(keys, r, p, acc, ctr, dst, src, n)
		case VAESAVX2:
			gcmOpenVAESAVX2(keys, r, p, acc, ctr, dst, src, n)
		case AVX512VL:
			gcmOpenAVX512VL(keys, r, p, acc, ctr, dst, src, n)
		case AVX512:
			gcmOpenAVX512(keys, r, p, acc, ctr, dst, src, n)
		}
	}
}
