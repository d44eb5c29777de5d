package stream

import (
	"crypto/fips140"
	"errors"
	"fmt"
)

// An Option changes how a [Writer], a [Reader] or a [ReaderAt] works, never what
// it reads or writes.
type Option func(*options)

type options struct {
	workers int
}

// WithConcurrency lets up to n goroutines seal or open chunks at once; 1 is the
// default, and less is an error of the constructor. Order and bytes stay the
// same.
//
// It matters to calls that have many chunks at hand: Writes, Reads and ReadAts of
// megabytes, ReadFrom and WriteTo, and so io.Copy. In Write, ReadFrom and WriteTo
// the sink is written to from another goroutine besides, never at once from two,
// so that reading, sealing and writing go on at the same time. There, up to n+2
// batches are under way, of half a megabyte of buffers each.
//
// All goroutines that a call starts have ended when it returns, whatever it
// returns. So nothing has to be closed on their account. But a call that must
// wait for a blocked source or sink waits, even when the other has failed.
func WithConcurrency(n int) Option { return func(o *options) { o.workers = n } }

// configure checks what all constructors take.
func configure(suite Suite, key []byte, opts []Option) (options, error) {
	o := options{workers: 1}
	for _, opt := range opts {
		opt(&o)
	}
	switch size := suite.KeySize(); {
	case fips140.Enforced():
		return o, errors.New("stream: not available while FIPS 140 is enforced: this package is not a validated module")
	case size == 0:
		return o, fmt.Errorf("stream: %v is not a suite", suite)
	case len(key) != size:
		return o, fmt.Errorf("stream: key of %d bytes, want %d for %v", len(key), size, suite)
	case o.workers < 1:
		return o, fmt.Errorf("stream: concurrency of %d, want at least 1", o.workers)
	}
	return o, nil
}

// batch returns how many chunks are worked on at a time where there are many. For
// one worker they stay in the second-level cache; for several they are worth the
// detour.
func (o options) batch() int {
	if o.workers == 1 {
		return 8
	}
	return 16
}
