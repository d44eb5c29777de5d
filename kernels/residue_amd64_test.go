//go:build !purego && !race

package kernels

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"fmt"
	"testing"
	"unsafe"
)

// below returns a copy of the n bytes of stack below the frame of its caller:
// what functions that have returned left there. It is not split, so that the
// stack does not move under it.
//
//go:nosplit
//go:noinline
//go:nocheckptr
func below(out []byte, mark *byte) {
	for i := range out {
		out[i] = *(*byte)(unsafe.Add(unsafe.Pointer(mark), i-len(out)))
	}
}

// grow makes the stack large enough that nothing below moves it.
//
//go:noinline
func grow() byte {
	var a [16 << 10]byte
	return a[len(a)/2]
}

// TestStackResidue looks for encrypted tweaks and plaintext on the stack below a
// kernel that has returned: they are half of what an attacker needs.
func TestStackResidue(t *testing.T) {
	const units = 23
	key := make([]byte, 64)
	for i := range key {
		key[i] = byte(i*31 + 7)
	}
	block, err := aes.NewCipher(key[32:])
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 4096)
	data := make([]byte, units*512)
	var mark byte
	for _, level := range Levels() {
		if level == Generic {
			continue // Go code: the compiler decides what stays
		}
		k := NewXTSKey(level, key)
		grow()
		var tweak [16]byte
		xtsPiece(k, &k.enc, &k.tweak, &tweak, 1, 512, &data[0], &data[0], len(data))
		below(out, &mark)
		for i := range uint64(units + 8) {
			var want [16]byte
			binary.LittleEndian.PutUint64(want[:], i)
			block.Encrypt(want[:], want[:])
			if at := bytes.Index(out, want[:]); at >= 0 {
				t.Errorf("%v: the tweak of unit %d is on the stack, %d bytes below", level, i, len(out)-at)
			}
		}
	}
	for _, level := range Levels() {
		if level == Generic {
			continue
		}
		// Ragged ends pass through the stack below AVX512VL.
		for alg := AEGIS128; alg <= AEGIS256X4; alg++ {
			text := bytes.Repeat([]byte("plaintext"), 30)[:2*alg.Rate()-1]
			k := NewAEGISKey(level, alg, key[:alg.KeySize()])
			var s AEGISState
			cipher := make([]byte, len(text))
			AEGISStart(k, &s, key[:32])
			AEGISCrypt(k, Encrypt, &s, cipher, text)
			AEGISStart(k, &s, key[:32])
			c := aegisCall{state: &s, row: 16 * k.lanes, open: 1, dst: &cipher[0], src: &cipher[0], n: len(cipher)}
			grow()
			aegisPiece(k, &c)
			below(out, &mark)
			if !bytes.Equal(cipher, text) {
				t.Fatalf("%v, %d: wrong text", level, alg)
			}
			if bytes.Contains(out, []byte("plaintext")) {
				t.Errorf("%v, %d: plaintext is on the stack", level, alg)
			}
		}
	}
	// The test itself must be able to find something.
	grow()
	leave()
	below(out, &mark)
	if !bytes.Contains(out, []byte("left behind here")) {
		t.Error("the search finds nothing: the test is void")
	}
}

//go:noinline
func leave() {
	a := [16]byte([]byte("left behind here"))
	sink(&a)
}

//go:noinline
func sink(a *[16]byte) {
	if a[0] == 0 {
		fmt.Println(a[0])
	}
}
