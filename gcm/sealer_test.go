package gcm_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// TestThreeWaySplits divides texts and additional data of up to 50 bytes in
// three at all places.
func TestThreeWaySplits(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(13, 13))
		key, nonce := cryptotest.Bytes(r, 16), cryptotest.Bytes(r, 12)
		a := gcm.NewAt(level, key, 12, 16)
		fixed := cryptotest.Bytes(r, 21)
		var dst, back [50]byte
		var tag [16]byte
		for n := range 51 {
			p := cryptotest.Bytes(r, n)
			asText, asAAD := a.Seal(nil, nonce, p, fixed), a.Seal(nil, nonce, fixed, p)
			for i := range n + 1 {
				for j := i; j <= n; j++ {
					s := must(a.NewSealer(nonce))
					err := errors.Join(s.AAD(fixed[:i%22]), s.AAD(fixed[i%22:]),
						s.Update(dst[:i], p[:i]), s.Update(dst[i:], p[i:j]), s.Update(dst[j:n], p[j:]), s.Sum(tag[:]))
					if err != nil || !bytes.Equal(dst[:n], asText[:n]) || !bytes.Equal(tag[:], asText[n:]) {
						t.Fatalf("%d bytes cut at %d and %d: %v, %x and %x, want %x", n, i, j, err, dst[:n], tag, asText)
					}
					o := must(a.NewUnverifiedOpener(nonce))
					err = errors.Join(o.AAD(fixed), o.Update(back[:], dst[:i]), o.Update(back[i:], dst[i:j]),
						o.Update(back[j:], dst[j:n]), o.Verify(tag[:]))
					if err != nil || !bytes.Equal(back[:n], p) {
						t.Fatalf("%d bytes cut at %d and %d: back: %v, %x, want %x", n, i, j, err, back[:n], p)
					}
					s = must(a.NewSealer(nonce))
					err = errors.Join(s.AAD(p[:i]), s.AAD(p[i:j]), s.AAD(p[j:]), s.Update(dst[:], fixed), s.Sum(tag[:]))
					if err != nil || !bytes.Equal(tag[:], asAAD[21:]) {
						t.Fatalf("data of %d bytes cut at %d and %d: %v, %x, want %x", n, i, j, err, tag, asAAD[21:])
					}
				}
			}
		}
	})
}

// TestRandomSplits has longer messages, slices and lists in turns, in place at
// times, at every level, and with all sizes of nonce and tag.
func TestRandomSplits(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		const seed = 14
		r := rand.New(rand.NewPCG(seed, 14))
		for round := range 400 {
			key, text, aad := cryptotest.Bytes(r, 16+8*r.IntN(3)), cryptotest.Bytes(r, r.IntN(3000)), cryptotest.Bytes(r, r.IntN(600))
			nonce, tag := cryptotest.Bytes(r, 1+r.IntN(30)), make([]byte, 12+r.IntN(5))
			a := gcm.NewAt(level, key, len(nonce), len(tag))
			want := a.Seal(nil, nonce, text, aad)
			s, o := must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("round %d of seed %d: %v", round, seed, err)
				}
			}
			most := 1 << r.IntN(11)
			for p := aad; len(p) > 0; {
				n := min(len(p), r.IntN(most+1))
				check(s.AAD(p[:n]))
				check(o.AAD(p[:n]))
				p = p[n:]
			}
			ct, back := make([]byte, len(text)), make([]byte, len(text))
			for at := 0; at < len(text); {
				n := min(len(text)-at, r.IntN(most+1))
				p, c, b := text[at:at+n], ct[at:at+n], back[at:at+n]
				cut, cut2 := r.IntN(n+1), r.IntN(n+1)
				switch r.IntN(3) {
				case 0:
					check(s.Update(c, p))
					check(o.Update(b, c))
				case 1: // in place
					copy(c, p)
					check(s.Update(c, c))
					copy(b, c)
					check(o.Update(b, b))
				case 2:
					check(s.UpdateList(sg.List{c[:cut], nil, c[cut:]}, sg.List{p[:cut2], p[cut2:]}))
					check(o.UpdateList(sg.List{b[:cut2], b[cut2:]}, sg.List{c[:cut], c[cut:]}))
				}
				at += n
			}
			check(s.Sum(tag))
			check(o.Verify(tag))
			if !bytes.Equal(append(bytes.Clone(ct), tag...), want) || !bytes.Equal(back, text) {
				t.Fatalf("round %d of seed %d: wrong bytes", round, seed)
			}
		}
	})
}

// TestCopies: a copy of a message goes on independently.
func TestCopies(t *testing.T) {
	a := must(gcm.New(testKey(32)))
	nonce, text := make([]byte, 12), []byte("the beginning that both have, and the end of one")
	want, want2 := a.Seal(nil, nonce, text, nil), a.Seal(nil, nonce, text[:29], nil)
	s := must(a.NewSealer(nonce))
	ct, tag, tag2 := make([]byte, len(text)), make([]byte, 16), make([]byte, 16)
	err := s.Update(ct, text[:29])
	fork := s
	err = errors.Join(err, fork.Sum(tag2), s.Update(ct[29:], text[29:]), s.Sum(tag))
	if err != nil || !bytes.Equal(append(ct, tag...), want) || !bytes.Equal(tag2, want2[29:]) {
		t.Errorf("%v, or wrong bytes", err)
	}
}

// TestOrder calls the methods in every order that is wrong.
func TestOrder(t *testing.T) {
	a := must(gcm.New(testKey(32)))
	nonce, p, q, tag := make([]byte, 12), make([]byte, 40), bytes.Repeat([]byte{0xee}, 40), bytes.Repeat([]byte{0xee}, 16)
	for _, n := range []int{0, 11, 13} {
		_, err := a.NewSealer(make([]byte, n))
		_, err2 := a.NewUnverifiedOpener(make([]byte, n))
		if err == nil || err2 == nil {
			t.Errorf("nonce of %d bytes: %v, %v", n, err, err2)
		}
	}
	untouched := func(what string) {
		t.Helper()
		if bytes.Count(q, []byte{0xee}) != 40 || bytes.Count(tag, []byte{0xee}) != 16 {
			t.Fatalf("%s: something was written", what)
		}
	}
	order := func(what string, errs ...error) {
		t.Helper()
		for i, err := range errs {
			if !errors.Is(err, gcm.ErrOrder) {
				t.Errorf("%s, call %d: %v", what, i, err)
			}
		}
		untouched(what)
	}
	var s gcm.Sealer
	var o gcm.UnverifiedOpener
	l, m := sg.List{q}, sg.List{p}
	order("zero value", s.AAD(p), s.AAD(nil), s.Update(q, p), s.UpdateList(l, m), s.Sum(tag), s.Sum(nil),
		o.AAD(p), o.Update(q, p), o.UpdateList(l, m), o.Verify(tag))

	for name, begin := range map[string]func(){
		"no text":     func() { s.Update(nil, nil) },
		"no list":     func() { s.UpdateList(nil, nil) },
		"some text":   func() { s.Update(make([]byte, 5), p[:5]) },
		"whole block": func() { s.Update(make([]byte, 16), p[:16]) },
	} {
		s = must(a.NewSealer(nonce))
		begin()
		order("data after "+name, s.AAD(p), s.AAD(nil))
	}
	s, o = must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
	if err := errors.Join(s.Sum(make([]byte, 16))); err != nil || !s.Wiped() {
		t.Errorf("Sum: %v, or something is left", err)
	}
	if err := o.Verify(a.Seal(nil, nonce, nil, nil)); err != nil || !o.Wiped() {
		t.Errorf("Verify: %v, or something is left", err)
	}
	order("after the end", s.AAD(p), s.Update(q, p), s.UpdateList(l, m), s.Sum(tag),
		o.AAD(p), o.Update(q, p), o.UpdateList(l, m), o.Verify(tag))
	o = must(a.NewUnverifiedOpener(nonce))
	if err := o.Verify(tag); err != gcm.ErrOpen || !o.Wiped() {
		t.Errorf("Verify of a forgery: %v, or something is left", err)
	}
	order("after a failure", o.AAD(p), o.Update(q, p), o.Verify(a.Seal(nil, nonce, nil, nil)))

	// Errors that leave the message as it was.
	want := a.Seal(nil, nonce, p, p[:3])
	s, o = must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
	mem := bytes.Repeat([]byte{0xee}, 64)
	wrong := func() {
		t.Helper()
		for name, c := range map[string]struct{ err, want error }{
			"short dst":      {s.Update(q[:39], p), walk.ErrLength},
			"short list":     {s.UpdateList(sg.List{q[:39]}, m), walk.ErrLength},
			"overlap":        {s.Update(mem[1:], mem[:20]), walk.ErrOverlap},
			"list overlap":   {s.UpdateList(sg.List{mem[1:21]}, sg.List{mem[:20]}), walk.ErrOverlap},
			"o short dst":    {o.Update(q[:39], p), walk.ErrLength},
			"o short list":   {o.UpdateList(sg.List{q[:39]}, m), walk.ErrLength},
			"o overlap":      {o.Update(mem[1:], mem[:20]), walk.ErrOverlap},
			"o list overlap": {o.UpdateList(sg.List{mem[1:21]}, sg.List{mem[:20]}), walk.ErrOverlap},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%s: %v, want %v", name, c.err, c.want)
			}
		}
		for _, n := range []int{0, 12, 15, 17} {
			if err := s.Sum(mem[:n]); err == nil {
				t.Errorf("Sum of %d bytes", n)
			}
			if err := o.Verify(mem[:n]); err == nil || errors.Is(err, gcm.ErrOpen) {
				t.Errorf("Verify of %d bytes: %v", n, err)
			}
		}
		untouched("misuse")
		if bytes.Count(mem, []byte{0xee}) != 64 {
			t.Error("misuse: something was written")
		}
	}
	wrong()
	err := errors.Join(s.AAD(p[:3]), o.AAD(p[:3])) // the wrong calls ended no data
	wrong()
	ct, back := make([]byte, 40), make([]byte, 40)
	err = errors.Join(err, s.Update(ct, p[:7]), o.Update(back, ct[:7]))
	wrong()
	err = errors.Join(err, s.Update(ct[7:], p[7:]), o.Update(back[7:], ct[7:]))
	wrong()
	sum := make([]byte, 16)
	err = errors.Join(err, s.Sum(sum), o.Verify(sum))
	if err != nil || !bytes.Equal(append(ct, sum...), want) || !bytes.Equal(back, p) {
		t.Errorf("after misuse: %v, or wrong bytes", err)
	}
	// A dst that is longer than src: the excess is not touched.
	s = must(a.NewSealer(nonce))
	if err := s.Update(q, p[:33]); err != nil || bytes.Count(q[33:], []byte{0xee}) != 7 {
		t.Errorf("longer dst: %v, %x", err, q)
	}
}
