//go:build !purego

package kernels

import "unsafe"

// gcmHashPiece absorbs 1 to maxPiece bytes through the assembly of k's level. Like
// the functions below it must not be inlined; see xtsPiece.
//
//go:noinline
func gcmHashPiece(k *GCMKey, acc *[16]byte, src *byte, n int) {
	switch k.level {
	case AESNI:
		gcmHashAESNI(&k.powers, acc, src, n)
	case AVX:
		gcmHashAVX(&k.powers, acc, src, n)
	case VAESAVX2:
		gcmHashVAESAVX2(&k.powers, acc, src, n)
	case AVX512VL:
		gcmHashAVX512VL(&k.powers, acc, src, n)
	case AVX512:
		gcmHashAVX512(&k.powers, acc, src, n)
	}
}

// gcmPiece does 1 to maxPiece bytes of a run.
//
//go:noinline
func gcmPiece(k *GCMKey, dir Direction, acc, ctr *[16]byte, dst, src *byte, n int) {
	keys, r, p := &k.enc.keys, k.enc.rounds, &k.powers
	if dir == Encrypt {
		switch k.level {
		case AESNI:
			gcmSealAESNI(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX:
			gcmSealAVX(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case VAESAVX2:
			gcmSealVAESAVX2(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX512VL:
			gcmSealAVX512VL(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX512:
			gcmSealAVX512(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		}
	} else {
		switch k.level {
		case AESNI:
			gcmOpenAESNI(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX:
			gcmOpenAVX(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case VAESAVX2:
			gcmOpenVAESAVX2(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX512VL:
			gcmOpenAVX512VL(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		case AVX512:
			gcmOpenAVX512(keys, r, p, acc, ctr, nil, nil, 0, dst, src, n, nil)
		}
	}
}

// gcmMessage does a whole message in one call; see gcmIsOneCall. The pointers of
// empty slices may be nil: nothing is read there.
//
//go:noinline
func gcmMessage(k *GCMKey, dir Direction, tag *[16]byte, dst, src, nonce, aad []byte) {
	keys, r, p := &k.enc.keys, k.enc.rounds, &k.powers
	d, s, a := unsafe.SliceData(dst), unsafe.SliceData(src), unsafe.SliceData(aad)
	if dir == Encrypt {
		switch k.level {
		case AESNI:
			gcmSealAESNI(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX:
			gcmSealAVX(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case VAESAVX2:
			gcmSealVAESAVX2(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512VL:
			gcmSealAVX512VL(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512:
			gcmSealAVX512(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		}
	} else {
		switch k.level {
		case AESNI:
			gcmOpenAESNI(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX:
			gcmOpenAVX(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case VAESAVX2:
			gcmOpenVAESAVX2(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512VL:
			gcmOpenAVX512VL(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		case AVX512:
			gcmOpenAVX512(keys, r, p, nil, nil, &nonce[0], a, len(aad), d, s, len(src), tag)
		}
	}
}
