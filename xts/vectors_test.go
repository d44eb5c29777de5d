package xts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

// vector is a data unit of a corpus.
type vector struct {
	ID     string         `json:"id"`
	Key    cryptotest.Hex `json:"key"`
	Tweak  cryptotest.Hex `json:"tweak"`
	Number json.Number    `json:"data_unit_number"`
	PT     cryptotest.Hex `json:"pt"`
	CT     cryptotest.Hex `json:"ct"`
}

// check passes the vector through every call that can express it.
func (v vector) check(t *testing.T, r *rand.Rand) {
	t.Helper()
	c, err := xts.NewUnchecked(v.Key)
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	tweak := [16]byte(v.Tweak)
	for _, dir := range []struct {
		name     string
		from, to []byte
		slice    func(dst, src []byte, tweak [16]byte)
		list     func(dst, src sg.List, tweak [16]byte) error
	}{
		{"encrypt", v.PT, v.CT, c.Encrypt, c.EncryptList},
		{"decrypt", v.CT, v.PT, c.Decrypt, c.DecryptList},
	} {
		got := make([]byte, len(dir.from))
		dir.slice(got, dir.from, tweak)
		if !bytes.Equal(got, dir.to) {
			t.Errorf("%s: %s: %x, want %x", v.ID, dir.name, got, dir.to)
		}
		for range 8 {
			l := cryptotest.RandomFor(r, len(dir.from), 0).Build(t, dir.from, nil)
			if err := dir.list(l.Dst, l.Src, tweak); err != nil {
				t.Errorf("%s: %s: %v", v.ID, dir.name, err)
			}
			if err := l.Check(dir.to); err != nil {
				t.Errorf("%s: %s: %v", v.ID, dir.name, err)
			}
		}
	}
	// At every level, through the kernels.
	for _, level := range kernels.Levels() {
		k := kernels.NewXTSKey(level, v.Key)
		got := make([]byte, len(v.PT))
		kernels.XTSUnits(k, kernels.Encrypt, tweak, 1, len(got), got, v.PT)
		if !bytes.Equal(got, v.CT) {
			t.Errorf("%s: encrypt at %v: %x, want %x", v.ID, level, got, v.CT)
		}
		run := tweak
		kernels.XTSTweak(k, &run)
		kernels.XTSRun(k, kernels.Decrypt, &run, got, got)
		if !bytes.Equal(got, v.PT) {
			t.Errorf("%s: decrypt at %v: %x, want %x", v.ID, level, got, v.PT)
		}
	}
	// If the tweak is a number, as a sector.
	if n, err := v.Number.Int64(); err == nil && xts.SectorTweak(uint64(n)) == tweak {
		got := make([]byte, len(v.PT))
		c.EncryptSector(got, v.PT, uint64(n))
		if !bytes.Equal(got, v.CT) {
			t.Errorf("%s: sector %d: %x, want %x", v.ID, n, got, v.CT)
		}
		c.DecryptSector(got, got, uint64(n))
		if !bytes.Equal(got, v.PT) {
			t.Errorf("%s: sector %d back: %x, want %x", v.ID, n, got, v.PT)
		}
	} else if v.Number != "" {
		t.Errorf("%s: data unit number %s does not give the tweak %x", v.ID, v.Number, v.Tweak)
	}
}

func TestPublishedVectors(t *testing.T) {
	var corpus struct{ Vectors []vector }
	cryptotest.Shared(t, "published/xts-vectors.json", &corpus)
	if len(corpus.Vectors) != 153 {
		t.Errorf("%d vectors, want 153", len(corpus.Vectors))
	}
	r := rand.New(rand.NewPCG(153, 0))
	for _, v := range corpus.Vectors {
		v.check(t, r)
	}
}

// TestEdgeVectors has tweaks that encrypt to zero, one, all ones, the top bit
// and so on: the carries that random tweaks rarely meet. The plaintext is the
// pattern that the corpus describes.
func TestEdgeVectors(t *testing.T) {
	var corpus struct {
		XTS []struct {
			vector
			Len int
		}
	}
	cryptotest.Corpus(t, "edge-generated-vectors.json", &corpus)
	if len(corpus.XTS) != 200 {
		t.Errorf("%d vectors, want 200", len(corpus.XTS))
	}
	r := rand.New(rand.NewPCG(200, 0))
	for _, v := range corpus.XTS {
		v.PT = make([]byte, v.Len)
		for i := range v.PT {
			v.PT[i] = byte(7*i + 13*(i>>8) + 31)
		}
		v.check(t, r)
	}
}

// TestLUKS has sectors as cryptsetup wrote them: dm-crypt's plain64 counts
// 512-byte units also for larger sectors.
func TestLUKS(t *testing.T) {
	var corpus struct {
		Vectors []struct {
			ID     string
			Key    cryptotest.Hex
			Size   int    `json:"sector_size"`
			Sector uint64 `json:"sector"`
			IV     uint64 `json:"iv_number_512_units"`
			CT     cryptotest.Hex
		}
	}
	cryptotest.Corpus(t, "luks-vectors.json", &corpus)
	if len(corpus.Vectors) != 24 {
		t.Errorf("%d vectors, want 24", len(corpus.Vectors))
	}
	for _, v := range corpus.Vectors {
		want := make([]byte, v.Size)
		for j := range want {
			i := v.Sector*uint64(v.Size) + uint64(j)
			want[j] = byte(7*i + 13*(i>>8) + 31*(i>>16) + 5)
		}
		c, err := xts.New(v.Key)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, v.Size)
		c.DecryptSector(got, v.CT, v.IV)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: wrong plaintext", v.ID)
		}
		// The same as the last of three sectors in one call.
		per := uint64(v.Size / 512)
		three := bytes.Repeat(v.CT, 3)
		u := xts.Units{Size: v.Size, First: v.IV - 2*per, Step: per}
		if v.Sector < 2 {
			three, u.First = v.CT, v.IV
		}
		if err := c.DecryptUnits(sg.List{three}, sg.List{three}, u); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
		if !bytes.Equal(three[len(three)-v.Size:], want) {
			t.Errorf("%s: wrong plaintext through DecryptUnits", v.ID)
		}
	}
}

// TestLargeNumbers: a sector number is 64 bits in little-endian order, also
// where int is 32 bits.
func TestLargeNumbers(t *testing.T) {
	c, err := xts.New(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 10)[:64])
	if err != nil {
		t.Fatal(err)
	}
	src := make([]byte, 512)
	seen := map[string]uint64{}
	for _, n := range []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<33 + 5, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0x0102030405060708} {
		var tweak [16]byte
		for i := range 8 {
			tweak[i] = byte(n >> (8 * i))
		}
		if xts.SectorTweak(n) != tweak {
			t.Errorf("SectorTweak(%#x) = %x", n, xts.SectorTweak(n))
		}
		want, got, unit := make([]byte, 512), make([]byte, 512), make([]byte, 512)
		c.Encrypt(want, src, tweak)
		c.EncryptSector(got, src, n)
		if err := c.EncryptUnits(sg.List{unit}, sg.List{src}, xts.Units{Size: 512, First: n}); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, want) || !bytes.Equal(unit, want) {
			t.Errorf("sector %#x: the calls differ", n)
		}
		if m, twice := seen[fmt.Sprint(want)]; twice {
			t.Errorf("sectors %#x and %#x are the same", m, n)
		}
		seen[fmt.Sprint(want)] = n
	}
}
