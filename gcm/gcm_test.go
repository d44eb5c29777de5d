package gcm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

func testKey(n int) []byte {
	key := make([]byte, n)
	for i := range key {
		key[i] = byte(i * 7)
	}
	return key
}

// must returns the value of a call that may not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// standard returns the AES-GCM of crypto/cipher, which has either another nonce
// or another tag size.
func standard(key []byte, nonceSize, tagSize int) cipher.AEAD {
	b := must(aes.NewCipher(key))
	switch {
	case tagSize != 16:
		return roomy{must(cipher.NewGCMWithTagSize(b, tagSize))}
	case nonceSize != 12:
		return must(cipher.NewGCMWithNonceSize(b, nonceSize))
	}
	return must(cipher.NewGCM(b))
}

// roomy gives the memory that Seal allocates a few bytes more than it returns. With
// tags of less than 16 bytes the assembly of Go 1.26 writes up to 3 zeros behind
// them (golang/go#80288): behind memory of just that size stands somebody else's,
// and once it was a table of the runtime, which then looked in it for ever. A dst
// with enough capacity is the caller's to make room behind.
type roomy struct{ cipher.AEAD }

func (r roomy) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	total := len(dst) + len(plaintext) + r.Overhead()
	if total <= cap(dst) {
		return r.AEAD.Seal(dst, nonce, plaintext, additionalData)
	}
	room := append(make([]byte, 0, total+16), dst...)
	return r.AEAD.Seal(room, nonce, plaintext, additionalData)[:total:total]
}

// ours is its like of this package, by the public constructors.
func ours(key []byte, nonceSize, tagSize int) *gcm.AEAD {
	switch {
	case tagSize != 16:
		return must(gcm.NewWithTagSize(key, tagSize))
	case nonceSize != 12:
		return must(gcm.NewWithNonceSize(key, nonceSize))
	}
	return must(gcm.New(key))
}

func TestConstructors(t *testing.T) {
	for n := range 70 {
		_, err := gcm.New(testKey(n))
		if ok := n == 16 || n == 24 || n == 32; ok {
			if err != nil {
				t.Errorf("key of %d bytes: %v", n, err)
			}
			continue
		}
		for _, f := range []func() (*gcm.AEAD, error){
			func() (*gcm.AEAD, error) { return gcm.New(testKey(n)) },
			func() (*gcm.AEAD, error) { return gcm.NewWithTagSize(testKey(n), 13) },
			func() (*gcm.AEAD, error) { return gcm.NewWithNonceSize(testKey(n), 8) },
		} {
			var size gcm.KeySizeError
			if a, err := f(); a != nil || !errors.As(err, &size) || int(size) != n {
				t.Errorf("key of %d bytes: %v", n, err)
			}
		}
	}
	if got := gcm.KeySizeError(5).Error(); got != "gcm: key of 5 bytes, want 16, 24 or 32" {
		t.Error(got)
	}
	b := must(aes.NewCipher(testKey(16)))
	for n := -2; n < 40; n++ {
		_, std := cipher.NewGCMWithTagSize(b, n)
		a, err := gcm.NewWithTagSize(testKey(16), n)
		if (std == nil) != (err == nil) || err == nil && (a.Overhead() != n || a.NonceSize() != 12) {
			t.Errorf("tag of %d bytes: %v, crypto/cipher says %v", n, err, std)
		}
		_, std = cipher.NewGCMWithNonceSize(b, n)
		a, err = gcm.NewWithNonceSize(testKey(16), n)
		if (std == nil) != (err == nil) || err == nil && (a.NonceSize() != n || a.Overhead() != 16) {
			t.Errorf("nonce of %d bytes: %v, crypto/cipher says %v", n, err, std)
		}
	}
	if gcm.ErrOpen != sg.ErrOpen {
		t.Error("ErrOpen is not that of sg")
	}
}

// TestFIPS: these kernels are no validated module, and say so.
func TestFIPS(t *testing.T) {
	cryptotest.EnforceFIPS(t, "gcm: ", func() []error {
		_, err := gcm.New(testKey(16))
		_, err2 := gcm.NewRFC4106(testKey(20))
		return []error{err, err2}
	})
}

// TestFormat: nothing secret in what a program might log.
func TestFormat(t *testing.T) {
	a := must(gcm.New(testKey(32)))
	r := must(gcm.NewRFC4106(testKey(36)))
	s := must(a.NewSealer(make([]byte, 12)))
	o := must(a.NewUnverifiedOpener(make([]byte, 12)))
	for _, v := range []any{a, r} {
		for _, text := range []string{fmt.Sprint(v), fmt.Sprintf("%v %+v", v, v)} {
			if !strings.Contains(text, "AES-GCM (") || len(text) > 100 {
				t.Errorf("printed as %q", text)
			}
		}
	}
	for _, v := range []any{s, &s, o, &o} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%d", "%x", "%s"} {
			if text := fmt.Sprintf(verb, v); text != "AES-GCM message" {
				t.Errorf("printed with %s as %q", verb, text)
			}
		}
	}
}

// TestKeyIsCopied changes the key behind the constructors.
func TestKeyIsCopied(t *testing.T) {
	key, material := testKey(32), testKey(36)
	a, r := must(gcm.New(key)), must(gcm.NewRFC4106(material))
	want, want2 := a.Seal(nil, make([]byte, 12), key, nil), r.Seal(nil, make([]byte, 8), key, nil)
	text := bytes.Clone(key)
	clear(key)
	clear(material)
	if !bytes.Equal(a.Seal(nil, make([]byte, 12), text, nil), want) || !bytes.Equal(r.Seal(nil, make([]byte, 8), text, nil), want2) {
		t.Error("the caller's key was kept")
	}
}

// TestConcurrent has eight goroutines on one key, with every kind of call.
func TestConcurrent(t *testing.T) {
	a, std := must(gcm.New(testKey(32))), standard(testKey(32), 12, 16)
	r := rand.New(rand.NewPCG(3, 3))
	text, aad := cryptotest.Bytes(r, 1001), cryptotest.Bytes(r, 37)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			nonce := make([]byte, 12)
			nonce[5] = byte(g)
			want := std.Seal(nil, nonce, text, aad)
			for range 50 {
				dst := sg.Split(make([]byte, len(text)), 100+g, 333)
				var tag [16]byte
				err := a.SealList(dst, sg.List{text[:g], text[g:]}, tag[:], nonce, sg.List{aad[:g], aad[g:]})
				if err != nil || !bytes.Equal(append(bytes.Join(dst, nil), tag[:]...), want) {
					t.Errorf("goroutine %d: %v, or wrong bytes", g, err)
					return
				}
				got, err := a.Open(nil, nonce, want, aad)
				err2 := a.VerifyList(dst, tag[:], nonce, sg.List{aad})
				if err != nil || err2 != nil || !bytes.Equal(got, text) {
					t.Errorf("goroutine %d: %v, %v, or wrong bytes", g, err, err2)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNoAllocs uses stack buffers and list literals.
func TestNoAllocs(t *testing.T) {
	a := must(gcm.New(testKey(32)))
	odd := gcm.NewAt(kernels.Best(), testKey(16), 17, 13)
	r := must(gcm.NewRFC4106(testKey(36)))
	check := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	// contiguous is for calls that may go to crypto/cipher, whose arguments
	// escape on the architectures where that is so.
	contiguous := cryptotest.NoAllocs
	if gcm.SliceCallsEscape {
		contiguous = func(testing.TB, string, func()) {}
	}
	contiguous(t, "Seal and Open", func() {
		var buf [600]byte
		var nonce [12]byte
		var aad [20]byte
		ct := a.Seal(buf[:0], nonce[:], buf[:500], aad[:])
		_, err := a.Open(ct[:0], nonce[:], ct, aad[:])
		check(err)
		if _, err := a.Open(buf[:0], nonce[:], buf[:500], aad[:]); err != gcm.ErrOpen {
			t.Error(err)
		}
	})
	contiguous(t, "Seal and Open with other sizes", func() {
		var buf [600]byte
		var nonce [17]byte
		ct := odd.Seal(buf[:0], nonce[:], buf[:500], nil)
		_, err := odd.Open(ct[:0], nonce[:], ct, nil)
		check(err)
	})
	cryptotest.NoAllocs(t, "lists", func() {
		var p, q [600]byte
		var nonce [12]byte
		var aad [20]byte
		var tag [16]byte
		check(a.SealList(sg.List{q[:5], q[5:]}, sg.List{p[:300], nil, p[300:]}, tag[:], nonce[:], sg.List{aad[:3], aad[3:]}))
		check(a.VerifyList(sg.List{q[:77], q[77:]}, tag[:], nonce[:], sg.List{aad[:]}))
		check(a.OpenList(sg.List{q[:5], q[5:]}, sg.List{q[:9], q[9:]}, tag[:], nonce[:], sg.List{aad[:3], aad[3:]}))
		tag[0] ^= 1
		if err := a.OpenList(sg.List{q[:]}, sg.List{q[:]}, tag[:], nonce[:], nil); err != gcm.ErrOpen {
			t.Error(err)
		}
	})
	cryptotest.NoAllocs(t, "Sealer and UnverifiedOpener", func() {
		var p, q [600]byte
		var nonce [12]byte
		var tag [16]byte
		s, err := a.NewSealer(nonce[:])
		check(err)
		check(s.AAD(p[:3]))
		check(s.AAD(p[:30]))
		check(s.Update(q[:7], p[:7]))
		check(s.UpdateList(sg.List{q[7:50], q[50:]}, sg.List{p[7:]}))
		check(s.Sum(tag[:]))
		o, err := a.NewUnverifiedOpener(nonce[:])
		check(err)
		check(o.AAD(p[:33]))
		check(o.UpdateList(sg.List{q[:50], q[50:590]}, sg.List{q[:590]}))
		check(o.Update(q[590:], q[590:]))
		check(o.Verify(tag[:]))
	})
	contiguous(t, "RFC 4106", func() {
		var buf [600]byte
		var iv [8]byte
		var tag [16]byte
		ct := r.Seal(buf[:0], iv[:], buf[:500], nil)
		_, err := r.Open(ct[:0], iv[:], ct, nil)
		check(err)
		check(r.SealList(sg.List{buf[:9], buf[9:]}, sg.List{buf[:]}, tag[:], iv[:], nil))
		check(r.OpenList(sg.List{buf[:9], buf[9:]}, sg.List{buf[:]}, tag[:], iv[:], nil))
	})
}

func TestRFC4106(t *testing.T) {
	for n := range 50 {
		r, err := gcm.NewRFC4106(testKey(n))
		if ok := n == 20 || n == 28 || n == 36; ok != (err == nil) || ok && (r.NonceSize() != 8 || r.Overhead() != 16) {
			t.Errorf("%d bytes of key and salt: %v", n, err)
		} else if !ok && (r != nil || !strings.HasPrefix(err.Error(), "gcm: ")) {
			t.Errorf("%d bytes of key and salt: %v", n, err)
		}
	}
	rnd := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{16, 24, 32} {
		material, iv := cryptotest.Bytes(rnd, n+4), cryptotest.Bytes(rnd, 8)
		text, aad := cryptotest.Bytes(rnd, 77), cryptotest.Bytes(rnd, 12)
		r := must(gcm.NewRFC4106(material))
		nonce := append(bytes.Clone(material[n:]), iv...)
		want := standard(material[:n], 12, 16).Seal([]byte("ESP"), nonce, text, aad)
		if got := r.Seal([]byte("ESP"), iv, text, aad); !bytes.Equal(got, want) {
			t.Errorf("%x, want %x", got, want)
		}
		if got, err := r.Open(nil, iv, want[3:], aad); err != nil || !bytes.Equal(got, text) {
			t.Errorf("Open: %v, %x", err, got)
		}
		dst, tag := make([]byte, 77), make([]byte, 16)
		if err := r.SealList(sg.List{dst[:1], dst[1:]}, sg.List{text}, tag, iv, sg.List{aad}); err != nil || !bytes.Equal(append(bytes.Clone(dst), tag...), want[3:]) {
			t.Errorf("SealList: %v, %x", err, dst)
		}
		if err := r.OpenList(sg.List{dst}, sg.List{dst[:1], dst[1:]}, tag, iv, sg.List{aad}); err != nil || !bytes.Equal(dst, text) {
			t.Errorf("OpenList: %v, %x", err, dst)
		}
		for _, wrong := range []int{0, 7, 9, 12} {
			if err := r.SealList(sg.List{dst}, sg.List{dst}, tag, make([]byte, wrong), nil); err == nil {
				t.Errorf("IV of %d bytes: no error", wrong)
			}
			if err := r.OpenList(sg.List{dst}, sg.List{dst}, tag, make([]byte, wrong), nil); err == nil || errors.Is(err, gcm.ErrOpen) {
				t.Errorf("IV of %d bytes: %v", wrong, err)
			}
			for _, f := range []func(){
				func() { r.Seal(nil, make([]byte, wrong), text, nil) },
				func() { r.Open(nil, make([]byte, wrong), want, nil) },
			} {
				if got := panicOf(f); !strings.HasPrefix(got, "gcm: ") {
					t.Errorf("IV of %d bytes: panic %q", wrong, got)
				}
			}
		}
	}
}

// panicOf returns what f panics with, or "<nil>".
func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return
}

func TestLimits(t *testing.T) {
	const text, aad = 1<<36 - 32, 1<<61 - 1
	for _, c := range []struct {
		name      string
		check     func(has, more uint64) error
		has, more uint64
		ok        bool
	}{
		{"text", gcm.CheckText, 0, text, true},
		{"text", gcm.CheckText, 0, text + 1, false},
		{"text", gcm.CheckText, text, 0, true},
		{"text", gcm.CheckText, text, 1, false},
		{"text", gcm.CheckText, text - 5, 5, true},
		{"text", gcm.CheckText, text - 5, 6, false},
		{"text", gcm.CheckText, text, 1<<64 - 1, false},
		{"aad", gcm.CheckAAD, 0, aad, true},
		{"aad", gcm.CheckAAD, 0, aad + 1, false},
		{"aad", gcm.CheckAAD, aad, 0, true},
		{"aad", gcm.CheckAAD, aad, 1, false},
		{"aad", gcm.CheckAAD, aad - 5, 5, true},
		{"aad", gcm.CheckAAD, aad - 5, 6, false},
		{"aad", gcm.CheckAAD, aad, 1<<64 - 1, false},
	} {
		if err := c.check(c.has, c.more); c.ok != (err == nil) || err != nil && !errors.Is(err, gcm.ErrLimit) {
			t.Errorf("%s of %d bytes after %d: %v", c.name, c.more, c.has, err)
		}
	}
	// Across calls.
	a := must(gcm.New(testKey(16)))
	s := must(a.NewSealer(make([]byte, 12)))
	p, q := make([]byte, 10), bytes.Repeat([]byte{0xee}, 10)
	s.Pretend(aad-9, 0)
	if err := s.AAD(p); !errors.Is(err, gcm.ErrLimit) {
		t.Errorf("additional data beyond the limit: %v", err)
	}
	if err := s.AAD(p[:9]); err != nil {
		t.Errorf("additional data up to the limit: %v", err)
	}
	if err := s.AAD(p[:1]); !errors.Is(err, gcm.ErrLimit) {
		t.Errorf("additional data beyond the limit: %v", err)
	}
	s = must(a.NewSealer(make([]byte, 12)))
	s.Pretend(0, text-9)
	err, err2 := s.Update(q, p), s.UpdateList(sg.List{q}, sg.List{p})
	if !errors.Is(err, gcm.ErrLimit) || !errors.Is(err2, gcm.ErrLimit) || bytes.Count(q, []byte{0xee}) != 10 {
		t.Errorf("text beyond the limit: %v, %v, %x", err, err2, q)
	}
	if err := s.Update(q, p[:9]); err != nil {
		t.Errorf("text up to the limit: %v", err)
	}
	if err := s.Update(q, p[:1]); !errors.Is(err, gcm.ErrLimit) {
		t.Errorf("text beyond the limit: %v", err)
	}
}
