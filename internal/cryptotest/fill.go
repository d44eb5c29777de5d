package cryptotest

import "math/rand/v2"

// Bytes returns n random bytes. Most often they are independent; at times all
// the same or an arithmetic progression, with or without a few changes, since
// carries, constants and zeros are where implementations differ.
func Bytes(r *rand.Rand, n int) []byte {
	p := make([]byte, n)
	switch r.IntN(8) {
	case 0, 1:
		b := []byte{0, 0xff, byte(r.Uint32())}[r.IntN(3)]
		for i := range p {
			p[i] = b
		}
		mutate(r, p)
	case 2:
		b, step := byte(r.Uint32()), byte(r.Uint32())
		for i := range p {
			p[i] = b
			b += step
		}
		mutate(r, p)
	default:
		for i := range p {
			p[i] = byte(r.Uint32())
		}
	}
	return p
}

// mutate flips bits of p, or overwrites bytes, or both, or nothing.
func mutate(r *rand.Rand, p []byte) {
	if len(p) == 0 {
		return
	}
	if r.IntN(4) == 0 {
		for range min(1<<r.IntN(8), 8*len(p)) {
			p[r.IntN(len(p))] ^= 1 << r.IntN(8)
		}
	}
	if r.IntN(4) == 0 {
		for range min(1<<r.IntN(8), len(p)) {
			p[r.IntN(len(p))] = byte(r.Uint32())
		}
	}
}

// Pattern returns n bytes of the fill of the generated vectors, from offset
// off: byte i is 7i + 13⌊i/256⌋ + 31⌊i/65536⌋ + s.
func Pattern(off, n int, s byte) []byte {
	p := make([]byte, n)
	for j := range p {
		i := off + j
		p[j] = byte(7*i+13*(i>>8)+31*(i>>16)) + s
	}
	return p
}
