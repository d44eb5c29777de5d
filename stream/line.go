package stream

import (
	"sync"
	"sync/atomic"

	"github.com/cipherwalk/cipherwalk/internal/bufpool"
)

// A job is a batch of chunks on its way through a line. Its buffers are its own.
type job struct {
	text   *bufpool.Buffer // plaintext
	sealed *bufpool.Buffer // ciphertext
	runs   []run           // of a Writer: what is still to be sealed
	opened int             // of a Reader: how many of the chunks were authentic
	next   uint64          // number of the chunk behind its last
	done   chan struct{}   // gets one when the work is done
}

// drop gives the buffers back.
func (j *job) drop() {
	bufpool.Put(j.text)
	putSealed(j.sealed)
	j.text, j.sealed = nil, nil
}

// A run is full chunks in a row, from number i on, with the place of the result.
type run struct {
	dst []byte
	i   uint64
	src []byte
}

// A line works on batches while a call has many of them. The caller fills one job
// after another; workers seal or open them, the caller among them when it would
// have to wait; a goroutine writes them in order. So source, cipher and sink work
// at once, and no worker waits for a batch to be shared out: waking one takes
// longer than a batch.
//
// The number of jobs bounds what is under way. All goroutines have ended when
// stop returns.
type line struct {
	work   func(*job)
	write  func(*job) error
	free   chan *job // empty
	ready  chan *job // to be worked on
	order  chan *job // to be written, in order
	others sync.WaitGroup
	failed atomic.Bool
	err    error // of write; only after stop
}

// newLine starts a line, which must be stopped.
func newLine(workers int, work func(*job), write func(*job) error) *line {
	jobs := workers + 2 // one more is filled, and one written
	l := &line{
		work: work, write: write,
		free: make(chan *job, jobs), ready: make(chan *job, jobs), order: make(chan *job, jobs),
	}
	for range jobs {
		l.free <- &job{done: make(chan struct{}, 1)}
	}
	for range workers - 1 {
		l.others.Go(func() {
			for j := range l.ready {
				l.do(j)
			}
		})
	}
	l.others.Go(l.writeAll)
	return l
}

func (l *line) do(j *job) {
	l.work(j)
	j.done <- struct{}{}
}

// writeAll writes jobs until there is an error, and empties them.
func (l *line) writeAll() {
	for j := range l.order {
		<-j.done
		if l.err == nil {
			if l.err = l.write(j); l.err != nil {
				l.failed.Store(true)
			}
		}
		j.runs = j.runs[:0]
		l.free <- j
	}
}

// get returns an empty job. It works until there is one.
func (l *line) get() *job {
	for {
		select {
		case j := <-l.free:
			return j
		default:
		}
		select {
		case j := <-l.free:
			return j
		case j := <-l.ready:
			l.do(j)
		}
	}
}

// put hands a job in. There is room for all.
func (l *line) put(j *job) {
	l.order <- j
	l.ready <- j
}

// stop waits until all that was put is written, or given up after an error, which
// it returns. It takes back a job that was not put, if there is one.
func (l *line) stop(unused *job) error {
	close(l.order)
	close(l.ready)
	for j := range l.ready {
		l.do(j)
	}
	l.others.Wait()
	if unused != nil {
		l.free <- unused
	}
	close(l.free)
	for j := range l.free {
		j.drop()
	}
	return l.err
}
