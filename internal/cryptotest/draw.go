package cryptotest

import "math/rand/v2"

const (
	maxSegments = 64   // of a division that is drawn
	maxRegions  = 6    // likewise
	fuzzText    = 2048 // longest text that FromBytes returns
)

// edges are the sizes around the blocks that modes are built of.
var edges = [...]int{0, 1, 2, 15, 16, 17, 31, 32, 33}

// Random draws a valid Config with a text and additional data of at most
// maxLen bytes each. Half of the configurations are out of place.
func Random(r *rand.Rand, maxLen int) Config {
	return chooser(r.IntN).lengthsAndConfig(maxLen)
}

// RandomFor draws a valid Config for a text and additional data of the given
// lengths, as those of a test vector.
func RandomFor(r *rand.Rand, textLen, aadLen int) Config {
	return chooser(r.IntN).config(textLen, aadLen)
}

// FromBytes decodes a Config from the bytes of a fuzzer. All bytes have a
// meaning, so every result is valid; where data ends, the simplest choices are
// taken. The text and the additional data have at most 2048 bytes each.
func FromBytes(data []byte) Config {
	next := func(n int) int {
		x := 0
		for m := 1; m < n && len(data) > 0; m <<= 8 {
			x = x<<8 | int(data[0])
			data = data[1:]
		}
		return x % n
	}
	return chooser(next).lengthsAndConfig(fuzzText)
}

// A chooser makes the choices that a Config results from: it returns a number
// from 0 to n-1. One that returns only 0 must lead to an end everywhere, and 0
// is the simplest choice.
type chooser func(n int) int

func (choose chooser) lengthsAndConfig(maxLen int) Config {
	return choose.config(choose.length(maxLen), choose.length(maxLen))
}

func (choose chooser) config(textLen, aadLen int) Config {
	var c Config
	for range 4 {
		c.Seed = c.Seed<<16 | uint64(choose(1<<16))
	}
	switch choose(4) {
	case 0, 1:
		c.Src = choose.divide(textLen, maxSegments)
		c.Dst = c.Src
		if choose(2) == 1 {
			c.Dst = choose.divide(textLen, maxSegments)
		}
		c.Src, c.Dst = choose.misalign(c.Src), choose.misalign(c.Dst)
	case 2:
		c.Mode = InPlace
		c.Src = choose.misalign(choose.divide(textLen, maxSegments))
	case 3:
		c.Mode = InPlaceResplit
		for _, s := range choose.divide(textLen, maxRegions) {
			if s.Size > 0 {
				c.Regions = append(c.Regions, s)
			}
		}
		if c.Regions == nil {
			c.Regions = Sizes(0)
		}
		c.Regions = choose.misalign(c.Regions)
		for _, s := range c.Regions {
			c.Src = append(c.Src, choose.divide(s.Size, maxSegments/2)...)
			c.Dst = append(c.Dst, choose.divide(s.Size, maxSegments/2)...)
		}
	}
	c.AAD = choose.misalign(choose.divide(aadLen, maxSegments))
	return c
}

// length returns a length from 0 to maxLen, most often a short one.
func (choose chooser) length(maxLen int) int {
	n := 0
	switch choose(5) {
	case 0:
		n = choose.edge()
	case 1:
		n = choose(64)
	case 2:
		n = choose(256)
	case 3:
		n = choose(1024)
	case 4:
		n = choose(maxLen + 1)
	}
	return min(n, maxLen)
}

func (choose chooser) edge() int { return edges[choose(len(edges))] }

// divide cuts n bytes into at most limit segments: most often few of them, at
// times many of the same size, and here and there an empty or a nil one.
func (choose chooser) divide(n, limit int) Division {
	var d Division
	piece := 0 // the same size for all, if not 0
	if choose(8) == 7 {
		piece = max(choose.edge(), 1)
	}
	for len(d) < limit-1 {
		size := n
		switch {
		case choose(8) == 7:
			size = choose(2) + Nil
		case n == 0:
			return d
		case piece > 0:
			size = min(piece, n)
		default:
			switch choose(4) {
			case 2:
				size = 1 + choose(n)
			case 3:
				size = min(choose.edge(), n)
			}
		}
		s := Segment{Size: size}
		d, n = append(d, s), n-s.bytes()
	}
	if n > 0 {
		d = append(d, Segment{Size: n})
	}
	return d
}

// misalign returns d with alignments: none, less than a block, or any.
func (choose chooser) misalign(d Division) Division {
	var moved Division
	for _, s := range d {
		if s.Size != Nil {
			s.Align = choose([]int{1, 16, alignment}[choose(3)])
		}
		moved = append(moved, s)
	}
	return moved
}
