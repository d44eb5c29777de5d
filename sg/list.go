package sg

import "math"

// A List is data in segments: the string it stands for is the concatenation
// of its elements. Nil and empty segments are legal everywhere.
//
// The methods and functions on lists read the slice headers and never change
// them. They may be called concurrently as far as the bytes behind the
// segments allow it.
type List [][]byte

// Len returns the length of the string that l stands for, in bytes. It panics
// if the sum does not fit an int, which takes the same memory in many
// segments; [List.Total] tells instead of panicking.
func (l List) Len() int {
	n, ok := l.Total()
	if !ok {
		panic("sg: length of list overflows int")
	}
	return n
}

// Total returns the length of the string that l stands for, in bytes, and
// whether it fits an int. If it does not, n is 0.
func (l List) Total() (n int, ok bool) {
	for _, s := range l {
		if len(s) > math.MaxInt-n {
			return 0, false
		}
		n += len(s)
	}
	return n, true
}

// CopyTo copies from l to p until either ends, and returns the number of
// bytes copied. If p shares memory with l, the shared bytes must stand at the
// same offset of both; otherwise the bytes that arrive are unspecified.
func (l List) CopyTo(p []byte) int {
	done := 0
	for _, s := range l {
		if done == len(p) {
			break
		}
		done += copy(p[done:], s)
	}
	return done
}

// CopyFrom copies from p into the segments of l until either ends, and returns
// the number of bytes copied. The rule on shared memory is that of
// [List.CopyTo].
func (l List) CopyFrom(p []byte) int {
	done := 0
	for _, s := range l {
		if done == len(p) {
			break
		}
		done += copy(s, p[done:])
	}
	return done
}

// Copy copies from src to dst until either ends, and returns the number of
// bytes copied. The lists need not be divided alike. If they share memory, the
// shared bytes must stand at the same offset of both; otherwise the bytes that
// arrive are unspecified.
func Copy(dst, src List) int {
	done, used := 0, 0 // used: bytes of dst[0] that are filled
	for _, s := range src {
		for len(s) > 0 {
			for len(dst) > 0 && used == len(dst[0]) {
				dst, used = dst[1:], 0
			}
			if len(dst) == 0 {
				return done
			}
			n := copy(dst[0][used:], s)
			s, used, done = s[n:], used+n, done+n
		}
	}
	return done
}

// Split cuts p into consecutive segments of the given sizes, in bytes; what
// remains of p after them is one more segment. The segments share p's memory,
// each with a capacity that ends where the next begins. It panics if a size is
// negative or p is shorter than their sum.
func Split(p []byte, sizes ...int) List {
	l := make(List, 0, len(sizes)+1)
	for _, n := range sizes {
		if n < 0 || n > len(p) {
			panic("sg: size out of range of what is left to split")
		}
		l = append(l, p[:n:n])
		p = p[n:]
	}
	if len(p) > 0 {
		l = append(l, p[:len(p):len(p)])
	}
	return l
}

// AppendSlice appends to dst segments that show the n bytes of l from offset
// off, and returns the extended list. No byte is copied: the new segments
// share the memory of l, and since the result may be stored anywhere, that
// memory escapes to the heap. Empty segments of l are left out. It panics if
// off or n is negative or the range ends beyond l.
func AppendSlice(dst, l List, off, n int) List {
	if off < 0 || n < 0 {
		panic("sg: negative offset or length")
	}
	for _, s := range l {
		if off >= len(s) {
			off -= len(s)
			continue
		}
		s = s[off:]
		off = 0
		if n == 0 {
			break
		}
		take := min(n, len(s))
		dst = append(dst, s[:take:take])
		n -= take
	}
	if off > 0 || n > 0 {
		panic("sg: range ends beyond the list")
	}
	return dst
}
