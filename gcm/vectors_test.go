package gcm_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// vector is a message of a corpus.
type vector struct {
	ID    string         `json:"id"`
	Key   cryptotest.Hex `json:"key"`
	IV    cryptotest.Hex `json:"iv"`
	AAD   cryptotest.Hex `json:"aad"`
	PT    cryptotest.Hex `json:"pt"`
	CT    cryptotest.Hex `json:"ct"`
	Tag   cryptotest.Hex `json:"tag"`
	Valid *bool          `json:"valid"` // nil means true
}

func (v vector) valid() bool { return v.Valid == nil || *v.Valid }

// check passes the vector through every call, at every level.
func (v vector) check(t *testing.T, r *rand.Rand) {
	t.Helper()
	if len(v.Tag) < gcm.MinTagSize {
		v.checkShortTag(t)
		return
	}
	for _, level := range kernels.Levels() {
		v.checkAEAD(t, r, gcm.NewAt(level, v.Key, len(v.IV), len(v.Tag)))
	}
	// By the public constructors too.
	if len(v.IV) == gcm.NonceSize || len(v.Tag) == gcm.TagSize {
		v.checkAEAD(t, r, ours(v.Key, len(v.IV), len(v.Tag)))
	}
}

func (v vector) checkAEAD(t *testing.T, r *rand.Rand, a *gcm.AEAD) {
	t.Helper()
	fail := func(call string, err error) {
		if err != nil {
			t.Helper()
			t.Errorf("%s: %v: %s: %v", v.ID, a, call, err)
		}
	}
	sealed := append(bytes.Clone(v.CT), v.Tag...)
	want, wantErr := []byte(v.PT), error(nil)
	if !v.valid() {
		want, wantErr = make([]byte, len(v.CT)), gcm.ErrOpen
	}
	got, err := a.Open(nil, v.IV, sealed, v.AAD)
	if err != wantErr || !bytes.Equal(got, v.PT) {
		t.Errorf("%s: %v: Open: %v, %x", v.ID, a, err, got)
	}
	if v.valid() {
		if got := a.Seal(nil, v.IV, v.PT, v.AAD); !bytes.Equal(got, sealed) {
			t.Errorf("%s: %v: Seal: %x, want %x", v.ID, a, got, sealed)
		}
	}
	configs := []cryptotest.Config{{}}[:0]
	for range 4 {
		configs = append(configs, cryptotest.RandomFor(r, len(v.CT), len(v.AAD)))
	}
	if a.String() == must(gcm.New(v.Key)).String() {
		configs = append(configs, cryptotest.Standard(len(v.CT), len(v.AAD))...)
	}
	for _, c := range configs {
		align := r.IntN(64)
		if v.valid() {
			l := c.Build(t, v.PT, v.AAD)
			tag := l.Arena.Put("tag", make([]byte, len(v.Tag)), align)
			nonce := l.Arena.Put("nonce", v.IV, align)
			fail("SealList", a.SealList(l.Dst, l.Src, tag, nonce, l.AAD))
			fail("SealList", l.Check(v.CT, tag))
			if !bytes.Equal(tag, v.Tag) {
				t.Errorf("%s: %v: tag %x, want %x\n%v", v.ID, a, tag, v.Tag, c)
			}
		}
		l := c.Build(t, v.CT, v.AAD)
		tag := l.Arena.Put("tag", v.Tag, align)
		nonce := l.Arena.Put("nonce", v.IV, align)
		if err := a.VerifyList(l.Src, tag, nonce, l.AAD); err != wantErr {
			t.Errorf("%s: %v: VerifyList: %v\n%v", v.ID, a, err, c)
		}
		fail("VerifyList", l.CheckUntouched())
		if err := a.OpenList(l.Dst, l.Src, tag, nonce, l.AAD); err != wantErr {
			t.Errorf("%s: %v: OpenList: %v\n%v", v.ID, a, err, c)
		}
		fail("OpenList", l.Check(want))
	}
}

// checkShortTag checks a tag of fewer bytes than this package allows with the
// kernels.
func (v vector) checkShortTag(t *testing.T) {
	for _, level := range kernels.Levels() {
		k := kernels.NewGCMKey(level, v.Key)
		got := make([]byte, len(v.CT))
		var tag [16]byte
		kernels.GCMOpenMessage(k, &tag, got, v.CT, v.IV, v.AAD)
		if bytes.Equal(tag[:len(v.Tag)], v.Tag) != v.valid() || v.valid() && !bytes.Equal(got, v.PT) {
			t.Errorf("%s: %v: text %x, tag %x", v.ID, level, got, tag)
		}
	}
}

func TestPublishedVectors(t *testing.T) {
	var corpus struct{ Vectors, Extra []vector }
	cryptotest.Shared(t, "published/gcm-vectors.json", &corpus)
	if len(corpus.Vectors) != 18 || len(corpus.Extra) != 5 {
		t.Errorf("%d and %d vectors, want 18 and 5", len(corpus.Vectors), len(corpus.Extra))
	}
	r := rand.New(rand.NewPCG(18, 0))
	for _, v := range append(corpus.Vectors, corpus.Extra...) {
		v.check(t, r)
	}
}

// TestCAVP has messages that must not open among those of NIST.
func TestCAVP(t *testing.T) {
	var corpus struct{ Vectors []vector }
	cryptotest.Shared(t, "published/gcm-cavp-vectors.json", &corpus)
	r := rand.New(rand.NewPCG(633, 0))
	invalid := 0
	for _, v := range corpus.Vectors {
		if v.Valid == nil {
			t.Errorf("%s does not say whether it is valid", v.ID)
		}
		if !v.valid() {
			invalid++
		}
		v.check(t, r)
	}
	if len(corpus.Vectors) != 633 || invalid != 111 {
		t.Errorf("%d vectors, %d of them invalid, want 633 and 111", len(corpus.Vectors), invalid)
	}
}

// TestEdgeVectors has nonces of 16 bytes whose counter wraps within the text.
func TestEdgeVectors(t *testing.T) {
	var corpus struct{ GCM []vector }
	cryptotest.Corpus(t, "edge-generated-vectors.json", &corpus)
	if len(corpus.GCM) != 48 {
		t.Errorf("%d vectors, want 48", len(corpus.GCM))
	}
	r := rand.New(rand.NewPCG(48, 0))
	for _, v := range corpus.GCM {
		v.check(t, r)
	}
}
