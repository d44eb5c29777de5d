//go:build !cgo || !openssl

package openssl

import "errors"

// Available says whether OpenSSL is linked in.
const Available = false

// Version returns what OpenSSL says about itself.
func Version() string { return "not built in" }

// An XTS is a key for one direction, expanded once.
type XTS struct{}

// NewXTS fails, as there is no OpenSSL.
func NewXTS(key []byte, encrypt bool) (*XTS, error) {
	return nil, errors.New("openssl: built without the tag openssl")
}

// Units panics, as there is no OpenSSL.
func (x *XTS) Units(times int, tweak [16]byte, step uint64, size int, dst, src []byte) {
	panic("openssl: built without the tag openssl")
}

// A GCM is a key for one direction, expanded once.
type GCM struct{}

// NewGCM fails, as there is no OpenSSL.
func NewGCM(key []byte, seal bool) (*GCM, error) {
	return nil, errors.New("openssl: built without the tag openssl")
}

// Seal panics, as there is no OpenSSL.
func (g *GCM) Seal(times int, dst, src, nonce, aad []byte) {
	panic("openssl: built without the tag openssl")
}

// Open panics, as there is no OpenSSL.
func (g *GCM) Open(times int, dst, src, nonce, aad []byte) {
	panic("openssl: built without the tag openssl")
}
