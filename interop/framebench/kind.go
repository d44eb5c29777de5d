package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cipherwalk/cipherwalk/frame"
)

// A kind is a sort of connection: both ends of one, and how it sends buffers.
type kind struct {
	name    string
	a, b    net.Conn
	buffers func(a net.Conn, v *net.Buffers) error

	// counted makes the sort of connection over one whose writes are counted,
	// or is nil.
	counted func() (a, b net.Conn, calls *atomic.Int64, err error)
}

type kinds []*kind

func (all kinds) close() {
	for _, k := range all {
		k.a.Close()
		k.b.Close()
	}
}

// of leaves out what makes no difference to a work: gathering where there is no list.
func (all kinds) of(w work) (some kinds) {
	for _, k := range all {
		if w.list || k.name != "crypto/tls, gathered" {
			some = append(some, k)
		}
	}
	return some
}

func (all kinds) index(name string) int {
	return slices.IndexFunc(all, func(k *kind) bool { return k.name == name })
}

// suite names what TLS uses.
func (all kinds) suite() string {
	s := all[all.index("crypto/tls")].a.(*tls.Conn).ConnectionState()
	return tls.VersionName(s.Version) + ", " + tls.CipherSuiteName(s.CipherSuite)
}

// newKinds opens the connections.
func newKinds() (kinds, error) {
	config, err := newTLS()
	if err != nil {
		return nil, err
	}
	var all kinds
	add := func(name string, wrap func(x, y net.Conn) (net.Conn, net.Conn, error), buffers func(a net.Conn, v *net.Buffers) error) error {
		x, y, err := tcpPair()
		if err != nil {
			return err
		}
		a, b, err := wrap(x, y)
		if err != nil {
			return err
		}
		k := &kind{name: name, a: a, b: b, buffers: buffers}
		if name != "TCP" {
			k.counted = func() (net.Conn, net.Conn, *atomic.Int64, error) {
				x, y, err := tcpPair()
				if err != nil {
					return nil, nil, nil, err
				}
				c := &counter{Conn: x}
				a, b, err := wrap(c, y)
				return a, b, &c.calls, err
			}
		}
		all = append(all, k)
		return nil
	}
	oneByOne := func(a net.Conn, v *net.Buffers) error { _, err := v.WriteTo(a); return err }
	var whole bytes.Buffer
	gathered := func(a net.Conn, v *net.Buffers) error {
		whole.Reset()
		for _, b := range *v {
			whole.Write(b)
		}
		_, err := a.Write(whole.Bytes())
		return err
	}
	wrapTLS := func(x, y net.Conn) (net.Conn, net.Conn, error) {
		a, b := tls.Client(x, config), tls.Server(y, config)
		done := make(chan error, 1)
		go func() { done <- b.Handshake() }()
		if err := a.Handshake(); err != nil {
			return nil, nil, err
		}
		return a, b, <-done
	}
	for _, err := range []error{
		add("frame", wrapFrame, func(a net.Conn, v *net.Buffers) error {
			_, err := a.(*frame.Conn).WriteBuffers(v)
			return err
		}),
		add("crypto/tls", wrapTLS, oneByOne),
		add("crypto/tls, gathered", wrapTLS, gathered),
		add("TCP", func(x, y net.Conn) (net.Conn, net.Conn, error) { return x, y, nil }, oneByOne),
	} {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func wrapFrame(x, y net.Conn) (net.Conn, net.Conn, error) {
	k1, k2 := make([]byte, frame.KeySize), make([]byte, frame.KeySize)
	rand.Read(k1)
	rand.Read(k2)
	a, err := frame.NewConn(x, k1, k2)
	if err != nil {
		return nil, nil, err
	}
	b, err := frame.NewConn(y, k2, k1)
	return a, b, err
}

// A counter counts writes.
type counter struct {
	net.Conn
	calls atomic.Int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.calls.Add(1)
	return c.Conn.Write(p)
}

func tcpPair() (x, y net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	if x, err = net.Dial("tcp", l.Addr().String()); err != nil {
		return nil, nil, err
	}
	y, err = l.Accept()
	return x, y, err
}

// newTLS returns a configuration for both ends: TLS 1.3, a certificate of its own.
func newTLS() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "framebench"},
		DNSNames:     []string{"framebench"},
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		RootCAs:      roots,
		ServerName:   "framebench",
		MinVersion:   tls.VersionTLS13,
	}, nil
}

// readAll reads n bytes and drops them.
func readAll(conn net.Conn, n int, buf []byte) error {
	for n > 0 {
		m, err := conn.Read(buf)
		if n -= m; err != nil && !(err == io.EOF && n == 0) {
			return fmt.Errorf("%d bytes before the end: %w", n, err)
		}
	}
	return nil
}
