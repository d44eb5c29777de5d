package gcm_test

import (
	"crypto/aes"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// tagOfZeros returns the tag for additional data and ciphertext of nothing but
// zeros: GHASH takes in the lengths alone then, L*H (NIST SP 800-38D sections 6.3
// and 7.1), bit by bit.
func tagOfZeros(key, nonce []byte, aadLen, textLen uint64) (tag [16]byte) {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	var h, lengths [16]byte
	block.Encrypt(h[:], h[:])
	binary.BigEndian.PutUint64(lengths[:8], 8*aadLen)
	binary.BigEndian.PutUint64(lengths[8:], 8*textLen)
	v1, v0 := binary.BigEndian.Uint64(h[:8]), binary.BigEndian.Uint64(h[8:])
	var z1, z0 uint64
	for i := range 128 {
		if lengths[i/8]>>(7-i%8)&1 == 1 {
			z1, z0 = z1^v1, z0^v0
		}
		low := v0 & 1
		v1, v0 = v1>>1^low*0xe100000000000000, v0>>1|v1<<63
	}
	var j0 [16]byte
	copy(j0[:], nonce)
	j0[15] = 1
	block.Encrypt(tag[:], j0[:])
	binary.BigEndian.PutUint64(tag[:8], binary.BigEndian.Uint64(tag[:8])^z1)
	binary.BigEndian.PutUint64(tag[8:], binary.BigEndian.Uint64(tag[8:])^z0)
	return tag
}

// TestLongLengths has lengths whose number of bits, and whose number of bytes,
// does not fit 32 bits, through one segment that stands in the list again and
// again.
func TestLongLengths(t *testing.T) {
	if testing.Short() {
		t.Skip("gigabytes, and -short was asked for")
	}
	key, nonce := testKey(32), make([]byte, 12)
	a, err := gcm.New(key)
	if err != nil {
		t.Fatal(err)
	}
	const piece = 1 << 20
	zeros := make([]byte, piece)
	start := time.Now()
	if err := a.VerifyList(sg.List{zeros}, make([]byte, 16), nonce, nil); err != gcm.ErrOpen {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 3*time.Millisecond {
		t.Skipf("%v for a megabyte: gigabytes would take minutes", took)
	}
	repeat := func(n uint64) sg.List {
		l := slices.Repeat(sg.List{zeros}, int(n/piece))
		return append(l, zeros[:n%piece])
	}
	for _, n := range []uint64{1<<29 - 1, 1 << 29, 1<<29 + 17, 1<<32 - 1, 1 << 32, 1<<32 + 5} {
		if uint64(int(n)) != n || int(n) < 0 {
			continue // no list is that long on 32 bits
		}
		want := tagOfZeros(key, nonce, n, 0)
		got := make([]byte, 16)
		if err := a.SealList(nil, nil, got, nonce, repeat(n)); err != nil || [16]byte(got) != want {
			t.Errorf("%d bytes of additional data: %x, %v, want %x", n, got, err, want)
		}
		want = tagOfZeros(key, nonce, 3, n)
		if err := a.VerifyList(repeat(n), want[:], nonce, sg.List{zeros[:3]}); err != nil {
			t.Errorf("%d bytes of ciphertext: %v", n, err)
		}
	}
	// In pieces, with a counter that counts them up.
	s, err := a.NewSealer(nonce)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1<<32 + 3
	for left := uint64(n); left > 0; {
		p := zeros[:min(left, piece)]
		if err := s.AAD(p); err != nil {
			t.Fatal(err)
		}
		left -= uint64(len(p))
	}
	got, want := make([]byte, 16), tagOfZeros(key, nonce, n, 0)
	if err := s.Sum(got); err != nil || [16]byte(got) != want {
		t.Errorf("sealer with %d bytes of additional data: %x, %v, want %x", uint64(n), got, err, want)
	}
}
