//go:build !purego

package kernels

import "unsafe"

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

// gcmShort does a whole message in one call; see gcmIsShort. The pointers of empty
// slices may be nil: nothing is read there.
//
//go:noinline
func gcmShort(k *GCMKey, op gcmOp, tag *[16]byte, dst, src, nonce, aad []byte) {
	keys, r, p := &k.enc.keys, k.enc.rounds, &k.powers
	d, s, a := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(aad)
	if op == gcmSeal {
		switch k.level {
		case AESNI:
			gcmSealShortAESNI(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX:
			gcmSealShortAVX(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case VAESAVX2:
			gcmSealShortVAESAVX2(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512VL:
			gcmSealShortAVX512VL(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512:
			gcmSealShortAVX512(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		}
	} else {
		switch k.level {
		case AESNI:
			gcmOpenShortAESNI(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX:
			gcmOpenShortAVX(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case VAESAVX2:
			gcmOpenShortVAESAVX2(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512VL:
			gcmOpenShortAVX512VL(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512:
			gcmOpenShortAVX512(keys, r, p, &nonce[0], a, len(aad), d, s, len(src), tag)
		}
	}
}
