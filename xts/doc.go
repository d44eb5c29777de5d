// Package xts implements AES-XTS (IEEE 1619, NIST SP 800-38E) over contiguous
// bytes, over lists of segments, over many sectors in one call, and over io
// streams.
//
// XTS encrypts data units, the sectors of a disk for example, each under a
// tweak, usually its number. A data unit has from 16 bytes to 2^20 blocks of 16
// bytes; if it is no multiple of 16, its end goes through ciphertext stealing,
// so that ciphertext and plaintext always have the same length.
//
//	c, err := xts.New(key)                                 // 32, 48 or 64 bytes
//	c.EncryptSector(dst, src, 7)                           // one sector
//	err = c.EncryptUnits(dst, src, xts.Units{Size: 512})   // a list of sectors
//	err = c.EncryptList(dst, src, xts.SectorTweak(7))      // one unit in pieces
//
// # What XTS does not do
//
// XTS has no authentication: whoever can write to the disk can change any block
// of 16 bytes into noise, and put old sectors back, without being noticed. Equal
// plaintexts at the same place have equal ciphertexts. It is meant for disks
// and what looks like one. For messages and files use an authenticated mode.
//
// Two data units must not share a tweak under one key.
//
// # Buffers
//
// dst and src may be the same memory. Apart from that they must not overlap, in
// lists also not from one segment to another; the calls on slices panic, the
// calls on lists return [walk.ErrOverlap], before anything is written. In calls
// on slices dst may be longer than src: the excess is not touched.
//
// A [Cipher] is immutable and safe for concurrent use. No call but the
// constructors allocates.
package xts
