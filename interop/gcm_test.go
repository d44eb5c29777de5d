package interop

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// pieces divides p at random.
func pieces(r *rand.Rand, p []byte) sg.List {
	l := sg.List{nil}
	for len(p) > 0 {
		n := 1 + r.IntN(len(p))
		l = append(l, p[:n:n])
		p = p[n:]
	}
	return l
}

// checkGCM passes a vector through every call of the package. GMAC is GCM without
// text.
func checkGCM(t *testing.T, r *rand.Rand, id int, key, iv, aad, msg, ct, tag []byte, result string) {
	t.Helper()
	a, err := gcm.NewWithNonceSize(key, len(iv))
	if err != nil {
		if len(iv) > 0 || result != "invalid" {
			t.Errorf("vector %d: %v", id, err)
		}
		return // a nonce of no bytes is refused
	}
	valid := result == "valid" || result == "acceptable"
	sealed := append(bytes.Clone(ct), tag...)
	text, err := a.Open(nil, iv, sealed, aad)
	if valid != (err == nil) || valid && !bytes.Equal(text, msg) || !valid && !errors.Is(err, gcm.ErrOpen) {
		t.Errorf("vector %d, %s: open %x, %v", id, result, text, err)
	}
	dst := pieces(r, make([]byte, len(ct)))
	err = a.OpenList(dst, pieces(r, ct), tag, iv, pieces(r, aad))
	want := msg
	if !valid {
		want = make([]byte, len(ct))
	}
	if valid != (err == nil) || !bytes.Equal(bytes.Join(dst, nil), want) {
		t.Errorf("vector %d, %s: open list %x, %v", id, result, dst, err)
	}
	if err := a.VerifyList(pieces(r, ct), tag, iv, pieces(r, aad)); valid != (err == nil) {
		t.Errorf("vector %d, %s: verify %v", id, result, err)
	}
	if !valid {
		return
	}
	if got := a.Seal(nil, iv, msg, aad); !bytes.Equal(got, sealed) {
		t.Errorf("vector %d: seal %x, want %x", id, got, sealed)
	}
	s, err := a.NewSealer(iv)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pieces(r, aad) {
		err = errors.Join(err, s.AAD(p))
	}
	out, sum := make([]byte, len(msg)), make([]byte, len(tag))
	err = errors.Join(err, s.UpdateList(pieces(r, out), pieces(r, msg)), s.Sum(sum))
	if err != nil || !bytes.Equal(out, ct) || !bytes.Equal(sum, tag) {
		t.Errorf("vector %d: sealer %x, %x, %v", id, out, sum, err)
	}
}

func TestGCMWycheproof(t *testing.T) {
	var file struct {
		TestGroups []struct {
			TagSize int
			Tests   []struct {
				TcID                       int
				Key, IV, AAD, Msg, Ct, Tag hexBytes
				Result                     string
			}
		}
	}
	readVectors(t, "aes_gcm_test.json", &file)
	r := rand.New(rand.NewPCG(3, 16))
	seen := 0
	for _, g := range file.TestGroups {
		if g.TagSize != 128 {
			t.Errorf("a group with tags of %d bits", g.TagSize)
		}
		for _, v := range g.Tests {
			seen++
			checkGCM(t, r, v.TcID, v.Key, v.IV, v.AAD, v.Msg, v.Ct, v.Tag, v.Result)
		}
	}
	if seen != 316 {
		t.Errorf("%d vectors, want 316", seen)
	}
}

func TestGMACWycheproof(t *testing.T) {
	var file struct {
		TestGroups []struct {
			TagSize int
			Tests   []struct {
				TcID              int
				Key, IV, Msg, Tag hexBytes
				Result            string
			}
		}
	}
	readVectors(t, "aes_gmac_test.json", &file)
	r := rand.New(rand.NewPCG(4, 14))
	seen := 0
	for _, g := range file.TestGroups {
		if g.TagSize != 128 {
			t.Errorf("a group with tags of %d bits", g.TagSize)
		}
		for _, v := range g.Tests {
			seen++
			checkGCM(t, r, v.TcID, v.Key, v.IV, v.Msg, nil, nil, v.Tag, v.Result)
		}
	}
	if seen != 414 {
		t.Errorf("%d vectors, want 414", seen)
	}
}
