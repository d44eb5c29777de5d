package aegis_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// TestListsAtRandom compares lists with the reference at every level.
func TestListsAtRandom(t *testing.T) {
	rounds := 500
	if testing.Short() {
		rounds = 100
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		r := rand.New(rand.NewPCG(10, uint64(level)))
		for range rounds {
			c := cryptotest.Random(r, 3000)
			contents := c.Rand()
			text, data := cryptotest.Bytes(contents, c.TextLen()), cryptotest.Bytes(contents, c.AADLen())
			v, tagSize := draw(contents)
			key, iv := cryptotest.Bytes(contents, v.KeySize()), cryptotest.Bytes(contents, v.NonceSize())
			want := reference(v, key, iv, data, text, tagSize)
			a := aegis.NewAt(level, v, key, tagSize)

			l := c.Build(t, text, data)
			tag := l.Arena.Put("tag", make([]byte, tagSize), contents.IntN(64))
			nonce := l.Arena.Put("nonce", iv, contents.IntN(64))
			err := a.SealList(l.Dst, l.Src, tag, nonce, l.AAD)
			if err := errors.Join(err, l.Check(want[:len(text)], tag)); err != nil {
				t.Fatalf("%v: %v", a, err)
			}
			if !bytes.Equal(tag, want[len(text):]) {
				t.Fatalf("%v: tag %x, want %x\n%v", a, tag, want[len(text):], c)
			}

			l = c.Build(t, want[:len(text)], data)
			tag = l.Arena.Put("tag", want[len(text):], contents.IntN(64))
			err = errors.Join(a.VerifyList(l.Src, tag, iv, l.AAD), l.CheckUntouched())
			err = errors.Join(err, a.OpenList(l.Dst, l.Src, tag, iv, l.AAD), l.Check(text))
			if err != nil {
				t.Fatalf("%v: %v", a, err)
			}

			// A forgery: zeros, and nothing else.
			l = c.Build(t, want[:len(text)], data)
			tag = l.Arena.Put("tag", want[len(text):], contents.IntN(64))
			tag[contents.IntN(tagSize)] ^= 1 << contents.IntN(8)
			l.Arena.Snapshot()
			if err := a.VerifyList(l.Src, tag, iv, l.AAD); err != aegis.ErrOpen {
				t.Fatalf("%v: VerifyList of a forgery: %v\n%v", a, err, c)
			}
			if err := a.OpenList(l.Dst, l.Src, tag, iv, l.AAD); err != aegis.ErrOpen {
				t.Fatalf("%v: OpenList of a forgery: %v\n%v", a, err, c)
			}
			if err := l.Check(make([]byte, len(text))); err != nil {
				t.Fatalf("%v: %v", a, err)
			}
		}
	})
}

// TestEveryBitFlip changes each bit of a message, and cuts and extends it:
// nothing opens, and nothing but zeros is left in any segment.
func TestEveryBitFlip(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for _, v := range variants {
		for _, tagSize := range tagSizes(v) {
			a := must(aegis.NewWithTagSize(v, cryptotest.Bytes(r, v.KeySize()), tagSize))
			text, aad := cryptotest.Bytes(r, rateOf(v)+5), cryptotest.Bytes(r, 9)
			nonce := cryptotest.Bytes(r, v.NonceSize())
			for i := range text {
				text[i] |= 1 // no zeros
			}
			sealed := a.Seal(nil, nonce, text, aad)
			ct, tag := sealed[:len(text)], sealed[len(text):]
			forged := func(what string, nonce, ct, tag, aad []byte) { checkForgery(t, a, what, nonce, ct, tag, aad) }
			for _, part := range []struct {
				name string
				p    []byte
			}{{"nonce", nonce}, {"text", ct}, {"tag", tag}, {"additional data", aad}} {
				for bit := range 8 * len(part.p) {
					part.p[bit/8] ^= 1 << (bit % 8)
					forged(part.name, nonce, ct, tag, aad)
					part.p[bit/8] ^= 1 << (bit % 8)
				}
			}
			for n := range ct {
				forged("cut text", nonce, ct[:n], tag, aad)
			}
			for n := range aad {
				forged("cut additional data", nonce, ct, tag, aad[:n])
			}
			forged("text with a zero more", nonce, append(bytes.Clone(ct), 0), tag, aad)
			forged("additional data with a zero more", nonce, ct, tag, append(bytes.Clone(aad), 0))
			forged("moved border", nonce, ct[1:], tag, append(bytes.Clone(aad), ct[0]))
			forged("zero tag", nonce, ct, make([]byte, tagSize), aad)
			if tagSize == 32 {
				swapped := append(bytes.Clone(tag[16:]), tag[:16]...)
				forged("swapped tag", nonce, ct, swapped, aad)
				// The tag of 16 bytes, which is the sum of the halves for
				// AEGIS-256 and close to that for the others.
				short := make([]byte, 32)
				for i := range 16 {
					short[i] = tag[i] ^ tag[16+i]
				}
				forged("sum of the halves", nonce, ct, short, aad)
			}
			if got, err := a.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%v: the message itself: %v", a, err)
			}
		}
	}
}

// checkForgery opens a message that is not authentic in every way.
func checkForgery(t *testing.T, a *aegis.AEAD, what string, nonce, ct, tag, aad []byte) {
	t.Helper()
	fill := func(n int) []byte { return bytes.Repeat([]byte{0xee}, n) }
	dst := sg.Split(fill(len(ct)), min(1, len(ct)), 0, min(16, max(0, len(ct)-1)))
	dst = append(dst, nil)
	src := sg.List{ct[:len(ct)/3], nil, ct[len(ct)/3:]}
	if err := a.VerifyList(src, tag, nonce, sg.List{aad}); err != aegis.ErrOpen {
		t.Errorf("%v, %s: VerifyList: %v", a, what, err)
	}
	if err := a.OpenList(dst, src, tag, nonce, sg.List{aad[:len(aad)/2], aad[len(aad)/2:]}); err != aegis.ErrOpen {
		t.Errorf("%v, %s: OpenList: %v", a, what, err)
	}
	for i, s := range dst {
		if bytes.Count(s, []byte{0}) != len(s) {
			t.Errorf("%v, %s: OpenList left %x in segment %d", a, what, s, i)
		}
	}
	// In place, with a prefix and something behind.
	all := slices.Concat([]byte("pre"), ct, tag, []byte("post"))
	got, err := a.Open(all[:3], nonce, all[3:3+len(ct)+len(tag)], aad)
	if got != nil || err != aegis.ErrOpen || bytes.Count(all[3:3+len(ct)], []byte{0}) != len(ct) ||
		string(all[:3]) != "pre" || !bytes.HasSuffix(all, slices.Concat(tag, []byte("post"))) {
		t.Errorf("%v, %s: Open: %x, %v, leaves %x", a, what, got, err, all)
	}
	out := fill(len(ct) + 4)
	if got, err := a.Open(out[:2], nonce, append(bytes.Clone(ct), tag...), aad); got != nil || err != aegis.ErrOpen ||
		!bytes.Equal(out, slices.Concat(fill(2), make([]byte, len(ct)), fill(2))) {
		t.Errorf("%v, %s: Open: %x, %v, leaves %x", a, what, got, err, out)
	}
	o := must(a.NewUnverifiedOpener(nonce))
	if err := errors.Join(o.AAD(aad), o.Update(make([]byte, len(ct)), ct)); err != nil {
		t.Errorf("%v, %s: %v", a, what, err)
	}
	if err := o.Verify(tag); err != aegis.ErrOpen || !o.Wiped() {
		t.Errorf("%v, %s: Verify: %v", a, what, err)
	}
}

// TestListErrors: errors are returned, and nothing is written before.
func TestListErrors(t *testing.T) {
	a := ours(aegis.AEGIS128L, 16)
	mem := bytes.Repeat([]byte{0xaa}, 512)
	clean := bytes.Clone(mem)
	other, tag, nonce := make([]byte, 512), make([]byte, 16), make([]byte, 16)
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
		{"long tag", sg.List{mem}, sg.List{other}, make([]byte, 32), nonce, nil, nil, false},
		{"short nonce", sg.List{mem}, sg.List{other}, tag, nonce[:12], nil, nil, false},
		{"long nonce", sg.List{mem}, sg.List{other}, tag, make([]byte, 32), nil, nil, false},
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
			if err == nil || errors.Is(err, aegis.ErrOpen) || e.want != nil && !errors.Is(err, e.want) || !strings.HasPrefix(err.Error(), "aegis: ") {
				t.Errorf("%s, %s: %v, want %v", e.what, name, err, e.want)
			}
		}
		if !bytes.Equal(mem, clean) || bytes.Count(tag, []byte{0}) != 16 || bytes.Count(other, []byte{0}) != 512 {
			t.Fatalf("%s: something was written", e.what)
		}
	}
	if math.MaxInt > 1<<40 {
		long := sg.List{huge(&b, 1<<61)}
		for name, err := range map[string]error{
			"SealList": a.SealList(long, long, tag, nonce, nil), "OpenList": a.OpenList(long, long, tag, nonce, nil),
			"VerifyList": a.VerifyList(long, tag, nonce, nil),
			"data":       a.SealList(nil, nil, tag, nonce, long),
		} {
			if !errors.Is(err, aegis.ErrLimit) {
				t.Errorf("%s of a text that is too long: %v", name, err)
			}
		}
		if got := panicOf(func() { a.Seal(nil, nonce, long[0], nil) }); !strings.HasPrefix(got, "aegis: message too long") {
			t.Errorf("Seal of a text that is too long: panic %q", got)
		}
		if _, err := a.Open(nil, nonce, huge(&b, 1<<61+16), nil); err != aegis.ErrOpen {
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
