// Package openssl measures OpenSSL's libcrypto through cgo. It is there with
// the build tag openssl only, which needs cgo and the headers (libssl-dev on
// Debian):
//
//	go run -tags openssl ./compare
//
// Without the tag, or without cgo, [Available] is false and the package is
// pure Go.
//
// Every call repeats its work many times in C, so that the price of entering
// C, some 50 ns, does not count.
package openssl
