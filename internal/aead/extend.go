package aead

// Extend returns p with n more bytes, in its capacity if that is enough, and
// those bytes alone.
func Extend(p []byte, n int) (whole, tail []byte) {
	total := len(p) + n
	if total <= cap(p) {
		whole = p[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, p)
	}
	return whole, whole[len(p):]
}
