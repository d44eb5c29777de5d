// Package bufpool lends buffers for data that must not stay in memory.
//
// Underneath is a bytebufferpool, which re-slices a returned buffer and keeps
// whatever it holds: plaintext would lie about until another borrower happens
// to overwrite it. So every buffer is wiped over its whole capacity before it
// goes back, and one that has grown beyond [MaxKept] is left to the garbage
// collector after the wipe, since the pool below drops large buffers only when
// it has seen 42 000 of them. And there is a pool for every magnitude: in a common
// one all buffers would grow to the largest size in use, and be wiped as such.
package bufpool

import (
	"math/bits"

	"github.com/valyala/bytebufferpool"
)

// MaxKept is the capacity in bytes beyond which a returned buffer is not kept.
const MaxKept = 1 << 20

// A Buffer is a borrowed buffer. Its owner may re-slice and replace B. A slice
// that the owner replaced is no longer the pool's, and the owner's to wipe.
type Buffer = bytebufferpool.ByteBuffer

// pools are by the number of bits of the capacity, 0 for those without any. Each is
// allocated by itself: it has 64-bit atomics, which panic on 32-bit machines where
// they are not aligned, as in an array they would not be.
var pools = func() (p [22]*bytebufferpool.Pool) {
	for i := range p {
		p[i] = new(bytebufferpool.Pool)
	}
	return p
}()

func pool(capacity int) *bytebufferpool.Pool {
	return pools[min(bits.Len(uint(capacity)), len(pools)-1)]
}

// Get lends a buffer whose B has n zero bytes. It is the borrower's alone until
// [Put]. It is safe for concurrent use.
func Get(n int) *Buffer {
	b := pool(n).Get()
	if cap(b.B) < n {
		// Wiped when it came back: growing by append would copy and
		// round up for nothing.
		b.B = make([]byte, n)
	}
	b.B = b.B[:n]
	return b
}

// Put wipes b and takes it back. The caller must not use b or its bytes after
// that, nor give b back twice; a nil b is ignored.
func Put(b *Buffer) {
	if b == nil {
		return
	}
	Wipe(b.B)
	if cap(b.B) > MaxKept {
		b.B = nil
	}
	pool(cap(b.B)).Put(b)
}

// Wipe zeroes p up to its capacity.
func Wipe(p []byte) { clear(p[:cap(p)]) }

// Replace makes p, which is the old buffer extended by append, the contents of
// b. If append moved to new memory the old memory is wiped first.
func Replace(b *Buffer, p []byte) {
	if cap(b.B) > 0 && (cap(p) == 0 || &b.B[:1][0] != &p[:1][0]) {
		Wipe(b.B)
	}
	b.B = p
}
