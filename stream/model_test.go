package stream_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cipherwalk/cipherwalk/aegis"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// model is the format once more, from its specification, over crypto/cipher and
// crypto/hkdf, for messages in memory.
type model struct {
	aead   cipher.AEAD
	base   []byte
	header []byte
	first  uint64 // number of the first chunk, 0 except in raw mode
}

func newModel(suite stream.Suite, key, salt, context []byte) model {
	info := slices.Concat([]byte("c2sp.org/chunked-encryption@v1+"), []byte(suite.String()), []byte{0}, salt, context)
	n, k := nonceSizes[suite], len(key)
	out, err := hkdf.Expand(sha512.New, key, string(info), k+n+32)
	if err != nil {
		panic(err)
	}
	return model{modelAEAD(suite, out[:k]), out[k : k+n], append(bytes.Clone(salt), out[k+n:]...), 0}
}

func (m model) nonce(i uint64) []byte {
	n := bytes.Clone(m.base)
	number := binary.BigEndian.AppendUint64(make([]byte, len(n)-8), i)
	for j := range n {
		n[j] ^= number[j]
	}
	return n
}

func (m model) seal(text []byte) []byte {
	out := bytes.Clone(m.header)
	for i := m.first; ; i++ {
		n := min(len(text), 16384)
		out = m.aead.Seal(out, m.nonce(i), text[:n], nil)
		if text = text[n:]; n < 16384 {
			return out
		}
	}
}

func (m model) open(message []byte) (text []byte, err error) {
	if !bytes.HasPrefix(message, m.header) {
		return nil, errors.New("another header")
	}
	message = message[len(m.header):]
	for i := m.first; ; i++ {
		n := min(len(message), 16400)
		if text, err = m.aead.Open(text, m.nonce(i), message[:n], nil); err != nil {
			return nil, err
		}
		if message = message[n:]; n < 16400 {
			return text, nil
		}
	}
}

// nonceSizes is what the definitions of the AEADs say, in bytes.
var nonceSizes = map[stream.Suite]int{
	stream.Cobblestone128: 12,
	stream.Cobblestone256: 12,
	stream.AEGIS128L:      16,
	stream.AEGIS128X2:     16,
	stream.AEGIS128X4:     16,
	stream.AEGIS256:       32,
	stream.AEGIS256X2:     32,
	stream.AEGIS256X4:     32,
}

// modelAEAD returns the cipher of crypto/cipher, which does not have AEGIS: only
// the construction is independent there.
func modelAEAD(suite stream.Suite, key []byte) cipher.AEAD {
	if v, ok := map[stream.Suite]aegis.Variant{
		stream.AEGIS128L:  aegis.AEGIS128L,
		stream.AEGIS128X2: aegis.AEGIS128X2,
		stream.AEGIS128X4: aegis.AEGIS128X4,
		stream.AEGIS256:   aegis.AEGIS256,
		stream.AEGIS256X2: aegis.AEGIS256X2,
		stream.AEGIS256X4: aegis.AEGIS256X4,
	}[suite]; ok {
		a, err := aegis.New(v, key)
		if err != nil {
			panic(err)
		}
		return a
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	a, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return a
}

// A sealing is a way to put a text through a Writer.
type sealing struct {
	name string
	put  func(w *stream.Writer, r *rand.Rand, text []byte) error
}

var sealings = []sealing{
	{"one Write", func(w *stream.Writer, _ *rand.Rand, text []byte) error {
		_, err := w.Write(text)
		return err
	}},
	{"Writes", func(w *stream.Writer, r *rand.Rand, text []byte) error {
		for _, p := range pieces(r, text) {
			own := bytes.Clone(p)
			if n, err := w.Write(own); n != len(p) || err != nil {
				return fmt.Errorf("Write %d: %d, %v", len(p), n, err)
			}
			if !bytes.Equal(own, p) {
				return errors.New("Write changed its argument")
			}
			clear(own) // must not be kept
		}
		return nil
	}},
	{"WriteList", func(w *stream.Writer, r *rand.Rand, text []byte) error {
		own := bytes.Clone(text)
		l := pieces(r, own)
		cut := r.IntN(len(l)/3 + 1)
		for _, l := range []sg.List{l[:cut], l[cut:]} {
			if n, err := w.WriteList(l); n != int64(l.Len()) || err != nil {
				return fmt.Errorf("WriteList %d: %d, %v", l.Len(), n, err)
			}
		}
		if !bytes.Equal(own, text) {
			return errors.New("WriteList changed its argument")
		}
		clear(own)
		return nil
	}},
	{"ReadFrom", func(w *stream.Writer, r *rand.Rand, text []byte) error {
		for _, p := range []sg.List{pieces(r, text)} {
			for _, s := range p {
				n, err := w.ReadFrom(struct{ io.Reader }{bytes.NewReader(s)})
				if n != int64(len(s)) || err != nil {
					return fmt.Errorf("ReadFrom %d: %d, %v", len(s), n, err)
				}
			}
		}
		return nil
	}},
	{"io.Copy", func(w *stream.Writer, _ *rand.Rand, text []byte) error {
		_, err := io.Copy(w, &ragged{p: text})
		return err
	}},
}

// ragged is a source that brings very different amounts.
type ragged struct {
	p []byte
	n int
}

func (r *ragged) Read(p []byte) (int, error) {
	if len(r.p) == 0 {
		return 0, io.EOF
	}
	r.n = (r.n*5 + 1) % 50023
	n := copy(p[:min(len(p), r.n+1)], r.p)
	r.p = r.p[n:]
	return n, nil
}

// pieces divides p, into segments about as long as a chunk, or much shorter, or
// one that is much longer.
func pieces(r *rand.Rand, p []byte) sg.List {
	l := sg.List{nil}
	for len(p) > 0 {
		most := []int{300, 5000, 20000, 100000}[r.IntN(4)]
		if most == 300 && len(l) > 300 {
			continue
		}
		n := min(len(p), 1+r.IntN(most))
		if r.IntN(8) == 0 {
			n = min(len(p), stream.ChunkSize*(1+r.IntN(2)))
		}
		l = append(l, p[:n:n])
		p = p[n:]
	}
	return append(l, []byte{})
}

// sizes are those around every border, and with as many chunks as a batch has.
var sizes = []int{
	0, 1, 15, 16, 17, 1000, 16368, 16383, 16384, 16385, 16400, 32767, 32768, 32769, 3 * 16384, 3*16384 + 1,
	8*16384 - 1, 8 * 16384, 8*16384 + 1, 16*16384 + 5, 17 * 16384, 40*16384 + 77,
	150*16384 + 99, // a line, also in Write
}

// sizesFor returns all of them, or fewer for the suites that differ in the cipher
// alone.
func sizesFor(t *testing.T, suite stream.Suite) []int {
	if suite > stream.Cobblestone256 {
		return []int{0, 1, 16384, 16383, 16385, 8*16384 + 1}[:byPace(t, 6, 5, 3)]
	}
	return sizes[:byPace(t, len(sizes), len(sizes)-5, 13)]
}

func keyOf(suite stream.Suite, s byte) []byte { return cryptotest.Pattern(0, suite.KeySize(), s) }

func TestModelOpensOurs(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	context := []byte("test\x00context")
	for _, suite := range stream.Suites() {
		key := keyOf(suite, 1)
		for _, size := range sizesFor(t, suite) {
			text := cryptotest.Bytes(r, size)
			for _, s := range sealings {
				for _, workers := range []int{1, 2, 3} {
					var sealed bytes.Buffer
					w, err := stream.NewWriter(&sealed, suite, key, context, stream.WithConcurrency(workers))
					if err == nil {
						err = errors.Join(s.put(w, r, text), w.Close())
					}
					if err != nil {
						t.Fatalf("%v, %d bytes, %s, %d workers: %v", suite, size, s.name, workers, err)
					}
					if n, err := stream.EncryptedSize(int64(size)); n != int64(sealed.Len()) || err != nil {
						t.Fatalf("%v, %d bytes, %s: %d sealed, want %d, %v", suite, size, s.name, sealed.Len(), n, err)
					}
					m := newModel(suite, key, sealed.Bytes()[:24], context)
					if want := m.seal(text); !bytes.Equal(sealed.Bytes(), want) {
						t.Fatalf("%v, %d bytes, %s, %d workers: not what the model seals", suite, size, s.name, workers)
					}
					if got, err := m.open(sealed.Bytes()); err != nil || !bytes.Equal(got, text) {
						t.Fatalf("%v, %d bytes, %s, %d workers: the model opens %d bytes, %v", suite, size, s.name, workers, len(got), err)
					}
				}
			}
		}
	}
}

// An opening is a way to get a text out of a message.
type opening struct {
	name string
	get  func(r *stream.Reader) ([]byte, error)
}

var openings = []opening{
	{"io.ReadAll", func(r *stream.Reader) ([]byte, error) { return io.ReadAll(r) }},
	{"WriteTo", func(r *stream.Reader) ([]byte, error) {
		var b bytes.Buffer
		n, err := r.WriteTo(&b)
		if n != int64(b.Len()) {
			err = fmt.Errorf("WriteTo says %d, wrote %d (%w)", n, b.Len(), err)
		}
		return b.Bytes(), err
	}},
	{"Reads of 1000", reads(1000)},
	{"Reads of 16383", reads(16383)},
	{"Reads of 16384", reads(16384)},
	{"Reads of 16385", reads(16385)},
	{"Reads of 1 MiB", reads(1 << 20)},
	{"a Read, then WriteTo", func(r *stream.Reader) ([]byte, error) {
		p := make([]byte, 7)
		n, err := r.Read(p)
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return p[:n], err
		}
		b := bytes.NewBuffer(p[:n])
		_, err = r.WriteTo(b)
		return b.Bytes(), err
	}},
}

// reads returns what a loop of Reads of that size gets.
func reads(size int) func(r *stream.Reader) ([]byte, error) {
	return func(r *stream.Reader) ([]byte, error) {
		var all []byte
		p := make([]byte, size)
		for {
			n, err := r.Read(p)
			all = append(all, p[:n]...)
			if n == 0 && err == nil {
				return all, errors.New("Read returned nothing")
			}
			if err == io.EOF {
				return all, nil
			}
			if err != nil {
				return all, err
			}
		}
	}
}

// TestOursOpensModel. B91 and B92: no text twice, and an end even where there is
// none.
func TestOursOpensModel(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	context := []byte("of a model")
	for _, suite := range stream.Suites() {
		key := keyOf(suite, 2)
		for _, size := range sizesFor(t, suite) {
			text := cryptotest.Bytes(r, size)
			sealed := newModel(suite, key, cryptotest.Bytes(r, 24), context).seal(text)
			for _, o := range openings {
				for _, workers := range []int{1, 2, 3} {
					for name, src := range map[string]io.Reader{
						"bytes.Reader": bytes.NewReader(sealed),
						"ragged":       &ragged{p: sealed},
					} {
						rd, err := stream.NewReader(src, suite, key, context, stream.WithConcurrency(workers))
						if err != nil {
							t.Fatal(err)
						}
						if got, err := o.get(rd); err != nil || !bytes.Equal(got, text) {
							t.Fatalf("%v, %d bytes from %s, %s, %d workers: got %d, %v", suite, size, name, o.name, workers, len(got), err)
						}
						for range 2 {
							if n, err := rd.Read(make([]byte, 9)); n != 0 || err != io.EOF {
								t.Fatalf("Read behind the end: %d, %v", n, err)
							}
						}
						if n, err := rd.WriteTo(io.Discard); n != 0 || err != nil {
							t.Fatalf("WriteTo behind the end: %d, %v", n, err)
						}
					}
				}
			}
			a, err := stream.NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), suite, key, context)
			if err != nil || a.Size() != int64(size) {
				t.Fatalf("%v, %d bytes: ReaderAt of %v, %v", suite, size, a, err)
			}
			got := make([]byte, size)
			if n, err := a.ReadAt(got, 0); n != size || err != nil && err != io.EOF || !bytes.Equal(got, text) {
				t.Fatalf("%v, %d bytes: ReadAt %d, %v", suite, size, n, err)
			}
		}
	}
}

// TestRaw: chunks without a header are those behind the header.
func TestRaw(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 3))
	for _, suite := range stream.Suites() {
		key, base := cryptotest.Bytes(r, suite.KeySize()), cryptotest.Bytes(r, nonceSizes[suite])
		if suite.NonceSize() != len(base) {
			t.Errorf("%v: nonces of %d bytes, want %d", suite, suite.NonceSize(), len(base))
		}
		const first = 250 // so that the counter comes to take two bytes
		m := model{modelAEAD(suite, key), base, nil, first}
		text := cryptotest.Bytes(r, 10*16384+5)
		var sealed bytes.Buffer
		w, err := stream.NewRawWriter(&sealed, suite, key, base)
		if err != nil {
			t.Fatal(err)
		}
		w.SetNext(first)
		_, err = w.Write(text)
		if err := errors.Join(err, w.Close()); err != nil || !bytes.Equal(sealed.Bytes(), m.seal(text)) {
			t.Fatalf("%v: not what the model seals, %v", suite, err)
		}
		rd, err := stream.NewRawReader(&sealed, suite, key, base)
		if err != nil {
			t.Fatal(err)
		}
		rd.SetNext(first)
		if got, err := io.ReadAll(rd); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%v: %d bytes, %v", suite, len(got), err)
		}
	}
}
