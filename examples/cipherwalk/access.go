package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"runtime"

	"github.com/cipherwalk/cipherwalk/sg"
	"github.com/cipherwalk/cipherwalk/stream"
)

// access is what the command line says about the key: the flags that seal, open
// and cat have in common.
type access struct {
	keyFile        string
	passphraseFile string
	context        string
	workers        int
}

func (a *access) define(f *flag.FlagSet) {
	f.StringVar(&a.keyFile, "key", "", "the key `file`, made by keygen (default: a passphrase)")
	f.StringVar(&a.passphraseFile, "passphrase-file", "", "read the passphrase from the first line of this `file` instead of the terminal;\n- is the standard input, /dev/fd/3 an inherited descriptor")
	f.StringVar(&a.context, "context", "", "what this is, in any words; it opens only with the same `text`, which is no secret\nand not stored")
	f.IntVar(&a.workers, "workers", min(runtime.GOMAXPROCS(0), 16), "how many `threads` encrypt or decrypt, at most")
}

// check finds contradictions. input is the name of the file that is sealed or
// opened.
func (a *access) check(input string) error {
	switch {
	case a.keyFile != "" && a.passphraseFile != "":
		return usageError("-key and -passphrase-file exclude each other")
	case input == "-" && (a.keyFile == "-" || a.passphraseFile == "-"):
		return usageError("the data and the secret cannot both come from the standard input")
	case a.workers < 1 || a.workers > 1024:
		return usageError(fmt.Sprintf("-workers %d, want 1 to 1024", a.workers))
	}
	return nil
}

func (a *access) options() stream.Option { return stream.WithConcurrency(a.workers) }

// A lock is what a stream is made with.
type lock struct {
	suite      stream.Suite
	key        []byte // to be cleared
	header     string // what stands before the stream; empty with a key file
	passphrase bool   // whether the key comes from one
}

// newLock returns the lock for something new. The suite of a key file is settled,
// and the flag may only agree.
func (a *access) newLock(suite suiteFlag) (lock, error) {
	if a.keyFile != "" {
		s, key, err := readKey(a.keyFile)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; to make a new key: cipherwalk keygen %s", err, quoteIfNeeded(a.keyFile))
		}
		if err == nil && suite.set && suite.suite != s {
			clear(key)
			err = usageError(fmt.Sprintf("%s is a key for %s, not for %s", a.keyFile, suiteNames[s], suite.String()))
		}
		return lock{suite: s, key: key}, err
	}
	passphrase, err := a.passphrase(true)
	if err != nil {
		return lock{}, err
	}
	defer clear(passphrase)
	h := header{suite: suite.suite, cost: defaultCost}
	rand.Read(h.salt[:]) // never fails
	return lock{suite: h.suite, key: h.key(passphrase), header: h.String(), passphrase: true}, nil
}

// findLock returns the lock of the sealed file that r begins with, and leaves r
// where the stream begins. What was sealed with a passphrase says so.
func (a *access) findLock(r *bufio.Reader) (lock, error) {
	h, ok, err := readHeader(r)
	switch {
	case err != nil:
		return lock{}, err
	case ok && a.keyFile != "":
		return lock{}, dataError("sealed with a passphrase, not with a key file: leave out -key")
	case ok:
		passphrase, err := a.passphrase(false)
		if err != nil {
			return lock{}, err
		}
		defer clear(passphrase)
		return lock{suite: h.suite, key: h.key(passphrase), header: h.String(), passphrase: true}, nil
	case a.keyFile == "":
		return lock{}, dataError("not sealed with a passphrase; if it was sealed with a key file, say -key FILE")
	}
	suite, key, err := readKey(a.keyFile)
	return lock{suite: suite, key: key}, err
}

// explain turns an error of package stream into one for people. Errors of files
// are left as they are.
func (l lock) explain(err error) error {
	ended := errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case errors.Is(err, stream.ErrWrongKey) && l.passphrase:
		return dataError("wrong passphrase or -context, or its beginning is damaged")
	case errors.Is(err, stream.ErrWrongKey):
		return dataError("wrong key file or -context, or no sealed file, or its beginning is damaged")
	case errors.Is(err, stream.ErrTrailingData):
		return dataError("something has been added behind its end")
	case ended && errors.Is(err, sg.ErrOpen):
		return dataError(fmt.Sprintf("its end is missing or damaged (%v)", err))
	case ended:
		return dataError(fmt.Sprintf("its end is missing (%v)", err))
	case errors.Is(err, sg.ErrOpen):
		return dataError(fmt.Sprintf("damaged (%v)", err))
	}
	return err
}
