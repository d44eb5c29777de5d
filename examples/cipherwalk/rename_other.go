//go:build !linux

package main

// renameNew gives a file its final name unless there is a file of that name.
func renameNew(from, to string) error { return linkNew(from, to) }
