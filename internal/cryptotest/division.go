package cryptotest

import (
	"fmt"
	"strconv"
	"strings"
)

// Nil is the Size of a segment that is a nil slice.
const Nil = -1

// A Segment says how long a segment is and where it lies.
type Segment struct {
	Size  int // in bytes, or Nil
	Align int // address modulo 64
}

// A Division says how a text is cut into segments. None at all makes a nil
// list.
type Division []Segment

// Sizes returns the division into segments of the given sizes, aligned to 64.
func Sizes(sizes ...int) Division {
	var d Division
	for _, n := range sizes {
		d = append(d, Segment{Size: n})
	}
	return d
}

// Proportions returns the division of n bytes in the given proportions. The
// last segment takes what rounding leaves.
func Proportions(n int, parts ...int) Division {
	sum := 0
	for _, p := range parts {
		sum += p
	}
	var d Division
	passed, done := 0, 0
	for _, p := range parts {
		passed += p
		end := int(int64(n) * int64(passed) / int64(sum))
		d = append(d, Segment{Size: end - done})
		done = end
	}
	return d
}

// At returns the same sizes with the given alignments, repeated as needed.
func (d Division) At(aligns ...int) Division {
	var moved Division
	for i, s := range d {
		if s.Size != Nil {
			s.Align = aligns[i%len(aligns)]
		}
		moved = append(moved, s)
	}
	return moved
}

// Len returns the length of the text that d divides.
func (d Division) Len() int {
	n := 0
	for _, s := range d {
		n += s.bytes()
	}
	return n
}

func (s Segment) bytes() int { return max(s.Size, 0) }

// String returns the segments, separated by commas, each as its size or "nil",
// followed by "@" and its alignment if that is not 0.
func (d Division) String() string {
	var b strings.Builder
	for i, s := range d {
		if i > 0 {
			b.WriteByte(',')
		}
		if s.Size == Nil {
			b.WriteString("nil")
		} else {
			b.WriteString(strconv.Itoa(s.Size))
		}
		if s.Align != 0 {
			b.WriteByte('@')
			b.WriteString(strconv.Itoa(s.Align))
		}
	}
	return b.String()
}

// parseDivision reads what String returns.
func parseDivision(text string) (Division, error) {
	var d Division
	for field := range strings.SplitSeq(text, ",") {
		size, align, aligned := strings.Cut(field, "@")
		s := Segment{Size: Nil}
		var err error
		if size != "nil" {
			s.Size, err = parseNumber(size)
		}
		if err == nil && aligned {
			s.Align, err = parseNumber(align)
		}
		if err != nil {
			return nil, fmt.Errorf("segment %q: %w", field, err)
		}
		d = append(d, s)
	}
	return d, nil
}

func parseNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err
}

// maxText bounds the length of a text, so that sums fit an int anywhere.
const maxText = 1 << 28

// validate returns an error if d cannot be placed.
func (d Division) validate() error {
	sum := 0
	for i, s := range d {
		switch {
		case s.Size < Nil || s.Size > maxText:
			return fmt.Errorf("segment %d: size %d", i, s.Size)
		case s.Align < 0 || s.Align >= alignment || s.Size == Nil && s.Align != 0:
			return fmt.Errorf("segment %d: alignment %d", i, s.Align)
		}
		if sum += s.bytes(); sum > maxText {
			return fmt.Errorf("more than %d bytes", maxText)
		}
	}
	return nil
}

// refines tells whether no segment of d crosses a border of regions, and both
// have the same length.
func (d Division) refines(regions Division) bool {
	if d.Len() != regions.Len() {
		return false
	}
	left := 0 // of the region that is being divided
	for _, s := range d {
		n := s.bytes()
		for n > 0 && left == 0 {
			left, regions = regions[0].bytes(), regions[1:]
		}
		if n > left {
			return false
		}
		left -= n
	}
	return true
}
