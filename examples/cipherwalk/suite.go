package main

import (
	"fmt"
	"strings"

	"github.com/cipherwalk/cipherwalk/stream"
)

// defaultSuite is what keys and passphrases are made for when nothing is said.
const defaultSuite = stream.Cobblestone256

// suiteNames are what is typed. In files stands the name of the AEAD at IANA,
// which is that of [stream.Suite].
var suiteNames = map[stream.Suite]string{
	stream.Cobblestone128: "cobblestone128",
	stream.Cobblestone256: "cobblestone256",
	stream.AEGIS128L:      "aegis128l",
	stream.AEGIS128X2:     "aegis128x2",
	stream.AEGIS128X4:     "aegis128x4",
	stream.AEGIS256:       "aegis256",
	stream.AEGIS256X2:     "aegis256x2",
	stream.AEGIS256X4:     "aegis256x4",
}

// suites returns those that the library has.
func suites() (list []stream.Suite) {
	for s := stream.Cobblestone128; int(s) <= len(suiteNames); s++ {
		if s.KeySize() > 0 {
			list = append(list, s)
		}
	}
	return list
}

// findSuite takes either name of a suite.
func findSuite(name string) (stream.Suite, error) {
	var names []string
	for _, s := range suites() {
		if strings.EqualFold(name, suiteNames[s]) || strings.EqualFold(name, s.String()) {
			return s, nil
		}
		names = append(names, suiteNames[s])
	}
	return 0, fmt.Errorf("suite %q is none of %s", name, strings.Join(names, ", "))
}

// A suiteFlag is the flag -suite.
type suiteFlag struct {
	suite stream.Suite
	set   bool // by the user
}

func (s *suiteFlag) String() string { return suiteNames[s.suite] }

func (s *suiteFlag) Set(name string) (err error) {
	s.suite, err = findSuite(name)
	s.set = true
	return err
}

// suiteUsage is the text of the flag, which goes on behind it.
func suiteUsage() string {
	text := "the `cipher`:"
	for i, s := range suites() {
		switch {
		case i > 0 && i%4 == 0: // more would not fit a line
			text += ",\n"
		case i > 0:
			text += ", "
		default:
			text += " "
		}
		text += suiteNames[s]
	}
	return text
}
