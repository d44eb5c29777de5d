package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// renameNew gives a file its final name unless there is a file of that name. The
// kernel decides that, so nobody can come in between.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if err == nil {
		return nil
	}
	if !unsupported(err) {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return linkNew(from, to)
}
