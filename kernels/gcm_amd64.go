//go:build !purego

package kernels

import "unsafe"

func gcmInit(k *GCMKey) {
	k.generic = new(gcmGeneric)
	k.generic.init(&k.enc)
}

func gcmPiece(k *GCMKey, op gcmOp, acc, ctr *[16]byte, dst, src *byte, n int) {
	s := unsafe.Slice(src, n)
	switch op {
	case gcmHash:
		k.generic.hash(acc, s)
	case gcmSeal:
		d := unsafe.Slice(dst, n)
		k.generic.crypt(ctr, d, s)
		k.generic.hash(acc, d)
	case gcmOpen:
		k.generic.hash(acc, s)
		k.generic.crypt(ctr, unsafe.Slice(dst, n), s)
	}
}
