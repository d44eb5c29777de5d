package walk

import "fmt"

// Geometry says what the steps of a walk are made of. All sizes are in bytes.
type Geometry struct {
	// Chunk is what every step but the last is a multiple of, a power of
	// two: 16 for XTS and GCM, the rate for AEGIS.
	Chunk int

	// Keep is what the last step brings at least before its ragged rest, if
	// it has one, and if the data are that long at all: 16 for ciphertext
	// stealing, else 0. It is a multiple of Chunk.
	Keep int

	// Gather is the length below which a run that lies contiguously on both
	// sides is not worth a step, so that neighbouring segments are gathered
	// into the bounce; 0 means [DefaultGather]. Streams have no use for it.
	Gather int

	// Limit bounds the length of a step; 0 means [DefaultLimit]. Others are
	// at least twice Keep + Chunk.
	Limit int

	// Unit divides lists into consecutive units of this many bytes, the last
	// of which may be shorter. Every unit is walked as if it were alone: no
	// step crosses its border, and the last step of each may be ragged. 0
	// means one unit. Streams are always one unit.
	Unit int
}

// The sizes in bytes that apply when a [Geometry] says nothing.
const (
	// DefaultGather is where a step in the caller's memory and a detour
	// through the bounce cost the same. AES-256-XTS at 512 bits on Zen 4
	// encrypts 64 KiB in segments of 256 bytes at 8.7 GB/s if they are steps
	// of their own, at 6.5 if they are gathered; segments of 64 bytes at 3.6
	// if they are gathered.
	DefaultGather = 256

	// DefaultLimit bounds a step to what takes a fast kernel a few
	// microseconds, for a call of assembly cannot be preempted.
	DefaultLimit = 64 << 10
)

// bounceSize is the length of the bounce buffer in bytes. In the same setting,
// with 1, 2 and 4 KiB: segments of 64 bytes at 3.47, 3.60 and 3.61 GB/s, of 100
// bytes into 256 at 4.8, 5.1 and 5.3, and one segment of 64 KiB, which pays for
// clearing the bounce only, at 14.94, 14.94 and 14.8.
const bounceSize = 2048

// complete checks g and fills in the defaults. The values are the programmer's
// choice, never data, so it panics.
func (g *Geometry) complete() {
	if g.Gather == 0 {
		g.Gather = DefaultGather
	}
	if g.Limit == 0 {
		g.Limit = max(DefaultLimit, 2*(g.Keep+g.Chunk))
	}
	switch {
	case g.Chunk < 1 || g.Chunk&(g.Chunk-1) != 0:
		panic(fmt.Sprintf("walk: chunk of %d bytes, want a power of two", g.Chunk))
	case g.Keep < 0 || g.Keep%g.Chunk != 0:
		panic(fmt.Sprintf("walk: keep of %d bytes, want a multiple of the chunk", g.Keep))
	case g.Gather < 0:
		panic(fmt.Sprintf("walk: negative gather of %d bytes", g.Gather))
	case g.Limit < 2*(g.Keep+g.Chunk):
		panic(fmt.Sprintf("walk: limit of %d bytes, want at least 2*(keep+chunk)", g.Limit))
	case g.Unit < 0:
		panic(fmt.Sprintf("walk: negative unit of %d bytes", g.Unit))
	}
}
