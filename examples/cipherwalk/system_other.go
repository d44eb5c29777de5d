//go:build !unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// umask: there is none.
const umask fs.FileMode = 0

// die ends the program because of a signal.
func die(s syscall.Signal) { os.Exit(128 + int(s)) }

// syncFolder does nothing where folders cannot be synced.
func syncFolder(string) error { return nil }
