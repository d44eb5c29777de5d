package walk

// collect copies what is next in src into the bounce, for one step, and
// returns its length. It stops short of the capacity where both lists offer a
// run that is worth a step of its own, if a step may end there. If it brings no
// more than the direct bytes that a step in the caller's memory would have,
// the bounce is not needed: then src is left where it was.
func (w *Walker) collect(direct int) int {
	most, spare := w.fit(len(w.bounce)), w.spare()
	rest, off := w.src.list[w.src.seg:], w.src.off
	dst, inDst := w.dst, 0 // only looked at beside a long run of src
	n := 0
	for n < most {
		s := rest[0][off:]
		run := min(len(s), most-n)
		if len(s) >= w.gather && n > 0 {
			if short := -n & w.mask; len(s)-short >= w.gather && n+short <= spare {
				for inDst < n+short {
					d := min(len(dst.run()), n+short-inDst)
					dst.off += d
					inDst += d
				}
				if len(dst.run()) >= w.gather {
					if short == 0 {
						break
					}
					run = short
				}
			}
		}
		move(w.bounce[n:], s[:run])
		n += run
		if run == len(s) {
			rest, off = rest[1:], 0
		} else {
			off += run
		}
	}
	w.dirty = max(w.dirty, n)
	if n > direct {
		w.src.seg, w.src.off = len(w.src.list)-len(rest), off
	}
	return n
}

// scatter copies the bounce into dst.
func (w *Walker) scatter() {
	rest, off := w.dst.list[w.dst.seg:], w.dst.off
	for n := 0; n < w.pending; {
		d := rest[0][off:]
		run := min(len(d), w.pending-n)
		move(d, w.bounce[n:n+run])
		n += run
		if run == len(d) {
			rest, off = rest[1:], 0
		} else {
			off += run
		}
	}
	w.dst.seg, w.dst.off = len(w.dst.list)-len(rest), off
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
