//go:build !amd64 || purego

package main

const ceilingRegisters = 12

// ceilings returns nothing: there are no loops for this architecture.
func ceilings() map[int]func(n int) { return nil }
