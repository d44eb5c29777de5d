package frame_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
)

// BenchmarkWrite is what sending takes without a connection. interop/framebench has
// one, and others to compare with.
func BenchmarkWrite(b *testing.B) {
	for _, n := range []int{64, 1 << 10, 16 << 10, 256 << 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := mustConn(b, &fake{})
			text := make([]byte, n)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				c.Write(text)
			}
		})
	}
}

func BenchmarkWriteBuffers(b *testing.B) {
	for _, size := range []int{64, 256, 1024, 1420, 2048, 4096, 16384} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			c := mustConn(b, &fake{})
			whole := net.Buffers(cut(make([]byte, 256<<10), size))
			v := make(net.Buffers, len(whole))
			list := new(net.Buffers)
			b.SetBytes(256 << 10)
			b.ReportAllocs()
			for b.Loop() {
				*list = v[:copy(v, whole)]
				c.WriteBuffers(list)
			}
		})
	}
}

// BenchmarkRead is what receiving takes without a connection.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{64, 1 << 10, 16 << 10, frame.MaxRecord} {
		const total = 4 << 20
		p := &peer{key: keyB}
		var wire []byte
		for range total / n {
			wire = append(wire, p.seal(make([]byte, n))...)
		}
		wire = append(wire, p.seal(nil)...)
		for _, size := range []int{n / 2, n} {
			b.Run(fmt.Sprintf("%d of %d", size, n), func(b *testing.B) {
				b.SetBytes(int64(total / n * n))
				buf := make([]byte, size)
				for b.Loop() {
					c := mustConn(b, &fake{r: bytes.NewReader(wire)})
					for {
						_, err := c.Read(buf)
						if err == io.EOF {
							break
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
