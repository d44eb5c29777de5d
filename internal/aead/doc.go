// Package aead holds what the packages of authenticated ciphers have in common
// without calling a kernel: the checks before a call, and the order of the calls
// of a message in pieces.
//
//	Rules     a package's name, errors and limits, and the checks with them
//	Progress  where a message in pieces stands
//	Extend    the output of cipher.AEAD's calls
//	Single    lists that are slices
//
// What calls kernels stays in each package. Shared code would reach them through
// function values, interfaces or type parameters, and what passes through those
// escapes to the heap.
package aead
