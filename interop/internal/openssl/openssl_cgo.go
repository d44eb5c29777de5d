//go:build cgo && openssl

package openssl

/*
#cgo LDFLAGS: -lcrypto
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

// xts_new returns a context with the key expanded, or NULL.
static EVP_CIPHER_CTX *xts_new(const unsigned char *key, int bits, int encrypt) {
	const EVP_CIPHER *cipher = bits == 128 ? EVP_aes_128_xts() : EVP_aes_256_xts();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	if (ctx != NULL && EVP_CipherInit_ex(ctx, cipher, NULL, key, NULL, encrypt) != 1) {
		EVP_CIPHER_CTX_free(ctx);
		ctx = NULL;
	}
	return ctx;
}

// add_tweak adds step to the low half of a little-endian tweak.
static void add_tweak(unsigned char *tweak, uint64_t step) {
	for (int i = 0; i < 8 && step != 0; i++) {
		step += tweak[i];
		tweak[i] = (unsigned char)step;
		step >>= 8;
	}
}

// xts_encrypt and xts_decrypt do the n bytes in units of size, times over.
#define XTS_LOOP(NAME, INIT, UPDATE)                                           \
static int NAME(EVP_CIPHER_CTX *ctx, size_t times, const unsigned char *first, \
		uint64_t step, size_t size, unsigned char *dst,                \
		const unsigned char *src, size_t n) {                          \
	while (times-- > 0) {                                                  \
		unsigned char tweak[16];                                       \
		memcpy(tweak, first, 16);                                      \
		for (size_t i = 0; i < n; i += size) {                         \
			int done = 0;                                          \
			if (INIT(ctx, NULL, NULL, NULL, tweak) != 1 ||         \
			    UPDATE(ctx, dst + i, &done, src + i, (int)size) != 1 || \
			    done != (int)size)                                 \
				return 0;                                      \
			add_tweak(tweak, step);                                \
		}                                                              \
	}                                                                      \
	return 1;                                                              \
}
XTS_LOOP(xts_encrypt, EVP_EncryptInit_ex, EVP_EncryptUpdate)
XTS_LOOP(xts_decrypt, EVP_DecryptInit_ex, EVP_DecryptUpdate)
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
)

// Available says whether OpenSSL is linked in.
const Available = true

// Version returns what OpenSSL says about itself.
func Version() string { return C.GoString(C.OpenSSL_version(C.OPENSSL_VERSION)) }

// An XTS is a key for one direction, expanded once.
type XTS struct {
	ctx     *C.EVP_CIPHER_CTX
	encrypt bool
}

// NewXTS expands a key of 32 or 64 bytes, K1 || K2. OpenSSL has no AES-192-XTS.
func NewXTS(key []byte, encrypt bool) (*XTS, error) {
	if len(key) != 32 && len(key) != 64 {
		return nil, fmt.Errorf("openssl: XTS key of %d bytes, want 32 or 64", len(key))
	}
	way := C.int(0)
	if encrypt {
		way = 1
	}
	ctx := C.xts_new((*C.uchar)(&key[0]), C.int(len(key)*4), way)
	if ctx == nil {
		return nil, errors.New("openssl: no XTS with this key")
	}
	x := &XTS{ctx, encrypt}
	runtime.AddCleanup(x, func(ctx *C.EVP_CIPHER_CTX) { C.EVP_CIPHER_CTX_free(ctx) }, ctx)
	return x, nil
}

// Units does the data units of size bytes in src into dst, times over. The
// tweaks are as in kernels.XTSUnits.
func (x *XTS) Units(times int, tweak [16]byte, step uint64, size int, dst, src []byte) {
	if size <= 0 || len(src) == 0 || len(src)%size != 0 || len(dst) < len(src) {
		panic("openssl: impossible lengths")
	}
	var ok C.int
	if x.encrypt {
		ok = C.xts_encrypt(x.ctx, C.size_t(times), (*C.uchar)(&tweak[0]), C.uint64_t(step), C.size_t(size),
			(*C.uchar)(&dst[0]), (*C.uchar)(&src[0]), C.size_t(len(src)))
	} else {
		ok = C.xts_decrypt(x.ctx, C.size_t(times), (*C.uchar)(&tweak[0]), C.uint64_t(step), C.size_t(size),
			(*C.uchar)(&dst[0]), (*C.uchar)(&src[0]), C.size_t(len(src)))
	}
	runtime.KeepAlive(x)
	if ok != 1 {
		panic("openssl: XTS failed")
	}
}
