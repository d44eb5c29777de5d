//go:build unix && !race

package main

var buildFlags []string
