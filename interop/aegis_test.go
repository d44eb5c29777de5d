package interop

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"testing"

	peer "github.com/ericlagergren/aegis"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/sg"
)

// TestAEGISWycheproof passes the vectors through every call of the package.
func TestAEGISWycheproof(t *testing.T) {
	for _, f := range []struct {
		name    string
		variant aegis.Variant
		count   int
	}{
		{"aegis128_test.json", aegis.AEGIS128, 475},
		{"aegis128L_test.json", aegis.AEGIS128L, 479},
		{"aegis256_test.json", aegis.AEGIS256, 472},
	} {
		t.Run(f.variant.String(), func(t *testing.T) {
			var file struct {
				TestGroups []struct {
					TagSize int
					Tests   []aegisVector
				}
			}
			readVectors(t, f.name, &file)
			r := rand.New(rand.NewPCG(5, uint64(f.variant)))
			seen, invalid := 0, 0
			for _, g := range file.TestGroups {
				if g.TagSize != 128 {
					t.Errorf("a group with tags of %d bits", g.TagSize)
				}
				for _, v := range g.Tests {
					seen++
					if v.Result != "valid" {
						invalid++
					}
					v.check(t, r, f.variant)
				}
			}
			if seen != f.count || invalid == 0 || invalid == seen {
				t.Errorf("%d vectors, %d of them invalid, want %d", seen, invalid, f.count)
			}
		})
	}
}

type aegisVector struct {
	TcID                       int
	Key, IV, AAD, Msg, Ct, Tag hexBytes
	Result                     string
}

func (v aegisVector) check(t *testing.T, r *rand.Rand, variant aegis.Variant) {
	t.Helper()
	a, err := aegis.New(variant, v.Key)
	if err != nil {
		t.Errorf("vector %d: %v", v.TcID, err)
		return
	}
	valid := v.Result == "valid"
	sealed := append(bytes.Clone(v.Ct), v.Tag...)
	text, err := a.Open(nil, v.IV, sealed, v.AAD)
	if valid != (err == nil) || valid && !bytes.Equal(text, v.Msg) || !valid && !errors.Is(err, aegis.ErrOpen) {
		t.Errorf("vector %d, %s: open %x, %v", v.TcID, v.Result, text, err)
	}
	dst := pieces(r, make([]byte, len(v.Ct)))
	err = a.OpenList(dst, pieces(r, v.Ct), v.Tag, v.IV, pieces(r, v.AAD))
	want := []byte(v.Msg)
	if !valid {
		want = make([]byte, len(v.Ct))
	}
	if valid != (err == nil) || !bytes.Equal(bytes.Join(dst, nil), want) {
		t.Errorf("vector %d, %s: open list %x, %v", v.TcID, v.Result, dst, err)
	}
	if err := a.VerifyList(pieces(r, v.Ct), v.Tag, v.IV, pieces(r, v.AAD)); valid != (err == nil) {
		t.Errorf("vector %d, %s: verify %v", v.TcID, v.Result, err)
	}
	o, err := a.NewUnverifiedOpener(v.IV)
	if err != nil {
		t.Fatal(err)
	}
	out, sum := make([]byte, len(v.Ct)), make([]byte, len(v.Tag))
	err = errors.Join(o.AAD(v.AAD), o.UpdateList(pieces(r, out), pieces(r, v.Ct)))
	if err != nil || o.Verify(v.Tag) == nil != valid || valid && !bytes.Equal(out, v.Msg) {
		t.Errorf("vector %d, %s: opener %x, %v", v.TcID, v.Result, out, err)
	}
	if !valid {
		return
	}
	if got := a.Seal(nil, v.IV, v.Msg, v.AAD); !bytes.Equal(got, sealed) {
		t.Errorf("vector %d: seal %x, want %x", v.TcID, got, sealed)
	}
	s, err := a.NewSealer(v.IV)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pieces(r, v.AAD) {
		err = errors.Join(err, s.AAD(p))
	}
	err = errors.Join(err, s.UpdateList(pieces(r, out), pieces(r, v.Msg)), s.Sum(sum))
	if err != nil || !bytes.Equal(out, v.Ct) || !bytes.Equal(sum, v.Tag) {
		t.Errorf("vector %d: sealer %x, %x, %v", v.TcID, out, sum, err)
	}
}

// TestAEGISPeer seals with one and opens with the other, at all lengths around the
// rates and some beyond.
func TestAEGISPeer(t *testing.T) {
	for _, variant := range []aegis.Variant{aegis.AEGIS128L, aegis.AEGIS256} {
		t.Run(variant.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, uint64(variant)))
			random := func(n int) []byte {
				p := make([]byte, n)
				for i := range p {
					p[i] = byte(r.Uint32())
				}
				return p
			}
			for round := range 600 {
				n := round % 300
				if round >= 500 {
					n = r.IntN(100000)
				}
				key, nonce, text, aad := random(variant.KeySize()), random(variant.NonceSize()), random(n), random(r.IntN(100))
				ours, err := aegis.New(variant, key)
				if err != nil {
					t.Fatal(err)
				}
				theirs, err := peer.New(key)
				if err != nil {
					t.Fatal(err)
				}
				sealed := ours.Seal(nil, nonce, text, aad)
				if want := theirs.Seal(nil, nonce, text, aad); !bytes.Equal(sealed, want) {
					t.Fatalf("%d bytes, %d of additional data: seal differs", n, len(aad))
				}
				bad := bytes.Clone(sealed)
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
				for _, a := range []cipher.AEAD{ours, theirs} {
					got, err := a.Open(nil, nonce, sealed, aad)
					if err != nil || !bytes.Equal(got, text) {
						t.Fatalf("%d bytes, %d of additional data: %T: %v", n, len(aad), a, err)
					}
					if _, err := a.Open(nil, nonce, bad, aad); err == nil {
						t.Fatalf("%d bytes, %d of additional data: %T opens a forgery", n, len(aad), a)
					}
				}
				// In pieces.
				dst, tag := pieces(r, make([]byte, n)), make([]byte, 16)
				err = ours.SealList(dst, pieces(r, text), tag, nonce, sg.List{aad})
				if err != nil || !bytes.Equal(append(bytes.Join(dst, nil), tag...), sealed) {
					t.Fatalf("%d bytes, %d of additional data: SealList: %v, or wrong bytes", n, len(aad), err)
				}
			}
		})
	}
}
