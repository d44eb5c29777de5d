package interop

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/c2sp/wycheproof"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/xts"
)

// xtsVectors is the number of vectors in Wycheproof's file.
const xtsVectors = 123

// A hexBytes is a JSON string of hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.AppendDecode(nil, text)
	return err
}

// readVectors parses a file of Wycheproof.
func readVectors(t *testing.T, name string, file any) {
	t.Helper()
	data, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestXTSWycheproof(t *testing.T) {
	var file struct {
		NumberOfTests int
		TestGroups    []struct {
			KeySize int
			Tests   []struct {
				TcID             int
				Key, IV, Msg, Ct hexBytes
				Result           string
			}
		}
	}
	readVectors(t, "aes_xts_test.json", &file)

	r := rand.New(rand.NewPCG(1, 2))
	seen := 0
	sizes := map[int]int{}
	for _, g := range file.TestGroups {
		for _, v := range g.Tests {
			seen++
			sizes[g.KeySize]++
			if v.Result != "valid" {
				t.Errorf("vector %d: result %q, expected none but valid ones", v.TcID, v.Result)
				continue
			}
			if len(v.Key)*8 != g.KeySize {
				t.Errorf("vector %d: key of %d bytes in a group of %d bits", v.TcID, len(v.Key), g.KeySize)
			}
			c, err := xts.New(v.Key)
			if err != nil {
				t.Errorf("vector %d: %v", v.TcID, err)
				continue
			}
			var tweak [16]byte
			if len(v.IV) > len(tweak) {
				t.Errorf("vector %d: iv of %d bytes", v.TcID, len(v.IV))
				continue
			}
			copy(tweak[:], v.IV) // short ones are extended with zeros

			for _, way := range []struct {
				name     string
				from, to []byte
				slice    func(dst, src []byte, tweak [16]byte)
				list     func(dst, src sg.List, tweak [16]byte) error
			}{
				{"encrypt", v.Msg, v.Ct, c.Encrypt, c.EncryptList},
				{"decrypt", v.Ct, v.Msg, c.Decrypt, c.DecryptList},
			} {
				checkSlices(t, v.TcID, way.name, way.from, way.to, tweak, way.slice)
				checkLists(t, r, v.TcID, way.name, way.from, way.to, tweak, way.list)
			}
		}
	}
	if seen != xtsVectors || file.NumberOfTests != xtsVectors {
		t.Errorf("%d vectors, the file says %d, want %d", seen, file.NumberOfTests, xtsVectors)
	}
	for _, bits := range []int{256, 384, 512} {
		if sizes[bits] == 0 {
			t.Errorf("no vector for a key of %d bits", bits)
		}
	}
}

// checkSlices tests a call on slices, out of place and in place.
func checkSlices(t *testing.T, id int, way string, from, to []byte, tweak [16]byte,
	call func(dst, src []byte, tweak [16]byte)) {
	t.Helper()
	src, dst := bytes.Clone(from), make([]byte, len(from))
	call(dst, src, tweak)
	if !bytes.Equal(dst, to) {
		t.Errorf("vector %d: %s: %x, want %x", id, way, dst, to)
	}
	if !bytes.Equal(src, from) {
		t.Errorf("vector %d: %s changes src", id, way)
	}
	call(src, src, tweak)
	if !bytes.Equal(src, to) {
		t.Errorf("vector %d: %s in place: %x, want %x", id, way, src, to)
	}
}

// checkLists tests a call on lists with many divisions: each of them for src
// against each for dst, which includes equal ones, out of place and in place.
func checkLists(t *testing.T, r *rand.Rand, id int, way string, from, to []byte, tweak [16]byte,
	call func(dst, src sg.List, tweak [16]byte) error) {
	t.Helper()
	n := len(from)
	divisions := [][]int{
		{},               // one segment
		ones(n),          // 1-byte segments
		{0, n - 1, 0, 1}, // a ragged end of its own, and empty segments
		{n / 2},
		{15}, {16}, // around the first block
		{n - 15}, {n - 16}, // and from the end, where stealing is
	}
	for range 8 {
		divisions = append(divisions, divide(r, n))
	}
	for _, ss := range divisions {
		for _, ds := range divisions {
			src, dst := bytes.Clone(from), make([]byte, n)
			if err := call(sg.Split(dst, ds...), sg.Split(src, ss...), tweak); err != nil {
				t.Errorf("vector %d: %s list %v to %v: %v", id, way, ss, ds, err)
				continue
			}
			if !bytes.Equal(dst, to) {
				t.Errorf("vector %d: %s list %v to %v: %x, want %x", id, way, ss, ds, dst, to)
			}
			if !bytes.Equal(src, from) {
				t.Errorf("vector %d: %s list %v to %v changes src", id, way, ss, ds)
			}
			if err := call(sg.Split(src, ds...), sg.Split(src, ss...), tweak); err != nil {
				t.Errorf("vector %d: %s list %v to %v in place: %v", id, way, ss, ds, err)
			} else if !bytes.Equal(src, to) {
				t.Errorf("vector %d: %s list %v to %v in place: %x, want %x", id, way, ss, ds, src, to)
			}
		}
	}
}

// ones returns the sizes of n 1-byte segments.
func ones(n int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = 1
	}
	return sizes
}

// divide draws sizes that add up to n, some of them 0.
func divide(r *rand.Rand, n int) []int {
	var sizes []int
	most := 1 + r.IntN(48)
	for n > 0 {
		s := min(r.IntN(most+1), n)
		sizes = append(sizes, s)
		n -= s
	}
	return sizes
}
