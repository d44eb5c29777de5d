package stream_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// exampleKey stands for 32 secret random bytes.
var exampleKey = []byte("thirty-two bytes, but no secret!")[:32]

// What was sealed opens with the same key and context, and with no others.
func Example() {
	var file bytes.Buffer // or an *os.File
	w, err := stream.NewWriter(&file, stream.Cobblestone256, exampleKey, []byte("notes.txt"))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.WriteString(w, "a long text"); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil { // without it, there is no message
		log.Fatal(err)
	}
	sealed := file.Bytes()

	r, err := stream.NewReader(bytes.NewReader(sealed), stream.Cobblestone256, exampleKey, []byte("notes.txt"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(r)
	fmt.Printf("%s, %v\n", text, err)

	r, err = stream.NewReader(bytes.NewReader(sealed), stream.Cobblestone256, exampleKey, []byte("other.txt"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = io.ReadAll(r)
	fmt.Println(errors.Is(err, stream.ErrWrongKey))
	// Output:
	// a long text, <nil>
	// true
}

// A handler seals what it sends. The length is known before, so that the client
// sees progress, and a connection that breaks is an error on both layers.
func ExampleNewWriter_http() {
	report := strings.Repeat("line of a report\n", 5000)
	handler := func(rw http.ResponseWriter, req *http.Request) {
		size, err := stream.EncryptedSize(int64(len(report)))
		if err != nil {
			http.Error(rw, "report too long", http.StatusInternalServerError)
			return
		}
		w, err := stream.NewWriter(rw, stream.Cobblestone256, exampleKey, []byte(req.URL.Path))
		if err != nil {
			http.Error(rw, "no key", http.StatusInternalServerError)
			return
		}
		rw.Header().Set("Content-Type", "application/octet-stream")
		rw.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		if _, err := io.Copy(w, strings.NewReader(report)); err != nil {
			return // not closed: what has been sent does not open
		}
		w.Close()
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	defer server.Close()

	resp, err := http.Get(server.URL + "/report")
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	r, err := stream.NewReader(resp.Body, stream.Cobblestone256, exampleKey, []byte("/report"))
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(r)
	fmt.Println(resp.ContentLength, string(text) == report, err)
	// Output: 85152 true <nil>
}

// Compression comes before encryption. Both writers must be closed, the
// compressing one first.
func ExampleNewReader_gzip() {
	pr, pw := io.Pipe() // to another program
	go func() {
		w, err := stream.NewWriter(pw, stream.Cobblestone256, exampleKey, nil)
		if err == nil {
			z := gzip.NewWriter(w)
			_, err = io.Copy(z, strings.NewReader(strings.Repeat("again and ", 10000)))
			err = errors.Join(err, z.Close(), w.Close())
		}
		pw.CloseWithError(err) // the reader gets the error, or io.EOF
	}()

	r, err := stream.NewReader(pr, stream.Cobblestone256, exampleKey, nil)
	if err != nil {
		log.Fatal(err)
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		log.Fatal(err)
	}
	// gzip knows its own end. Only the end of the stream says that nobody has
	// cut it off.
	_, err = r.Read(make([]byte, 1))
	fmt.Println(len(text), err)
	// Output: 100000 EOF
}

// A sealed file is served in the ranges that clients ask for. Only the chunks that
// a range touches are read and opened.
func ExampleNewReaderAt() {
	var file bytes.Buffer
	w, err := stream.NewWriter(&file, stream.Cobblestone256, exampleKey, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100000 {
		fmt.Fprintf(w, "line %6d\n", i)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	sealed := bytes.NewReader(file.Bytes()) // or an *os.File and its size
	a, err := stream.NewReaderAt(sealed, sealed.Size(), stream.Cobblestone256, exampleKey, nil)
	if err != nil {
		log.Fatal(err)
	}
	handler := func(rw http.ResponseWriter, req *http.Request) {
		// A section for each request has a place of its own.
		http.ServeContent(rw, req, "lines.txt", time.Time{}, io.NewSectionReader(a, 0, a.Size()))
	}

	req := httptest.NewRequest("GET", "/", nil)
	req.Header.Set("Range", "bytes=600000-600023")
	resp := httptest.NewRecorder()
	handler(resp, req)
	fmt.Println(resp.Code, resp.Header().Get("Content-Range"))
	fmt.Print(resp.Body)
	// Output:
	// 206 bytes 600000-600023/1200000
	// line  50000
	// line  50001
}

// io.Copy uses ReadFrom or WriteTo, which have a use for several processors.
func ExampleWithConcurrency() {
	src := strings.NewReader(strings.Repeat("much data ", 200000))
	var sealed bytes.Buffer
	w, err := stream.NewWriter(&sealed, stream.Cobblestone128, exampleKey[:16], nil, stream.WithConcurrency(4))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(w, src); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	r, err := stream.NewReader(&sealed, stream.Cobblestone128, exampleKey[:16], nil, stream.WithConcurrency(4))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(io.Copy(io.Discard, r))
	// Output: 2000000 <nil>
}

// Data in pieces needs no joining first.
func ExampleWriter_WriteList() {
	w, err := stream.NewWriter(io.Discard, stream.Cobblestone256, exampleKey, nil)
	if err != nil {
		log.Fatal(err)
	}
	header, body := []byte("header\n"), make([]byte, 100000)
	fmt.Println(w.WriteList(sg.List{header, body, []byte("trailer\n")}))
	fmt.Println(w.Close())
	// Output:
	// 100015 <nil>
	// <nil>
}

// The sizes of files can be shown without opening them, but only opening them
// makes sure.
func ExampleDecryptedSize() {
	size, err := stream.EncryptedSize(1_000_000)
	fmt.Println(size, err)
	fmt.Println(stream.DecryptedSize(size))
	_, err = stream.DecryptedSize(60)
	fmt.Println(err)
	// Output:
	// 1001048 <nil>
	// 1000000 <nil>
	// stream: 4 bytes of chunk 0, want 16 to 16400: unexpected EOF
}

// A file that is written is only good when everything has been closed without an
// error.
func ExampleWriter_Close() {
	f, err := os.CreateTemp("", "sealed")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(f.Name())
	w, err := stream.NewWriter(f, stream.Cobblestone256, exampleKey, nil)
	if err != nil {
		log.Fatal(err)
	}
	_, err = io.WriteString(w, "text")
	err = errors.Join(err, w.Close(), f.Sync(), f.Close())
	fmt.Println(err)
	// Output: <nil>
}
