package interop

import (
	"bytes"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// chunkedVector is a message of Wycheproof, as its doc/c2sp_chunked_encryption.md
// explains it.
type chunkedVector struct {
	TcID               int
	Key, Ctx, Ct       hexBytes
	AEADKey, BaseNonce hexBytes // none with HeaderFailure
	MsgLength          int
	MsgSHA512          hexBytes
	Result             string
	Flags              []string
}

func (v chunkedVector) flag(name string) bool { return slices.Contains(v.Flags, name) }

// isMessage says whether text is the plaintext, or of an invalid vector the
// longest prefix that is authentic.
func (v chunkedVector) isMessage(text []byte) bool {
	sum := sha512.Sum512(text)
	return len(text) == v.MsgLength && (bytes.Equal(sum[:], v.MsgSHA512) || v.MsgLength == 0)
}

func TestChunkedWycheproof(t *testing.T) {
	seen, flags := 0, map[string]int{}
	for name, suite := range map[string]stream.Suite{
		"c2sp_chunked_encryption_aes_128_gcm_test.json": stream.Cobblestone128,
		"c2sp_chunked_encryption_aes_256_gcm_test.json": stream.Cobblestone256,
	} {
		var file struct {
			TestGroups []struct {
				AEAD, SHA string
				Tests     []chunkedVector
			}
		}
		readVectors(t, name, &file)
		for _, g := range file.TestGroups {
			if g.AEAD != suite.String() || g.SHA != "SHA-512" {
				t.Errorf("%s: a group of %s and %s", name, g.AEAD, g.SHA)
			}
			for _, v := range g.Tests {
				seen++
				for _, f := range v.Flags {
					flags[f]++
				}
				z, err := zlib.NewReader(bytes.NewReader(v.Ct))
				if err != nil {
					t.Fatal(err)
				}
				sealed, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				if v.flag("InvalidKeySize") {
					checkKeySize(t, suite, v)
					continue
				}
				checkChunkedReader(t, suite, v, sealed)
				checkChunkedReaderAt(t, suite, v, sealed)
				if v.Result == "valid" {
					checkChunkedWriter(t, suite, v, sealed)
				}
				if !v.flag("HeaderFailure") {
					checkChunkedRaw(t, v, sealed)
				}
			}
		}
	}
	if seen != 70 {
		t.Errorf("%d vectors, want 70", seen)
	}
	for _, f := range []string{
		"ChunkReordering", "CounterRollover", "HeaderFailure", "InvalidKeySize", "ModifiedCiphertext", "PartialPlaintext",
		"TrailingData", "Truncation", "ValidFinalChunk", "WrongContext", "WrongKey",
	} {
		if flags[f] == 0 {
			t.Errorf("no vector has the flag %s", f)
		}
	}
}

// checkKeySize: a key of the wrong length is refused when it is provided.
func checkKeySize(t *testing.T, suite stream.Suite, v chunkedVector) {
	_, w := stream.NewWriter(io.Discard, suite, v.Key, v.Ctx)
	_, r := stream.NewReader(bytes.NewReader(nil), suite, v.Key, v.Ctx)
	_, a := stream.NewReaderAt(bytes.NewReader(nil), 100, suite, v.Key, v.Ctx)
	for _, err := range []error{w, r, a} {
		if err == nil {
			t.Errorf("%v vector %d: a key of %d bytes is taken", suite, v.TcID, len(v.Key))
		}
	}
}

// checkChunkedReader reads a vector in pieces of several sizes. Nothing beyond the
// authentic prefix may come out, and after an error nothing but that error.
func checkChunkedReader(t *testing.T, suite stream.Suite, v chunkedVector, sealed []byte) {
	for _, size := range []int{1000, 16384, 1 << 20} {
		for _, workers := range []int{1, 2} {
			r, err := stream.NewReader(bytes.NewReader(sealed), suite, v.Key, v.Ctx, stream.WithConcurrency(workers))
			if err != nil {
				t.Fatal(err)
			}
			var text []byte
			p := make([]byte, size)
			for err == nil {
				var n int
				n, err = r.Read(p)
				text = append(text, p[:n]...)
			}
			valid := v.Result == "valid"
			if valid != (err == io.EOF) || !v.isMessage(text) {
				t.Errorf("%v vector %d: %d bytes, %v", suite, v.TcID, len(text), err)
			}
			if v.flag("Truncation") && !errors.Is(err, io.ErrUnexpectedEOF) ||
				v.flag("ModifiedCiphertext") && !errors.Is(err, sg.ErrOpen) ||
				(v.flag("WrongKey") || v.flag("WrongContext")) && !errors.Is(err, stream.ErrWrongKey) {
				t.Errorf("%v vector %d, %v: %v", suite, v.TcID, v.Flags, err)
			}
			for range 3 {
				if n, again := r.Read(p); n != 0 || again != err {
					t.Errorf("%v vector %d: %d, %v after %v", suite, v.TcID, n, again, err)
				}
			}
		}
	}
}

// checkChunkedReaderAt: the length is authentic, which also some invalid vectors'
// is, and the whole can be read of valid ones only.
func checkChunkedReaderAt(t *testing.T, suite stream.Suite, v chunkedVector, sealed []byte) {
	valid := v.Result == "valid"
	a, err := stream.NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), suite, v.Key, v.Ctx)
	if want := valid || v.flag("ValidFinalChunk"); want != (err == nil) {
		t.Errorf("%v vector %d: ReaderAt %v", suite, v.TcID, err)
	}
	if err != nil {
		return
	}
	text := make([]byte, a.Size())
	n, err := a.ReadAt(text, 0)
	if valid != (err == nil) || !v.isMessage(text[:n]) {
		t.Errorf("%v vector %d: ReadAt %d of %d, %v", suite, v.TcID, n, len(text), err)
	}
}

// checkChunkedWriter seals the message of a valid vector again under its own salt:
// that must give the whole vector, header and all.
func checkChunkedWriter(t *testing.T, suite stream.Suite, v chunkedVector, sealed []byte) {
	r, err := stream.NewReader(bytes.NewReader(sealed), suite, v.Key, v.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return // said before
	}
	for _, workers := range []int{1, 2} {
		var again bytes.Buffer
		var w *stream.Writer
		withRandom(sealed[:24], func() {
			w, err = stream.NewWriter(&again, suite, v.Key, v.Ctx, stream.WithConcurrency(workers))
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write(text)
		if err := errors.Join(err, w.Close()); err != nil || !bytes.Equal(again.Bytes(), sealed) {
			t.Errorf("%v vector %d: sealed again %d bytes, want %d, %v", suite, v.TcID, again.Len(), len(sealed), err)
		}
	}
}

// withRandom runs f with a source of randomness that has these bytes only. It is
// how a test chooses a salt, for which there is no call.
func withRandom(p []byte, f func()) {
	defer func(r io.Reader) { rand.Reader = r }(rand.Reader)
	rand.Reader = bytes.NewReader(p)
	f()
}

// checkChunkedRaw derives the key and the base nonce from the header, and opens
// the chunks in raw mode by crypto/cipher alone: the vector is what we take it
// for. Raw mode of the package itself is tested there, against the same model.
func checkChunkedRaw(t *testing.T, v chunkedVector, sealed []byte) {
	name := map[int]string{16: "AEAD_AES_128_GCM", 32: "AEAD_AES_256_GCM"}[len(v.Key)]
	info := slices.Concat([]byte("c2sp.org/chunked-encryption@v1+"+name+"\x00"), sealed[:24], v.Ctx)
	out, err := hkdf.Expand(sha512.New, v.Key, string(info), len(v.Key)+12+32)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out, slices.Concat(v.AEADKey, v.BaseNonce, sealed[24:56])) {
		t.Errorf("%s vector %d: derived %x", name, v.TcID, out)
	}
	block, err := aes.NewCipher(v.AEADKey)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for i, rest := uint64(0), sealed[56:]; ; i++ {
		nonce := bytes.Clone(v.BaseNonce)
		binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^i)
		n := min(len(rest), 16400)
		more, err := aead.Open(text, nonce, rest[:n], nil)
		if err != nil || n < 16400 {
			if valid := err == nil; valid != (v.Result == "valid") {
				t.Errorf("%s vector %d: chunk %d: %v", name, v.TcID, i, err)
			}
			if err == nil {
				text = more
			}
			break
		}
		text, rest = more, rest[n:]
	}
	if !v.isMessage(text) {
		t.Errorf("%s vector %d: %d bytes", name, v.TcID, len(text))
	}
}
