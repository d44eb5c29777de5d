//go:build cgo && openssl

package openssl

/*
#include <stddef.h>
#include <openssl/evp.h>

// gcm_new returns a context with the key expanded, or NULL.
static EVP_CIPHER_CTX *gcm_new(const unsigned char *key, int bits, int seal) {
	const EVP_CIPHER *cipher = bits == 128 ? EVP_aes_128_gcm()
		: bits == 192 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	if (ctx != NULL && EVP_CipherInit_ex(ctx, cipher, NULL, key, NULL, seal) != 1) {
		EVP_CIPHER_CTX_free(ctx);
		ctx = NULL;
	}
	return ctx;
}

// gcm_run does a message times over. For sealing the tag is written behind dst,
// for opening it is read behind src.
static int gcm_run(EVP_CIPHER_CTX *ctx, size_t times, int seal, unsigned char *dst,
		unsigned char *src, int n, const unsigned char *nonce,
		const unsigned char *aad, int aad_len) {
	while (times-- > 0) {
		int done = 0;
		if (EVP_CipherInit_ex(ctx, NULL, NULL, NULL, nonce, seal) != 1 ||
		    (!seal && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, 16, src + n) != 1) ||
		    EVP_CipherUpdate(ctx, NULL, &done, aad, aad_len) != 1 ||
		    (n > 0 && EVP_CipherUpdate(ctx, dst, &done, src, n) != 1) ||
		    EVP_CipherFinal_ex(ctx, dst + n, &done) != 1 ||
		    (seal && EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, dst + n) != 1))
			return 0;
	}
	return 1;
}
*/
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// A GCM is a key for one direction, expanded once.
type GCM struct {
	ctx  *C.EVP_CIPHER_CTX
	seal C.int
}

// NewGCM expands a key of 16, 24 or 32 bytes.
func NewGCM(key []byte, seal bool) (*GCM, error) {
	way := C.int(0)
	if seal {
		way = 1
	}
	ctx := C.gcm_new((*C.uchar)(&key[0]), C.int(len(key)*8), way)
	if ctx == nil {
		return nil, errors.New("openssl: no GCM with this key")
	}
	g := &GCM{ctx, way}
	runtime.AddCleanup(g, func(ctx *C.EVP_CIPHER_CTX) { C.EVP_CIPHER_CTX_free(ctx) }, ctx)
	return g, nil
}

// Seal encrypts src, times over; dst has 16 bytes more, for the tag.
func (g *GCM) Seal(times int, dst, src, nonce, aad []byte) {
	g.run(times, dst, src, len(src), nonce, aad)
}

// Open decrypts src, which ends with a tag of 16 bytes, times over.
func (g *GCM) Open(times int, dst, src, nonce, aad []byte) {
	g.run(times, dst, src, len(dst), nonce, aad)
}

func (g *GCM) run(times int, dst, src []byte, n int, nonce, aad []byte) {
	ok := C.gcm_run(g.ctx, C.size_t(times), g.seal, (*C.uchar)(unsafe.SliceData(dst)),
		(*C.uchar)(unsafe.SliceData(src)), C.int(n), (*C.uchar)(&nonce[0]), (*C.uchar)(&aad[0]), C.int(len(aad)))
	runtime.KeepAlive(g)
	if ok != 1 {
		panic("openssl: GCM failed")
	}
}
