package walk_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/walk"
)

// A toy that can only work on whole groups of four bytes, over pieces that do
// not line up with them.
func ExampleWalker() {
	src := sg.List{[]byte("se"), []byte("gment"), nil, []byte("ed data")}
	dst := sg.List{make([]byte, 9), make([]byte, 5)}
	w, err := walk.New(dst, src, walk.Geometry{Chunk: 4, Gather: 1})
	if err != nil {
		log.Fatal(err)
	}
	for d, s, ok := w.Next(); ok; d, s, ok = w.Next() {
		copy(d, bytes.ToUpper(s))
	}
	fmt.Printf("%s\n", bytes.Join(dst, nil))
	// Output: SEGMENTED DATA
}

func ExampleCopy() {
	shout := func(dst, src []byte, last bool) ([]byte, error) {
		dst = append(dst, bytes.ToUpper(src)...)
		if last {
			dst = append(dst, '!', '\n')
		}
		return dst, nil
	}
	if _, err := walk.Copy(os.Stdout, strings.NewReader("a stream"), walk.Geometry{Chunk: 4}, shout); err != nil {
		log.Fatal(err)
	}
	// Output: A STREAM!
}
