//go:build unix && race

package main

// buildFlags: under the race detector the program has it too.
var buildFlags = []string{"-race"}
