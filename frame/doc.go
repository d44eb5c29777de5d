// Package frame encrypts a connection whose two keys are already known: from a
// Noise handshake, from the exporter of a TLS connection, or shared beforehand.
//
//	c, err := frame.NewConn(conn, sendKey, recvKey) // keys of 32 bytes, one for each direction
//	n, err := c.WriteBuffers(&buffers)              // net.Buffers, many records in one call of conn
//	err = c.CloseWrite()                            // an end that the peer can verify
//
// A [Conn] is a [net.Conn]. The keys of one end are those of the other, the other
// way round.
//
// # Format
//
// Each direction is a sequence of records, the transport messages of the Noise
// Protocol Framework (revision 34, sections 5.1 and 11) behind a length:
//
//	+--------+----------------------------------+------------------+
//	| length | text, encrypted, 0..65519 bytes  | tag, 16 bytes    |
//	+--------+----------------------------------+------------------+
//	  2 bytes, big-endian: of text and tag, 16..65535
//
// The cipher is AES-256-GCM without additional data. The nonce is four zero bytes
// and a big-endian counter of 64 bits, which starts at 0 and goes up by 1 with each
// record; it is not sent. So a record that is changed, repeated, left out or moved
// does not open. The length is not authenticated by itself: changing it changes
// which bytes are taken for the record, and that does not open either.
//
// [Conn.RekeySend] and [Conn.RekeyRecv] are Rekey of Noise, section 11.3: the new
// key is the first 32 bytes of sealing 32 zero bytes under the nonce 2^64-1. The
// counter goes on. Nothing is sent: when to rekey is for the protocol above to
// agree on, at the same record on both ends.
//
// The format is that of github.com/flynn/noise and others with the cipher AESGCM
// behind two bytes of length, but for one thing that Noise leaves to the
// application: an empty record ends its direction. A peer that sends empty messages
// for another purpose cannot be spoken to.
//
// # Ends
//
// [Conn.CloseWrite] and [Conn.Close] send the empty record. A direction that ends
// with it reads as [io.EOF]. One that ends in any other place, even between two
// records, was cut off by somebody or something: that is [io.ErrUnexpectedEOF].
//
// # Errors
//
// A record that does not open, a length that no record has, a counter that is used
// up, a record that was sent in part, and every other failure of the connection
// below end the direction for good: each later call returns the same error, a
// [net.Error] which is neither a timeout nor temporary. The other direction goes on;
// most users will close the connection.
//
// Deadlines are different. A Read that times out has lost nothing, not even in the
// middle of a record. A write that times out can be repeated, from the byte that its
// count tells, unless a record has gone out in part: that is [ErrPartialWrite], and
// permanent.
//
// # Memory
//
// A Conn that exchanges little holds a buffer of 4 KiB for reading, from the first
// Read on. While much comes in, it is one of 256 KiB, which is given back when no
// more than 4 KiB have come since it was empty, and at the end. A write holds
// a buffer of 4, 64 or 320 KiB, whatever fits, until it returns. [Conn.ReadFrom]
// holds one more, of 4 or 256 KiB. Nothing else grows, whatever the peer does.
//
// # When not to use it
//
// Where there are no keys yet: that takes a handshake. Where messages may be lost
// or come in another order: use package gcm and send the counter along. Keys must be
// fresh for each connection: with the same keys and the same counters a second one
// would repeat nonces, and GCM has nothing left to give then.
//
// One key should not seal much more than 2^38 bytes, 256 GiB: that is about where TLS
// 1.3 stops (RFC 8446 section 5.5), for the same cipher. Rekey before.
package frame
