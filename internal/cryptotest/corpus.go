package cryptotest

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/cipherwalk/cipherwalk"

//go:embed testdata/*.json
var testdata embed.FS

// Corpus decodes a file of vectors that this package carries, such as
// "luks-vectors.json", into v.
func Corpus(tb testing.TB, name string, v any) {
	tb.Helper()
	data, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	decode(tb, name, data, v)
}

// Shared decodes a file of vectors that is not part of the repository into v:
// ../shared/vectors/name, seen from the root of the repository, such as
// "published/xts-vectors.json". Where there is no such file it skips the test,
// or fails it if the environment has CIPHERWALK_REQUIRE_SHARED.
func Shared(tb testing.TB, name string, v any) {
	tb.Helper()
	data, err := readShared(name)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CIPHERWALK_REQUIRE_SHARED") == "" {
		tb.Skipf("shared vectors are not on this machine: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	decode(tb, name, data, v)
}

func readShared(name string) ([]byte, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root, err := findRoot(dir)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(root, "..", "shared", "vectors", filepath.FromSlash(name)))
}

// findRoot returns the folder at or above dir that holds this module. Nested
// modules are passed by.
func findRoot(dir string) (string, error) {
	for at := dir; ; {
		data, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for line := range strings.Lines(string(data)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "module" && f[1] == module {
				return at, nil
			}
		}
		above := filepath.Dir(at)
		if above == at {
			return "", fmt.Errorf("root of module %s above %s: %w", module, dir, fs.ErrNotExist)
		}
		at = above
	}
}

func decode(tb testing.TB, name string, data []byte, v any) {
	tb.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
}

// Hex is a string of bytes that JSON has in hexadecimal. As with other types,
// null leaves it as it is.
type Hex []byte

// UnmarshalJSON implements [json.Unmarshaler].
func (h *Hex) UnmarshalJSON(data []byte) error {
	var s *string
	if err := json.Unmarshal(data, &s); err != nil || s == nil {
		return err
	}
	p, err := hex.DecodeString(*s)
	if err != nil {
		return fmt.Errorf("cryptotest: %q: %w", *s, err)
	}
	*h = p
	return nil
}
