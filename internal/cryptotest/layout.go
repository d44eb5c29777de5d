package cryptotest

import (
	"errors"
	"fmt"
	"testing"
	"unsafe"

	"github.com/cipherwalk/cipherwalk/sg"
)

// spare is the room that Build leaves in the arena for the test's own buffers.
const spare = 2048

// A Layout is a [Config] with memory, ready for one operation.
type Layout struct {
	Config        Config
	Dst, Src, AAD sg.List
	Arena         *Arena

	headers []sg.List // copies of Dst, Src and AAD
}

// Build places text and aad in an [Arena] as c says, and takes the snapshot.
// Out of place, Dst is filled with canaries. A tag and other small buffers can
// still be added with [Arena.Put]: 2048 bytes with their canaries. It fails the
// test if c is not valid or for other lengths than those of text and aad.
func (c Config) Build(tb testing.TB, text, aad []byte) *Layout {
	tb.Helper()
	if err := c.Validate(); err != nil {
		tb.Fatalf("%v\nconfig: %v", err, c)
	}
	if len(text) != c.TextLen() || len(aad) != c.AADLen() {
		tb.Fatalf("cryptotest: %d bytes of text and %d of additional data for the config %v",
			len(text), len(aad), c)
	}
	room := spare
	for _, d := range c.divisions() {
		for _, s := range *d.Division {
			room += Footprint(s.bytes())
		}
	}
	l := &Layout{Config: c, Arena: NewArena(room)}
	switch c.Mode {
	case OutOfPlace:
		l.Src = l.Arena.divide("src", c.Src)
		l.Dst = l.Arena.divide("dst", c.Dst)
	case InPlace:
		l.Src = l.Arena.divide("text", c.Src)
		l.Dst = l.Src
	case InPlaceResplit:
		regions := l.Arena.divide("region", c.Regions)
		l.Src = l.Arena.cut(regions, c.Src)
		l.Dst = l.Arena.cut(regions, c.Dst)
	}
	l.AAD = l.Arena.divide("aad", c.AAD)
	l.Src.CopyFrom(text)
	l.AAD.CopyFrom(aad)
	l.Arena.Snapshot()
	for _, list := range l.lists() {
		l.headers = append(l.headers, append(sg.List(nil), list...))
	}
	return l
}

// divide places segments, each by itself.
func (a *Arena) divide(name string, d Division) sg.List {
	var l sg.List
	for i, s := range d {
		if s.Size == Nil {
			l = append(l, nil)
		} else {
			l = append(l, a.Place(fmt.Sprintf("%s[%d]", name, i), s.Size, s.Align))
		}
	}
	return l
}

// cut returns segments that divide the regions.
func (a *Arena) cut(regions sg.List, d Division) sg.List {
	var l sg.List
	used := 0 // bytes of regions[0]
	for _, s := range d {
		for s.Size > 0 && used == len(regions[0]) {
			regions, used = regions[1:], 0
		}
		if s.Size == Nil {
			l = append(l, nil)
			continue
		}
		off, _ := a.offset(regions[0])
		l = append(l, window(a.mem, off+used, s.Size))
		used += s.Size
	}
	return l
}

func (l *Layout) lists() []sg.List { return []sg.List{l.Dst, l.Src, l.AAD} }

// Check returns an error unless Dst holds wantDst and nothing else in the arena
// has changed: no canary, no byte of AAD nor, out of place, of Src. The buffers
// of written, such as a tag, may have changed as well; they must lie in the
// arena, and their contents are the test's business. The lists themselves must
// be as they were.
func (l *Layout) Check(wantDst []byte, written ...[]byte) error {
	allowed := append(append(sg.List(nil), l.headers[0]...), written...)
	return l.report(l.checkHeaders(), l.Arena.Check(allowed), compare(l.headers[0], wantDst))
}

// CheckUntouched returns an error if anything in the arena or the lists has
// changed.
func (l *Layout) CheckUntouched() error {
	return l.report(l.checkHeaders(), l.Arena.Check(nil))
}

// report joins errors and adds the configuration.
func (l *Layout) report(errs ...error) error {
	err := errors.Join(errs...)
	if err != nil {
		err = fmt.Errorf("%w\nconfig: %v", err, l.Config)
	}
	return err
}

// checkHeaders returns an error if a list has other segments than Build gave it.
func (l *Layout) checkHeaders() error {
	for k, list := range l.lists() {
		name, was := []string{"dst", "src", "aad"}[k], l.headers[k]
		if len(list) != len(was) {
			return fmt.Errorf("list %s has %d segments, was %d", name, len(list), len(was))
		}
		for i, s := range list {
			if unsafe.SliceData(s) != unsafe.SliceData(was[i]) || len(s) != len(was[i]) || cap(s) != cap(was[i]) {
				return fmt.Errorf("list %s: segment %d is another slice", name, i)
			}
		}
	}
	return nil
}

// compare returns an error unless dst holds want.
func compare(dst sg.List, want []byte) error {
	if dst.Len() != len(want) {
		return fmt.Errorf("dst has %d bytes, want %d", dst.Len(), len(want))
	}
	done := 0
	for i, s := range dst {
		for j, got := range s {
			if got != want[done+j] {
				return fmt.Errorf("byte %d, which is dst[%d][%d] of %d, is %02x, want %02x",
					done+j, i, j, len(s), got, want[done+j])
			}
		}
		done += len(s)
	}
	return nil
}
