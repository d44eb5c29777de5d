package stream

import (
	"sync/atomic"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// A chunk is the text of one chunk in a buffer from the pool.
type chunk struct {
	i    int64 // its number, or none
	text *bufpool.Buffer
}

const none = -1

// drop wipes the text and gives the buffer back.
func (c *chunk) drop() {
	bufpool.Put(c.text)
	c.i, c.text = none, nil
}

// A cache has one chunk, so that many short reads in a row do not open the same
// one again and again. Whoever takes it has it alone: of two goroutines that want
// it at once, one gets nothing and opens for itself.
type cache struct{ kept atomic.Pointer[chunk] }

// take returns a chunk, which need not be the right one, but can become it.
func (c *cache) take() *chunk {
	if kept := c.kept.Swap(nil); kept != nil {
		return kept
	}
	return &chunk{i: none}
}

// put keeps a chunk in place of another.
func (c *cache) put(ch *chunk) {
	if other := c.kept.Swap(ch); other != nil {
		other.drop()
	}
}

// drop keeps none.
func (c *cache) drop() {
	if kept := c.kept.Swap(nil); kept != nil {
		kept.drop()
	}
}
