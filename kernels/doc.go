// Package kernels holds what is done to one contiguous run of bytes. It is not
// for applications: nothing here checks more than it must to stay inside the
// buffers, and no function authenticates, splits or pads anything. Use the
// packages xts, gcm and aegis.
//
// # Levels
//
// A [Level] is a set of instructions. A key is made for one level and carries
// it; each exported function is one switch over it. Interfaces and function
// values have no place here: they would make every buffer escape to the heap.
//
//	Generic   portable Go, constant time, the specification of all others
//	AESNI     amd64: AES-NI and PCLMULQDQ, 128-bit, legacy encoding
//	AVX       amd64: the same with three-operand VEX encoding
//	VAESAVX2  amd64: VAES and VPCLMULQDQ on 256-bit registers, no AVX-512
//	AVX512VL  amd64: the same with AVX-512's masks and 32 registers
//	AVX512    amd64: 512-bit registers
//
// [Best] is the level to use and [Levels] what this machine can run. Operators
// switch features off with GODEBUG=cpu.NAME=off, as golang.org/x/sys/cpu reads
// it: cpu.avx512f=off leaves the 256-bit levels, cpu.avx2=off the 128-bit
// ones, cpu.aes=off and cpu.all=off only Generic. Each level needs every one
// of its features, also those that this package detects by itself. The build
// tag purego leaves only Generic, and no assembly in the binary.
//
// # What every kernel keeps to
//
// dst and src are the same memory or disjoint, of any alignment. Exactly the
// bytes of src are read and as many of dst written. Time depends on lengths
// and never on keys or data. A run is cut so that no more than 64 KiB go into
// one call of assembly, because such a call cannot be preempted and the garbage
// collector waits for it.
package kernels
