package bufpool

import (
	"bytes"
	"sync"
	"testing"
)

func TestWiped(t *testing.T) {
	b := Get(100)
	whole := b.B[:cap(b.B)]
	for i := range whole {
		whole[i] = 0xa5
	}
	b.B = b.B[:3] // what is cut off must be wiped too
	Put(b)
	if i := bytes.IndexByte(whole, 0xa5); i >= 0 {
		t.Fatalf("byte %d of %d survived Put", i, len(whole))
	}
}

func TestGetIsZero(t *testing.T) {
	for range 100 {
		for _, n := range []int{0, 1, 31, 4096, 70000} {
			b := Get(n)
			if len(b.B) != n {
				t.Fatalf("Get(%d) has %d bytes", n, len(b.B))
			}
			if bytes.Count(b.B, []byte{0}) != n && n > 0 {
				t.Fatalf("Get(%d) is not zero", n)
			}
			for i := range b.B {
				b.B[i] = byte(i) | 1
			}
			Put(b)
		}
	}
}

func TestBounded(t *testing.T) {
	b := Get(MaxKept + 1)
	b.B[MaxKept] = 1
	big := b.B
	Put(b)
	if b.B != nil {
		t.Errorf("a buffer of %d bytes was kept", len(big))
	}
	if big[MaxKept] != 0 {
		t.Error("a dropped buffer was not wiped")
	}
	Put(nil)
}

func TestReplace(t *testing.T) {
	b := Get(8)
	copy(b.B, "plaintext")
	old := b.B[:cap(b.B)]
	Replace(b, append(b.B, make([]byte, cap(b.B))...))
	if !bytes.Equal(old, make([]byte, len(old))) {
		t.Error("the memory that was outgrown was not wiped")
	}
	if string(b.B[:8]) != "plaintex" {
		t.Errorf("contents lost: %q", b.B[:8])
	}
	p := b.B[:4]
	Replace(b, p)
	if string(b.B) != "plai" {
		t.Errorf("re-slicing wiped the buffer: %q", b.B)
	}
	Put(b)
}

func TestSteadyState(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Put(Get(4096)) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 500 {
				b := Get(256)
				for i := range b.B {
					b.B[i] = byte(g)
				}
				if bytes.Count(b.B, []byte{byte(g)}) != 256 {
					t.Error("two borrowers share a buffer")
				}
				Put(b)
			}
		})
	}
	wg.Wait()
}

// TestMagnitudes: small buffers stay small, however many large ones are about.
func TestMagnitudes(t *testing.T) {
	for range 100 {
		large, small := Get(200<<10), Get(4<<10)
		if c := cap(small.B); c >= 8<<10 {
			t.Fatalf("a buffer for 4 KiB has a capacity of %d", c)
		}
		Put(large)
		Put(small)
	}
}
