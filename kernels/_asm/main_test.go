package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated compares the files of package kernels with what this program
// writes. They lie outside this module, so the go command does not notice their
// changes: run it with -count=1.
func TestGenerated(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes: run go generate ./kernels", name)
		}
	}
	// No file of a level or algorithm that is gone.
	old, err := filepath.Glob(filepath.Join("..", "*_*_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range old {
		if _, known := files[filepath.Base(path)]; !known {
			t.Errorf("%s is written by no generator", filepath.Base(path))
		}
	}
}

// TestComments: who knows AES but not AVX-512 must be able to learn the
// algorithm from the generator alone.
func TestComments(t *testing.T) {
	for _, name := range []string{"isa.go", "aes.go", "xts.go", "gcm.go", "aegis.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines, comments := 0, 0
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" {
				lines++
			}
			if strings.Contains(line, "//") {
				comments++
			}
		}
		if share := 100 * comments / lines; share < 25 || share > 40 {
			t.Errorf("%s: %d %% of the lines have comments, want 25 to 40", name, share)
		}
	}
}
