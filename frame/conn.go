package frame

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cipherwalk/cipherwalk/gcm"
	"github.com/cipherwalk/cipherwalk/sg"
)

// Sizes in bytes.
const (
	// KeySize is the length of each key.
	KeySize = 32

	// MaxRecord is the most bytes of text in a record.
	MaxRecord = maxLength - gcm.TagSize

	// Overhead is what a record has beside its text: length and tag.
	Overhead = headerSize + gcm.TagSize

	headerSize = 2     // the length
	maxLength  = 65535 // the greatest length
)

// A Conn is an encrypted connection. Its methods may be called concurrently: of
// calls that write one goes on at a time, and so it is with calls that read; the two
// directions do not wait for each other.
type Conn struct {
	// The connection below is never embedded, and no method passes it text:
	// its own ReadFrom, or what net.Buffers finds in it, would send that as it
	// is.
	conn   net.Conn
	out    sender
	in     receiver
	closed atomic.Bool
	shut   func() error // closes conn, once
}

var (
	_ net.Conn      = (*Conn)(nil)
	_ io.ReaderFrom = (*Conn)(nil)
	_ io.WriterTo   = (*Conn)(nil)
)

// NewConn returns a connection that encrypts what it sends over conn with sendKey,
// and decrypts what it receives with recvKey. Both have 32 bytes, and they are
// copied. Equal keys are [ErrEqualKeys]: each direction needs its own, since both
// count their nonces from 0. It fails while only FIPS 140-3 validated modules are
// allowed, as [gcm.New] does.
//
// Nothing is sent or received yet, and from now on nobody else may use conn. Its
// Write must count truly: a record of which it says, with a timeout, that it took
// nothing is taken back, and its nonce used again.
func NewConn(conn net.Conn, sendKey, recvKey []byte, opts ...Option) (*Conn, error) {
	if conn == nil {
		return nil, errors.New("frame: no connection")
	}
	cfg := config{maxRecord: MaxRecord}
	for _, o := range opts {
		o(&cfg)
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if len(sendKey) != KeySize || len(recvKey) != KeySize {
		return nil, fmt.Errorf("frame: keys of %d and %d bytes, want %d", len(sendKey), len(recvKey), KeySize)
	}
	if subtle.ConstantTimeCompare(sendKey, recvKey) == 1 {
		return nil, ErrEqualKeys
	}
	out, err := newCipherState(sendKey, cfg.sendCounter)
	if err != nil {
		return nil, err
	}
	in, err := newCipherState(recvKey, cfg.recvCounter)
	if err != nil {
		return nil, err
	}
	return &Conn{
		conn: conn,
		out:  sender{cipherState: out, max: cfg.maxRecord},
		in:   receiver{cipherState: in},
		shut: sync.OnceValue(conn.Close),
	}, nil
}

// Write sends p, as one record if it has no more than [MaxRecord] bytes (or what
// [WithMaxRecord] says), else as several, of which at most 320 KiB go to the
// connection below in one call. Nothing is held back: who writes a few bytes at a
// time may want a [bufio.Writer] in front. An empty p sends nothing.
//
// It returns the number of bytes of p that went out in whole records: all of them,
// unless there is an error. It neither changes p nor keeps it.
//
// If the connection below times out between two records, the rest can be written
// again. In the middle of one that is [ErrPartialWrite].
func (c *Conn) Write(p []byte) (int, error) {
	one := [1][]byte{p}
	return c.send(one[:])
}

// WriteBuffers sends the bytes of v, as [Conn.Write] would send them in one piece:
// where one buffer ends and the next begins has no influence on the records. It
// seals from the buffers themselves; only records that consist of more than 32 parts
// are gathered first.
//
// Like [net.Buffers.WriteTo] it consumes what it has sent: buffers that went out in
// whole records are taken off v and set to nil, one that went out in part is
// shortened; their bytes do not change. That is so after an error too: the count, and
// what is left in v, are those of whole records.
func (c *Conn) WriteBuffers(v *net.Buffers) (int64, error) {
	n, err := c.send(sg.List(*v))
	consume(v, n)
	return int64(n), err
}

// consume takes the first n bytes off v, and empty buffers before and right behind
// them.
func consume(v *net.Buffers, n int) {
	for len(*v) > 0 && len((*v)[0]) <= n {
		n -= len((*v)[0])
		(*v)[0] = nil
		*v = (*v)[1:]
	}
	if n > 0 {
		(*v)[0] = (*v)[0][n:]
	}
}

// ReadFrom reads r until its end and sends what each Read returns, 256 KiB at most,
// at once. It does not end the direction. It returns the number of bytes that went
// out in whole records; after an error of the connection, r may have given more.
func (c *Conn) ReadFrom(r io.Reader) (total int64, err error) {
	if _, err := c.Write(nil); err != nil {
		return 0, err // and r keeps what it has
	}
	var in intake
	defer in.release()
	for {
		// The lock is not held here: r may take its time.
		readErr := in.fetch(r, 0)
		n, err := c.Write(in.unused())
		in.use(n)
		total += int64(n)
		switch {
		case err != nil:
			return total, err
		case readErr == io.EOF:
			return total, nil
		case readErr != nil:
			return total, readErr
		}
	}
}

func (c *Conn) send(l sg.List) (int, error) {
	if c.closed.Load() {
		return 0, errClosed
	}
	c.out.mu.Lock()
	n, err := c.out.send(c.conn, l)
	c.out.mu.Unlock()
	return n, c.orClosed(err)
}

// orClosed returns the error that a call returns: what Close has caused is not the
// connection's fault.
func (c *Conn) orClosed(err error) error {
	if err != nil && err != io.EOF && c.closed.Load() {
		return errClosed
	}
	return err
}

// Read reads bytes of one record, and waits for one to be complete if there is none.
// It returns io.EOF when the peer has ended its direction, from then on always, and
// [io.ErrUnexpectedEOF] if the connection ends without that. A record that is not
// authentic is [gcm.ErrOpen] in an error that tells its number; nothing of it is
// delivered.
//
// One call of the connection below brings up to 256 KiB, of which further calls are
// served. If it times out, what has come so far is kept and a later Read goes on.
func (c *Conn) Read(p []byte) (int, error) {
	if c.closed.Load() {
		return 0, errClosed
	}
	c.in.mu.Lock()
	n, err := c.in.read(c.conn, p)
	c.unlockRead()
	return n, c.orClosed(err)
}

// WriteTo writes the text of record after record to w, until the peer ends its
// direction, and returns the number of bytes that w took. If w fails nothing is
// lost: the next Read or WriteTo delivers what w did not take. It may use all of
// that time for itself: other calls that read wait.
func (c *Conn) WriteTo(w io.Writer) (int64, error) {
	if c.closed.Load() {
		return 0, errClosed
	}
	c.in.mu.Lock()
	n, err := c.in.writeTo(c.conn, w)
	c.unlockRead()
	return n, c.orClosed(err)
}

// unlockRead ends a call that reads. Whoever is last after Close wipes.
func (c *Conn) unlockRead() {
	c.in.mu.Unlock()
	if c.closed.Load() {
		c.wipeRead()
	}
}

// wipeRead wipes what was received, unless a call is at it which will do so in the
// end.
func (c *Conn) wipeRead() {
	if c.in.mu.TryLock() {
		c.in.release()
		c.in.mu.Unlock()
	}
}

// RekeySend replaces the key of the records to come that are sent. The peer must do
// RekeyRecv when it has received exactly those before. A write that is going on is
// waited for. The only error is that of [gcm.New], and then the key stays.
func (c *Conn) RekeySend() error {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	return c.out.rekey()
}

// RekeyRecv replaces the key of the records to come that are received. Text that
// Read has not yet delivered may be left of the record before, but no whole record:
// those are opened with the new key, however long they have been here. A Read that
// is going on, and may be blocked, is waited for.
func (c *Conn) RekeyRecv() error {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	return c.in.rekey()
}

// LocalAddr returns the local address of the connection below.
func (c *Conn) LocalAddr() net.Addr { return c.conn.LocalAddr() }

// RemoteAddr returns the remote address of the connection below.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// SetDeadline sets both deadlines. See [Conn.SetReadDeadline] and
// [Conn.SetWriteDeadline].
func (c *Conn) SetDeadline(t time.Time) error {
	if c.closed.Load() {
		return errClosed
	}
	return c.conn.SetDeadline(t)
}

// SetReadDeadline sets when calls that read time out; zero for never. They lose
// nothing by that.
func (c *Conn) SetReadDeadline(t time.Time) error {
	if c.closed.Load() {
		return errClosed
	}
	return c.conn.SetReadDeadline(t)
}

// SetWriteDeadline sets when calls that write time out; zero for never. A call that
// times out in the middle of a record ends the direction with [ErrPartialWrite].
func (c *Conn) SetWriteDeadline(t time.Time) error {
	if c.closed.Load() {
		return errClosed
	}
	return c.conn.SetWriteDeadline(t)
}

// Format prints the two ends, for every verb: not keys, nor what was received.
func (c *Conn) Format(s fmt.State, verb rune) {
	fmt.Fprintf(s, "frame.Conn(%v to %v)", c.LocalAddr(), c.RemoteAddr())
}
