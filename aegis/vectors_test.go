package aegis_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// vector is a message of a corpus with one of its tags.
type vector struct {
	id                            string
	variant                       aegis.Variant
	key, nonce, aad, msg, ct, tag []byte
	valid                         bool
}

// check passes the vector through every call, in random divisions at every level,
// and in the standard ones by the public constructors.
func (v vector) check(t *testing.T, r *rand.Rand) {
	t.Helper()
	for _, level := range kernels.Levels() {
		var divisions []cryptotest.Config
		for range 4 {
			divisions = append(divisions, cryptotest.RandomFor(r, len(v.ct), len(v.aad)))
		}
		v.checkAEAD(t, r, aegis.NewAt(level, v.variant, v.key, len(v.tag)), divisions)
	}
	a := must(aegis.NewWithTagSize(v.variant, v.key, len(v.tag)))
	v.checkAEAD(t, r, a, cryptotest.Standard(len(v.ct), len(v.aad)))
}

func (v vector) checkAEAD(t *testing.T, r *rand.Rand, a *aegis.AEAD, divisions []cryptotest.Config) {
	t.Helper()
	fail := func(call string, err error) {
		if err != nil {
			t.Helper()
			t.Errorf("%s: %v: %s: %v", v.id, a, call, err)
		}
	}
	sealed := append(bytes.Clone(v.ct), v.tag...)
	want, wantErr := v.msg, error(nil)
	if !v.valid {
		want, wantErr = make([]byte, len(v.ct)), aegis.ErrOpen
	}
	got, err := a.Open(nil, v.nonce, sealed, v.aad)
	if err != wantErr || !bytes.Equal(got, v.msg) {
		t.Errorf("%s: %v: Open: %v, %x", v.id, a, err, got)
	}
	o := must(a.NewUnverifiedOpener(v.nonce))
	back := make([]byte, len(v.ct))
	if err := errors.Join(o.AAD(v.aad), o.Update(back, v.ct)); err != nil {
		fail("UnverifiedOpener", err)
	}
	if err := o.Verify(v.tag); err != wantErr || v.valid && !bytes.Equal(back, v.msg) {
		t.Errorf("%s: %v: UnverifiedOpener: %v, %x", v.id, a, err, back)
	}
	if v.valid {
		if got := a.Seal(nil, v.nonce, v.msg, v.aad); !bytes.Equal(got, sealed) {
			t.Errorf("%s: %v: Seal: %x, want %x", v.id, a, got, sealed)
		}
		s := must(a.NewSealer(v.nonce))
		got, tag := make([]byte, len(v.msg)), make([]byte, len(v.tag))
		fail("Sealer", errors.Join(s.AAD(v.aad), s.Update(got, v.msg), s.Sum(tag)))
		if !bytes.Equal(append(got, tag...), sealed) {
			t.Errorf("%s: %v: Sealer: %x and %x, want %x", v.id, a, got, tag, sealed)
		}
	}
	for _, c := range divisions {
		align := r.IntN(64)
		if v.valid {
			l := c.Build(t, v.msg, v.aad)
			tag := l.Arena.Put("tag", make([]byte, len(v.tag)), align)
			nonce := l.Arena.Put("nonce", v.nonce, align)
			fail("SealList", a.SealList(l.Dst, l.Src, tag, nonce, l.AAD))
			fail("SealList", l.Check(v.ct, tag))
			if !bytes.Equal(tag, v.tag) {
				t.Errorf("%s: %v: tag %x, want %x\n%v", v.id, a, tag, v.tag, c)
			}
		}
		l := c.Build(t, v.ct, v.aad)
		tag := l.Arena.Put("tag", v.tag, align)
		nonce := l.Arena.Put("nonce", v.nonce, align)
		if err := a.VerifyList(l.Src, tag, nonce, l.AAD); err != wantErr {
			t.Errorf("%s: %v: VerifyList: %v\n%v", v.id, a, err, c)
		}
		fail("VerifyList", l.CheckUntouched())
		if err := a.OpenList(l.Dst, l.Src, tag, nonce, l.AAD); err != wantErr {
			t.Errorf("%s: %v: OpenList: %v\n%v", v.id, a, err, c)
		}
		fail("OpenList", l.Check(want))
	}
}

// published is what the specification publishes.
type published struct {
	AEAD []struct {
		ID, Alg                                 string
		Key, Nonce, AD, Msg, CT, Tag128, Tag256 cryptotest.Hex
		Valid                                   bool
	}
	MAC []publishedMAC
}

type publishedMAC struct {
	ID, Alg                          string
	Key, Nonce, Data, Tag128, Tag256 cryptotest.Hex
}

func readPublished(t *testing.T) (p published) {
	cryptotest.Shared(t, "published/aegis-vectors.json", &p)
	return p
}

// TestPublishedVectors has 26 messages, each with both sizes of tags, 8 of which
// must not open.
func TestPublishedVectors(t *testing.T) {
	p := readPublished(t)
	r := rand.New(rand.NewPCG(26, 8))
	invalid := 0
	for _, v := range p.AEAD {
		if !v.Valid {
			invalid++
		}
		for _, tag := range []cryptotest.Hex{v.Tag128, v.Tag256} {
			vector{v.ID, named(t, v.Alg), v.Key, v.Nonce, v.AD, v.Msg, v.CT, tag, v.Valid}.check(t, r)
		}
	}
	if len(p.AEAD) != 26 || invalid != 8 {
		t.Errorf("%d vectors, %d of them invalid, want 26 and 8", len(p.AEAD), invalid)
	}
}

// TestPublishedMACs has 6 MACs, each with both sizes of tags, written at once, byte
// by byte, and in two pieces.
func TestPublishedMACs(t *testing.T) {
	p := readPublished(t)
	if len(p.MAC) != 6 {
		t.Errorf("%d MACs, want 6", len(p.MAC))
	}
	for _, v := range p.MAC {
		for _, tag := range []cryptotest.Hex{v.Tag128, v.Tag256} {
			v.check(t, tag)
		}
	}
}

func (v publishedMAC) check(t *testing.T, tag []byte) {
	t.Helper()
	for _, level := range kernels.Levels() {
		h := aegis.NewMACAt(level, named(t, v.Alg), v.Key, v.Nonce, len(tag))
		for cut := range v.Data {
			h.Reset()
			h.Write(v.Data[:cut])
			h.Write(v.Data[cut:])
			if got := h.Sum(nil); !bytes.Equal(got, tag) {
				t.Errorf("%s, %v, cut at %d: %x, want %x", v.ID, level, cut, got, tag)
			}
		}
		h.Reset()
		for i := range v.Data {
			h.Write(v.Data[i : i+1])
		}
		if got := h.Sum([]byte("pre")); !bytes.Equal(got, append([]byte("pre"), tag...)) {
			t.Errorf("%s, %v, byte by byte: %x, want %x", v.ID, level, got, tag)
		}
	}
}

// TestGeneratedVectors has 258 messages around the rates of all variants, with
// both sizes of tags.
func TestGeneratedVectors(t *testing.T) {
	var corpus struct {
		Vectors []struct {
			Alg                            string
			Key, Nonce, CT, Tag128, Tag256 cryptotest.Hex
			AD                             int `json:"ad_len"`
			Msg                            int `json:"msg_len"`
		}
	}
	cryptotest.Corpus(t, "aegis-generated-vectors.json", &corpus)
	if len(corpus.Vectors) != 258 {
		t.Errorf("%d vectors, want 258", len(corpus.Vectors))
	}
	r := rand.New(rand.NewPCG(258, 0))
	for _, v := range corpus.Vectors {
		for _, tag := range []cryptotest.Hex{v.Tag128, v.Tag256} {
			if tag == nil {
				continue // AEGIS-128
			}
			aad, msg := cryptotest.Pattern(0, v.AD, 3), cryptotest.Pattern(0, v.Msg, 4)
			vector{v.Alg, named(t, v.Alg), v.Key, v.Nonce, aad, msg, v.CT, tag, true}.check(t, r)
		}
	}
}
