// Package gcm implements AES-GCM (NIST SP 800-38D), authenticated encryption
// with additional data, over contiguous bytes, over lists of segments, and over
// messages that arrive in pieces.
//
//	a, err := gcm.New(key)                       // 16, 24 or 32 bytes
//	ct := a.Seal(nil, nonce, text, aad)          // as in crypto/cipher
//	err = a.SealList(dst, src, tag, nonce, aad)  // text in segments, tag apart
//	err = a.VerifyList(src, tag, nonce, aad)     // checks without decrypting
//	s, err := a.NewSealer(nonce)                 // text that comes bit by bit
//
// [AEAD] is a [cipher.AEAD] that takes the place of the one of crypto/cipher,
// with the same results, in every call that is made right, and panics in the
// same calls. [NewRFC4106] is the form that IPsec uses.
//
// # Nonces
//
// A nonce must never be used twice with one key. If it is, whoever sees both
// messages learns the XOR of the texts, and enough about the key to forge any
// message under it from then on. Count nonces where that is possible. If they
// are random, of 12 bytes, a key may encrypt at most 2^32 messages, and nonces
// of other lengths do not change that: they are hashed to 16 bytes.
//
// # When not to use it
//
// Where nobody can keep nonces apart, such as on many machines with one key and
// more messages than that, another mode is safer. GCM does not commit to its
// key: a ciphertext can be made that opens under two. Tags shorter than 16 bytes
// are for protocols that have them. For files and streams of unknown length use
// a format that authenticates them chunk by chunk: a message must have been
// read whole before anything of it can be trusted.
//
// A message has at most 2^36-32 bytes of text and 2^61-1 of additional data.
//
// # Buffers
//
// dst and src may be the same memory. Apart from that they must not overlap, in
// lists also not from one segment to another, and dst may share none with the
// additional data. The calls of crypto/cipher panic, all others return
// [walk.ErrOverlap], before anything is written.
//
// An open that fails returns [ErrOpen] and leaves zeros in all of dst. That is
// not so for the [UnverifiedOpener], which has its name from that.
//
// An [AEAD] is immutable and safe for concurrent use. No call but the
// constructors allocates, if dst has room for what Seal and Open append.
//
// On arm64, ppc64le and s390x there is no assembly here yet. Where those have AES
// instructions, Seal and Open pass messages on to crypto/cipher, so that they are
// never slower; their arguments escape to the heap there. Lists and messages in
// pieces run on portable code, which is slow.
package gcm
