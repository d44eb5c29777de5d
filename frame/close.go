package frame

import "time"

// closeTimeout bounds the time that Close gives the connection below to take the
// end record, as crypto/tls does.
var closeTimeout = 5 * time.Second

// CloseWrite ends the direction that is written: it sends an empty record, which the
// peer reads as io.EOF, and then closes that direction of the connection below if
// that has a method CloseWrite. Later writes return [ErrWriteClosed]. Reading goes
// on. A second call does nothing and returns nil; after an error that is permanent it
// returns that error.
func (c *Conn) CloseWrite() error {
	if c.closed.Load() {
		return errClosed
	}
	c.out.mu.Lock()
	err := c.out.sendEnd(c.conn)
	c.out.mu.Unlock()
	switch err {
	case nil:
	case errWriteClosed:
		return nil // not the first call
	default:
		return c.orClosed(err)
	}
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		return c.orClosed(half.CloseWrite())
	}
	return nil
}

// Close closes the connection. Calls that are blocked return an error that is
// [net.ErrClosed], as do later ones; only another Close does nothing and returns nil.
//
// If no write is going on and the direction has not ended, Close tries to send the
// end record first, for five seconds at most. It does not report whether that went
// well, and the peer may be gone: who must know calls [Conn.CloseWrite] before, and
// reads to the end. It returns the error of closing the connection below.
func (c *Conn) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	c.conn.SetReadDeadline(time.Unix(1, 0)) // those who read need not wait
	if c.out.mu.TryLock() {
		c.sayGoodbye()
		c.out.mu.Unlock()
	}
	// No lock is held: closing may wait for calls, or make some.
	err := c.shut()
	c.wipeRead()
	return err
}

// sayGoodbye tries to send the end record.
func (c *Conn) sayGoodbye() {
	if c.out.err != nil {
		return
	}
	c.conn.SetWriteDeadline(time.Now().Add(closeTimeout))
	// A connection may have no deadlines, but closing unblocks them all.
	late := time.AfterFunc(closeTimeout, func() { c.shut() })
	defer late.Stop()
	c.out.sendEnd(c.conn)
}
