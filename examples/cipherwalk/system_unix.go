//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// umask is what the user takes away from the permissions of new files. It can
// only be read by setting it. The value it then has is for files whose
// permissions nobody has thought of.
var umask = fs.FileMode(syscall.Umask(0o077))

// die ends the program by a signal that has its default action, so that a shell
// sees an interrupt as such and does not go on with the next line of a script. Its
// exit code is 128 and the number.
func die(s syscall.Signal) {
	if s != syscall.SIGPIPE { // which the Go runtime would not let end it
		syscall.Kill(os.Getpid(), s)
		time.Sleep(time.Second)
	}
	os.Exit(128 + int(s))
}

// syncFolder makes a new name in a folder last.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // a folder can be writable and not readable
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !unsupported(err) {
		return err
	}
	return nil
}
