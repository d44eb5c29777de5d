package gcm_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

// FuzzSealList compares a message in segments, whose division the fuzzer
// chooses, with crypto/cipher, at the level that it chooses.
func FuzzSealList(f *testing.F) {
	f.Add([]byte(nil), byte(0))
	f.Add([]byte("some bytes that divide a text, here and there"), byte(1))
	f.Add(bytes.Repeat([]byte{0xff, 3, 17}, 60), byte(5))
	f.Fuzz(func(t *testing.T, data []byte, choice byte) {
		c := cryptotest.FromBytes(data)
		contents := c.Rand()
		text, aad := cryptotest.Bytes(contents, c.TextLen()), cryptotest.Bytes(contents, c.AADLen())
		key, nonce := cryptotest.Bytes(contents, 16+8*int(choice%3)), cryptotest.Bytes(contents, 12)
		want := standard(key, 12, 16).Seal(nil, nonce, text, aad)
		levels := kernels.Levels()
		a := gcm.NewAt(levels[int(choice/3)%len(levels)], key, 12, 16)

		l := c.Build(t, text, aad)
		tag := l.Arena.Put("tag", make([]byte, 16), int(choice)%64)
		err := a.SealList(l.Dst, l.Src, tag, nonce, l.AAD)
		if err := errors.Join(err, l.Check(want[:len(text)], tag)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(tag, want[len(text):]) {
			t.Fatalf("tag %x, want %x\n%v", tag, want[len(text):], c)
		}
		l = c.Build(t, want[:len(text)], aad)
		err = a.VerifyList(l.Src, tag, nonce, l.AAD)
		if err := errors.Join(err, a.OpenList(l.Dst, l.Src, tag, nonce, l.AAD), l.Check(text)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzOpen opens what the fuzzer makes, and what it changes in a message: the
// verdict must be that of crypto/cipher.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("nonce"), []byte("text and tag, or so they say"), []byte("aad"), false, uint16(0))
	f.Add([]byte("another nonce"), []byte("text"), []byte(nil), true, uint16(0))
	f.Add([]byte("another nonce"), []byte("text"), []byte("aad"), true, uint16(8))
	f.Fuzz(func(t *testing.T, nonce, text, aad []byte, seal bool, flip uint16) {
		if len(nonce) == 0 {
			return
		}
		std, a := standard(testKey(32), len(nonce), 16), ours(testKey(32), len(nonce), 16)
		ct := text
		if seal {
			ct = std.Seal(nil, nonce, text, aad)
			if got := a.Seal(nil, nonce, text, aad); !bytes.Equal(got, ct) {
				t.Fatalf("Seal: %x, want %x", got, ct)
			}
			if bit := int(flip); bit > 0 && bit <= 8*len(ct) {
				ct[(bit-1)/8] ^= 1 << ((bit - 1) % 8)
			}
		}
		want, wantErr := std.Open(nil, nonce, ct, aad)
		got, err := a.Open(nil, nonce, ct, aad)
		if (err == nil) != (wantErr == nil) || err != nil && err != gcm.ErrOpen || !bytes.Equal(got, want) {
			t.Fatalf("Open: %x, %v, want %x, %v", got, err, want, wantErr)
		}
	})
}
