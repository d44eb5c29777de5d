// Package cryptotest is the harness that the tests of every mode and kernel of
// this module share. It finds what the race detector and the bounds checks of
// Go cannot see in assembly: bytes read or written beyond a buffer.
//
// Kernels, which take one contiguous run:
//
//	Guard     buffers flush against pages that fault when touched
//	Levels    a subtest for each level that this machine can run
//	NoAllocs  proof that a call does not allocate
//
// Constructors:
//
//	EnforceFIPS  what they say while only validated modules are allowed
//
// Modes, which take lists:
//
//	Config    how text and additional data are divided and where they lie:
//	          drawn at random, decoded from a fuzzer's bytes, or one of the
//	          Standard ones; it prints as one line, which ParseConfig reads
//	Layout    a Config with memory: lists to hand to the mode under test, and
//	          Check, which says what the call should have left there
//	Arena     the memory of a Layout: canaries around every segment
//
// Data:
//
//	Bytes     random contents, in the distribution that finds bugs
//	Pattern   the fill of the generated vectors
//	Corpus    vectors that this package carries
//	Shared    vectors that may be read but not carried
//	Hex       their byte strings
//	AEGISSeal the AEGIS family a second time, slow, from the text of its
//	          specification; also AEGISOpen and AEGISMAC
//
// A differential test has this shape:
//
//	for range 1000 {
//		c := cryptotest.Random(r, 2048)
//		contents := c.Rand()
//		text := cryptotest.Bytes(contents, c.TextLen())
//		aad := cryptotest.Bytes(contents, c.AADLen())
//		want := ... // from the reference
//		l := c.Build(t, text, aad)
//		tag := l.Arena.Put("tag", make([]byte, 16), 3)
//		... // l.Dst, l.Src, l.AAD and tag to the mode under test
//		if err := l.Check(want, tag); err != nil {
//			t.Fatal(err) // names the byte, the segment and the Config
//		}
//	}
//
// The harness imports the package kernels for its levels, so tests of kernels
// that use it are in package kernels_test.
package cryptotest
