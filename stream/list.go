package stream

import "github.com/cipherwalk/cipherwalk/sg"

// leastSegment is how long a segment is at least to be sealed where it is, except
// at the end of a chunk. Shorter ones are gathered: a copy costs less than a step
// of their own.
const leastSegment = 2048

// WriteList takes the segments of l as the next bytes of the plaintext, as
// [Writer.Write] takes one slice: all chunks that are full are written before it
// returns. A chunk that spans a few segments is sealed where they are, others are
// gathered. It returns the number of bytes that it took, counted as Write does. It
// neither changes the segments nor keeps them.
func (w *Writer) WriteList(l sg.List) (int64, error) {
	if w.err != nil {
		return 0, w.err
	}
	start := w.taken()
	n, _ := l.Total()
	w.startLineFor(n)
	err := w.addList(l)
	if err == nil {
		err = w.flush()
	}
	if err = w.stopLine(err); err != nil {
		return int64(w.writtenSince(start)), w.fail(err)
	}
	return int64(w.taken() - start), nil
}

// addList is add for a list.
func (w *Writer) addList(l sg.List) (err error) {
	for at := 0; len(l) > 0 && err == nil; { // at bytes of l[0] are done
		s := l[0][at:]
		lacks := ChunkSize - w.pending()
		switch {
		case len(s) == 0:
			l, at = l[1:], 0
		case lacks == ChunkSize && len(s) >= ChunkSize:
			n := len(s) / ChunkSize * ChunkSize
			err = w.add(s[:n])
			at += n
		case w.span(l, at):
			err = w.sealList(w.view)
			for lacks > 0 {
				n := min(lacks, len(l[0])-at)
				lacks, at = lacks-n, at+n
				if at == len(l[0]) {
					l, at = l[1:], 0
				}
			}
		default:
			err = w.add(s)
			at = len(l[0])
		}
	}
	clear(w.view)
	return err
}

// span makes the view the next chunk: what is held, and what it lacks from l
// without its first at bytes. It says whether l has as much, in segments that are
// long enough.
func (w *Writer) span(l sg.List, at int) bool {
	w.view = w.view[:0]
	lacks := ChunkSize
	if n := w.pending(); n > 0 {
		w.view = append(w.view, w.held.B)
		lacks -= n
	}
	for _, s := range l {
		s, at = s[at:], 0
		if n := min(len(s), lacks); n == lacks || n >= leastSegment {
			w.view = append(w.view, s[:n])
			lacks -= n
		} else if n > 0 {
			return false
		}
		if lacks == 0 {
			return true
		}
	}
	return false
}
