package kernels

import "encoding/binary"

// gcmGeneric is AES-GCM (NIST SP 800-38D) in portable Go, the specification of
// the assembly.
type gcmGeneric struct {
	aes   aesGeneric
	ghash ghashGeneric
}

func (k *gcmGeneric) init(s *schedule) {
	k.aes.init(s)
	var q quad
	var h [16]byte
	k.aes.encrypt(&q)
	binary.LittleEndian.PutUint64(h[:8], q[0])
	binary.LittleEndian.PutUint64(h[8:], q[1])
	k.ghash.init(&h)
}

// hash absorbs p, with zeros up to a whole block.
func (k *gcmGeneric) hash(acc *[16]byte, p []byte) {
	e := element{binary.BigEndian.Uint64(acc[:8]), binary.BigEndian.Uint64(acc[8:])}
	for len(p) >= 16 {
		k.ghash.block(&e, p)
		p = p[16:]
	}
	if len(p) > 0 {
		var b [16]byte
		copy(b[:], p)
		k.ghash.block(&e, b[:])
	}
	binary.BigEndian.PutUint64(acc[:8], e.hi)
	binary.BigEndian.PutUint64(acc[8:], e.lo)
}

// crypt adds the keystream from the counter block ctr on to src, and moves ctr
// behind it; len(dst) == len(src). The counter is the last 32 bits of the block,
// big-endian, and wraps without a carry.
func (k *gcmGeneric) crypt(ctr *[16]byte, dst, src []byte) {
	lo := binary.LittleEndian.Uint64(ctr[:8])
	word := binary.LittleEndian.Uint32(ctr[8:])
	count := binary.BigEndian.Uint32(ctr[12:])
	for len(src) > 0 {
		var q quad
		for i := 0; i < 8; i += 2 {
			var c [4]byte
			binary.BigEndian.PutUint32(c[:], count)
			q[i] = lo
			q[i+1] = uint64(word) | uint64(binary.LittleEndian.Uint32(c[:]))<<32
			if 8*i < len(src) {
				count++
			}
		}
		k.aes.encrypt(&q)
		if len(src) >= 64 {
			d, s := dst[:64], src[:64]
			for i := range q {
				binary.LittleEndian.PutUint64(d[8*i:], binary.LittleEndian.Uint64(s[8*i:])^q[i])
			}
			dst, src = dst[64:], src[64:]
			continue
		}
		for i := range src {
			dst[i] = src[i] ^ byte(q[i/8]>>(8*(i%8)))
		}
		break
	}
	binary.BigEndian.PutUint32(ctr[12:], count)
}
