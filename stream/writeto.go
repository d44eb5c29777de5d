package stream

import (
	"io"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// WriteTo writes the plaintext to w up to its end, and returns how many bytes w
// took. An error of w is sticky, since what w did not take is lost.
func (r *Reader) WriteTo(w io.Writer) (total int64, err error) {
	var out *bufpool.Buffer
	defer func() { bufpool.Put(out) }()
	for size := ChunkSize; ; {
		out = sized(out, size)
		n, err := r.Read(out.B)
		switch {
		case err == io.EOF:
			return total, nil
		case err != nil:
			return total, err
		}
		n, err = deliver(w, out.B[:n])
		total += int64(n)
		if err != nil {
			return total, r.fail(err)
		}
		if n < ChunkSize || size > ChunkSize {
			continue
		}
		// There is more than a little.
		size = r.options.batch() * ChunkSize
		if r.options.workers > 1 {
			more, err := r.writeMany(w)
			total += more
			if err != nil {
				return total, r.fail(err)
			}
		}
	}
}

// fail makes err sticky. Nothing is left to deliver before it.
func (r *Reader) fail(err error) error {
	r.err = err
	r.release()
	return err
}

// writeMany has all full chunks that the source brings go through a line to w. It
// leaves the last chunk and what is wrong with the source to Read.
func (r *Reader) writeMany(w io.Writer) (total int64, err error) {
	m := r.m
	l := newLine(r.options.workers, func(j *job) {
		j.opened = m.openRun(j.runs[0])
	}, func(j *job) error {
		// What is opened behind a chunk that is not authentic stays here.
		n, err := deliver(w, j.text.B[:j.opened*ChunkSize])
		total += int64(n)
		if bad := j.runs[0].src[j.opened*sealedSize:]; err == nil && len(bad) > 0 {
			err = m.whyNot(j.runs[0].i+uint64(j.opened), bad[:sealedSize])
		}
		return err
	})
	defer func() { err = l.stop(nil) }() // total is right then
	for !l.failed.Load() {
		n := len(r.sealed()) / sealedSize
		switch {
		case n == 0 && r.src == nil:
			r.fetch()
		case n == 0 || r.next+uint64(n) >= maxChunks:
			return
		default:
			l.put(r.hand(l.get(), n))
		}
	}
	return
}

// hand hands n full chunks over to a job, with the buffer that they are in. The
// other one of the job takes what is behind them.
func (r *Reader) hand(j *job, n int) *job {
	in := j.sealed
	if in == nil || cap(in.B) < len(r.in.B) {
		putSealed(in)
		in = getSealed(len(r.in.B))
	}
	in.B = in.B[:len(r.in.B)]
	sealed := r.sealed()
	rest := copy(in.B, sealed[n*sealedSize:])
	j.text = sized(j.text, n*ChunkSize)
	j.runs = append(j.runs, run{j.text.B, r.next, sealed[:n*sealedSize]})
	j.sealed, r.in, r.lo, r.hi = r.in, in, 0, rest
	r.next += uint64(n)
	return j
}
