package aead

import "fmt"

// phase says what a message takes.
type phase uint8

const (
	unborn phase = iota // nothing: the zero value
	inAAD               // additional data or text
	inText              // text
	ended               // nothing any more
)

// Progress is where a message in pieces stands. The zero value is no message,
// and takes nothing. The lengths are for the package to count up.
type Progress struct {
	AADLen, TextLen uint64 // bytes so far
	phase           phase
}

// Begun is a message of which nothing has come yet.
func Begun() Progress { return Progress{phase: inAAD} }

// Ended is a message that takes nothing any more.
func Ended() Progress { return Progress{phase: ended} }

// MayAAD returns an error unless n bytes of additional data may follow now.
func (p *Progress) MayAAD(r *Rules, n uint64) error {
	switch p.phase {
	case inAAD:
		return r.AAD(p.AADLen, n)
	case inText:
		return fmt.Errorf("%w: additional data after text", r.ErrOrder)
	}
	return p.MayEnd(r)
}

// MayText returns an error unless n bytes of text may follow now.
func (p *Progress) MayText(r *Rules, n uint64) error {
	if err := p.MayEnd(r); err != nil {
		return err
	}
	return r.Text(p.TextLen, n)
}

// MayEnd returns an error unless the message may end now, which it may once it
// has begun.
func (p *Progress) MayEnd(r *Rules) error {
	switch p.phase {
	case unborn:
		return fmt.Errorf("%w: the zero value is no message", r.ErrOrder)
	case ended:
		return fmt.Errorf("%w: the message has ended", r.ErrOrder)
	}
	return nil
}

// EndAAD ends the additional data, and reports whether that is new.
func (p *Progress) EndAAD() bool {
	if p.phase != inAAD {
		return false
	}
	p.phase = inText
	return true
}
