package frame

import (
	"testing"
	"time"
)

// Sizes that the tests go to the borders of.
const (
	BatchSize   = batchSize
	SmallIntake = smallIntake
	LargeIntake = largeIntake
)

// SetCloseTimeout changes the bound of Close for a test.
func SetCloseTimeout(t testing.TB, d time.Duration) {
	old := closeTimeout
	closeTimeout = d
	t.Cleanup(func() { closeTimeout = old })
}

// Held returns the bytes of the buffer that c receives into, after a wait for calls
// that read.
func Held(c *Conn) int {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	return len(c.in.in.buf)
}
