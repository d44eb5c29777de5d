package stream

import (
	"errors"
	"io"
)

// fetch reads once into p, whose length is not 0, and is never content with
// nothing: a source that brings nothing 100 times in a row is an
// io.ErrNoProgress, and one that lies about its count another error.
func fetch(r io.Reader, p []byte) (int, error) {
	for range 100 {
		n, err := r.Read(p)
		if n < 0 || n > len(p) {
			return 0, errors.New("stream: reader returned an impossible count")
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// deliver writes p to w and returns how much of it w has taken: all, unless
// there is an error.
func deliver(w io.Writer, p []byte) (int, error) {
	n, err := w.Write(p)
	switch {
	case n < 0 || n > len(p):
		return 0, errors.New("stream: writer returned an impossible count")
	case err == nil && n < len(p):
		err = io.ErrShortWrite
	}
	return n, err
}
