package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A target is where an output is to go.
type target struct {
	path    string // empty: standard output
	replace bool   // a file that is there
	mode    fs.FileMode
}

// planOutput checks what can be known before the work is done, and before
// anybody types a passphrase. What it finds may have changed at the end, so it is
// not relied upon there.
//
// The permissions will be those of the input as far as the umask leaves them,
// and not more than those of a file that is replaced.
func planOutput(path string, in *input, replace bool) (target, error) {
	if path == "-" {
		if out, err := os.Stdout.Stat(); err == nil && in.regular() && os.SameFile(in.info, out) {
			return target{}, errors.New("the standard output is the input file")
		}
		return target{}, nil
	}
	t := target{path: path, replace: replace, mode: 0o666}
	if in.regular() {
		t.mode = in.info.Mode().Perm()
	}
	t.mode &^= umask
	if _, err := os.Lstat(path); err != nil { // none, or the error comes again
		return t, nil
	}
	if !replace {
		return target{}, fmt.Errorf("%s exists; -f would replace it", path)
	}
	old, err := os.Stat(path)
	switch {
	case err != nil:
		return target{}, err
	case !old.Mode().IsRegular():
		return target{}, fmt.Errorf("%s is no regular file; to write into it, name - as the output and redirect it", path)
	case os.SameFile(in.info, old):
		return target{}, fmt.Errorf("%s is the input file", path)
	}
	t.mode &= old.Mode().Perm()
	t.path, err = filepath.EvalSymlinks(path) // a link stays, as with the shell's >
	return t, err
}

// An output is a file that does not have its name yet, or the standard output.
type output struct {
	target
	f         *os.File
	temporary string // its name until commit; empty for the standard output
}

// create makes the temporary file, in the folder of the final one since a rename
// cannot leave a file system. Only its owner can read it while it is written.
func (t target) create() (*output, error) {
	if t.path == "" {
		return &output{f: os.Stdout}, nil
	}
	o := &output{target: t}
	var random [8]byte
	rand.Read(random[:])
	o.temporary = filepath.Join(filepath.Dir(t.path), ".cipherwalk-"+hex.EncodeToString(random[:])+".tmp")
	err := uninterrupted(func() (err error) {
		o.f, err = os.OpenFile(o.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			undo[o] = o.remove
		}
		return err
	})
	if err != nil {
		return nil, o.named(err)
	}
	return o, nil
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	return n, o.named(err)
}

// commit brings the file to the disk, and then under its name. That is one step
// for all who look at the folder, even after a crash.
func (o *output) commit() error {
	if o.temporary == "" {
		return nil
	}
	if err := o.f.Chmod(o.mode); err != nil && !unsupported(err) && !errors.Is(err, fs.ErrPermission) {
		return o.named(err) // but some file systems know no permissions
	}
	if err := o.f.Sync(); err != nil {
		return o.named(err)
	}
	if err := o.f.Close(); err != nil {
		return o.named(err)
	}
	err := uninterrupted(func() error {
		rename := renameNew
		if o.replace {
			rename = os.Rename
		}
		if err := rename(o.temporary, o.path); err != nil {
			return o.named(err)
		}
		o.temporary = ""
		delete(undo, o)
		return nil
	})
	if err != nil {
		return err
	}
	if err := syncFolder(filepath.Dir(o.path)); err != nil {
		return fmt.Errorf("%s is complete, but perhaps not on the disk yet: %w", o.path, err)
	}
	return nil
}

// discard removes what has not been committed. After commit it does nothing.
func (o *output) discard() {
	if o.temporary == "" {
		return
	}
	uninterrupted(func() error {
		o.remove()
		delete(undo, o)
		return nil
	})
}

func (o *output) remove() {
	o.f.Close() // some systems do not remove open files
	os.Remove(o.temporary)
}

// named gives the errors of the temporary file the name that the user knows.
func (o *output) named(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case o.path == "":
		return err
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists by now", o.path)
	case errors.As(err, &path):
		return fmt.Errorf("%s: %w", o.path, path.Err)
	case errors.As(err, &link):
		return fmt.Errorf("%s: %w", o.path, link.Err)
	}
	return err
}
