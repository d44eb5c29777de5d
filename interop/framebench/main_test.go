package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestRun measures for a moment: every row is there.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(&out, 1, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	// Three kinds, one more for lists, and the round trips.
	if n := strings.Count(out.String(), "\n| "); n != 2+3*len(works)+1+3 {
		t.Errorf("%d rows:\n%s", n, &out)
	}
	if strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf") {
		t.Errorf("a figure is none:\n%s", &out)
	}
}

func TestSummary(t *testing.T) {
	least, median := summary([]float64{5, 1, 9})
	if least != 1 || median != 5 {
		t.Errorf("%v, %v", least, median)
	}
	if got := ratio([]float64{4, 6}, []float64{2, 3}); got != "2.00 (2.00)" {
		t.Error(got)
	}
}
