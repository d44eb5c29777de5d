//go:build (arm64 || ppc64le || s390x) && !purego

package stream_test

// passesOn says whether gcm may pass messages on to crypto/cipher here, so that
// nonces escape.
const passesOn = true
