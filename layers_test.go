package cipherwalk_test

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cipherwalk/cipherwalk"

// layers says what each package may import from this module. Data goes down
// only: a package knows those below it and none beside it.
var layers = map[string][]string{
	".":                   {},
	"sg":                  {},
	"kernels":             {},
	"internal/alias":      {"sg"},
	"internal/bufpool":    {},
	"walk":                {"sg", "internal/alias", "internal/bufpool"},
	"internal/aead":       {"sg", "walk", "internal/alias"},
	"xts":                 {"sg", "walk", "kernels", "internal/alias"},
	"gcm":                 {"sg", "walk", "kernels", "internal/alias", "internal/aead"},
	"aegis":               {"sg", "walk", "kernels", "internal/alias", "internal/aead"},
	"stream":              {"sg", "walk", "gcm", "aegis", "internal/bufpool"},
	"frame":               {"sg", "walk", "gcm", "aegis", "internal/bufpool"},
	"internal/cryptotest": {"sg", "kernels"}, // for tests only
}

// external says what each package may import from other modules.
var external = map[string][]string{
	"kernels":          {"golang.org/x/sys/cpu"},
	"internal/bufpool": {"github.com/valyala/bytebufferpool"},
}

// TestLayers reads the imports of every package, on every architecture that
// has files of its own, and compares them with the table.
func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); dir != "." && (name[0] == '.' || name[0] == '_' || name == "testdata") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != "." {
			return fs.SkipDir // a module of its own
		}
		for _, arch := range []string{"amd64", "arm64", "386"} {
			ctx := build.Default
			ctx.GOARCH = arch
			p, err := ctx.ImportDir(dir, 0)
			if _, none := err.(*build.NoGoError); none {
				continue
			} else if err != nil {
				return err
			}
			seen[filepath.ToSlash(dir)] = true
			check(t, filepath.ToSlash(dir), p.Imports)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range layers {
		if !seen[dir] {
			t.Errorf("the table lists %s, which does not exist", dir)
		}
	}
}

func check(t *testing.T, dir string, imports []string) {
	allowed, listed := layers[dir]
	if strings.HasPrefix(dir, "examples/") {
		return // a user like any other
	}
	if !listed {
		t.Errorf("%s is missing in the table", dir)
	}
	for _, i := range imports {
		switch rest, own := strings.CutPrefix(i, module+"/"); {
		case own && rest == "internal/cryptotest":
			t.Errorf("%s imports the test harness outside its tests", dir)
		case own && !slices.Contains(allowed, rest):
			t.Errorf("%s may not import %s", dir, rest)
		case !own && strings.Contains(strings.Split(i, "/")[0], ".") && !slices.Contains(external[dir], i):
			t.Errorf("%s may not import %s", dir, path.Clean(i))
		}
	}
}
