package frame

import "fmt"

// An Option changes what [NewConn] makes.
type Option func(*config)

type config struct {
	sendCounter, recvCounter uint64
	maxRecord                int
}

func (c *config) check() error {
	if c.maxRecord < 1 || c.maxRecord > MaxRecord {
		return fmt.Errorf("frame: records of %d bytes, want 1 to %d", c.maxRecord, MaxRecord)
	}
	return nil
}

// WithSendCounter sets the counter of the first record that is sent, instead of 0,
// to take over from another implementation in the middle. A counter that was used
// with this key before must never be set: two records under one nonce reveal their
// texts and allow forgeries.
func WithSendCounter(n uint64) Option { return func(c *config) { c.sendCounter = n } }

// WithRecvCounter sets the counter of the first record that is received, instead
// of 0.
func WithRecvCounter(n uint64) Option { return func(c *config) { c.recvCounter = n } }

// WithMaxRecord sets the most bytes of text that a record will have that is sent, 1
// to [MaxRecord], which it is otherwise. A peer can use the first byte of a record
// only when it has the last. Records that are received may have any length.
func WithMaxRecord(n int) Option { return func(c *config) { c.maxRecord = n } }
