// Package cipherwalk is the map of a library that encrypts segmented data at
// the speed of the hardware. It has no code of its own; the rooms are these.
//
//		user -> stream, frame -> xts, gcm, aegis -> walk -> sg
//		                                   `------> kernels
//
//	  - [github.com/cipherwalk/cipherwalk/sg]: what the data looks like. A List is
//	    a slice of byte slices that stands for their concatenation.
//	  - [github.com/cipherwalk/cipherwalk/walk]: how it is walked. A Walker turns
//	    two lists into steps that respect the chunk of the cipher; Writer, Reader
//	    and Copy do the same for io streams.
//	  - [github.com/cipherwalk/cipherwalk/kernels]: what is done to one contiguous
//	    run of bytes. Not for applications.
//	  - [github.com/cipherwalk/cipherwalk/xts]: AES-XTS for disks and what looks
//	    like one: a data unit, a list, many sectors in a call, io streams.
//	  - [github.com/cipherwalk/cipherwalk/gcm]: AES-GCM for messages: a
//	    cipher.AEAD that also takes lists, and messages in pieces.
//	  - [github.com/cipherwalk/cipherwalk/aegis]: the AEGIS family, likewise, and
//	    its MAC.
//	  - [github.com/cipherwalk/cipherwalk/stream]: a file or a pipe, sealed chunk by
//	    chunk in a standard format, with random access.
//	  - [github.com/cipherwalk/cipherwalk/frame]: a connection, with many records
//	    in a write.
//
// A mode pulls steps from the walker and hands each to a kernel. Nothing is
// gathered into one buffer and nothing is allocated: a block that straddles two
// segments passes through a small buffer inside the walker, the ragged end
// through ciphertext stealing or the path for partial blocks.
//
// # Rules that hold everywhere
//
// Misuse by the programmer panics with a text that begins with the package's
// name, as in crypto/cipher. What can come from data or from outside is a
// returned error, and comes before anything is written where that is possible.
//
// Keys and ciphers are immutable and safe for concurrent use; walkers, sealers,
// writers and readers belong to one goroutine at a time; connections are used as
// a net.Conn is.
//
// Buffers that held data are wiped. No table is indexed by a secret, no branch
// depends on one.
//
// The build tag purego leaves out all assembly.
package cipherwalk
