package interop

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/cipherwalk/cipherwalk/frame"
	"golang.org/x/net/nettest"
)

// TestNetTest runs the suite of golang.org/x/net for connections.
//
// It is not run over TCP: the suite wants a connection to go on after any write that
// timed out, and over TCP that may have sent a part of a record, which is the end of
// a direction here. The others take a write of this size whole or not at all.
func TestNetTest(t *testing.T) {
	t.Run("pipe", func(t *testing.T) {
		nettest.TestConn(t, maker(func() (net.Conn, net.Conn, error) {
			a, b := net.Pipe()
			return a, b, nil
		}))
	})
	t.Run("unix", func(t *testing.T) {
		if !nettest.TestableNetwork("unix") {
			t.Skip("no sockets of the family unix")
		}
		name := filepath.Join(t.TempDir(), "socket")
		l, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		nettest.TestConn(t, maker(func() (net.Conn, net.Conn, error) { return dialTo(l) }))
	})
}

func dialTo(l net.Listener) (a, b net.Conn, err error) {
	if a, err = net.Dial(l.Addr().Network(), l.Addr().String()); err != nil {
		return nil, nil, err
	}
	b, err = l.Accept()
	return a, b, err
}

// maker makes ends of a Conn from those of a connection. In the end that is closed
// first: Close of one end would wait for the other to read.
func maker(dial func() (net.Conn, net.Conn, error)) nettest.MakePipe {
	return func() (net.Conn, net.Conn, func(), error) {
		x, y, err := dial()
		if err != nil {
			return nil, nil, nil, err
		}
		k1, k2 := make([]byte, frame.KeySize), make([]byte, frame.KeySize)
		k1[0] = 1
		a, err := frame.NewConn(x, k1, k2)
		if err != nil {
			return nil, nil, nil, err
		}
		b, err := frame.NewConn(y, k2, k1)
		return a, b, func() { x.Close(); y.Close(); a.Close(); b.Close() }, err
	}
}
