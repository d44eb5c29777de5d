package stream

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cipherwalk/cipherwalk/sg"
)

// Errors beside those of sources and sinks, which are passed on. What says that
// a message is not the one that was sealed is a [sg.ErrOpen], and if it may be
// that only its end is missing, an [io.ErrUnexpectedEOF].
var (
	// ErrWrongKey says that the header is that of another key, context or
	// suite, or no header at all. It is a [sg.ErrOpen].
	ErrWrongKey = fmt.Errorf("stream: wrong key, context or suite, or not a message: %w", sg.ErrOpen)

	// ErrTrailingData says that a message is complete and that something
	// follows it. It is a [sg.ErrOpen].
	ErrTrailingData = fmt.Errorf("stream: data behind the end of the message: %w", sg.ErrOpen)

	// ErrTooLong says that a message has or would have more than 2^38
	// chunks: more than 2^52-1 bytes of plaintext.
	ErrTooLong = errors.New("stream: message longer than 2^52-1 bytes")

	// ErrClosed is the error of calls on a closed [Writer]. It is a
	// [fs.ErrClosed].
	ErrClosed = fmt.Errorf("stream: writer is closed: %w", fs.ErrClosed)
)

// errHeader is the error of a source that has ended after n bytes.
func errHeader(n int) error {
	return fmt.Errorf("stream: %d bytes, less than a header of %d: %w", n, headerSize, io.ErrUnexpectedEOF)
}

// errCut is the error of a message that ends n bytes behind the beginning of
// chunk i, which is less than any chunk has.
func errCut(i uint64, n int) error {
	return fmt.Errorf("stream: %d bytes of chunk %d, want %d to %d: %w", n, i, tagSize, sealedSize, io.ErrUnexpectedEOF)
}

// errChunk is the error of full chunk i.
func errChunk(i uint64) error {
	return fmt.Errorf("stream: chunk %d: %w", i, sg.ErrOpen)
}

// errLast is the error of chunk i, the last one since the source ends there.
// Whether it is only a part of a longer one nobody can tell.
func errLast(i uint64) error {
	return fmt.Errorf("stream: last chunk, %d, changed or cut off: %w: %w", i, io.ErrUnexpectedEOF, sg.ErrOpen)
}
