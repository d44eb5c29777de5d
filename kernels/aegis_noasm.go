//go:build !amd64 || purego

package kernels

// aegisPiece is never called: no key has another level than Generic here.
func aegisPiece(k *AEGISKey, c *aegisCall) { panic(noAssembly) }
