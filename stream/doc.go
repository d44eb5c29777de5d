// Package stream seals and opens files and pipes: data of any length, in chunks of
// 16 KiB, as c2sp.org/chunked-encryption (Cobblestone) defines it.
//
//	w, err := stream.NewWriter(file, stream.Cobblestone256, key, context)
//	_, err = io.Copy(w, src)
//	err = w.Close()                                  // the message ends here
//
//	r, err := stream.NewReader(file, stream.Cobblestone256, key, context)
//	_, err = io.Copy(dst, r)                         // from the beginning
//
//	a, err := stream.NewReaderAt(file, size, stream.Cobblestone256, key, context)
//	n, err := a.ReadAt(p, off)                       // any part
//
// The key is secret and random, or from a key exchange or a password hash; 16
// bytes, for [Cobblestone128], are enough. The context is not secret. It says what
// the message is for, so that one cannot be passed off as another.
//
// # What it protects
//
// Whoever does not have the key learns the length of the text and can change
// nothing unnoticed: no bytes, not the order of chunks, not the beginning, not the
// end. A message opens under one key, one context and one suite only, for its
// header commits to them. Two messages under one key have nothing to do with each
// other; no number of them is too great in practice.
//
// What can be noticed only at the end is that the end is missing. A [Reader] has
// delivered the beginning by then, every byte of it authentic, and returns
// [io.ErrUnexpectedEOF]. A program that must not act on half a message waits for
// io.EOF, as by writing to a file that is renamed in the end. A [ReaderAt] knows
// the end from the beginning, but looks at each chunk only when it is read.
//
// # When not to use it
//
// For messages that fit memory and have their own nonces, an AEAD is simpler and
// smaller: [github.com/cipherwalk/cipherwalk/gcm]. A file cannot be changed in
// place, only sealed anew. For disks there is
// [github.com/cipherwalk/cipherwalk/xts], which does not authenticate. Nothing here
// hides the length of the text or makes passwords strong.
//
// # The format
//
//	salt 24 | commitment 32 | chunk 0 | chunk 1 | ... | last chunk
//
// The salt is random. From the key, the name of the AEAD, the salt and the context
// HKDF-Expand with SHA-512 makes the key of the chunks, their base nonce and the
// commitment. A chunk is 16384 bytes of text and a tag of 16; its nonce is the base
// nonce XORed with its number. The last chunk has less text, perhaps none, and that
// is how it is known. There are at most 2^38 chunks, so 2^52-1 bytes of text.
// docs/formats.md has the details. The suites over AEGIS are the same construction
// with another AEAD, and not part of Cobblestone.
//
// # Speed
//
// Chunks are sealed from the memory that Write is given and opened into the memory
// that Read is given, wherever they are whole there, several for each call of the
// sink or the source. Buffers are borrowed from pools; nothing is allocated for a
// chunk. On arm64, ppc64le and s390x gcm may pass chunks on to crypto/cipher, which
// takes an allocation of a few bytes for each. [WithConcurrency] uses several
// processors.
package stream
