package aegis_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
)

var variants = []aegis.Variant{
	aegis.AEGIS128, aegis.AEGIS128L, aegis.AEGIS128X2, aegis.AEGIS128X4,
	aegis.AEGIS256, aegis.AEGIS256X2, aegis.AEGIS256X4,
}

// rateOf returns the rate of a variant in bytes.
func rateOf(v aegis.Variant) int {
	return map[aegis.Variant]int{
		aegis.AEGIS128: 16, aegis.AEGIS128L: 32, aegis.AEGIS128X2: 64, aegis.AEGIS128X4: 128,
		aegis.AEGIS256: 16, aegis.AEGIS256X2: 32, aegis.AEGIS256X4: 64,
	}[v]
}

// tagSizes returns the sizes of tags that a variant has.
func tagSizes(v aegis.Variant) []int {
	if v == aegis.AEGIS128 {
		return []int{16}
	}
	return []int{16, 32}
}

// named returns the variant of that name.
func named(t testing.TB, name string) aegis.Variant {
	t.Helper()
	for _, v := range variants {
		if v.String() == name {
			return v
		}
	}
	t.Fatalf("no variant %s", name)
	return 0
}

// draw returns a random variant and size of tags.
func draw(r *rand.Rand) (v aegis.Variant, tagSize int) {
	v = variants[r.IntN(len(variants))]
	sizes := tagSizes(v)
	return v, sizes[r.IntN(len(sizes))]
}

// reference returns what Seal must append: ciphertext and tag.
func reference(v aegis.Variant, key, nonce, aad, text []byte, tagSize int) []byte {
	ct, tag := cryptotest.AEGISSeal(v.String(), key, nonce, aad, text, tagSize)
	return append(ct, tag...)
}

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

// ours returns a variant by the public constructors.
func ours(v aegis.Variant, tagSize int) *aegis.AEAD {
	if tagSize == aegis.TagSize {
		return must(aegis.New(v, testKey(v.KeySize())))
	}
	return must(aegis.NewWithTagSize(v, testKey(v.KeySize()), tagSize))
}

// panicOf returns what f panics with, or "<nil>".
func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return
}

func TestVariants(t *testing.T) {
	for i, v := range variants {
		if v.String() != cryptotest.AEGISVariants[i] || int(v) != i {
			t.Errorf("variant %d is %v, want %s", int(v), v, cryptotest.AEGISVariants[i])
		}
		k := kernels.AEGIS(v)
		if v.KeySize() != k.KeySize() || v.NonceSize() != v.KeySize() || k.Rate() != rateOf(v) {
			t.Errorf("%v: key of %d, nonce of %d, rate of %d", v, v.KeySize(), v.NonceSize(), k.Rate())
		}
		if want := map[bool]int{true: 32, false: 16}[strings.HasPrefix(v.String(), "AEGIS-256")]; v.KeySize() != want {
			t.Errorf("%v: key of %d, want %d", v, v.KeySize(), want)
		}
		a := ours(v, 16)
		if a.Variant() != v || a.NonceSize() != v.NonceSize() || a.Overhead() != 16 {
			t.Errorf("%v: %v, nonce of %d, tag of %d", v, a.Variant(), a.NonceSize(), a.Overhead())
		}
	}
	if v := aegis.Variant(7); v.String() != "AEGIS variant 7" || v.KeySize() != 0 || v.NonceSize() != 0 {
		t.Errorf("%v: key of %d, nonce of %d", v, v.KeySize(), v.NonceSize())
	}
}

func TestConstructors(t *testing.T) {
	prefixed := func(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "aegis: ") }
	for _, v := range variants {
		for n := range 40 {
			_, err := aegis.New(v, testKey(n))
			_, err2 := aegis.NewMAC(v, testKey(n), testKey(v.NonceSize()), 16)
			if n == v.KeySize() {
				if err != nil || (err2 == nil) != (v != aegis.AEGIS128) {
					t.Errorf("%v, key of %d bytes: %v, %v", v, n, err, err2)
				}
				continue
			}
			var size, size2 aegis.KeySizeError
			if !errors.As(err, &size) || size != (aegis.KeySizeError{Variant: v, Size: n}) ||
				v != aegis.AEGIS128 && (!errors.As(err2, &size2) || size2 != size) {
				t.Errorf("%v, key of %d bytes: %v, %v", v, n, err, err2)
			}
		}
		for n := -2; n < 70; n++ {
			key := testKey(v.KeySize())
			ok := n == 16 || n == 32 && v != aegis.AEGIS128
			a, err := aegis.NewWithTagSize(v, key, n)
			if ok != (err == nil) || ok && a.Overhead() != n || !ok && (a != nil || !prefixed(err)) {
				t.Errorf("%v, tag of %d bytes: %v", v, n, err)
			}
			ok = ok && v != aegis.AEGIS128
			h, err := aegis.NewMAC(v, key, key, n)
			if ok != (err == nil) || ok && (h.Size() != n || h.BlockSize() != rateOf(v)) || !ok && (h != nil || !prefixed(err)) {
				t.Errorf("%v, MAC of %d bytes: %v", v, n, err)
			}
			if n >= 0 && v != aegis.AEGIS128 {
				h, err := aegis.NewMAC(v, key, make([]byte, n), 16)
				if (n == v.NonceSize()) != (err == nil) || err != nil && (h != nil || !prefixed(err)) {
					t.Errorf("%v, MAC with a nonce of %d bytes: %v", v, n, err)
				}
			}
		}
	}
	for _, v := range []aegis.Variant{7, 255} {
		_, err := aegis.New(v, testKey(16))
		_, err2 := aegis.NewMAC(v, testKey(16), testKey(16), 16)
		if !prefixed(err) || !prefixed(err2) {
			t.Errorf("%v: %v, %v", v, err, err2)
		}
	}
	if got := (aegis.KeySizeError{Variant: aegis.AEGIS256, Size: 5}).Error(); got != "aegis: key of 5 bytes, want 32 for AEGIS-256" {
		t.Error(got)
	}
	if aegis.ErrOpen != sg.ErrOpen {
		t.Error("ErrOpen is not that of sg")
	}
}

// TestFIPS: these kernels are no validated module, and say so.
func TestFIPS(t *testing.T) {
	cryptotest.EnforceFIPS(t, "aegis: ", func() []error {
		_, err := aegis.New(aegis.AEGIS128L, testKey(16))
		_, err2 := aegis.NewMAC(aegis.AEGIS128L, testKey(16), testKey(16), 16)
		return []error{err, err2}
	})
}

// TestFormat: nothing secret in what a program might log.
func TestFormat(t *testing.T) {
	a := ours(aegis.AEGIS256, 32)
	for _, text := range []string{fmt.Sprint(a), fmt.Sprintf("%v %+v", a, a)} {
		if !strings.Contains(text, "AEGIS-256 (") || len(text) > 100 {
			t.Errorf("printed as %q", text)
		}
	}
	s, o := must(a.NewSealer(make([]byte, 32))), must(a.NewUnverifiedOpener(make([]byte, 32)))
	h := must(aegis.NewMAC(aegis.AEGIS256, testKey(32), testKey(32), 16))
	for _, v := range []any{s, &s, o, &o, h} {
		want := "AEGIS message"
		if v == h {
			want = "AEGISMAC"
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%d", "%x", "%s"} {
			if text := fmt.Sprintf(verb, v); text != want {
				t.Errorf("printed with %s as %q", verb, text)
			}
		}
	}
}

// TestInputsAreCopied changes key and nonce behind the constructors.
func TestInputsAreCopied(t *testing.T) {
	for _, v := range variants {
		n := v.KeySize()
		key, nonce, text := testKey(n), testKey(n), []byte("some text")
		a := must(aegis.New(v, key))
		want := a.Seal(nil, nonce, text, nil)
		clear(key)
		if !bytes.Equal(a.Seal(nil, nonce, text, nil), want) {
			t.Errorf("%v: the caller's key was kept", v)
		}
		s := must(a.NewSealer(nonce))
		clear(nonce)
		got, tag := make([]byte, len(text)), make([]byte, 16)
		if err := errors.Join(s.Update(got, text), s.Sum(tag)); err != nil || !bytes.Equal(append(got, tag...), want) {
			t.Errorf("%v: the caller's nonce was kept: %v", v, err)
		}
		if v == aegis.AEGIS128 {
			continue
		}
		key, nonce = testKey(n), testKey(n)
		h := must(aegis.NewMAC(v, key, nonce, 16))
		clear(key)
		clear(nonce)
		h.Reset()
		h.Write(text)
		if want := cryptotest.AEGISMAC(v.String(), testKey(n), testKey(n), text, 16); !bytes.Equal(h.Sum(nil), want) {
			t.Errorf("%v: the caller's key or nonce was kept", v)
		}
	}
}

// TestConcurrent has eight goroutines on one key, with every kind of call.
func TestConcurrent(t *testing.T) {
	a := ours(aegis.AEGIS128X2, 32)
	r := rand.New(rand.NewPCG(3, 3))
	text, aad := cryptotest.Bytes(r, 1001), cryptotest.Bytes(r, 37)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			nonce := make([]byte, 16)
			nonce[5] = byte(g)
			want := reference(aegis.AEGIS128X2, testKey(16), nonce, aad, text, 32)
			for range 50 {
				dst := sg.Split(make([]byte, len(text)), 100+g, 333)
				var tag [32]byte
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

// TestNoAllocs uses stack buffers and list literals, at every level.
func TestNoAllocs(t *testing.T) {
	check := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, level := range kernels.Levels() {
		for _, v := range []aegis.Variant{aegis.AEGIS128, aegis.AEGIS128X4, aegis.AEGIS256} {
			size := v.NonceSize()
			a := aegis.NewAt(level, v, testKey(size), 16)
			what := func(call string) string { return fmt.Sprintf("%v: %s", a, call) }
			cryptotest.NoAllocs(t, what("Seal and Open"), func() {
				var buf [600]byte
				var nonce [32]byte
				var aad [20]byte
				ct := a.Seal(buf[:0], nonce[:size], buf[:500], aad[:])
				_, err := a.Open(ct[:0], nonce[:size], ct, aad[:])
				check(err)
				if _, err := a.Open(buf[:0], nonce[:size], buf[:500], aad[:]); err != aegis.ErrOpen {
					t.Error(err)
				}
			})
			cryptotest.NoAllocs(t, what("lists"), func() {
				var p, q [600]byte
				var nonce [32]byte
				var aad [20]byte
				var tag [16]byte
				check(a.SealList(sg.List{q[:5], q[5:]}, sg.List{p[:300], nil, p[300:]}, tag[:], nonce[:size], sg.List{aad[:3], aad[3:]}))
				check(a.VerifyList(sg.List{q[:77], q[77:]}, tag[:], nonce[:size], sg.List{aad[:]}))
				check(a.OpenList(sg.List{q[:5], q[5:]}, sg.List{q[:9], q[9:]}, tag[:], nonce[:size], sg.List{aad[:3], aad[3:]}))
				tag[0] ^= 1
				if err := a.OpenList(sg.List{q[:]}, sg.List{q[:]}, tag[:], nonce[:size], nil); err != aegis.ErrOpen {
					t.Error(err)
				}
			})
			cryptotest.NoAllocs(t, what("Sealer and UnverifiedOpener"), func() {
				var p, q [600]byte
				var nonce [32]byte
				var tag [16]byte
				s, err := a.NewSealer(nonce[:size])
				check(err)
				check(s.AAD(p[:3]))
				check(s.AAD(p[:30]))
				check(s.Update(q[:7], p[:7]))
				check(s.UpdateList(sg.List{q[7:50], q[50:]}, sg.List{p[7:]}))
				check(s.Sum(tag[:]))
				o, err := a.NewUnverifiedOpener(nonce[:size])
				check(err)
				check(o.AAD(p[:33]))
				check(o.UpdateList(sg.List{q[:50], q[50:590]}, sg.List{q[:590]}))
				check(o.Update(q[590:], q[590:]))
				check(o.Verify(tag[:]))
			})
			if v == aegis.AEGIS128 {
				continue
			}
			h := aegis.NewMACAt(level, v, testKey(size), testKey(size), 32)
			var data [600]byte // escapes: h is an interface
			var sum [32]byte
			cryptotest.NoAllocs(t, what("MAC"), func() {
				h.Reset()
				h.Write(data[:77])
				h.Write(data[77:])
				h.Sum(sum[:0])
			})
		}
	}
}

// TestLimits has the limits of RFC 10032, 2^61-1 bytes of text and of data.
func TestLimits(t *testing.T) {
	const most = 1<<61 - 1
	for name, check := range map[string]func(has, more uint64) error{"text": aegis.CheckText, "aad": aegis.CheckAAD} {
		for _, c := range []struct {
			has, more uint64
			ok        bool
		}{
			{0, most, true}, {0, most + 1, false}, {most, 0, true}, {most, 1, false},
			{most - 5, 5, true}, {most - 5, 6, false}, {most, 1<<64 - 1, false},
		} {
			if err := check(c.has, c.more); c.ok != (err == nil) || err != nil && !errors.Is(err, aegis.ErrLimit) {
				t.Errorf("%s of %d bytes after %d: %v", name, c.more, c.has, err)
			}
		}
	}
	// Across calls.
	a := ours(aegis.AEGIS128L, 16)
	s := must(a.NewSealer(make([]byte, 16)))
	p, q := make([]byte, 10), bytes.Repeat([]byte{0xee}, 10)
	s.Pretend(most-9, 0)
	err, err2, err3 := s.AAD(p), s.AAD(p[:9]), s.AAD(p[:1])
	if !errors.Is(err, aegis.ErrLimit) || err2 != nil || !errors.Is(err3, aegis.ErrLimit) {
		t.Errorf("additional data around the limit: %v; %v; %v", err, err2, err3)
	}
	s = must(a.NewSealer(make([]byte, 16)))
	s.Pretend(0, most-9)
	err, err2 = s.Update(q, p), s.UpdateList(sg.List{q}, sg.List{p})
	if !errors.Is(err, aegis.ErrLimit) || !errors.Is(err2, aegis.ErrLimit) || bytes.Count(q, []byte{0xee}) != 10 {
		t.Errorf("text beyond the limit: %v, %v, %x", err, err2, q)
	}
	err, err2 = s.Update(q, p[:9]), s.Update(q, p[:1])
	if err != nil || !errors.Is(err2, aegis.ErrLimit) {
		t.Errorf("text around the limit: %v; %v", err, err2)
	}
	h := must(aegis.NewMAC(aegis.AEGIS128L, testKey(16), testKey(16), 16))
	aegis.PretendMAC(h, most-9)
	n, err := h.Write(p)
	n2, err2 := h.Write(p[:9])
	if n != 0 || !errors.Is(err, aegis.ErrLimit) || n2 != 9 || err2 != nil {
		t.Errorf("MAC around the limit: %d, %v; %d, %v", n, err, n2, err2)
	}
}

// TestLongLengths has lengths that do not fit 32 bits, in bytes and in bits, whose
// text did not really pass: all levels count them alike, and all of them count.
func TestLongLengths(t *testing.T) {
	for _, v := range variants {
		key := testKey(v.KeySize())
		seen := map[string]uint64{}
		for shift := 28; shift < 61; shift++ {
			n := uint64(1) << shift
			for i, lengths := range [][2]uint64{{n, 0}, {0, n}} {
				want := make([]byte, 16)
				for _, level := range kernels.Levels() { // Generic is the first
					s := must(aegis.NewAt(level, v, key, 16).NewSealer(key))
					s.Pretend(lengths[0], lengths[1])
					got := make([]byte, 16)
					if err := s.Sum(got); err != nil {
						t.Fatal(err)
					}
					if level == kernels.Generic {
						copy(want, got)
					} else if !bytes.Equal(got, want) {
						t.Errorf("%v, %v: lengths of %d: tag %x, want %x", v, level, lengths, got, want)
					}
				}
				if other, again := seen[string(want)]; again {
					t.Errorf("%v: lengths of %d (%d) and %d have the same tag", v, n, i, other)
				}
				seen[string(want)] = n
			}
		}
	}
}
