package cryptotest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A Mode says what memory dst and src share.
type Mode uint8

// The modes.
const (
	OutOfPlace     Mode = iota // none
	InPlace                    // all of it, in the same segments
	InPlaceResplit             // all of it, in segments of their own
)

var modeNames = [...]string{"out-of-place", "in-place", "resplit"}

// String returns the name of m, as [ParseConfig] reads it.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown mode"
}

// A Config says how the operands of one operation are divided and where the
// segments lie. The zero value is an operation on nil lists.
type Config struct {
	Mode Mode

	// Seed determines what else the test needs, by way of [Config.Rand].
	Seed uint64

	// Regions are the contiguous pieces of memory that Dst and Src divide.
	// None is nil. Only with InPlaceResplit.
	Regions Division

	// Src and Dst divide the text, both to the same length. With InPlace,
	// Dst is empty and stands for Src. With InPlaceResplit, no segment
	// crosses the border of a region, and all have the alignment 0: the
	// regions determine the address.
	Src, Dst Division

	// AAD divides the additional data, which share no memory.
	AAD Division
}

// TextLen returns the length of the text.
func (c Config) TextLen() int { return c.Src.Len() }

// AADLen returns the length of the additional data.
func (c Config) AADLen() int { return c.AAD.Len() }

// Rand returns a generator that depends on Seed only. With contents, keys and
// nonces drawn from it, the printed Config reproduces a whole test.
func (c Config) Rand() *rand.Rand { return rand.New(rand.NewPCG(c.Seed, 0)) }

// String returns c in one line, which [ParseConfig] reads.
func (c Config) String() string {
	fields := []string{"mode=" + c.Mode.String(), "seed=" + strconv.FormatUint(c.Seed, 10)}
	for _, f := range c.divisions() {
		if len(*f.Division) > 0 {
			fields = append(fields, f.key+"="+f.Division.String())
		}
	}
	return strings.Join(fields, " ")
}

// namedDivision is a division of a Config with the key that it prints under.
type namedDivision struct {
	key string
	*Division
}

func (c *Config) divisions() []namedDivision {
	return []namedDivision{{"regions", &c.Regions}, {"src", &c.Src}, {"dst", &c.Dst}, {"aad", &c.AAD}}
}

// ParseConfig reads what [Config.String] returns, with any white space between
// the fields. Missing fields are zero; the result is valid.
func ParseConfig(text string) (Config, error) {
	var c Config
	for field := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(field, "=")
		if err := c.set(key, value); err != nil {
			return Config{}, fmt.Errorf("cryptotest: field %q: %w", field, err)
		}
	}
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// set changes the field that key names.
func (c *Config) set(key, value string) (err error) {
	switch key {
	case "mode":
		i := slices.Index(modeNames[:], value)
		if i < 0 {
			return errors.New("no such mode")
		}
		c.Mode = Mode(i)
		return nil
	case "seed":
		c.Seed, err = strconv.ParseUint(value, 10, 64)
		return err
	}
	for _, f := range c.divisions() {
		if f.key == key {
			*f.Division, err = parseDivision(value)
			return err
		}
	}
	return errors.New("no such field")
}

// Validate returns an error if c breaks a rule that its fields state.
func (c Config) Validate() error {
	for _, f := range c.divisions() {
		if err := f.Division.validate(); err != nil {
			return fmt.Errorf("cryptotest: %s: %w", f.key, err)
		}
	}
	if c.Mode != InPlaceResplit && len(c.Regions) > 0 {
		return errors.New("cryptotest: regions in a mode without")
	}
	switch c.Mode {
	case OutOfPlace:
		if c.Dst.Len() != c.Src.Len() {
			return errors.New("cryptotest: dst and src differ in length")
		}
	case InPlace:
		if len(c.Dst) > 0 {
			return errors.New("cryptotest: in place, but dst has a division")
		}
	case InPlaceResplit:
		if len(c.Regions) == 0 {
			return errors.New("cryptotest: no regions to divide")
		}
		if slices.ContainsFunc(c.Regions, func(s Segment) bool { return s.Size == Nil }) {
			return errors.New("cryptotest: region is nil")
		}
		aligned := func(s Segment) bool { return s.Align != 0 }
		for _, d := range []Division{c.Src, c.Dst} {
			if !d.refines(c.Regions) {
				return errors.New("cryptotest: dst or src do not divide the regions")
			}
			if slices.ContainsFunc(d, aligned) {
				return errors.New("cryptotest: alignment inside a region")
			}
		}
	default:
		return errors.New("cryptotest: unknown mode")
	}
	return nil
}
