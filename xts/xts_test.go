package xts_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
	"github.com/cipherwalk/cipherwalk/xts"
)

func testKey(n int) []byte {
	key := make([]byte, n)
	for i := range key {
		key[i] = byte(i * 7)
	}
	return key
}

func mustNew(t testing.TB, n int) *xts.Cipher {
	t.Helper()
	c, err := xts.New(testKey(n))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestKeys(t *testing.T) {
	for n := range 130 {
		_, err := xts.New(testKey(n))
		_, unchecked := xts.NewUnchecked(testKey(n))
		var size xts.KeySizeError
		if ok := n == 32 || n == 48 || n == 64; ok {
			if err != nil || unchecked != nil {
				t.Errorf("key of %d bytes: %v, %v", n, err, unchecked)
			}
		} else if !errors.As(err, &size) || int(size) != n || !errors.As(unchecked, &size) {
			t.Errorf("key of %d bytes: %v, %v", n, err, unchecked)
		}
	}
	if got := xts.KeySizeError(5).Error(); got != "xts: key of 5 bytes, want 32, 48 or 64" {
		t.Error(got)
	}
	for _, n := range []int{32, 48, 64} {
		key := append(testKey(n/2), testKey(n/2)...)
		if _, err := xts.New(key); err != xts.ErrEqualHalves {
			t.Errorf("equal halves of %d bytes: %v", n/2, err)
		}
		if _, err := xts.NewUnchecked(key); err != nil {
			t.Errorf("equal halves of %d bytes, unchecked: %v", n/2, err)
		}
		for _, i := range []int{0, n/2 - 1, n / 2, n - 1} {
			key[i] ^= 1
			if _, err := xts.New(key); err != nil {
				t.Errorf("halves that differ in byte %d: %v", i, err)
			}
			key[i] ^= 1
		}
	}
}

// TestFIPS: these kernels are no validated module, and say so.
func TestFIPS(t *testing.T) {
	cryptotest.EnforceFIPS(t, "xts: ", func() []error {
		_, err := xts.New(testKey(64))
		return []error{err}
	})
}

// TestArgumentsAreCopied changes key and tweak behind the calls that took them.
func TestArgumentsAreCopied(t *testing.T) {
	key := testKey(64)
	c, err := xts.New(key)
	if err != nil {
		t.Fatal(err)
	}
	src, want, got := make([]byte, 100), make([]byte, 100), make([]byte, 100)
	c.Encrypt(want, src, [16]byte{1})
	clear(key)
	tweak := [16]byte{1}
	var sink bytes.Buffer
	w := c.NewWriter(&sink, tweak)
	tweak[0] = 2
	p := bytes.Clone(src)
	w.Write(p)
	for i := range p {
		p[i] = 0xff
	}
	w.Close()
	c.Encrypt(got, src, [16]byte{1})
	if !bytes.Equal(got, want) || !bytes.Equal(sink.Bytes(), want) {
		t.Error("a caller's slice was kept")
	}
}

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return
}

// TestMisuse calls the slice functions wrongly: a panic that names package,
// value and expectation, and nothing written.
func TestMisuse(t *testing.T) {
	c := mustNew(t, 64)
	mem := bytes.Repeat([]byte{0xaa}, 4096)
	clean := bytes.Clone(mem)
	calls := map[string]func(dst, src []byte){
		"Encrypt":       func(dst, src []byte) { c.Encrypt(dst, src, [16]byte{}) },
		"Decrypt":       func(dst, src []byte) { c.Decrypt(dst, src, [16]byte{}) },
		"EncryptSector": func(dst, src []byte) { c.EncryptSector(dst, src, 1) },
		"DecryptSector": func(dst, src []byte) { c.DecryptSector(dst, src, 1) },
	}
	for name, call := range calls {
		for _, m := range []struct {
			what     string
			dst, src []byte
			want     string
		}{
			{"empty", mem, nil, "xts: impossible size of a data unit: 0 bytes, want 16 to 16777216"},
			{"one byte", mem, make([]byte, 1), "xts: impossible size of a data unit: 1 bytes, want 16 to 16777216"},
			{"15 bytes", mem, make([]byte, 15), "xts: impossible size of a data unit: 15 bytes, want 16 to 16777216"},
			{"short dst", mem[:31], make([]byte, 32), "xts: dst of 31 bytes, want at least the 32 of src"},
			{"one byte forwards", mem[1:33], mem[:32], "xts: dst and src overlap inexactly"},
			{"one byte backwards", mem[:32], mem[1:33], "xts: dst and src overlap inexactly"},
			{"a block forwards", mem[16:48], mem[:32], "xts: dst and src overlap inexactly"},
			{"the last byte", mem[31:63], mem[:32], "xts: dst and src overlap inexactly"},
		} {
			if got := panicOf(func() { call(m.dst, m.src) }); got != m.want {
				t.Errorf("%s, %s: panic %q, want %q", name, m.what, got, m.want)
			}
			if !bytes.Equal(mem, clean) {
				t.Fatalf("%s, %s: something was written", name, m.what)
			}
		}
		// The unused part of dst may overlap.
		if got := panicOf(func() { call(mem[:], mem[:32]) }); got != "<nil>" {
			t.Errorf("%s in place with room behind: panic %q", name, got)
		}
		copy(mem, clean)
	}
}

// TestLongerDst: only the first len(src) bytes of dst change.
func TestLongerDst(t *testing.T) {
	c := mustNew(t, 32)
	for _, more := range []int{1, 15, 16, 4096} {
		for _, n := range []int{16, 17, 31, 512, 1000} {
			src := cryptotest.Bytes(rand.New(rand.NewPCG(1, 1)), n)
			dst := bytes.Repeat([]byte{0xee}, n+more)
			c.Encrypt(dst, src, [16]byte{})
			if !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xee}, more)) {
				t.Fatalf("%d bytes to %d: written beyond", n, n+more)
			}
			c.Decrypt(dst, dst[:n], [16]byte{})
			if !bytes.Equal(dst[:n], src) || !bytes.Equal(dst[n:], bytes.Repeat([]byte{0xee}, more)) {
				t.Fatalf("%d bytes to %d: wrong way back", n, n+more)
			}
		}
	}
}

// TestListErrors: data errors are returned, and nothing is written.
func TestListErrors(t *testing.T) {
	c := mustNew(t, 64)
	mem := bytes.Repeat([]byte{0xaa}, 4096)
	clean := bytes.Clone(mem)
	other := make([]byte, 4096)
	big := make([]byte, 1<<20)
	units := func(u xts.Units) func(dst, src sg.List) error {
		return func(dst, src sg.List) error {
			return errors.Join(c.EncryptUnits(dst, src, u), c.DecryptUnits(dst, src, u))
		}
	}
	list := func(dst, src sg.List) error {
		return errors.Join(c.EncryptList(dst, src, [16]byte{}), c.DecryptList(dst, src, [16]byte{}))
	}
	repeat := func(n, rest int) (l sg.List) {
		for range n {
			l = append(l, big)
		}
		return append(l, big[:rest])
	}
	for _, e := range []struct {
		what     string
		call     func(dst, src sg.List) error
		dst, src sg.List
		want     error
	}{
		{"no list", list, nil, nil, xts.ErrUnitSize},
		{"empty segments", list, sg.List{nil, {}}, sg.List{{}, {}, nil}, xts.ErrUnitSize},
		{"15 bytes", list, sg.List{mem[:15]}, sg.List{other[:7], other[7:15]}, xts.ErrUnitSize},
		{"unequal", list, sg.List{mem[:33]}, sg.List{other[:32]}, walk.ErrLength},
		{"forwards", list, sg.List{mem[1:33]}, sg.List{mem[:16], mem[16:32]}, walk.ErrOverlap},
		{"backwards", list, sg.List{mem[:32]}, sg.List{mem[1:16], mem[16:33]}, walk.ErrOverlap},
		{"size 0", units(xts.Units{}), sg.List{mem}, sg.List{other}, xts.ErrUnitSize},
		{"size -512", units(xts.Units{Size: -512}), sg.List{mem}, sg.List{other}, xts.ErrUnitSize},
		{"size 15", units(xts.Units{Size: 15}), sg.List{mem[:15]}, sg.List{other[:15]}, xts.ErrUnitSize},
		{"size over the limit", units(xts.Units{Size: xts.MaxUnitSize + 1}), sg.List{mem}, sg.List{other}, xts.ErrUnitSize},
		{"no multiple", units(xts.Units{Size: 512}), sg.List{mem[:1000]}, sg.List{other[:1000]}, xts.ErrUnitSize},
		{"units, unequal", units(xts.Units{Size: 512}), sg.List{mem[:1024]}, sg.List{other[:512]}, walk.ErrLength},
		{"units, overlap", units(xts.Units{Size: 16}), sg.List{mem[1:33]}, sg.List{mem[:32]}, walk.ErrOverlap},
		{"number beyond 64 bits", units(xts.Units{Size: 512, First: 1<<64 - 2}), sg.List{mem[:1536]}, sg.List{other[:1536]}, nil},
		{"step beyond 64 bits", units(xts.Units{Size: 512, Step: 1 << 63}), sg.List{mem[:1536]}, sg.List{other[:1536]}, nil},
		{"unit over the limit", list, sg.List{make([]byte, 16<<20+1)}, repeat(16, 1), xts.ErrUnitSize},
		{"unit over the limit, aligned", list, sg.List{make([]byte, 16<<20+16)}, repeat(16, 16), xts.ErrUnitSize},
	} {
		err := e.call(e.dst, e.src)
		if err == nil || e.want != nil && !errors.Is(err, e.want) || !strings.HasPrefix(err.Error(), "xts: ") {
			t.Errorf("%s: %v, want %v", e.what, err, e.want)
		}
		for _, s := range e.dst {
			if len(s) > len(mem) && bytes.Count(s, []byte{0}) != len(s) {
				t.Errorf("%s: something was written", e.what)
			}
		}
		if !bytes.Equal(mem, clean) {
			t.Fatalf("%s: something was written", e.what)
		}
	}
	// The borders that are legal.
	for _, e := range []struct {
		what string
		err  error
	}{
		{"16 bytes", list(sg.List{mem[:16]}, sg.List{other[:16]})},
		{"no units", units(xts.Units{Size: 512})(nil, sg.List{nil, {}})},
		{"last number", units(xts.Units{Size: 512, First: 1<<64 - 2})(sg.List{mem[:1024]}, sg.List{other[:1024]})},
		{"last step", units(xts.Units{Size: 512, First: 1<<63 - 1, Step: 1 << 63})(sg.List{mem[:1024]}, sg.List{other[:1024]})},
		{"2^20 blocks", list(sg.List{make([]byte, 16<<20)}, repeat(16, 0))},
	} {
		if e.err != nil {
			t.Errorf("%s: %v", e.what, e.err)
		}
	}
	if got := panicOf(func() { p := make([]byte, 16<<20+1); c.Encrypt(p, p, [16]byte{}) }); got != "xts: impossible size of a data unit: 16777217 bytes, want 16 to 16777216" {
		t.Errorf("slice over the limit: panic %q", got)
	}
	p := make([]byte, 16<<20)
	c.Encrypt(p, p, [16]byte{})
	c.Decrypt(p, p, [16]byte{})
	if bytes.Count(p, []byte{0}) != len(p) {
		t.Error("a unit of 2^20 blocks does not come back")
	}
}

// TestStreamSplits writes every unit of up to 80 bytes in two and three pieces.
func TestStreamSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	c, ref := pair(t, cryptotest.Bytes(r, 64))
	for n := 16; n <= 80; n++ {
		text := cryptotest.Bytes(r, n)
		tweak := [16]byte(cryptotest.Bytes(r, 16))
		want := ref.unit(text, tweak, false)
		for a := range n + 1 {
			for b := a; b <= n; b++ {
				var sink bytes.Buffer
				w := c.NewWriter(&sink, tweak)
				for _, p := range [][]byte{text[:a], text[a:b], text[b:]} {
					if k, err := w.Write(p); k != len(p) || err != nil {
						t.Fatalf("Write: %d, %v", k, err)
					}
				}
				if err := w.Close(); err != nil || !bytes.Equal(sink.Bytes(), want) {
					t.Fatalf("%d bytes cut at %d and %d: %v, %x, want %x", n, a, b, err, sink.Bytes(), want)
				}
			}
		}
		for name, src := range map[string]io.Reader{
			"one byte":  iotest.OneByteReader(bytes.NewReader(want)),
			"half":      iotest.HalfReader(bytes.NewReader(want)),
			"data, EOF": iotest.DataErrReader(bytes.NewReader(want)),
		} {
			got, err := io.ReadAll(c.NewReader(src, tweak))
			if err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%d bytes read by %s: %v, %x, want %x", n, name, err, got, text)
			}
		}
	}
}

// TestStreamLimits: a unit that is too short or too long is an error.
func TestStreamLimits(t *testing.T) {
	c := mustNew(t, 32)
	for n := range 16 {
		var sink bytes.Buffer
		w := c.NewWriter(&sink, [16]byte{})
		w.Write(make([]byte, n))
		for range 2 {
			if err := w.Close(); !errors.Is(err, xts.ErrUnitSize) || sink.Len() > 0 {
				t.Errorf("%d bytes: %v, %d written", n, err, sink.Len())
			}
		}
		if got, err := io.ReadAll(c.NewReader(bytes.NewReader(make([]byte, n)), [16]byte{})); !errors.Is(err, xts.ErrUnitSize) || len(got) > 0 {
			t.Errorf("%d bytes read: %d, %v", n, len(got), err)
		}
	}
	piece := make([]byte, 1<<20)
	for _, more := range []int{0, 1, 16} {
		w := c.NewWriter(io.Discard, [16]byte{})
		var err error
		for range 16 {
			_, werr := w.Write(piece)
			err = errors.Join(err, werr)
		}
		_, werr := w.Write(piece[:more])
		err = errors.Join(err, werr, w.Close())
		if over := more > 0; over != errors.Is(err, xts.ErrUnitSize) || !over && err != nil {
			t.Errorf("16 MiB and %d bytes: %v", more, err)
		}
		n, err := io.Copy(io.Discard, c.NewReader(io.LimitReader(zeros{}, 16<<20+int64(more)), [16]byte{}))
		if over := more > 0; over != errors.Is(err, xts.ErrUnitSize) || n > 16<<20 {
			t.Errorf("16 MiB and %d bytes read: %d, %v", more, n, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestInterleaved drives two streams on one key in turns, and eight goroutines
// on one key at once: no call may keep state in the cipher.
func TestInterleaved(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	c, ref := pair(t, cryptotest.Bytes(r, 64))
	text := cryptotest.Bytes(r, 1001)
	var a, b bytes.Buffer
	wa, wb := c.NewWriter(&a, [16]byte{1}), c.NewWriter(&b, [16]byte{2})
	for p := text; len(p) > 0; {
		n := min(len(p), 1+r.IntN(50))
		wa.Write(p[:n])
		wb.Write(p[:n])
		p = p[n:]
	}
	if err := errors.Join(wa.Close(), wb.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), ref.unit(text, [16]byte{1}, false)) || !bytes.Equal(b.Bytes(), ref.unit(text, [16]byte{2}, false)) {
		t.Error("two streams on one key disturb each other")
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			tweak := xts.SectorTweak(uint64(g))
			want := ref.unit(text, tweak, false)
			for range 50 {
				dst := sg.Split(make([]byte, len(text)), 100+g, 333)
				if err := c.EncryptList(dst, sg.List{text[:g], text[g:]}, tweak); err != nil || !bytes.Equal(bytes.Join(dst, nil), want) {
					t.Errorf("goroutine %d: %v, or wrong bytes", g, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNoAllocs uses stack buffers, list literals and stack tweaks.
func TestNoAllocs(t *testing.T) {
	c := mustNew(t, 64)
	cryptotest.NoAllocs(t, "slices", func() {
		var a, b [600]byte
		var tweak [16]byte
		c.Encrypt(b[:], a[:], tweak)
		c.Decrypt(b[:515], b[:515], tweak)
		c.EncryptSector(a[:], b[:], 5)
		c.DecryptSector(a[:], a[:], 5)
	})
	cryptotest.NoAllocs(t, "lists", func() {
		var a, b [600]byte
		tweak := xts.SectorTweak(3)
		err := c.EncryptList(sg.List{b[:5], b[5:]}, sg.List{a[:300], nil, a[300:]}, tweak)
		err2 := c.DecryptList(sg.List{b[:5], b[5:]}, sg.List{b[:300], b[300:]}, tweak)
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
	})
	cryptotest.NoAllocs(t, "units", func() {
		var a, b [1024]byte
		err := c.EncryptUnits(sg.List{b[:5], b[5:]}, sg.List{a[:]}, xts.Units{Size: 512})
		err2 := c.DecryptUnits(sg.List{b[:]}, sg.List{b[:]}, xts.Units{Size: 64})
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
	})
}

// TestString: no key in what a program might log.
func TestString(t *testing.T) {
	c := mustNew(t, 64)
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%v %s", c, c)} {
		if !strings.Contains(s, "AES-XTS") || len(s) > 100 {
			t.Errorf("printed as %q", s)
		}
	}
}

// TestZeroValue: a Cipher that was not made by New says so.
func TestZeroValue(t *testing.T) {
	var c xts.Cipher
	p := make([]byte, 16)
	for _, err := range []error{
		c.EncryptList(sg.List{p}, sg.List{p}, [16]byte{}),
		c.DecryptUnits(sg.List{p}, sg.List{p}, xts.Units{Size: 16}),
		c.NewWriter(io.Discard, [16]byte{}).Close(),
	} {
		if err == nil || err.Error() != "xts: Cipher was not made by New" {
			t.Errorf("got %v", err)
		}
	}
	if got := panicOf(func() { c.Encrypt(p, p, [16]byte{}) }); got != "xts: Cipher was not made by New" {
		t.Errorf("panic %q", got)
	}
}
