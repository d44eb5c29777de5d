//go:build !amd64 || purego

package kernels

// xtsPiece is never called: no key has another level than Generic here.
func xtsPiece(k *XTSKey, data, tweakKeys *schedule, tweak *[16]byte, step uint64, size int, dst, src *byte, n int) {
	panic("kernels: internal error: assembly without a level for it")
}
