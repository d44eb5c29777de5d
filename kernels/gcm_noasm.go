//go:build !amd64 || purego

package kernels

// None of these is ever called: no key has another level than Generic here.

const noAssembly = "kernels: internal error: assembly without a level for it"

func gcmHashPiece(k *GCMKey, acc *[16]byte, src *byte, n int) { panic(noAssembly) }

func gcmPiece(k *GCMKey, dir Direction, acc, ctr *[16]byte, dst, src *byte, n int) { panic(noAssembly) }

func gcmMessage(k *GCMKey, dir Direction, tag *[16]byte, dst, src, nonce, aad []byte) {
	panic(noAssembly)
}
