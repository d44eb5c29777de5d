package frame_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"testing/iotest"

	"github.com/cipherwalk/cipherwalk/frame"
	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/sg"
)

// FuzzReceive makes a session as the fuzzer says: authentic records, odd ones,
// changed ones, and bytes that are none. Whatever comes, what is delivered is the
// texts up to the first fault, and the error is the right one.
func FuzzReceive(f *testing.F) {
	f.Add([]byte{}, byte(0))
	f.Add([]byte{0, 1, 2, 3, 40, 200, 0}, byte(1))
	f.Add([]byte("\x01\x05\x02\x10\x00"), byte(7))
	f.Add([]byte("\x01\xff\x04\x01\x01\x01"), byte(100))
	f.Add([]byte("\x05\x00\x10garbage that is no record"), byte(255))
	f.Add([]byte("\x03\xf0\x02\xf0\x01\xf0\x00"), byte(64))
	f.Fuzz(func(t *testing.T, script []byte, size byte) {
		p := &peer{key: keyB}
		var wire, want []byte
		wantErr := io.ErrUnexpectedEOF
		over := false // what comes now has no effect
		for i := 0; i+1 < len(script) && len(wire) < 1<<20; i += 2 {
			op, arg := script[i]%8, int(script[i+1])
			text := cryptotest.Pattern(i, []int{1 + arg, 16 * (1 + arg), 256 * (1 + arg), frame.MaxRecord - arg}[op%4], byte(op))
			text = text[:min(len(text), frame.MaxRecord)]
			var record []byte
			var err error // that it leads to
			switch op {
			case 4:
				record, err = p.seal(nil), io.EOF
			case 5: // a bit of the record flipped
				record = p.seal(text)
				record[2+arg%(len(record)-2)] ^= 1 << (arg % 8)
				err = sg.ErrOpen
			case 6: // the script itself
				rest := script[i+1:]
				wire = append(wire, rest...)
				if len(rest) >= 2 && !over {
					if n := int(rest[0])<<8 | int(rest[1]); n < 16 {
						wantErr = frame.ErrRecordLength
					} else if n <= len(rest)-2 {
						wantErr = sg.ErrOpen
					}
				}
				i, over = len(script), true
				continue
			case 7: // a length that no record has
				record, err = []byte{0, byte(arg % 16)}, frame.ErrRecordLength
			default:
				record = p.seal(text)
			}
			wire = append(wire, record...)
			if over {
				continue
			}
			if err != nil {
				wantErr, over = err, true
			} else {
				want = append(want, text...)
			}
		}
		var r io.Reader = bytes.NewReader(wire)
		switch size % 3 {
		case 1:
			r = iotest.HalfReader(r)
		case 2:
			r = iotest.DataErrReader(r)
		}
		c := mustConn(t, &fake{r: r})
		var got bytes.Buffer
		var err error
		if size%2 == 0 {
			_, err = c.WriteTo(&got)
			if err == nil {
				err = io.EOF
			}
		} else {
			b := make([]byte, 1+int(size)*int(size))
			for err == nil {
				var n int
				n, err = c.Read(b)
				got.Write(b[:n])
			}
		}
		if !bytes.Equal(got.Bytes(), want) || !errors.Is(err, wantErr) {
			t.Fatalf("%d bytes of text, %v, want %d, %v", got.Len(), err, len(want), wantErr)
		}
		if n, again := c.Read(make([]byte, 1)); n != 0 || again != err {
			t.Fatalf("then %d, %v, want %v", n, again, err)
		}
	})
}

// FuzzSend divides a text as the fuzzer says, over a connection that takes as many
// bytes as it says: what arrives are the whole records that were counted.
func FuzzSend(f *testing.F) {
	f.Add([]byte{1, 0, 255, 3}, uint16(100), uint32(1<<20), false)
	f.Add([]byte{200, 200, 200}, uint16(65519), uint32(30000), true)
	f.Add([]byte{}, uint16(1), uint32(0), true)
	f.Fuzz(func(t *testing.T, sizes []byte, size uint16, room uint32, closed bool) {
		var v net.Buffers
		for i, n := range sizes {
			v = append(v, cryptotest.Pattern(i, int(n)*int(n), byte(i)))
		}
		text := bytes.Join(v, nil)
		max := 1 + int(size)%frame.MaxRecord
		if len(text)/max > 5000 {
			t.Skip("too many records")
		}
		var wire bytes.Buffer
		l := &limited{w: &wire, left: int(room % (1 << 24))}
		if closed {
			l.err = net.ErrClosed
		}
		c := mustConn(t, &fake{w: l}, frame.WithMaxRecord(max))
		n, err := c.WriteBuffers(&v)
		texts, left := (&peer{key: keyA}).open(t, wire.Bytes())
		got := bytes.Join(texts, nil)
		if int(n) != len(got) || !bytes.Equal(got, text[:n]) || !bytes.Equal(bytes.Join(v, nil), text[n:]) {
			t.Fatalf("%d of %d bytes counted, %d arrived, or others", n, len(text), len(got))
		}
		if (err == nil) != (int(n) == len(text)) || errors.Is(err, frame.ErrPartialWrite) != (left > 0) {
			t.Fatalf("%d of %d bytes, %d of a record: %v", n, len(text), left, err)
		}
	})
}
