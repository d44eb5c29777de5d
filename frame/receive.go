package frame

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/cipherwalk/cipherwalk/gcm"
)

// A receiver is the direction that is read.
type receiver struct {
	mu sync.Mutex // held by whoever calls a method
	cipherState
	in   intake
	text []byte // opened and not delivered, in the memory of in
	late error  // came with bytes: counts when they are used up
	err  error  // why nothing more will be read
}

// read delivers bytes of one record.
func (r *receiver) read(conn io.Reader, p []byte) (int, error) {
	if len(r.text) == 0 {
		if r.err != nil || len(p) == 0 {
			return 0, r.err
		}
		sealed, err := r.record(conn)
		if err != nil {
			return 0, err
		}
		// Straight into p if there is room for all of it.
		if n := len(sealed) - gcm.TagSize; n <= len(p) {
			text, err := r.open(p[:0:n], sealed)
			return len(text), err
		}
		if r.text, err = r.open(sealed[:0], sealed); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}

// writeTo delivers record after record to w.
func (r *receiver) writeTo(conn io.Reader, w io.Writer) (total int64, err error) {
	for {
		if len(r.text) == 0 {
			if r.err == nil {
				err = r.fill(conn)
			} else {
				err = r.err
			}
			if err == io.EOF {
				return total, nil
			}
			if err != nil {
				return total, err
			}
		}
		n, err := w.Write(r.text)
		if n < 0 || n > len(r.text) {
			return total, errCount
		}
		if err == nil && n < len(r.text) {
			err = io.ErrShortWrite
		}
		r.text = r.text[n:]
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
}

// fill opens the next record where it lies.
func (r *receiver) fill(conn io.Reader) error {
	sealed, err := r.record(conn)
	if err != nil {
		return err
	}
	r.text, err = r.open(sealed[:0], sealed)
	return err
}

// record returns the next record without its length, fetching more if it is not
// complete. The bytes are valid until the next call.
func (r *receiver) record(conn io.Reader) ([]byte, error) {
	for {
		need := headerSize
		if have := r.in.unused(); len(have) >= headerSize {
			n := int(binary.BigEndian.Uint16(have))
			if n < gcm.TagSize {
				return nil, r.fail(fmt.Errorf("%w: %d bytes, want at least %d", ErrRecordLength, n, gcm.TagSize))
			}
			if need += n; len(have) >= need {
				r.in.use(need)
				return have[headerSize:need:need], nil
			}
		}
		if err := r.late; err != nil {
			r.late = nil
			if isTimeout(err) {
				return nil, err // nothing is lost
			}
			if err == io.EOF {
				// The end of a direction is a record.
				err = io.ErrUnexpectedEOF
			}
			return nil, r.fail(err)
		}
		r.late = r.in.fetch(conn, need)
	}
}

// open opens a record and appends its text to dst. An empty text is the end.
func (r *receiver) open(dst, sealed []byte) ([]byte, error) {
	if r.left() == 0 {
		return nil, r.fail(ErrCounter)
	}
	text, err := r.aead.Open(dst, r.next(), sealed, nil)
	if err != nil {
		return nil, r.fail(fmt.Errorf("frame: record %d: %w", r.counter-1, err))
	}
	if len(text) == 0 {
		return nil, r.fail(io.EOF)
	}
	return text, nil
}

// fail ends the direction. The two errors of package io stay what they are, for
// those who compare.
func (r *receiver) fail(err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		err = permanent(err)
	}
	r.err = err
	r.release()
	return err
}

// release wipes what was received.
func (r *receiver) release() {
	r.text = nil
	r.in.release()
}
