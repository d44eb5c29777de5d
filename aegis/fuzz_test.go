package aegis_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// choose returns the variant, size of tags and level that a number means.
func choose(choice uint16) (v aegis.Variant, tagSize int, level kernels.Level) {
	n := int(choice)
	v = variants[n%len(variants)]
	n /= len(variants)
	sizes, levels := tagSizes(v), kernels.Levels()
	return v, sizes[n%len(sizes)], levels[n/len(sizes)%len(levels)]
}

// FuzzSealList compares a message in segments, whose division the fuzzer chooses,
// with the reference, for the variant and at the level that it chooses.
func FuzzSealList(f *testing.F) {
	f.Add([]byte(nil), uint16(0))
	f.Add([]byte("some bytes that divide a text, here and there"), uint16(3))
	f.Add(bytes.Repeat([]byte{0xff, 3, 17}, 60), uint16(77))
	f.Fuzz(func(t *testing.T, data []byte, choice uint16) {
		c := cryptotest.FromBytes(data)
		contents := c.Rand()
		text, aad := cryptotest.Bytes(contents, c.TextLen()), cryptotest.Bytes(contents, c.AADLen())
		v, tagSize, level := choose(choice)
		key, nonce := cryptotest.Bytes(contents, v.KeySize()), cryptotest.Bytes(contents, v.NonceSize())
		want := reference(v, key, nonce, aad, text, tagSize)
		a := aegis.NewAt(level, v, key, tagSize)

		l := c.Build(t, text, aad)
		tag := l.Arena.Put("tag", make([]byte, tagSize), int(choice)%64)
		err := a.SealList(l.Dst, l.Src, tag, nonce, l.AAD)
		if err := errors.Join(err, l.Check(want[:len(text)], tag)); err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		if !bytes.Equal(tag, want[len(text):]) {
			t.Fatalf("%v: tag %x, want %x\n%v", a, tag, want[len(text):], c)
		}
		l = c.Build(t, want[:len(text)], aad)
		err = a.VerifyList(l.Src, tag, nonce, l.AAD)
		if err := errors.Join(err, a.OpenList(l.Dst, l.Src, tag, nonce, l.AAD), l.Check(text)); err != nil {
			t.Fatalf("%v: %v", a, err)
		}
	})
}

// FuzzOpen opens what the fuzzer makes, and what it changes in a message: the
// verdict must be that of the reference.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("nonce"), []byte("text and tag, or so they say, and so on"), []byte("aad"), false, uint16(0), uint16(1))
	f.Add([]byte("another nonce"), []byte("text"), []byte(nil), true, uint16(0), uint16(4))
	f.Add([]byte("another nonce"), []byte("text"), []byte("aad"), true, uint16(8), uint16(99))
	f.Fuzz(func(t *testing.T, seed, text, aad []byte, seal bool, flip, choice uint16) {
		v, tagSize, level := choose(choice)
		key, nonce := testKey(v.KeySize()), make([]byte, v.NonceSize())
		copy(nonce, seed)
		a := aegis.NewAt(level, v, key, tagSize)
		ct := text
		if seal {
			ct = reference(v, key, nonce, aad, text, tagSize)
			if got := a.Seal(nil, nonce, text, aad); !bytes.Equal(got, ct) {
				t.Fatalf("%v: Seal: %x, want %x", a, got, ct)
			}
			if bit := int(flip); bit > 0 && bit <= 8*len(ct) {
				ct[(bit-1)/8] ^= 1 << ((bit - 1) % 8)
			}
		}
		got, err := a.Open(nil, nonce, ct, aad)
		n := len(ct) - tagSize
		if n < 0 {
			if err != aegis.ErrOpen {
				t.Fatalf("%v: %d bytes: %x, %v", a, len(ct), got, err)
			}
			return
		}
		want, tag := cryptotest.AEGISOpen(v.String(), key, nonce, aad, ct[:n], tagSize)
		switch authentic := bytes.Equal(tag, ct[n:]); {
		case authentic && (err != nil || !bytes.Equal(got, want)), !authentic && (err != aegis.ErrOpen || got != nil):
			t.Fatalf("%v: Open: %x, %v, want %x, %v", a, got, err, want, authentic)
		}
	})
}

// FuzzPieces passes a text in pieces, whose lengths the fuzzer chooses, through
// Sealer, UnverifiedOpener and MAC.
func FuzzPieces(f *testing.F) {
	f.Add([]byte{1, 2, 3, 128, 16, 64, 31, 200}, uint16(2))
	f.Add(bytes.Repeat([]byte{127, 1}, 9), uint16(45))
	f.Fuzz(func(t *testing.T, lengths []byte, choice uint16) {
		v, tagSize, level := choose(choice)
		total := 0
		for _, n := range lengths {
			total += int(n)
		}
		if total > 4000 {
			return
		}
		text, key, nonce := cryptotest.Pattern(0, total, byte(choice)), testKey(v.KeySize()), testKey(v.NonceSize())
		a := aegis.NewAt(level, v, key, tagSize)
		s, o := must(a.NewSealer(nonce)), must(a.NewUnverifiedOpener(nonce))
		h := aegis.NewMACAt(level, v, key, nonce, tagSize)
		ct, back, tag := make([]byte, total), make([]byte, total), make([]byte, tagSize)
		var err error
		at := 0
		for _, n := range lengths {
			p := text[at : at+int(n)]
			h.Write(p)
			err = errors.Join(err, s.AAD(p), o.AAD(p))
			at += int(n)
		}
		at = 0
		for _, n := range lengths {
			end := at + int(n)
			err = errors.Join(err, s.Update(ct[at:], text[at:end]), o.Update(back[at:], ct[at:end]))
			at = end
		}
		if err := errors.Join(err, s.Sum(tag), o.Verify(tag)); err != nil {
			t.Fatalf("%v: %v", a, err)
		}
		if want := reference(v, key, nonce, text, text, tagSize); !bytes.Equal(append(ct, tag...), want) || !bytes.Equal(back, text) {
			t.Fatalf("%v: %x and %x, want %x; back %x", a, ct, tag, want, back)
		}
		if v == aegis.AEGIS128 {
			return // no MAC
		}
		if got, want := h.Sum(nil), cryptotest.AEGISMAC(v.String(), key, nonce, text, tagSize); !bytes.Equal(got, want) {
			t.Fatalf("%v: MAC %x, want %x", a, got, want)
		}
	})
}
