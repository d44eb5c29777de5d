package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// linkNew renames by way of a second name, which no system lets replace
// anything. A program that is killed in between leaves both: the file under its
// final name is whole.
func linkNew(from, to string) error {
	switch err := os.Link(from, to); {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	default:
		return fmt.Errorf("%s: this file system cannot name a file without perhaps replacing another; -f allows that: %w", to, err)
	}
}

// unsupported reports whether a system call failed because the system or the
// file system does not have it.
func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}
