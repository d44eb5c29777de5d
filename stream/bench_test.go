package stream_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/stream"
)

// The comparison with others is in interop/compare. These find regressions.

// BenchmarkChunk is the cipher alone.
func BenchmarkChunk(b *testing.B) {
	a, err := gcm.New(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	text, sealed, nonce := make([]byte, stream.ChunkSize), make([]byte, stream.SealedSize), make([]byte, 12)
	b.SetBytes(stream.ChunkSize)
	for b.Loop() {
		a.Seal(sealed[:0], nonce, text, nil)
	}
}

func BenchmarkWriter(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for _, size := range []int{4 << 10, 16 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%dKiB/%d", size>>10, workers), func(b *testing.B) {
				w, err := stream.NewWriter(io.Discard, suite, keyOf(suite, 1), nil, stream.WithConcurrency(workers))
				if err != nil {
					b.Fatal(err)
				}
				p := make([]byte, size)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := w.Write(p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// inPlace is a source that brings the same chunks again and again. It copies them
// only once: after that they are in the buffer still.
type inPlace struct {
	again
	first *byte
}

func (s *inPlace) Read(p []byte) (int, error) {
	if len(p) == len(s.p) && &p[0] == s.first {
		return len(p), nil
	}
	n, err := s.again.Read(p)
	if n == len(s.p) {
		s.first = &p[0]
	}
	return n, err
}

// BenchmarkReader is the Reader alone, with a source that takes no time, and with
// one that copies.
func BenchmarkReader(b *testing.B) {
	const chunks = 8 // as many as the Reader fetches
	key, base := make([]byte, 32), make([]byte, 12)
	sealed := model{modelAEAD(suite, key), base, nil, 0}.seal(make([]byte, chunks*stream.ChunkSize))[:chunks*stream.SealedSize]
	for name, src := range map[string]io.Reader{
		"source in place": &inPlace{again: again{p: sealed}},
		"source copies":   &again{p: sealed},
	} {
		b.Run(name, func(b *testing.B) {
			r, err := stream.NewRawReader(src, suite, key, base)
			if err != nil {
				b.Fatal(err)
			}
			p := make([]byte, 1<<20)
			b.SetBytes(1 << 20)
			b.ReportAllocs()
			for b.Loop() {
				for n := 0; n < len(p); {
					m, err := r.Read(p[n:])
					if err != nil {
						b.Fatal(err)
					}
					n += m
					r.TurnBack(chunks)
				}
			}
		})
	}
}
