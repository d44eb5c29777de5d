package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

var (
	interrupts sync.Mutex // held while no signal may end the program

	// undo is what must be done before a signal ends the program, by whom it
	// belongs to. It is used under uninterrupted only.
	undo = map[any]func(){}
)

// uninterrupted runs f, during which no signal that can be caught ends the
// program.
func uninterrupted(f func() error) error {
	interrupts.Lock()
	defer interrupts.Unlock()
	return f()
}

// watchSignals lets the signals that people and systems end programs with end
// this one in good order. What was ignored when the program was started, as
// nohup does, stays so. Nothing can be done about SIGKILL: it leaves a temporary
// file behind, but never touches what stands under a final name.
func watchSignals() {
	c := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE} {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	go func() {
		s := <-c
		interrupts.Lock() // for good
		for _, f := range undo {
			f()
		}
		signal.Reset(s)
		die(s.(syscall.Signal))
	}()
}
