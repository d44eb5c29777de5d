package stream

import (
	"sync"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// Plaintext is in buffers of bufpool, which wipes them. Ciphertext is no secret,
// and there is the most of it, so its buffers are in a pool of their own that does
// without.
var sealedPool sync.Pool

// getSealed lends a buffer for n bytes of ciphertext.
func getSealed(n int) *bufpool.Buffer {
	b, _ := sealedPool.Get().(*bufpool.Buffer)
	if b == nil {
		b = new(bufpool.Buffer)
	}
	if cap(b.B) < n {
		b.B = make([]byte, n)
	}
	b.B = b.B[:n]
	return b
}

// putSealed takes a buffer back that never held plaintext. A nil b is ignored.
func putSealed(b *bufpool.Buffer) {
	if b != nil {
		sealedPool.Put(b)
	}
}

// sized returns a buffer for n bytes of plaintext, b if it has the capacity, whose
// contents are lost otherwise. b may be nil.
func sized(b *bufpool.Buffer, n int) *bufpool.Buffer {
	if b == nil || cap(b.B) < n {
		bufpool.Put(b)
		return bufpool.Get(n)
	}
	b.B = b.B[:n]
	return b
}
