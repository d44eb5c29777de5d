package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoundTrip runs the program on files of awkward sizes.
func TestRoundTrip(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 513, 100_003} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, sector := range []int{16, 512, 520, 4096} {
			var out strings.Builder
			if err := run(&out, path, sector, 1420); err != nil {
				t.Errorf("%d bytes, sectors of %d: %v", size, sector, err)
			}
			if !strings.Contains(out.String(), "compared   equal") {
				t.Errorf("report lacks the verdict:\n%s", out.String())
			}
		}
	}
}

func TestMissingFile(t *testing.T) {
	if err := run(&strings.Builder{}, filepath.Join(t.TempDir(), "none"), 512, 1420); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}
