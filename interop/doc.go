// Package interop has what sets cipherwalk beside other implementations and
// must not become a dependency of the library, hence a module of its own: tests
// against the vectors of Wycheproof, and in compare a program that measures
// this library and others side by side. It exports nothing.
package interop
