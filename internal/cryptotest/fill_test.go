package cryptotest

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	constant, progression := 0, 0
	for i := range 2000 {
		n := i % 70
		p := Bytes(r, n)
		if len(p) != n {
			t.Fatalf("%d bytes, want %d", len(p), n)
		}
		if n < 8 {
			continue
		}
		if bytes.Count(p, p[:1]) == n {
			constant++
		} else if p[1]-p[0] == p[2]-p[1] && p[2]-p[1] == p[n-1]-p[n-2] {
			progression++
		}
	}
	if constant < 100 || progression < 50 {
		t.Errorf("%d constant, %d progressions", constant, progression)
	}
	if !bytes.Equal(Bytes(rand.New(rand.NewPCG(1, 1)), 99), Bytes(rand.New(rand.NewPCG(1, 1)), 99)) {
		t.Error("not deterministic")
	}
}

func TestPattern(t *testing.T) {
	whole := Pattern(0, 70000, 5)
	for _, c := range []struct {
		i    int
		want byte
	}{{0, 5}, {1, 12}, {256, 18}, {65536, 36}} {
		if whole[c.i] != c.want {
			t.Errorf("byte %d is %d, want %d", c.i, whole[c.i], c.want)
		}
	}
	if !bytes.Equal(whole[65500:], Pattern(65500, 4500, 5)) {
		t.Error("the offset does not continue the pattern")
	}
}
