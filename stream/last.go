package stream

// openLast opens chunk i as the last one, into dst, which has room for any. It
// returns the text, or what is wrong with a message that ends with sealed.
func (m *message) openLast(dst []byte, i uint64, sealed []byte) ([]byte, error) {
	if len(sealed) < tagSize {
		return nil, errCut(i, len(sealed))
	}
	text := dst[:len(sealed)-tagSize]
	switch {
	case m.open(text, i, sealed):
		return text, nil
	case endsWithin(m, i, sealed):
		return nil, ErrTrailingData
	}
	return nil, errLast(i)
}

// whyNot says what is wrong with full chunk i, which is not authentic.
func (m *message) whyNot(i uint64, sealed []byte) error {
	if endsWithin(m, i, sealed) {
		return ErrTrailingData
	}
	return errChunk(i)
}

// endsWithin is searchEnd. Tests that fail 100 000 streams replace it.
var endsWithin = (*message).searchEnd

// searchEnd says whether sealed, which is not chunk i, begins with chunk i, so
// that the message has ended there and something else follows.
//
// A last chunk says nowhere how long it is: the end of the source does. So all
// lengths have to be tried. Going over the text once and checking a tag at each
// byte takes some milliseconds, which a stream that has failed spends once.
func (m *message) searchEnd(i uint64, sealed []byte) bool {
	nonce := m.nonce(i)
	if m.gcm != nil {
		o, err := m.gcm.NewUnverifiedOpener(nonce[:m.nonceSize])
		return err == nil && beginsMessage(o, sealed)
	}
	o, err := m.aegis.NewUnverifiedOpener(nonce[:m.nonceSize])
	return err == nil && beginsMessage(o, sealed)
}

// opener is what gcm and aegis have for opening bit by bit. It is a value: a copy
// goes on by itself.
type opener[T any] interface {
	*T
	Update(dst, src []byte) error
	Verify(tag []byte) error
}

// beginsMessage says whether the message that o begins ends somewhere in sealed,
// before its end.
func beginsMessage[T any, P opener[T]](o T, sealed []byte) bool {
	var end T
	var text [1]byte
	defer clear(text[:])
	for n := 0; n+tagSize < len(sealed); n++ {
		end = o
		if P(&end).Verify(sealed[n:n+tagSize]) == nil {
			return true
		}
		P(&o).Update(text[:], sealed[n:n+1])
	}
	return false
}
