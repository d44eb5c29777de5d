// Package sg describes data that lies in pieces.
//
// A [List] is a slice of byte slices, its segments. It stands for the string
// that their concatenation would give; nothing is ever concatenated. Segments
// may be nil or empty, at any place, and a list may be nil. A [Cursor] reads a
// list from the front, one contiguous run after the other.
//
// The package also holds what the authenticated modes of this module share:
// the [AEAD] interface over lists and the one authentication error, [ErrOpen].
//
// A List is assignable from [][]byte and convertible to and from net.Buffers.
// Nothing in this package allocates, but [Split] and [AppendSlice] when their
// result outgrows the room they were given.
package sg
