package frame

import (
	"errors"
	"net"
	"os"
)

var (
	// ErrCounter: the counter of a direction has reached 2^64-1, which Noise
	// keeps for rekeying. The record with 2^64-2 is the last.
	ErrCounter = errors.New("frame: record counter is used up")

	// ErrRecordLength: the peer sent a length of less than 16 bytes, which not
	// even an empty record has.
	ErrRecordLength = errors.New("frame: impossible length of a record")

	// ErrPartialWrite: a part of a record was sent and the rest could not be.
	ErrPartialWrite = errors.New("frame: record was sent in part")

	// ErrWriteClosed: a write after [Conn.CloseWrite].
	ErrWriteClosed = errors.New("frame: write after CloseWrite")

	// ErrEqualKeys: both directions would use the same key, and so the same
	// nonces.
	ErrEqualKeys = errors.New("frame: keys of both directions are equal")
)

// What every call returns after Close, and every write after CloseWrite.
var (
	errClosed      = &permanentError{net.ErrClosed, "frame: connection is closed"}
	errWriteClosed = &permanentError{ErrWriteClosed, ErrWriteClosed.Error()}
)

// A permanentError is why a direction is dead. It is a net.Error, so that loops
// which go on after a timeout do not go on after this, even if a timeout was the
// cause.
type permanentError struct {
	cause error
	text  string
}

var _ net.Error = (*permanentError)(nil)

func (e *permanentError) Error() string   { return e.text }
func (e *permanentError) Unwrap() error   { return e.cause }
func (e *permanentError) Timeout() bool   { return false }
func (e *permanentError) Temporary() bool { return false }

// permanent makes err a permanent error, unless it is one.
func permanent(err error) error {
	if p, ok := err.(*permanentError); ok {
		return p
	}
	return &permanentError{err, err.Error()}
}

// isTimeout reports whether err is that of a deadline.
func isTimeout(err error) bool {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return true
	}
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// errCount is for connections, readers and writers that break the contract.
var errCount = errors.New("frame: connection returned an impossible count of bytes")
