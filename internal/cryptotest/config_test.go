package cryptotest

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// checkConfig fails the test unless c is valid and survives printing.
func checkConfig(t *testing.T, c Config) {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatalf("%v\nconfig: %v", err, c)
	}
	back, err := ParseConfig(c.String())
	if err != nil || !reflect.DeepEqual(c, back) {
		t.Fatalf("parsed as %#v, %v\nwant %#v", back, err, c)
	}
	if c.Mode != InPlace && c.Dst.Len() != c.TextLen() {
		t.Fatalf("dst has %d bytes, src %d\nconfig: %v", c.Dst.Len(), c.TextLen(), c)
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for i := range 2000 {
		maxLen := []int{0, 1, 40, 3000}[i%4]
		c := Random(r, maxLen)
		checkConfig(t, c)
		if c.TextLen() > maxLen || c.AADLen() > maxLen {
			t.Fatalf("longer than %d: %v", maxLen, c)
		}
		seen[c.Mode.String()]++
		for _, d := range c.divisions() {
			if len(*d.Division) > maxSegments*maxRegions {
				t.Fatalf("%d segments: %v", len(*d.Division), c)
			}
			for _, s := range *d.Division {
				switch s.Size {
				case Nil:
					seen[d.key+" nil"]++
				case 0:
					seen[d.key+" empty"]++
				case 1:
					seen[d.key+" single"]++
				}
				if s.Align%16 != 0 {
					seen[d.key+" misaligned"]++
				}
			}
		}
		n, m := r.IntN(100), r.IntN(100)
		c = RandomFor(r, n, m)
		checkConfig(t, c)
		if c.TextLen() != n || c.AADLen() != m {
			t.Fatalf("lengths %d and %d, want %d and %d", c.TextLen(), c.AADLen(), n, m)
		}
	}
	for _, what := range []string{"out-of-place", "in-place", "resplit",
		"src nil", "src empty", "src single", "src misaligned",
		"dst nil", "dst empty", "dst single", "dst misaligned",
		"aad nil", "aad empty", "aad single", "aad misaligned", "regions misaligned"} {
		if seen[what] < 20 {
			t.Errorf("%s seen %d times in 2000 configurations", what, seen[what])
		}
	}
}

func TestFromBytes(t *testing.T) {
	checkConfig(t, FromBytes(nil))
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		data := Bytes(r, r.IntN(300))
		c := FromBytes(data)
		checkConfig(t, c)
		if c.TextLen() > fuzzText || c.AADLen() > fuzzText {
			t.Fatalf("too long: %v", c)
		}
		if !reflect.DeepEqual(c, FromBytes(data)) {
			t.Fatal("not deterministic")
		}
	}
}

func FuzzFromBytes(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(Pattern(0, 100, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := FromBytes(data)
		checkConfig(t, c)
		l := c.Build(t, make([]byte, c.TextLen()), make([]byte, c.AADLen()))
		if err := l.CheckUntouched(); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzParseConfig(f *testing.F) {
	f.Add("mode=resplit seed=7 regions=4@1,3 src=nil,7 dst=4,0,3 aad=1,2@63")
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseConfig(text); err == nil {
			checkConfig(t, c)
		}
	})
}

func TestStandard(t *testing.T) {
	for _, n := range []int{0, 1, 2, 15, 16, 17, 39, 40, 41, 600} {
		for _, m := range []int{0, 1, 16, 100} {
			for _, c := range Standard(n, m) {
				checkConfig(t, c)
				if c.TextLen() != n || c.AADLen() != m {
					t.Fatalf("lengths %d and %d, want %d and %d: %v", c.TextLen(), c.AADLen(), n, m, c)
				}
			}
		}
	}
}

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig("  seed=18446744073709551615 mode=out-of-place\nsrc=16@3,nil,0,33 dst=49")
	want := Config{Seed: 1<<64 - 1, Src: Division{{16, 3}, {Nil, 0}, {0, 0}, {33, 0}}, Dst: Sizes(49)}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%#v, %v", c, err)
	}
	if c, err := ParseConfig(""); err != nil || !reflect.DeepEqual(c, Config{}) {
		t.Errorf("empty: %#v, %v", c, err)
	}
	for _, bad := range []string{
		"mode=", "mode=none", "seed=-1", "seed=x", "size=1", "src", "src=", "src=1,,1 dst=2",
		"src=1@ dst=1", "src=x", "aad=1@64", "aad=1@-1", "aad=-1", "aad=+1", "aad=nil@1",
		"src=1 dst=2", "src=1", "regions=1 src=1 dst=1", "mode=in-place src=1 dst=1",
		"mode=in-place regions=1 src=1", "mode=resplit src=1 dst=1", "mode=resplit",
		"mode=resplit regions=2,2 src=3,1 dst=2,2", "mode=resplit regions=2,2 src=2,2 dst=4",
		"mode=resplit regions=4 src=4 dst=3", "mode=resplit regions=4 src=4 dst=4@1",
		"mode=resplit regions=nil,4 src=4 dst=4", "aad=268435457", "aad=268435456,1",
		"aad=99999999999999999999",
	} {
		if c, err := ParseConfig(bad); err == nil {
			t.Errorf("%q is parsed as %v", bad, c)
		}
	}
	if (Config{AAD: Sizes(-2)}).Validate() == nil {
		t.Error("negative size is valid")
	}
	if err := (Config{Mode: 3}).Validate(); err == nil || !strings.Contains(Mode(3).String(), "unknown") {
		t.Error("unknown mode is valid")
	}
}

func TestProportions(t *testing.T) {
	for n := range 300 {
		d := Proportions(n, 19, 33, 48)
		if len(d) != 3 || d.Len() != n {
			t.Fatalf("%d divided as %v", n, d)
		}
	}
	if got := Proportions(100, 19, 33, 48).At(1, 2).String(); got != "19@1,33@2,48@1" {
		t.Error(got)
	}
	if got := Sizes(Nil, 3, 0).At(5).String(); got != "nil,3@5,0@5" {
		t.Error(got)
	}
}

func TestRandIsSeeded(t *testing.T) {
	a, b := Config{Seed: 5}, Config{Seed: 6}
	if x := a.Rand().Uint64(); x != a.Rand().Uint64() || x == b.Rand().Uint64() {
		t.Error("Rand does not depend on Seed alone")
	}
}
