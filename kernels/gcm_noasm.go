//go:build !amd64 || purego

package kernels

// gcmPiece is never called: no key has another level than Generic here.
func gcmPiece(k *GCMKey, op gcmOp, acc, ctr *[16]byte, dst, src *byte, n int) {
	panic("kernels: internal error: assembly without a level for it")
}

func gcmShort(k *GCMKey, op gcmOp, tag *[16]byte, dst, src, nonce, aad []byte) {
	panic("kernels: internal error: assembly without a level for it")
}
