package main

import (
	"bytes"
	"fmt"
	"io"

	"filippo.io/age"
	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/kernels"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
	"github.com/minio/sio"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/streamingaead"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// streamCall is the length of a Write or a Read of a stream in bytes, if the
// message is not shorter. The text of longer messages repeats itself, so that all
// calls have the same buffer, as in a program that copies.
const streamCall = 1 << 20

// The cases that streams are compared with: the cipher alone. In the first, text
// and ciphertext of one chunk stay in the cache, as in the works of GCM at 16 KiB.
const (
	oneChunk  = "gcm.AEAD, one chunk"
	overText  = "gcm.AEAD, over the text"
	afterCopy = "gcm.AEAD, after a copy" // which a source in memory makes
)

// streamWorks returns the works of package stream for a size of key in bits: a
// whole message, sealed to nowhere and opened from memory, with all that has to be
// set up for it. The formats of others are their own, and age has ChaCha20-Poly1305
// for a cipher; minio/sio has no 128 bits.
func streamWorks(bits int) []work {
	var suite stream.Suite
	switch bits {
	case 128:
		suite = stream.Cobblestone128
	case 256:
		suite = stream.Cobblestone256
	default:
		return nil
	}
	var works []work
	for _, seal := range []bool{true, false} {
		works = append(works, work{
			name:   fmt.Sprintf("AES-%d-GCM stream %s", bits, map[bool]string{true: "seal", false: "open"}[seal]),
			base:   oneChunk,
			rounds: aesRounds(bits),
			sizes:  []int{64 << 10, 1 << 20, 16 << 20},
			fits: func(n int) bool {
				return n > 0 && n <= 64<<20 && n%min(n, streamCall) == 0 && n%stream.ChunkSize == 0
			},
			cases: func(n int) []benchCase {
				if seal {
					return sealCases(suite, n)
				}
				return openCases(suite, n)
			},
		})
	}
	return works
}

// A format is somebody's encrypted stream.
type format struct {
	impl  string
	width int
	seal  func(w io.Writer) (io.WriteCloser, error)
	open  func(r io.Reader) (io.Reader, error)
}

// formats returns all, ours first.
func formats(suite stream.Suite) []format {
	key := text(suite.KeySize())
	ours := func(impl string, workers int) format {
		n := stream.WithConcurrency(workers)
		return format{
			impl, levelWidth(kernels.Best()),
			func(w io.Writer) (io.WriteCloser, error) { return stream.NewWriter(w, suite, key, nil, n) },
			func(r io.Reader) (io.Reader, error) { return stream.NewReader(r, suite, key, nil, n) },
		}
	}
	all := []format{ours("stream", 1), ours("stream, 2 workers", 2)}

	if suite == stream.Cobblestone256 {
		config := sio.Config{MinVersion: sio.Version20, CipherSuites: []byte{sio.AES_256_GCM}, Key: key}
		all = append(all, format{
			"minio/sio", widest(),
			func(w io.Writer) (io.WriteCloser, error) { return sio.EncryptWriter(w, config) },
			func(r io.Reader) (io.Reader, error) { return sio.DecryptReader(r, config) },
		})
	}
	id, err := age.GenerateX25519Identity()
	must(err)
	all = append(all, format{
		"age, X25519", 0, // no AES in there
		func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, id.Recipient()) },
		func(r io.Reader) (io.Reader, error) { return age.Decrypt(r, id) },
	})
	t := tinkStream(suite)
	return append(all, format{
		"tink-go, 1 MiB segments", widest(),
		func(w io.Writer) (io.WriteCloser, error) { return t.NewEncryptingWriter(w, nil) },
		func(r io.Reader) (io.Reader, error) { return t.NewDecryptingReader(r, nil) },
	})
}

// tinkStream returns Tink's streaming AES-GCM with its template of 1 MiB segments.
func tinkStream(suite stream.Suite) tink.StreamingAEAD {
	template := streamingaead.AES256GCMHKDF1MBKeyTemplate()
	if suite == stream.Cobblestone128 {
		template = streamingaead.AES128GCMHKDF1MBKeyTemplate()
	}
	handle, err := keyset.NewHandle(template)
	must(err)
	t, err := streamingaead.New(handle)
	must(err)
	return t
}

// A sealingSink discards, but keeps what it gets if it is asked to.
type sealingSink struct {
	keep   bool
	sealed bytes.Buffer
}

func (s *sealingSink) Write(p []byte) (int, error) {
	if s.keep {
		return s.sealed.Write(p)
	}
	return len(p), nil
}

// checked returns a run that seals with put. What its first iteration has sealed
// is opened with open into out, so that the results of all formats can be
// compared.
func checked(put func(w io.Writer), open func(r io.Reader) (io.Reader, error), out []byte) func(n int) {
	sink := &sealingSink{keep: true}
	return func(n int) {
		if sink.keep && n > 0 {
			put(sink)
			r, err := open(&sink.sealed)
			must(err)
			_, err = io.ReadFull(r, out)
			must(err)
			*sink = sealingSink{}
			n--
		}
		for range n {
			put(sink)
		}
	}
}

// sealCases returns the implementations of sealing a message of n bytes.
func sealCases(suite stream.Suite, n int) []benchCase {
	call := min(n, streamCall)
	plain, out := text(call), buffer(call)
	cases := aloneCases(suite, n, plain, out, true)
	add := func(f format, impl string, put func(s io.Writer) error) {
		run := checked(func(w io.Writer) {
			s, err := f.seal(w)
			must(err)
			for range n / call {
				must(put(s))
			}
			must(s.Close())
		}, f.open, out)
		cases = append(cases, benchCase{impl: impl, bytes: n, width: f.width, run: run, out: sg.List{out}})
	}
	for i, f := range formats(suite) {
		add(f, f.impl, func(s io.Writer) error {
			_, err := s.Write(plain)
			return err
		})
		if i > 0 {
			continue
		}
		for _, size := range []int{4096, 1420} {
			l := cut(plain, size)
			add(f, fmt.Sprintf("stream, WriteList of %d B", size), func(s io.Writer) error {
				_, err := s.(*stream.Writer).WriteList(l)
				return err
			})
		}
		src := bytes.NewReader(nil)
		add(f, "stream, ReadFrom", func(s io.Writer) error {
			src.Reset(plain)
			_, err := s.(*stream.Writer).ReadFrom(src)
			return err
		})
	}
	return cases
}

// openCases returns the implementations of opening a message of n bytes.
func openCases(suite stream.Suite, n int) []benchCase {
	call := min(n, streamCall)
	plain, out := text(call), buffer(call)
	cases := aloneCases(suite, n, plain, out, false)
	add := func(impl string, width int, f func()) {
		cases = append(cases, benchCase{impl: impl, bytes: n, width: width, run: times(f), out: sg.List{out}})
	}
	for i, f := range formats(suite) {
		var sealed bytes.Buffer
		s, err := f.seal(&sealed)
		must(err)
		for range n / call {
			_, err = s.Write(plain)
			must(err)
		}
		must(s.Close())
		src := bytes.NewReader(nil)
		open := func() io.Reader {
			src.Reset(sealed.Bytes())
			r, err := f.open(src)
			must(err)
			return r
		}
		add(f.impl, f.width, func() {
			r := open()
			for range n / call {
				_, err := io.ReadFull(r, out)
				must(err)
			}
			if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				panic("no end")
			}
		})
		if i > 0 {
			continue
		}
		add("stream, WriteTo", f.width, func() {
			_, err := open().(*stream.Reader).WriteTo(&ring{p: out})
			must(err)
		})
		a, err := stream.NewReaderAt(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), suite, text(suite.KeySize()), nil)
		must(err)
		add("stream, ReadAt", f.width, func() {
			for off := 0; off < n; off += call {
				_, err := a.ReadAt(out, int64(off))
				must(err)
			}
		})
	}
	return cases
}

// A ring is a sink that begins again at the beginning of its memory.
type ring struct {
	p  []byte
	at int
}

func (r *ring) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := copy(r.p[r.at:], rest)
		r.at, rest = (r.at+n)%len(r.p), rest[n:]
	}
	return len(p), nil
}

// aloneCases returns the cipher alone, for n bytes in chunks. What it computes is
// no message: out is plain after the first iteration all the same, so that there
// is something to compare.
func aloneCases(suite stream.Suite, n int, plain, out []byte, seal bool) []benchCase {
	const sealedSize = stream.ChunkSize + gcm.TagSize
	a, err := gcm.New(text(suite.KeySize()))
	must(err)
	nonce := text(gcm.NonceSize)
	count := len(plain) / stream.ChunkSize
	chunk := func(p []byte, i int) []byte { return p[i*stream.ChunkSize:][:stream.ChunkSize] }

	sealed, one, batch := buffer(n/stream.ChunkSize*sealedSize), buffer(sealedSize), buffer(8*sealedSize)
	for i := range n / stream.ChunkSize {
		a.Seal(sealed[i*sealedSize:][:0], nonce, chunk(plain, i%count), nil)
	}
	open := func(i int, p []byte) {
		_, err := a.Open(chunk(out, i%count)[:0], nonce, p, nil)
		must(err)
	}
	do := func(i int) { open(i, sealed[i*sealedSize:][:sealedSize]) }
	if seal {
		do = func(i int) { a.Seal(one[:0], nonce, chunk(plain, i%count), nil) }
	}
	var cases []benchCase
	add := func(impl string, f func()) {
		first := true
		cases = append(cases, benchCase{
			impl: impl, bytes: n, width: levelWidth(kernels.Best()), out: sg.List{out},
			run: func(n int) {
				for range n {
					f()
				}
				if first {
					copy(out, plain)
					first = false
				}
			},
		})
	}
	add(oneChunk, func() {
		for range n / stream.ChunkSize {
			do(0)
		}
	})
	add(overText, func() {
		for i := range n / stream.ChunkSize {
			do(i)
		}
	})
	if !seal {
		add(afterCopy, func() {
			for i := 0; i < n/stream.ChunkSize; i += 8 {
				p := batch[:copy(batch, sealed[i*sealedSize:])]
				for j := 0; len(p) > 0; j++ {
					open(i+j, p[:sealedSize])
					p = p[sealedSize:]
				}
			}
		})
	}
	return cases
}
