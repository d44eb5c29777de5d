package aegis_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// TestAgainstReference compares every length of text from 0 to three blocks and
// one byte, with other lengths of additional data, with the reference that was
// written from the text of RFC 10032, at every level.
func TestAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	buf := make([]byte, 3*128+1+32)
	for _, v := range variants {
		rate := rateOf(v)
		for n := range 3*rate + 2 {
			for _, tagSize := range tagSizes(v) {
				// Coprime to what n runs over, so that all meet.
				aad := cryptotest.Bytes(r, n*29%(2*rate+3))
				key, nonce, text := cryptotest.Bytes(r, v.KeySize()), cryptotest.Bytes(r, v.NonceSize()), cryptotest.Bytes(r, n)
				want := reference(v, key, nonce, aad, text, tagSize)
				for _, level := range kernels.Levels() {
					a := aegis.NewAt(level, v, key, tagSize)
					got := a.Seal(nil, nonce, text, aad)
					copy(buf, text)
					inPlace := a.Seal(buf[:0], nonce, buf[:n], aad)
					if !bytes.Equal(got, want) || !bytes.Equal(inPlace, want) || &inPlace[0] != &buf[0] {
						t.Fatalf("%v: %d bytes and %d: %x, in place %x, want %x", a, n, len(aad), got, inPlace, want)
					}
					back, err := a.Open(nil, nonce, got, aad)
					back2, err2 := a.Open(inPlace[:0], nonce, inPlace, aad)
					if err != nil || err2 != nil || !bytes.Equal(back, text) || !bytes.Equal(back2, text) {
						t.Fatalf("%v: %d bytes and %d: back: %v, %v", a, n, len(aad), err, err2)
					}
				}
			}
		}
	}
}

// TestLarge has texts around what one call of assembly takes, and beyond.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for i, v := range variants {
		key, nonce := cryptotest.Bytes(r, v.KeySize()), cryptotest.Bytes(r, v.NonceSize())
		a := must(aegis.New(v, key))
		for _, n := range []int{16<<10 + 1, 64<<10 - 1 + i%3, 150001} {
			text, aad := cryptotest.Bytes(r, n), cryptotest.Bytes(r, n/(1+i%2*9))
			want := reference(v, key, nonce, aad, text, 16)
			if !bytes.Equal(a.Seal(nil, nonce, text, aad), want) {
				t.Errorf("%v, %d bytes: Seal differs", v, n)
			}
			if got, err := a.Open(nil, nonce, want, aad); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%v, %d bytes: Open: %v", v, n, err)
			}
			l := cryptotest.RandomFor(r, n, len(aad)).Build(t, text, aad)
			tag := l.Arena.Put("tag", make([]byte, 16), 5)
			if err := a.SealList(l.Dst, l.Src, tag, nonce, l.AAD); err != nil || !bytes.Equal(tag, want[n:]) {
				t.Errorf("%v, %d bytes: %v or wrong tag", v, n, err)
			}
			if err := l.Check(want[:n], tag); err != nil {
				t.Error(err)
			}
			if err := a.VerifyList(l.Dst, tag, nonce, l.AAD); err != nil {
				t.Errorf("%v, %d bytes: VerifyList: %v", v, n, err)
			}
		}
	}
}

// outcome is what a call did, but for the bytes.
type outcome struct {
	n, capacity   int
	isNil, failed bool
	panicked      string
	inside        int // offset of the result in the arena, or -1
}

func run(mem []byte, f func() ([]byte, error)) (o outcome, ret []byte) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{isNil: true, panicked: fmt.Sprint(r), inside: -1}
		}
	}()
	ret, err := f()
	o = outcome{n: len(ret), capacity: cap(ret), isNil: ret == nil, failed: err != nil, inside: -1}
	if full := ret[:cap(ret)]; len(full) > 0 {
		for i := range mem {
			if &mem[i] == &full[0] {
				o.inside = i
			}
		}
	}
	return o, ret
}

// TestSameDecisions lays dst, text and additional data at random places of one
// arena. Where the result lies, and whether there is one, must be as with the
// AES-GCM of crypto/cipher, and so must be the panics; what it is comes from the
// reference, and nothing else in the arena may change.
func TestSameDecisions(t *testing.T) {
	const size = 96
	const v = aegis.AEGIS128L
	r := rand.New(rand.NewPCG(6, 6))
	type window struct{ start, n, capacity int }
	draw := func(maxLen int) window {
		start := r.IntN(size)
		n := r.IntN(min(maxLen, size-start) + 1)
		return window{start, n, n + r.IntN(size-start-n+1)}
	}
	key := testKey(16)
	std := must(cipher.NewGCMWithNonceSize(must(aes.NewCipher(key)), 16))
	a := must(aegis.New(v, key))
	var panics, failures, fine int
	for round := range 20000 {
		nonceLen := 16
		if r.IntN(50) == 0 {
			nonceLen = r.IntN(20)
		}
		nonce := cryptotest.Bytes(r, nonceLen)
		dst, text, aad := draw(20), draw(50), draw(10)
		switch r.IntN(4) {
		case 0: // in place
			dst = window{text.start, 0, size - text.start}
		case 1: // dst has the beginning, the text follows
			dst.n = min(dst.n, text.start)
			dst.start = text.start - dst.n
			dst.capacity = size - dst.start
		}
		open := r.IntN(2) == 0
		mem := cryptotest.Bytes(r, size)
		memStd := bytes.Clone(mem)
		apart := aad.start+aad.n <= text.start || aad.start >= text.start+text.n
		if open && apart && r.IntN(2) == 0 && nonceLen == 16 && text.n >= 16 {
			// Ciphertexts that open.
			plain, data := cryptotest.Bytes(r, text.n-16), bytes.Clone(mem[aad.start:aad.start+aad.n])
			copy(mem[text.start:], reference(v, key, nonce, data, plain, 16))
			copy(memStd[text.start:], std.Seal(nil, nonce, plain, data))
		}
		of := func(mem []byte, w window) []byte { return mem[w.start : w.start+w.n : w.start+w.capacity] }
		call := func(x cipher.AEAD, mem []byte) (outcome, []byte) {
			return run(mem, func() ([]byte, error) {
				if open {
					return x.Open(of(mem, dst), nonce, of(mem, text), of(mem, aad))
				}
				return x.Seal(of(mem, dst), nonce, of(mem, text), of(mem, aad)), nil
			})
		}
		// What must be appended, and where in the arena, if there.
		in, data := bytes.Clone(of(mem, text)), bytes.Clone(of(mem, aad))
		var appended []byte
		switch {
		case nonceLen != 16:
		case !open:
			appended = reference(v, key, nonce, data, in, 16)
		case len(in) >= 16:
			opened, tag := cryptotest.AEGISOpen(v.String(), key, nonce, data, in[:len(in)-16], 16)
			appended = opened
			if !bytes.Equal(tag, in[len(in)-16:]) {
				appended = make([]byte, len(opened)) // zeros
			}
		}
		wantMem, wantRet := bytes.Clone(mem), append(bytes.Clone(of(mem, dst)), appended...)

		want, _ := call(std, memStd)
		got, ret := call(a, mem)
		panicText := got.panicked
		want.panicked, got.panicked = fmt.Sprint(want.panicked != ""), fmt.Sprint(got.panicked != "")
		if want.panicked == "false" && dst.n+len(appended) <= dst.capacity {
			copy(wantMem[dst.start+dst.n:], appended)
		}
		if got != want || !bytes.Equal(mem, wantMem) || !got.isNil && !bytes.Equal(ret, wantRet) {
			t.Fatalf("round %d: open %v, dst %v, text %v, aad %v, nonce of %d\ngot  %+v, %x\nwant %+v, %x\narena %x\nwant  %x",
				round, open, dst, text, aad, nonceLen, got, ret, want, wantRet, mem, wantMem)
		}
		switch {
		case panicText != "":
			panics++
			if !strings.HasPrefix(panicText, "aegis: ") {
				t.Fatalf("round %d: panic %q", round, panicText)
			}
		case got.failed:
			failures++
		default:
			fine++
		}
	}
	t.Logf("%d panics, %d failed, %d fine", panics, failures, fine)
	if min(panics, failures, fine) < 1000 {
		t.Errorf("one-sided test: %d panics, %d failed, %d fine", panics, failures, fine)
	}
}

// TestShortCiphertext: what cannot hold a tag does not open, whatever overlaps.
func TestShortCiphertext(t *testing.T) {
	for _, v := range variants {
		for _, size := range tagSizes(v) {
			a := ours(v, size)
			mem := bytes.Repeat([]byte{0xaa}, 64)
			for n := range size {
				got, err := a.Open(mem[3:5], make([]byte, v.NonceSize()), mem[4:4+n], mem[:20])
				if got != nil || err != aegis.ErrOpen || bytes.Count(mem, []byte{0xaa}) != 64 {
					t.Errorf("%v: %d bytes with a tag of %d: %x, %v", v, n, size, got, err)
				}
			}
		}
	}
}
