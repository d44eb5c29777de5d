package stream

import (
	"fmt"
	"io"
)

// Format implements [fmt.Formatter]: it prints a name, without secrets.
func (w *Writer) Format(f fmt.State, _ rune) { io.WriteString(f, "stream.Writer") }

// Format implements [fmt.Formatter]: it prints a name, without secrets.
func (r *Reader) Format(f fmt.State, _ rune) { io.WriteString(f, "stream.Reader") }

// Format implements [fmt.Formatter]: it prints a name, without secrets.
func (a *ReaderAt) Format(f fmt.State, _ rune) { io.WriteString(f, "stream.ReaderAt") }
