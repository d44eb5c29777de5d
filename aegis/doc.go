// Package aegis implements the AEGIS family of authenticated ciphers with
// additional data: AEGIS-128L, AEGIS-256 and their parallel forms X2 and X4 (RFC
// 10032), and AEGIS-128 (the CAESAR portfolio), over contiguous bytes, over lists
// of segments, and over messages that arrive in pieces; and the MAC of RFC 10032.
//
//	a, err := aegis.New(aegis.AEGIS128L, key)    // 16 bytes, or 32 for AEGIS-256
//	ct := a.Seal(nil, nonce, text, aad)          // as in crypto/cipher
//	err = a.SealList(dst, src, tag, nonce, aad)  // text in segments, tag apart
//	err = a.VerifyList(src, tag, nonce, aad)     // checks, and keeps no text
//	s, err := a.NewSealer(nonce)                 // text that comes bit by bit
//	h, err := aegis.NewMAC(v, key, nonce, 16)    // a hash.Hash
//
// [AEAD] is a [crypto/cipher.AEAD]. All variants are made of AES rounds, and need
// fewer of them for each byte than AES itself.
//
// # Which one
//
// AEGIS-128L has keys and nonces of 16 bytes and is fast everywhere. AEGIS-256 has
// 32 bytes of each, and about two thirds of the speed. Their X2 and X4 forms do the
// work of two and four of them at once: they pay for long messages on processors
// with AES instructions on wide vectors (VAES), and gain nothing or lose on others
// and on short messages. AEGIS-128 is for those who have it already. No two
// variants understand each other.
//
// Every message begins with ten AES rounds, or sixteen with AEGIS-256, one after
// the other, and ends with seven more. They, and not the text, are what a short
// message costs; there is no work per key.
//
// # Nonces
//
// A nonce must never be used twice with one key. If it is, whoever sees both
// messages learns about the texts, and may learn enough of the state to forge
// messages under it. Nonces are long enough to be drawn at random: 2^48 messages
// of one key have two equal nonces of 16 bytes with a probability of 2^-33. Those
// of 32 bytes do not repeat, however many there are.
//
// # When not to use it
//
// Where other programs must read the messages, ask first whether they have AEGIS:
// AES-GCM is everywhere. A tag does not commit to key, nonce and additional data:
// messages can be made that open under more than one choice of them. AEGIS is no
// hash: whoever knows the key can find data with equal MACs. For files and
// streams of unknown length use a format that authenticates them chunk by chunk:
// a message must have been read whole before anything of it can be trusted. On
// processors without AES instructions, and with the tag purego, portable code
// runs, constant in time and slow.
//
// A message has at most 2^61-1 bytes of text and as many of additional data.
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
package aegis
