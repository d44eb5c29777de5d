//go:build !(linux || darwin)

package cryptotest

import "testing"

// guarded tells whether a Guard has guard pages on this system.
const guarded = false

// mapGuarded returns ordinary memory in place of mem[lo:hi] between guards.
func mapGuarded(_ testing.TB, size int) (mem []byte, lo, hi int) {
	const margin = 64
	return make([]byte, size+2*margin), margin, margin + size
}
