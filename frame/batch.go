package frame

import "sync"

// A batch is memory for records on their way out. It is not from internal/bufpool,
// which wipes the whole capacity of a buffer each time: a batch holds only what
// the wire gets.
type batch struct {
	b     []byte
	class int
}

// batchSize is the most bytes that go to the connection in one call: five records
// of full size, which is the least number for 256 KiB.
const batchSize = 5 * (headerSize + maxLength)

// classes are the sizes that there are pools for: a write of a few bytes that
// blocks shall not hold hundreds of kilobytes.
var classes = [...]int{4 << 10, headerSize + maxLength, batchSize}

var batches [len(classes)]sync.Pool

// newBatch lends a batch of n bytes, at most batchSize.
func newBatch(n int) *batch {
	class := 0
	for classes[class] < n {
		class++
	}
	b, ok := batches[class].Get().(*batch)
	if !ok {
		b = &batch{make([]byte, classes[class]), class}
	}
	b.b = b.b[:n]
	return b
}

// free takes it back.
func (b *batch) free() { batches[b.class].Put(b) }
