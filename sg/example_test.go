package sg_test

import (
	"fmt"
	"os"

	"github.com/cipherwalk/cipherwalk/sg"
)

func ExampleList() {
	l := sg.List{[]byte("seg"), nil, []byte("mented")}
	fmt.Println(l.Len())
	view := sg.AppendSlice(nil, l, 2, 5)
	fmt.Printf("%s\n", [][]byte(view))
	// Output:
	// 9
	// [g ment]
}

func ExampleCursor() {
	c := sg.List{[]byte("to be "), []byte("read in runs\n")}.Cursor()
	c.Skip(3)
	for run := c.Next(4); run != nil; run = c.Next(4) {
		os.Stdout.Write(run)
	}
	// Output: be read in runs
}
