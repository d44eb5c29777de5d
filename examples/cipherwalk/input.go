package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// An input is the file or pipe that is read.
type input struct {
	*os.File
	info fs.FileInfo
	name string
	size int64 // from where it stands; -1 if that is not known
}

// openInput opens a file, or with the name - the standard input.
func openInput(path string) (*input, error) {
	in := &input{File: os.Stdin, name: path, size: -1}
	var err error
	if path == "-" {
		in.name = "standard input"
	} else if in.File, err = os.Open(path); err != nil {
		return nil, err
	}
	if in.info, err = in.Stat(); err != nil {
		in.Close()
		return nil, err
	}
	switch mode := in.info.Mode(); {
	case mode.IsDir():
		in.Close()
		return nil, fmt.Errorf("%s is a folder; try: tar c %s | cipherwalk seal - %s.tar%s", path, quoteIfNeeded(path), quoteIfNeeded(path), suffix)
	case mode.IsRegular(), mode.Type() == fs.ModeDevice: // a disk
		here, err := in.Seek(0, io.SeekCurrent)
		if err != nil {
			break
		}
		if end, err := in.Seek(0, io.SeekEnd); err == nil {
			in.size = end - here
		}
		if _, err := in.Seek(here, io.SeekStart); err != nil {
			in.Close()
			return nil, err
		}
	}
	return in, nil
}

func (in *input) regular() bool { return in.info.Mode().IsRegular() }
