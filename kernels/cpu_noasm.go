//go:build !amd64 || purego

package kernels

const detected = features(0)
