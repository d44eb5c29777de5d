// Command _asm writes the amd64 assembly of package kernels: one file for every
// algorithm and level, and one with all declarations.
//
// An algorithm is written once, in a file of its own, for vectors of any width
// and encoding. The level is chosen by isa.go, the only file that knows forms of
// instructions. To change a kernel, edit its algorithm and run "go generate
// ./kernels" at the root of the repository.
package main

import (
	"bytes"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// algorithms are the functions that write an algorithm at one level.
var algorithms = map[string]func(*emitter){
	"aegis": func(e *emitter) {
		consts := aegisConstants(e)
		for _, shape := range aegisShapes {
			if e.width == 16 || e.level == "AVX512VL" {
				aegisKernel(e, consts, shape, 16)
			}
			if e.width > 16 && shape.wide != "" {
				aegisKernel(e, consts, shape, e.width)
			}
		}
	},
	"gcm": func(e *emitter) {
		consts := gcmConstants(e)
		gcmHash(e, consts)
		for _, op := range []string{"seal", "open"} {
			gcmMessage(e, consts, op)
		}
	},
	"xts": func(e *emitter) {
		consts := xtsConstants(e)
		for _, dec := range []bool{false, true} {
			xtsKernel(e, consts, dec)
		}
	},
}

// config gives the generated files a fixed header, so that neither place nor
// arguments of the command show in them.
var config = printer.Config{Name: "kernels/_asm", Pkg: "kernels"}

// generate returns the generated files by name.
func generate() (map[string][]byte, error) {
	files := map[string][]byte{}
	var stubs bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(algorithms)) {
		for _, level := range levels {
			e := &emitter{Context: build.NewContext(), isa: level}
			e.ConstraintExpr("amd64,!purego")
			algorithms[name](e)
			f, err := e.Result()
			if err != nil {
				return nil, fmt.Errorf("%s at level %s: %w", name, level.level, err)
			}
			if err := pass.Compile.Execute(f); err != nil {
				return nil, fmt.Errorf("%s at level %s: %w", name, level.level, err)
			}
			asm, err := printer.NewGoAsm(config).Print(f)
			if err != nil {
				return nil, err
			}
			files[name+"_"+strings.ToLower(level.level)+"_amd64.s"] = asm
			stub, err := printer.NewStubs(config).Print(f)
			if err != nil {
				return nil, err
			}
			// One header for all.
			_, body, _ := bytes.Cut(stub, []byte("package kernels\n"))
			if stubs.Len() == 0 {
				stubs.Write(stub[:len(stub)-len(body)])
			}
			stubs.Write(body)
		}
	}
	files["stubs_amd64.go"] = stubs.Bytes()
	return files, nil
}

func main() {
	log.SetFlags(0)
	files, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join("..", name), content, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
