package aead

import (
	"github.com/cipherwalk/cipherwalk/internal/alias"
	"github.com/cipherwalk/cipherwalk/sg"
)

// Single returns the slices that the lists are if none has more than one segment.
// Then there is nothing to walk, and the message may be one call of a kernel. It
// says no where dst may not be written, for which the walker has the errors.
func Single(dst, src, aad sg.List) (d, s, a []byte, ok bool) {
	if len(dst) != 1 || len(src) != 1 || len(aad) > 1 {
		return nil, nil, nil, false
	}
	d, s = dst[0], src[0]
	if len(aad) == 1 {
		a = aad[0]
	}
	if len(d) != len(s) || alias.Inexact(d, s) {
		return nil, nil, nil, false
	}
	return d, s, a, true
}
