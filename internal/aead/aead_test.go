package aead

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

var (
	errOrder = errors.New("pkg: order")
	errLimit = errors.New("pkg: limit")
	rules    = Rules{Package: "pkg", MaxText: 1000, MaxTextName: "a thousand", ErrOrder: errOrder, ErrLimit: errLimit}
)

func TestExtend(t *testing.T) {
	mem := []byte("abcdefgh")
	whole, tail := Extend(mem[:3:6], 3)
	if string(whole) != "abcdef" || string(tail) != "def" || &whole[0] != &mem[0] {
		t.Errorf("in the capacity: %q, %q", whole, tail)
	}
	whole, tail = Extend(mem[:3:6], 4)
	if !bytes.Equal(whole, []byte("abc\x00\x00\x00\x00")) || len(tail) != 4 || &tail[0] != &whole[3] || &whole[0] == &mem[0] {
		t.Errorf("beyond it: %q, %q", whole, tail)
	}
	if whole, tail = Extend(nil, 0); len(whole) != 0 || len(tail) != 0 {
		t.Errorf("nothing: %q, %q", whole, tail)
	}
}

// TestRules has an error of each kind, and what is just right.
func TestRules(t *testing.T) {
	mem := make([]byte, 64)
	lengths := func(text, aad sg.List) error { _, _, err := rules.Lengths(text, aad); return err }
	for _, c := range []struct {
		name string
		err  error
		want error // nil: none
		text string
	}{
		{"nonce", rules.Nonce(mem[:12], 12), nil, ""},
		{"short nonce", rules.Nonce(mem[:11], 12), errors.ErrUnsupported, "pkg: nonce of 11 bytes, want 12"},
		{"zero value", rules.Nonce(nil, 0), errors.ErrUnsupported, "pkg: AEAD was not made by New"},
		{"tag", rules.Tag(mem[:16], 16), nil, ""},
		{"long tag", rules.Tag(mem[:17], 16), errors.ErrUnsupported, "pkg: tag of 17 bytes, want 16"},
		{"text", rules.Text(400, 600), nil, ""},
		{"long text", rules.Text(400, 601), errLimit, "601 bytes of text after 400, want a thousand"},
		{"huge text", rules.Text(1000, 1<<64-1), errLimit, "want a thousand"},
		{"aad", rules.AAD(MaxAAD-5, 5), nil, ""},
		{"long aad", rules.AAD(MaxAAD-5, 6), errLimit, "6 bytes of additional data after 2305843009213693946"},
		{"lengths", lengths(sg.List{mem, mem}, sg.List{mem}), nil, ""},
		{"long list", lengths(sg.List{make([]byte, 1001)}, nil), errLimit, "1001 bytes"},
		{"apart", rules.Shared(sg.List{mem[:16]}, mem[16:32], sg.List{mem[32:]}), nil, ""},
		{"dst is data", rules.Shared(sg.List{mem[:16]}, mem[16:32], sg.List{mem[15:16]}), walk.ErrOverlap, "pkg: dst and additional data: "},
		{"tag in dst", rules.Shared(sg.List{mem[:17]}, mem[16:32], nil), walk.ErrOverlap, "pkg: tag and dst: "},
		{"tag in data", rules.Shared(nil, mem[16:32], sg.List{mem[31:]}), walk.ErrOverlap, "pkg: tag and additional data: "},
		{"slices", rules.Slices(mem, mem[:5]), nil, ""},
		{"excess of dst", rules.Slices(mem, mem[5:5]), nil, ""},
		{"short dst", rules.Slices(mem[:4], mem[10:15]), walk.ErrLength, "pkg: "},
		{"shifted", rules.Slices(mem[1:], mem[:5]), walk.ErrOverlap, "pkg: "},
	} {
		switch {
		case c.want == nil && c.err != nil, c.want != nil && c.err == nil:
			t.Errorf("%s: %v", c.name, c.err)
		case c.err == nil:
		case !strings.HasPrefix(c.err.Error(), "pkg: ") || !strings.Contains(c.err.Error(), c.text),
			c.want != errors.ErrUnsupported && !errors.Is(c.err, c.want):
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	for text, f := range map[string]func(){
		"pkg: output and input overlap inexactly": func() { rules.Overlap(mem[:8], mem[7:]) },
		"pkg: output and additional data overlap": func() { rules.Overlap(mem[:8], mem[:4]) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != text {
					t.Errorf("panic %q, want %q", got, text)
				}
			}()
			f()
		}()
	}
}

// TestProgress has every call in every phase.
func TestProgress(t *testing.T) {
	text := Begun()
	if !text.EndAAD() || text.EndAAD() {
		t.Error("additional data end twice, or never")
	}
	over := Ended()
	if over.EndAAD() || over != Ended() {
		t.Error("additional data of a message that has ended")
	}
	for _, c := range []struct {
		name           string
		p              Progress
		aad, text, end bool // allowed
	}{
		{"zero value", Progress{}, false, false, false},
		{"begun", Begun(), true, true, true},
		{"in text", text, false, true, true},
		{"ended", Ended(), false, false, false},
	} {
		for call, x := range map[string]struct {
			err  error
			want bool
		}{"aad": {c.p.MayAAD(&rules, 5), c.aad}, "text": {c.p.MayText(&rules, 5), c.text}, "end": {c.p.MayEnd(&rules), c.end}} {
			if x.want != (x.err == nil) || x.err != nil && !errors.Is(x.err, errOrder) {
				t.Errorf("%s, %s: %v", c.name, call, x.err)
			}
		}
	}
	full := Begun()
	full.AADLen, full.TextLen = MaxAAD, 1000
	if err := full.MayAAD(&rules, 1); !errors.Is(err, errLimit) {
		t.Errorf("data beyond the limit: %v", err)
	}
	if err := full.MayText(&rules, 1); !errors.Is(err, errLimit) {
		t.Errorf("text beyond the limit: %v", err)
	}
	if err := errors.Join(full.MayAAD(&rules, 0), full.MayText(&rules, 0), full.MayEnd(&rules)); err != nil {
		t.Errorf("nothing more: %v", err)
	}
}

func TestSingle(t *testing.T) {
	mem := make([]byte, 100)
	two := sg.List{mem[:3], mem[3:10]}
	for _, v := range []struct {
		name          string
		dst, src, aad sg.List
		ok            bool
	}{
		{"apart", sg.List{mem[:10]}, sg.List{mem[10:20]}, nil, true},
		{"in place", sg.List{mem[:10]}, sg.List{mem[:10]}, sg.List{mem[50:]}, true},
		{"empty", sg.List{nil}, sg.List{nil}, sg.List{nil}, true},
		{"no segment", nil, nil, nil, false},
		{"two segments to write", two, sg.List{mem[20:30]}, nil, false},
		{"two segments to read", sg.List{mem[20:30]}, two, nil, false},
		{"two segments of additional data", sg.List{mem[20:30]}, sg.List{mem[20:30]}, two, false},
		{"different lengths", sg.List{mem[:10]}, sg.List{mem[10:19]}, nil, false},
		{"inexact overlap", sg.List{mem[:10]}, sg.List{mem[1:11]}, nil, false},
	} {
		d, s, a, ok := Single(v.dst, v.src, v.aad)
		if ok != v.ok {
			t.Errorf("%s: %v, want %v", v.name, ok, v.ok)
		}
		if ok && (len(d) != v.dst.Len() || len(s) != v.src.Len() || len(a) != v.aad.Len()) {
			t.Errorf("%s: wrong slices", v.name)
		}
	}
}
