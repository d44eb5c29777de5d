//go:build !race

package xts_test

const raceEnabled = false
