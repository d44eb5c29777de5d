package gcm_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// TestListsAtRandom compares lists with crypto/cipher at every level.
func TestListsAtRandom(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(10, 10))
		for range rounds {
			c := cryptotest.Random(r, 3000)
			contents := c.Rand()
			text, data := cryptotest.Bytes(contents, c.TextLen()), cryptotest.Bytes(contents, c.AADLen())
			key := cryptotest.Bytes(contents, 16+8*contents.IntN(3))
			nonceSize, tagSize := 12, 12+contents.IntN(5)
			if contents.IntN(4) == 0 {
				nonceSize, tagSize = 1+contents.IntN(40), 16
			}
			iv := cryptotest.Bytes(contents, nonceSize)
			want := standard(key, nonceSize, tagSize).Seal(nil, iv, text, data)
			a := gcm.NewAt(level, key, nonceSize, tagSize)

			l := c.Build(t, text, data)
			tag := l.Arena.Put("tag", make([]byte, tagSize), contents.IntN(64))
			nonce := l.Arena.Put("nonce", iv, contents.IntN(64))
			err := a.SealList(l.Dst, l.Src, tag, nonce, l.AAD)
			if err := errors.Join(err, l.Check(want[:len(text)], tag)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(tag, want[len(text):]) {
				t.Fatalf("tag %x, want %x\n%v", tag, want[len(text):], c)
			}

			l = c.Build(t, want[:len(text)], data)
			tag = l.Arena.Put("tag", want[len(text):], contents.IntN(64))
			err = errors.Join(a.VerifyList(l.Src, tag, iv, l.AAD), l.CheckUntouched())
			err = errors.Join(err, a.OpenList(l.Dst, l.Src, tag, iv, l.AAD), l.Check(text))
			if err != nil {
				t.Fatal(err)
			}

			// A forgery: zeros, and nothing else.
			l = c.Build(t, want[:len(text)], data)
			tag = l.Arena.Put("tag", want[len(text):], contents.IntN(64))
			tag[contents.IntN(tagSize)] ^= 1 << contents.IntN(8)
			l.Arena.Snapshot()
			if err := a.VerifyList(l.Src, tag, iv, l.AAD); err != gcm.ErrOpen {
				t.Fatalf("VerifyList of a forgery: %v\n%v", err, c)
			}
			if err := a.OpenList(l.Dst, l.Src, tag, iv, l.AAD); err != gcm.ErrOpen {
				t.Fatalf("OpenList of a forgery: %v\n%v", err, c)
			}
			if err := l.Check(make([]byte, len(text))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestEveryBitFlip changes each bit of a message, and cuts and extends it:
// nothing opens, and nothing but zeros is left in any segment.
func TestEveryBitFlip(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	key, nonce := cryptotest.Bytes(r, 32), cryptotest.Bytes(r, 12)
	for _, tagSize := range []int{12, 16} {
		a := ours(key, 12, tagSize)
		text, aad := cryptotest.Bytes(r, 37), cryptotest.Bytes(r, 19)
		for i := range text {
			text[i] |= 1 // no zeros
		}
		sealed := a.Seal(nil, nonce, text, aad)
		check := func(what string, nonce, ct, tag, aad []byte) {
			t.Helper()
			fill := func(n int) []byte { return bytes.Repeat([]byte{0xee}, n) }
			dst := sg.Split(fill(len(ct)), min(1, len(ct)), 0, min(16, max(0, len(ct)-1)))
			dst = append(dst, nil)
			src := sg.List{ct[:len(ct)/3], nil, ct[len(ct)/3:]}
			if err := a.VerifyList(src, tag, nonce, sg.List{aad}); err != gcm.ErrOpen {
				t.Errorf("%s: VerifyList: %v", what, err)
			}
			if err := a.OpenList(dst, src, tag, nonce, sg.List{aad[:len(aad)/2], aad[len(aad)/2:]}); err != gcm.ErrOpen {
				t.Errorf("%s: OpenList: %v", what, err)
			}
			for i, s := range dst {
				if bytes.Count(s, []byte{0}) != len(s) {
					t.Errorf("%s: OpenList left %x in segment %d", what, s, i)
				}
			}
			// In place, with a prefix and something behind.
			all := slices.Concat([]byte("pre"), ct, tag, []byte("post"))
			got, err := a.Open(all[:3], nonce, all[3:3+len(ct)+len(tag)], aad)
			if err == nil {
				t.Errorf("%s: Open at an offset", what)
			} else if got != nil || err != gcm.ErrOpen || bytes.Count(all[3:3+len(ct)], []byte{0}) != len(ct) ||
				string(all[:3]) != "pre" || !bytes.HasSuffix(all, slices.Concat(tag, []byte("post"))) {
				t.Errorf("%s: Open: %x, %v, leaves %x", what, got, err, all)
			}
			out := fill(len(ct) + 4)
			if got, err := a.Open(out[:2], nonce, append(bytes.Clone(ct), tag...), aad); got != nil || err != gcm.ErrOpen ||
				!bytes.Equal(out, slices.Concat(fill(2), make([]byte, len(ct)), fill(2))) {
				t.Errorf("%s: Open: %x, %v, leaves %x", what, got, err, out)
			}
			o := must(a.NewUnverifiedOpener(nonce))
			o.AAD(aad)
			o.Update(make([]byte, len(ct)), ct)
			if err := o.Verify(tag); err != gcm.ErrOpen || !o.Wiped() {
				t.Errorf("%s: Verify: %v", what, err)
			}
		}
		ct, tag := sealed[:len(text)], sealed[len(text):]
		for _, part := range []struct {
			name string
			p    []byte
		}{{"nonce", nonce}, {"text", ct}, {"tag", tag}, {"additional data", aad}} {
			for bit := range 8 * len(part.p) {
				part.p[bit/8] ^= 1 << (bit % 8)
				check(part.name, nonce, ct, tag, aad)
				part.p[bit/8] ^= 1 << (bit % 8)
			}
		}
		for n := range ct {
			check("cut text", nonce, ct[:n], tag, aad)
		}
		for n := range aad {
			check("cut additional data", nonce, ct, tag, aad[:n])
		}
		check("text with a zero more", nonce, append(bytes.Clone(ct), 0), tag, aad)
		check("additional data with a zero more", nonce, ct, tag, append(bytes.Clone(aad), 0))
		check("moved border", nonce, ct[1:], tag, append(bytes.Clone(aad), ct[0]))
		check("zero tag", nonce, ct, make([]byte, tagSize), aad)
		if got, err := a.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(got, text) {
			t.Errorf("the message itself: %v", err)
		}
	}
}

// TestGuards has all buffers, tags of all sizes among them, between pages that
// may not be touched.
func TestGuards(t *testing.T) {
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(12, 12))
		src, dst, aad, tag, nonce := cryptotest.NewGuard(t, 600), cryptotest.NewGuard(t, 600),
			cryptotest.NewGuard(t, 300), cryptotest.NewGuard(t, 16), cryptotest.NewGuard(t, 64)
		key := cryptotest.Bytes(r, 32)
		for tagSize := 12; tagSize <= 16; tagSize++ {
			for n := range 300 {
				atEnd := n%2 == 0
				p, d := src.Place(n, atEnd), dst.Place(n, atEnd)
				x, g, iv := aad.Place(n, atEnd), tag.Place(tagSize, atEnd), nonce.Place(12+(n&4)*n%48, atEnd)
				copy(p, cryptotest.Bytes(r, n))
				copy(x, cryptotest.Bytes(r, n))
				copy(iv, cryptotest.Bytes(r, len(iv)))
				a := gcm.NewAt(level, key, len(iv), tagSize)
				want := a.Seal(nil, iv, p, x)
				cut := r.IntN(n + 1)
				if err := a.SealList(sg.List{d}, sg.List{p[:cut], p[cut:]}, g, iv, sg.List{x[:cut], x[cut:]}); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(d, want[:n]) || !bytes.Equal(g, want[n:]) {
					t.Fatalf("%d bytes, tag of %d: %x and %x, want %x", n, tagSize, d, g, want)
				}
				err := a.VerifyList(sg.List{d[:cut], d[cut:]}, g, iv, sg.List{x})
				if err := errors.Join(err, a.OpenList(sg.List{d}, sg.List{d}, g, iv, sg.List{x})); err != nil || !bytes.Equal(d, p) {
					t.Fatalf("%d bytes, tag of %d: back: %v", n, tagSize, err)
				}
				s := must(a.NewSealer(iv))
				err = errors.Join(s.AAD(x[:cut]), s.AAD(x[cut:]), s.Update(d, p[:cut]), s.Update(d[cut:], p[cut:]), s.Sum(g))
				if err != nil || !bytes.Equal(d, want[:n]) || !bytes.Equal(g, want[n:]) {
					t.Fatalf("%d bytes, tag of %d: Sealer: %v, or wrong bytes", n, tagSize, err)
				}
				// The contiguous calls, with no room to spare.
				both := dst.Place(n+tagSize, atEnd)
				copy(both, p)
				sealed := a.Seal(both[:0], iv, both[:n], x)
				if !bytes.Equal(sealed, want) || &sealed[0] != &both[0] {
					t.Fatalf("%d bytes, tag of %d: Seal: %x", n, tagSize, sealed)
				}
				if back, err := a.Open(both[:0], iv, both, x); err != nil || !bytes.Equal(back, p) {
					t.Fatalf("%d bytes, tag of %d: Open: %v", n, tagSize, err)
				}
			}
		}
	})
}

// TestListErrors: errors are returned, and nothing is written before.
func TestListErrors(t *testing.T) {
	a := must(gcm.New(testKey(32)))
	mem := bytes.Repeat([]byte{0xaa}, 512)
	clean := bytes.Clone(mem)
	other, tag, nonce := make([]byte, 512), make([]byte, 16), make([]byte, 12)
	var scattered, between sg.List // alternating bytes, in disorder
	for i := range 30 {
		scattered = append(scattered, mem[(2*i*7)%60:][:1])
		between = append(between, mem[(2*i*11)%60+1:][:1])
	}
	hit := append(slices.Clone(between), mem[10:11])
	var b byte
	half := huge(&b, math.MaxInt/2+1)
	for _, e := range []struct {
		what       string
		dst, src   sg.List
		tag, nonce []byte
		aad        sg.List
		want       error
		seesDst    bool // VerifyList cannot see it
	}{
		{"short tag", sg.List{mem}, sg.List{other}, tag[:15], nonce, nil, nil, false},
		{"no tag", sg.List{mem}, sg.List{other}, nil, nonce, nil, nil, false},
		{"long tag", sg.List{mem}, sg.List{other}, make([]byte, 17), nonce, nil, nil, false},
		{"short nonce", sg.List{mem}, sg.List{other}, tag, nonce[:11], nil, nil, false},
		{"no nonce", sg.List{mem}, sg.List{other}, tag, nil, nil, nil, false},
		{"unequal", sg.List{mem[:9]}, sg.List{other[:10]}, tag, nonce, nil, walk.ErrLength, true},
		{"half text", sg.List{half, half}, sg.List{half, half}, tag, nonce, nil, walk.ErrLength, false},
		{"half data", sg.List{mem}, sg.List{other}, tag, nonce, sg.List{half, half}, walk.ErrLength, false},
		{"forwards", sg.List{mem[1:33]}, sg.List{mem[:16], mem[16:32]}, tag, nonce, nil, walk.ErrOverlap, true},
		{"backwards", sg.List{mem[:32]}, sg.List{mem[1:16], mem[16:33]}, tag, nonce, nil, walk.ErrOverlap, true},
		{"dst twice", sg.List{mem[:16], mem[:16]}, sg.List{other[:32]}, tag, nonce, nil, walk.ErrOverlap, true},
		{"dst is data", sg.List{mem[:16]}, sg.List{other[:16]}, tag, nonce, sg.List{mem[:16]}, walk.ErrOverlap, true},
		{"dst meets data", sg.List{mem[:8], mem[20:28]}, sg.List{other[:16]}, tag, nonce, sg.List{mem[8:20], nil, mem[27:30]}, walk.ErrOverlap, true},
		{"in place, on data", sg.List{mem[:16]}, sg.List{mem[:16]}, tag, nonce, sg.List{mem[15:16]}, walk.ErrOverlap, true},
		{"scattered dst meets data", scattered, sg.List{other[:30]}, tag, nonce, hit, walk.ErrOverlap, true},
		{"tag in dst", sg.List{mem[:64]}, sg.List{other[:64]}, mem[63:79], nonce, nil, walk.ErrOverlap, true},
		{"tag in data", sg.List{other[:64]}, sg.List{other[:64]}, mem[:16], nonce, sg.List{mem[100:], mem[15:16]}, walk.ErrOverlap, true},
	} {
		calls := map[string]error{
			"SealList": a.SealList(e.dst, e.src, e.tag, e.nonce, e.aad),
			"OpenList": a.OpenList(e.dst, e.src, e.tag, e.nonce, e.aad),
		}
		if !e.seesDst {
			calls["VerifyList"] = a.VerifyList(e.src, e.tag, e.nonce, e.aad)
		}
		for name, err := range calls {
			if err == nil || errors.Is(err, gcm.ErrOpen) || e.want != nil && !errors.Is(err, e.want) || !strings.HasPrefix(err.Error(), "gcm: ") {
				t.Errorf("%s, %s: %v, want %v", e.what, name, err, e.want)
			}
		}
		if !bytes.Equal(mem, clean) || bytes.Count(tag, []byte{0}) != 16 || bytes.Count(other, []byte{0}) != 512 {
			t.Fatalf("%s: something was written", e.what)
		}
	}
	if math.MaxInt > 1<<40 {
		long := sg.List{huge(&b, 1<<36-31)}
		for name, err := range map[string]error{
			"SealList": a.SealList(long, long, tag, nonce, nil), "OpenList": a.OpenList(long, long, tag, nonce, nil),
			"VerifyList": a.VerifyList(long, tag, nonce, nil),
		} {
			if !errors.Is(err, gcm.ErrLimit) {
				t.Errorf("%s of a text that is too long: %v", name, err)
			}
		}
		if got := panicOf(func() { a.Seal(nil, nonce, long[0], nil) }); !strings.HasPrefix(got, "gcm: message too long") {
			t.Errorf("Seal of a text that is too long: panic %q", got)
		}
		if _, err := a.Open(nil, nonce, huge(&b, 1<<36-15), nil); err != gcm.ErrOpen {
			t.Errorf("Open of a text that is too long: %v", err)
		}
	}
	// What is legal: neighbours, shared input, empty lists.
	for _, e := range []struct {
		what     string
		dst, src sg.List
		tag      []byte
		aad      sg.List
	}{
		{"nothing", nil, nil, tag, nil},
		{"empty segments", sg.List{nil, {}}, sg.List{{}}, tag, sg.List{nil, nil}},
		{"neighbours", sg.List{mem[16:32]}, sg.List{mem[16:32]}, mem[32:48], sg.List{mem[:16]}},
		{"data is src", sg.List{mem[:16]}, sg.List{other[:16]}, tag, sg.List{other[:16], other[:16]}},
		{"data between dst", scattered, sg.List{other[:30]}, tag, between},
	} {
		src := bytes.Join(e.src, nil)
		if err := a.SealList(e.dst, e.src, e.tag, nonce, e.aad); err != nil {
			t.Errorf("%s: %v", e.what, err)
		}
		want := a.Seal(nil, nonce, src, bytes.Join(e.aad, nil))
		if got := append(bytes.Join(e.dst, nil), e.tag...); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", e.what, got, want)
		}
		if err := a.VerifyList(e.dst, e.tag, nonce, e.aad); err != nil {
			t.Errorf("%s: VerifyList: %v", e.what, err)
		}
		if err := a.OpenList(e.dst, e.dst, e.tag, nonce, e.aad); err != nil || !bytes.Equal(bytes.Join(e.dst, nil), src) {
			t.Errorf("%s: OpenList: %v", e.what, err)
		}
	}
}

// huge returns a slice whose length is a claim: its bytes must not be touched.
func huge(b *byte, n uint64) []byte {
	h := struct {
		p        *byte
		len, cap int
	}{b, int(n), int(n)}
	return *(*[]byte)(unsafe.Pointer(&h))
}
