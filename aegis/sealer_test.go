package aegis_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// TestThreeWaySplits divides texts and additional data of every length from 0 to
// three blocks and one byte in three, and seals and opens them. The results must be
// those of the reference.
//
// All pairs of cuts of all lengths are n^3/6 messages of each kind, of which there
// are ten million with the rate of 128 bytes. Where a sample says that they take
// too long, all lengths stay, and of the cuts one is around a block, at an end, or
// at a random place, and the other anywhere. If that still takes too long, as for
// portable code, both are of a few. What is left out is logged: on hardware with
// AES nothing at the rates of 16 and 32 bytes, and at the best level nothing up to
// 64. With AEGIS_TEST_ALL_SPLITS in the environment all cuts are done in any case:
// a minute for the levels with AES, and a quarter of an hour for portable code.
func TestThreeWaySplits(t *testing.T) {
	for _, v := range variants {
		s := newSplits(v)
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			cryptotest.Levels(t, s.run)
		})
	}
}

// splits is a text with what the reference makes of its beginnings.
type splits struct {
	variant              aegis.Variant
	key, nonce, p, fixed []byte
	asText, asAAD        [][]byte // by length: p as text, with fixed as additional data, and the other way round
}

func newSplits(v aegis.Variant) *splits {
	r := rand.New(rand.NewPCG(13, uint64(v)))
	n := v.KeySize()
	s := &splits{variant: v, key: cryptotest.Bytes(r, n), nonce: cryptotest.Bytes(r, n),
		p: cryptotest.Bytes(r, 3*rateOf(v)+1), fixed: cryptotest.Bytes(r, 21)}
	for n := range len(s.p) + 1 {
		s.asText = append(s.asText, reference(v, s.key, s.nonce, s.fixed, s.p[:n], 16))
		s.asAAD = append(s.asAAD, reference(v, s.key, s.nonce, s.p[:n], s.fixed, 16)[21:])
	}
	return s
}

// run does all splits at a level, or those at the places that matter.
func (s *splits) run(t *testing.T, level kernels.Level) {
	a := aegis.NewAt(level, s.variant, s.key, 16)
	n := len(s.p)
	all := make([]int, n+1)
	for i := range all {
		all[i] = i
	}
	some := []int{0, 1, rand.New(rand.NewPCG(uint64(n), uint64(level))).IntN(n)}
	for block := rateOf(s.variant); block <= n; block += rateOf(s.variant) {
		some = append(some, block-1, block, min(block+1, n))
	}
	slices.Sort(some)
	some = slices.Compact(some)

	few := []int{0, rateOf(s.variant) - 1, rateOf(s.variant) + 1, 2 * rateOf(s.variant), n}

	start := time.Now()
	sample := s.split(t, a, all[n/2:n/2+1], all[n-20:])
	each := time.Since(start) / time.Duration(sample)
	bound := time.Second / 2
	if level == kernels.Best() || rateOf(s.variant) == 16 {
		bound = 4 * time.Second
	}
	if testing.Short() {
		bound /= 8
	}
	for _, way := range []struct {
		name            string
		firsts, seconds []int
	}{{"all cuts", all, all}, {"one cut anywhere", all, some}, {"few cuts", few, few}} {
		count := 0
		for _, i := range way.firsts {
			for _, j := range way.seconds {
				if j >= i {
					count += n - j + 1
				}
			}
		}
		took := each * time.Duration(count)
		if took > bound && len(way.firsts) == len(all) && os.Getenv("AEGIS_TEST_ALL_SPLITS") == "" {
			t.Logf("%v: %v would take %v", a, way.name, took.Round(time.Second/10))
			continue
		}
		s.split(t, a, way.firsts, way.seconds)
		return
	}
}

// split cuts all lengths first at one of firsts, and then at one of seconds that
// is no smaller, and returns the number of messages. Messages that begin alike
// share their beginning, by a copy of the Sealer.
func (s *splits) split(t *testing.T, a *aegis.AEAD, firsts, seconds []int) (count int) {
	p, longest := s.p, s.asText[len(s.p)]
	ct, back, tag := make([]byte, len(p)), make([]byte, len(p)), make([]byte, 16)
	check := func(what string, err error, i, j, n int, got, want []byte) {
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v: %s %d bytes cut at %d and %d: %v, %x, want %x", a, what, n, i, j, err, got, want)
		}
	}
	for _, i := range firsts {
		s1, o1, d1 := must(a.NewSealer(s.nonce)), must(a.NewUnverifiedOpener(s.nonce)), must(a.NewSealer(s.nonce))
		half := i % 22
		err := errors.Join(s1.AAD(s.fixed[:half]), s1.AAD(s.fixed[half:]), o1.AAD(s.fixed), d1.AAD(p[:i]),
			s1.Update(ct, p[:i]), o1.Update(back, longest[:i]))
		check("seal", err, i, i, i, ct[:i], longest[:i])
		check("open", err, i, i, i, back[:i], p[:i])
		for _, j := range seconds {
			if j < i {
				continue
			}
			s2, o2, d2 := s1, o1, d1
			err := errors.Join(s2.Update(ct[i:], p[i:j]), o2.Update(back[i:], longest[i:j]), d2.AAD(p[i:j]))
			check("seal", err, i, j, j, ct[i:j], longest[i:j])
			check("open", err, i, j, j, back[i:j], p[i:j])
			for n := j; n <= len(p); n++ {
				s3, o3, d3 := s2, o2, d2
				err, err2 := s3.Update(ct[j:], p[j:n]), s3.Sum(tag)
				check("seal", err, i, j, n, ct[j:n], longest[j:n])
				check("seal", err2, i, j, n, tag, s.asText[n][n:])
				err, err2 = o3.Update(back[j:], longest[j:n]), o3.Verify(tag)
				check("open", err, i, j, n, back[j:n], p[j:n])
				check("open", err2, i, j, n, nil, nil)
				err, err2 = d3.AAD(p[j:n]), d3.Update(ct[:21], s.fixed)
				check("additional data of", err, i, j, n, nil, nil)
				check("additional data of", err2, i, j, n, nil, nil)
				check("additional data of", d3.Sum(tag), i, j, n, tag, s.asAAD[n])
				copy(ct, longest[:min(i, 21)]) // which the text of d3 took
				count++
			}
		}
	}
	return count
}

// TestRandomSplits has longer messages, slices and lists in turns, in place at
// times, at every level, with all variants and sizes of tags.
func TestRandomSplits(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		seed := uint64(level)
		r := rand.New(rand.NewPCG(seed, 14))
		for round := range 150 {
			v, tagSize := draw(r)
			key, nonce := cryptotest.Bytes(r, v.KeySize()), cryptotest.Bytes(r, v.NonceSize())
			text, aad := cryptotest.Bytes(r, r.IntN(3000)), cryptotest.Bytes(r, r.IntN(600))
			a, tag := aegis.NewAt(level, v, key, tagSize), make([]byte, tagSize)
			want := a.Seal(nil, nonce, text, aad)
			s, o := must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%v, round %d of seed %d: %v", a, round, seed, err)
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
				t.Fatalf("%v, round %d of seed %d: wrong bytes", a, round, seed)
			}
		}
	})
}

// TestCopies: a copy of a message goes on independently.
func TestCopies(t *testing.T) {
	for _, v := range variants {
		a := ours(v, 16)
		nonce, text := make([]byte, v.NonceSize()), []byte("the beginning that both have, and the end of one")
		want, want2 := a.Seal(nil, nonce, text, nil), a.Seal(nil, nonce, text[:29], nil)
		s := must(a.NewSealer(nonce))
		ct, tag, tag2 := make([]byte, len(text)), make([]byte, 16), make([]byte, 16)
		err := s.Update(ct, text[:29])
		fork := s
		err = errors.Join(err, fork.Sum(tag2), s.Update(ct[29:], text[29:]), s.Sum(tag))
		if err != nil || !bytes.Equal(append(ct, tag...), want) || !bytes.Equal(tag2, want2[29:]) {
			t.Errorf("%v: %v, or wrong bytes", v, err)
		}
	}
}

// TestOrder calls the methods in every order that is wrong.
func TestOrder(t *testing.T) {
	a := ours(aegis.AEGIS128L, 16)
	nonce, p, q, tag := make([]byte, 16), make([]byte, 40), bytes.Repeat([]byte{0xee}, 40), bytes.Repeat([]byte{0xee}, 16)
	for _, n := range []int{0, 12, 15, 17, 32} {
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
			if !errors.Is(err, aegis.ErrOrder) {
				t.Errorf("%s, call %d: %v", what, i, err)
			}
		}
		untouched(what)
	}
	var s aegis.Sealer
	var o aegis.UnverifiedOpener
	l, m := sg.List{q}, sg.List{p}
	order("zero value", s.AAD(p), s.AAD(nil), s.Update(q, p), s.UpdateList(l, m), s.Sum(tag), s.Sum(nil),
		o.AAD(p), o.Update(q, p), o.UpdateList(l, m), o.Verify(tag))

	for name, begin := range map[string]func(){
		"no text":     func() { s.Update(nil, nil) },
		"no list":     func() { s.UpdateList(nil, nil) },
		"some text":   func() { s.Update(make([]byte, 5), p[:5]) },
		"whole block": func() { s.Update(make([]byte, 32), p[:32]) },
	} {
		s = must(a.NewSealer(nonce))
		begin()
		order("data after "+name, s.AAD(p), s.AAD(nil))
	}
	s, o = must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
	if err := s.Sum(make([]byte, 16)); err != nil || !s.Wiped() {
		t.Errorf("Sum: %v, or something is left", err)
	}
	if err := o.Verify(a.Seal(nil, nonce, nil, nil)); err != nil || !o.Wiped() {
		t.Errorf("Verify: %v, or something is left", err)
	}
	order("after the end", s.AAD(p), s.Update(q, p), s.UpdateList(l, m), s.Sum(tag),
		o.AAD(p), o.Update(q, p), o.UpdateList(l, m), o.Verify(tag))
	o = must(a.NewUnverifiedOpener(nonce))
	if err := o.Verify(tag); err != aegis.ErrOpen || !o.Wiped() {
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
		for _, n := range []int{0, 12, 15, 17, 32} {
			if err := s.Sum(mem[:n]); err == nil {
				t.Errorf("Sum of %d bytes", n)
			}
			if err := o.Verify(mem[:n]); err == nil || errors.Is(err, aegis.ErrOpen) {
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
