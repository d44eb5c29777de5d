// Package walk turns data in pieces into steps that a block cipher can work
// on, without gathering the whole.
//
// # Lists
//
// A [Walker] goes over two lists of equal length side by side, however each is
// divided. [Walker.Next] gives the next step: two slices of equal length, dst
// and src, that are the same memory or disjoint. The caller turns src into dst
// and asks for the next one.
//
//	w, err := walk.New(dst, src, walk.Geometry{Chunk: 16})
//	if err != nil {
//		return err
//	}
//	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
//		kernel(d, s)
//	}
//
// Where both lists run on contiguously, a step is the caller's own memory. A
// chunk that straddles segments, and segments too small to be worth a step,
// are gathered into a bounce buffer inside the walker; the step is then that
// buffer, and the next call of Next scatters it into dst. [Geometry] says what
// a step must be made of. No step is ever decided by the identity of a list:
// the same memory in other segments is still worked on in place.
//
// A Walker is a value and allocates nothing. Slices enter it in [New] and leave
// it as results of Next; its methods store integers and bytes only, so the
// caller's buffers and lists can stay on the stack.
//
// # Streams
//
// A [Writer], a [Reader] and [Copy] apply a [Step] to a stream of unknown
// length under the same geometry: what must stay together is held back until
// more arrives or the stream ends. Their buffers come from a pool and are wiped
// before they go back.
package walk
