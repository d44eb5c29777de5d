package stream

import "fmt"

// maxPlaintext is the length of the longest message in bytes: all chunks are
// full but the last, which is a byte short of it.
const maxPlaintext = maxChunks*ChunkSize - 1

// EncryptedSize returns the length of a sealed message whose plaintext has the
// given length, both in bytes: 56 bytes of header, and 16 for each chunk, that
// is 16 times one more than the whole multiples of 16384. It is the same for all
// suites. A negative length is an error, and one above 2^52-1 an [ErrTooLong].
func EncryptedSize(plaintext int64) (int64, error) {
	switch {
	case plaintext < 0:
		return 0, fmt.Errorf("stream: plaintext of %d bytes", plaintext)
	case plaintext > maxPlaintext:
		return 0, fmt.Errorf("%w: plaintext of %d", ErrTooLong, plaintext)
	}
	return headerSize + plaintext + tagSize*(plaintext/ChunkSize+1), nil
}

// DecryptedSize returns the length of the plaintext of a sealed message of the
// given length, both in bytes. It inverts [EncryptedSize], and lengths that it
// does not return are errors: an [io.ErrUnexpectedEOF] if some of the message
// must be missing, an [ErrTooLong] above 2^38 chunks.
//
// The length of a file or a header that says it is not authentic. Neither is the
// result: [NewReaderAt] makes sure, as does reading to the end.
func DecryptedSize(ciphertext int64) (int64, error) {
	switch {
	case ciphertext < 0:
		return 0, fmt.Errorf("stream: ciphertext of %d bytes", ciphertext)
	case ciphertext < headerSize:
		return 0, errHeader(int(ciphertext))
	}
	full, rest := layout(ciphertext)
	switch {
	case full >= maxChunks:
		return 0, fmt.Errorf("%w: ciphertext of %d", ErrTooLong, ciphertext)
	case rest < tagSize:
		return 0, errCut(uint64(full), rest)
	}
	return full*ChunkSize + int64(rest) - tagSize, nil
}

// layout divides a sealed message, of which there is a header at least, into
// full chunks and the rest, in bytes, that should be the last one.
func layout(ciphertext int64) (full int64, rest int) {
	chunks := ciphertext - headerSize
	return chunks / sealedSize, int(chunks % sealedSize)
}
