package walk

// collect copies what is next in src into the bounce, for one step, and
// returns its length. It stops short of the capacity where both lists offer a
// run that is worth a step of its own, if a step may end there. If it brings no
// more than the direct bytes that a step in the caller's memory would have,
// the bounce is not needed: then src is left where it was.
func (w *Walker) collect(direct int) int {
	most, spare := w.fit(len(w.bounce)), w.spare()
	dst, src := w.dst, w.src
	n := 0
	for n < most {
		d, s := dst.run(), src.run()
		run := min(len(d), len(s), most-n)
		if short := -n & w.mask; n > 0 && run-short >= w.gather && n+short <= spare {
			if short == 0 {
				break
			}
			run = short
		}
		move(w.bounce[n:], s[:run])
		dst.off += run
		src.off += run
		n += run
	}
	w.dirty = max(w.dirty, n)
	if n > direct {
		w.src.seg, w.src.off = src.seg, src.off
	}
	return n
}

// scatter copies the bounce into dst.
func (w *Walker) scatter() {
	from := w.bounce[:w.pending]
	for len(from) > 0 {
		d := w.dst.run()
		n := min(len(d), len(from))
		move(d, from[:n])
		w.dst.off += n
		from = from[n:]
	}
	w.pending = 0
}

// move copies src to dst, which has at least its length. A segment of one
// block is common enough to be worth a load and a store instead of a call.
func move(dst, src []byte) {
	if len(src) == 16 {
		*(*[16]byte)(dst) = [16]byte(src)
		return
	}
	copy(dst, src)
}
