package cryptotest

import (
	"slices"
	"testing"

	"github.com/cipherwalk/cipherwalk/kernels"
)

func TestLevels(t *testing.T) {
	var seen []kernels.Level
	Levels(t, func(t *testing.T, level kernels.Level) { seen = append(seen, level) })
	if !slices.Equal(seen, kernels.Levels()) {
		t.Errorf("ran at %v, want %v", seen, kernels.Levels())
	}
}

func TestRequirements(t *testing.T) {
	have := []kernels.Level{kernels.Generic, kernels.AVX}
	for _, c := range []struct {
		required, best string
		unmet          int
	}{
		{"", "", 0},
		{"Generic", "AVX", 0},
		{" AVX, Generic,", "AVX", 0},
		{"AVX512,Generic,AESNI", "", 2},
		{"generic", "", 1},
		{"", "Generic", 1},
		{"AVX512", "AVX512", 2},
	} {
		if got := requirements(have, kernels.AVX, c.required, c.best); len(got) != c.unmet {
			t.Errorf("%q and %q: %q, want %d", c.required, c.best, got, c.unmet)
		}
	}
}
