package frame

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// A sender is the direction that is written.
type sender struct {
	mu sync.Mutex // held by whoever calls a method
	cipherState
	max int   // most bytes of text in a record
	err error // why nothing more can be sent
}

// full returns the length of a record of full size on the wire.
func (s *sender) full() int { return s.max + Overhead }

// send cuts l into records and passes them on. It returns how many bytes of l went
// out in whole records.
func (s *sender) send(w io.Writer, l sg.List) (sent int, err error) {
	if s.err != nil {
		return 0, s.err
	}
	if _, ok := l.Total(); !ok {
		return 0, fmt.Errorf("frame: text of more bytes than an int counts")
	}
	for src := l.Cursor(); src.Remaining() > 0; {
		rest := src.Remaining()
		records := min((rest-1)/s.max+1, batchSize/s.full())
		if left := s.left(); uint64(records) > left {
			records = int(left)
		}
		n, err := s.sendBatch(w, &src, records, min(rest, records*s.max))
		sent += n
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// sendEnd sends the empty record.
func (s *sender) sendEnd(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	var nothing sg.Cursor
	if _, err := s.sendBatch(w, &nothing, int(min(s.left(), 1)), 0); err != nil {
		return err
	}
	s.err = errWriteClosed
	return nil
}

// sendBatch seals the next n bytes of src into that many records, all of full size
// but the last, and passes them to w in one call. It returns how many bytes went
// out in whole records.
func (s *sender) sendBatch(w io.Writer, src *sg.Cursor, records, n int) (int, error) {
	if records == 0 {
		s.err = permanent(ErrCounter)
		return 0, s.err
	}
	out := newBatch(n + records*Overhead)
	defer out.free()
	first := s.counter
	for at, left := 0, n; at < len(out.b); {
		text := min(left, s.max)
		record := out.b[at : at+text+Overhead]
		if err := s.seal(record, src, text); err != nil {
			s.err = permanent(err)
			return 0, s.err
		}
		at, left = at+len(record), left-text
	}
	taken, err := deliver(w, out.b)
	if err == nil {
		return n, nil
	}

	// What w did not take at all has not happened: its counters are still to
	// be used, for whatever is written next.
	whole := taken / s.full()
	partial := taken % s.full()
	if taken == len(out.b) {
		whole, partial = records, 0
	}
	s.counter = first + uint64(whole)
	switch {
	case partial == 0 && isTimeout(err):
		return min(whole*s.max, n), err
	case partial > 0 && isTimeout(err):
		// Not wrapped: a loop that looks for timeouts must not find it.
		err = fmt.Errorf("%w, %d bytes of record %d: %v", ErrPartialWrite, partial, s.counter, err)
	case partial > 0:
		err = fmt.Errorf("%w, %d bytes of record %d: %w", ErrPartialWrite, partial, s.counter, err)
	}
	s.err = permanent(err)
	return min(whole*s.max, n), s.err
}

// maxRuns is the number of runs from which a record is gathered before it is
// sealed: below 2 KiB a run, the copy takes less time than the ends of the runs do
// in sealing.
const maxRuns = 32

// seal makes a record of the next n bytes of src.
func (s *sender) seal(record []byte, src *sg.Cursor, n int) error {
	binary.BigEndian.PutUint16(record, uint16(n+gcm.TagSize))
	text, tag := record[headerSize:headerSize+n], record[headerSize+n:]
	// No append: runs must stay on the stack, and so the caller's bytes.
	var runs [maxRuns][]byte
	used, got := 0, 0
	for ; got < n && used < maxRuns; used++ {
		runs[used] = src.Next(n - got)
		got += len(runs[used])
	}
	switch {
	case got < n:
		sg.List(runs[:]).CopyTo(text)
		for got < n {
			got += copy(text[got:], src.Next(n-got))
		}
		s.aead.Seal(text[:0], s.next(), text, nil)
	case used <= 1:
		s.aead.Seal(text[:0], s.next(), runs[0], nil)
	default:
		return s.aead.SealList(sg.List{text}, runs[:used], tag, s.next(), nil)
	}
	return nil
}

// deliver passes p to w and returns how many bytes of it w has taken. Where w takes
// a part without an error, it goes on with the rest.
func deliver(w io.Writer, p []byte) (int, error) {
	for done := 0; ; {
		n, err := w.Write(p[done:])
		if n < 0 || n > len(p)-done {
			return done, errCount
		}
		done += n
		switch {
		case err != nil:
			return done, err
		case done == len(p):
			return done, nil
		case n == 0:
			return done, io.ErrShortWrite
		}
	}
}
