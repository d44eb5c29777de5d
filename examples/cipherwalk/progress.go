package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress counts what is read and shows it on the standard error, with the
// rate and the time that remains, if that is a terminal.
type progress struct {
	verb  string
	total int64 // -1 if that is not known
	quiet bool
	n     int64
	began time.Time

	mu  sync.Mutex // of bar, which does not lock all it does by itself
	bar *progressbar.ProgressBar
}

// newProgress does not show anything yet. verb is what has been done at the end.
func newProgress(verb string, total int64, quiet bool) *progress {
	return &progress{verb: verb, total: total, quiet: quiet || !term.IsTerminal(int(os.Stderr.Fd()))}
}

// start begins to show and to take the time.
func (p *progress) start() {
	p.began = time.Now()
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar = progressbar.NewOptions64(p.total,
		progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowTotalBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionFullWidth(),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that outlives it
		progressbar.OptionSetTheme(progressbar.ThemeASCII),
		progressbar.OptionClearOnFinish(),
	)
	p.bar.Add64(p.n)
	uninterrupted(func() error {
		undo[p] = p.clear
		return nil
	})
}

// clear removes the bar when a signal ends the program, unless it is just being
// drawn: that may take for ever, on a terminal that was halted.
func (p *progress) clear() {
	if p.mu.TryLock() {
		p.bar.Clear()
		p.mu.Unlock()
	}
}

// stop removes the bar, if there is one.
func (p *progress) stop() {
	if p.bar == nil {
		return
	}
	uninterrupted(func() error {
		delete(undo, p)
		return nil
	})
	p.bar.Clear()
	p.bar = nil
}

// finish replaces the bar by a line that says what has been done.
func (p *progress) finish(path string) {
	p.stop()
	if p.quiet {
		return
	}
	line := p.verb + " " + size(p.n)
	if d := time.Since(p.began).Seconds(); d > 0.1 { // below, it would say little
		line += fmt.Sprintf(" in %.1f s, %s/s", d, size(int64(float64(p.n)/d)))
	}
	if path != "" {
		line += ": " + path
	}
	fmt.Fprintln(os.Stderr, line)
}

// reader returns r with its reads counted.
func (p *progress) reader(r io.Reader) io.Reader { return &counted{r, p} }

type counted struct {
	r io.Reader
	p *progress
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.p.n += int64(n)
	if c.p.bar != nil {
		c.p.mu.Lock()
		c.p.bar.Add64(int64(n))
		c.p.mu.Unlock()
	}
	return n, err
}

// size writes a number of bytes for people.
func size(n int64) string {
	units := []string{"kB", "MB", "GB", "TB"}
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	f := float64(n) / 1000
	for f >= 999.5 && len(units) > 1 {
		f, units = f/1000, units[1:]
	}
	return fmt.Sprintf("%.*f %s", decimals(f), f, units[0])
}

// decimals is how many make three digits of f, which is below 1000.
func decimals(f float64) int {
	switch {
	case f < 9.995:
		return 2
	case f < 99.95:
		return 1
	}
	return 0
}
