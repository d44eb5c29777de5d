//go:build !(arm64 || ppc64le || s390x) || purego

package gcm

const SliceCallsEscape = false
