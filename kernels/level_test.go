package kernels

import (
	"slices"
	"testing"
)

// TestEverySubset gives the selection every set of features, also impossible
// ones: what it chooses needs nothing that is not there, and it chooses the
// best of what could run.
func TestEverySubset(t *testing.T) {
	for f := features(0); f <= featAll; f++ {
		levels := levelsFor(f)
		if levels[0] != Generic {
			t.Fatalf("features %b: no Generic", f)
		}
		if !slices.IsSorted(levels) {
			t.Fatalf("features %b: %v", f, levels)
		}
		for level := Generic; int(level) < len(requirements); level++ {
			missing := requirements[level] &^ f
			if offered := slices.Contains(levels, level); offered != (missing == 0) {
				t.Fatalf("features %b: level %v offered: %v, missing %b", f, level, offered, missing)
			}
		}
		best := bestFor(f)
		switch top := levels[len(levels)-1]; {
		case f&featPrefer256 != 0 && top == AVX512:
			if best != AVX512VL {
				t.Fatalf("features %b: %v on a CPU that slows down for 512 bits", f, best)
			}
		case best != top:
			t.Fatalf("features %b: %v of %v", f, best, levels)
		}
	}
}

// TestRequirementsGrow: what runs a level runs those below it, so that Levels
// has no holes and a kernel may use the instructions of lower levels.
func TestRequirementsGrow(t *testing.T) {
	for level := AESNI; int(level) < len(requirements); level++ {
		if requirements[level-1]&^requirements[level] != 0 {
			t.Errorf("%v does not need all that %v needs", level, level-1)
		}
	}
}

func TestLevelNames(t *testing.T) {
	if len(levelNames) != len(requirements) {
		t.Fatal("a level without a name")
	}
	if AVX512.String() != "AVX512" || Level(200).String() != "unknown level" {
		t.Error("wrong name")
	}
}

func TestLevelsIsACopy(t *testing.T) {
	Levels()[0] = 99
	if Levels()[0] != Generic {
		t.Error("Levels gave away its own slice")
	}
}

// TestUnavailable: a key for a level that the machine lacks panics when it is
// made, not when it is used.
func TestUnavailable(t *testing.T) {
	for level := range Level(len(requirements)) {
		func() {
			defer func() {
				if p := recover(); (p == nil) != slices.Contains(Levels(), level) {
					t.Errorf("level %v: panic %v", level, p)
				}
			}()
			NewXTSKey(level, make([]byte, 64))
		}()
	}
	for _, n := range []int{0, 16, 24, 31, 33, 63, 65, 128} {
		func() {
			defer func() {
				if p := recover(); p != "kernels: XTS key must have 32, 48 or 64 bytes" {
					t.Errorf("key of %d bytes: panic %v", n, p)
				}
			}()
			NewXTSKey(Generic, make([]byte, n))
		}()
	}
	t.Logf("detected %b, levels %v, best %v", features(detected), Levels(), Best())
}
