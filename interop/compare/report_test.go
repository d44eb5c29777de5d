package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sampleRows returns rows of two works whose names are a trial for XML and CSV.
func sampleRows() []row {
	var rows []row
	for _, name := range []string{`AES <"fast"> & sound`, "other, with a comma"} {
		w := work{name: name, base: "ours", rounds: 14}
		for _, size := range []int{16, 512, 1 << 20} {
			results := []result{
				{benchCase{impl: "ours", bytes: size, width: 512}, 9, float64(size) / 20, float64(size) / 16},
				{benchCase{impl: "AES ceiling, 512 bit", bytes: 1000, width: 512, ceiling: true}, 9, 1000 / 32., 1000 / 32.},
			}
			if size != 16 {
				results = append(results, result{benchCase{impl: "theirs", bytes: size}, 9, float64(size) / 5, float64(size) / 4})
			}
			rows = append(rows, rowsOf(group{work: w, size: size}, results)...)
		}
	}
	return rows
}

func TestRows(t *testing.T) {
	rows := sampleRows()[2:5] // 512 bytes
	for i, want := range []struct{ speedLeast, speedMedian, partLeast, partMedian float64 }{
		{1, 1, 20 / 32., 16 / 32.},
		{},
		{0.25, 0.25, 0, 0},
	} {
		r := rows[i]
		if r.speedLeast != want.speedLeast || r.speedMedian != want.speedMedian || r.partLeast != want.partLeast || r.partMedian != want.partMedian {
			t.Errorf("%s: %+v, want %+v", r.impl, r, want)
		}
	}
	noBase := rowsOf(group{work: work{base: "absent"}}, []result{{benchCase: benchCase{impl: "ours", bytes: 1}, least: 1, median: 1}})
	if noBase[0].speedLeast != 0 {
		t.Errorf("speed %v against a base that is absent", noBase[0].speedLeast)
	}
	if got := names(sampleRows()); strings.Join(got, "|") != "ours|theirs|AES ceiling, 512 bit" {
		t.Errorf("names %q", got)
	}
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	if err := writeTable(&b, byWork(sampleRows())[0]); err != nil {
		t.Fatal(err)
	}
	const want = `
== AES <"fast"> & sound ==
speed is against ours; ceiling is AES alone at the width given; each from the leasts and from the medians

    bytes        implementation  ns/call  median  GB/s  median  speed  median  ceiling  median  bits
       16                  ours    0.800    1.00  20.0    16.0  1.000   1.000    62.5%   50.0%   512
       16  AES ceiling, 512 bit        -       -  32.0    32.0      -       -        -       -   512

      512                  ours     25.6    32.0  20.0    16.0  1.000   1.000    62.5%   50.0%   512
      512  AES ceiling, 512 bit        -       -  32.0    32.0      -       -        -       -   512
      512                theirs      102     128  5.00    4.00  0.250   0.250        -       -     -

  1048576                  ours    52429   65536  20.0    16.0  1.000   1.000    62.5%   50.0%   512
  1048576  AES ceiling, 512 bit        -       -  32.0    32.0      -       -        -       -   512
  1048576                theirs   209715  262144  5.00    4.00  0.250   0.250        -       -     -

GB/s of the leasts

    bytes  ours  theirs  AES ceiling, 512 bit
       16  20.0       -                  32.0
      512  20.0    5.00                  32.0
  1048576  20.0    5.00                  32.0
`
	if got := b.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{number(1234.5), "1234"}, {number(12.345), "12.3"}, {number(1.2345), "1.23"}, {number(0.01234), "0.012"},
		{ratio(0), "-"}, {ratio(0.01234), "0.0123"}, {ratio(1.23456), "1.235"},
		{percent(0), "-"}, {percent(0.98765), "98.8%"},
		{shortSize(63), "63"}, {shortSize(1420), "1420"}, {shortSize(4096), "4K"}, {shortSize(1 << 20), "1M"},
		{exact(0), ""}, {exact(1.5), "1.5"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	for top, want := range map[float64]float64{0.9: 0.2, 5: 1, 33: 10, 60: 10, 7e3: 2e3} {
		if got := tick(top); got < want*0.999 || got > want*1.001 {
			t.Errorf("tick(%v) = %v, want %v", top, got, want)
		}
	}
}

func TestHeader(t *testing.T) {
	h := header(time.Date(2026, 12, 2, 5, 6, 7, 0, time.UTC), []string{"compare", "-size", "16"})
	for _, want := range []string{"2026-12-02 05:06 +0000", "go1.", "compare -size 16\n", "levels   [Generic"} {
		if !strings.Contains(h, want) {
			t.Errorf("no %q in:\n%s", want, h)
		}
	}
}

func TestCPUModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpuinfo")
	if got := cpuModel(file); got != "unknown" {
		t.Errorf("no file: %q", got)
	}
	for content, want := range map[string]string{
		"processor\t: 0\nmodel name\t: Fast: 3000 \nmodel name\t: other\n": "Fast: 3000",
		"processor\t: 0\n": "unknown",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := cpuModel(file); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	rows := sampleRows()
	var b bytes.Buffer
	if err := writeCSV(&b, rows); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err) // also lines of unequal length
	}
	if len(lines) != 1+len(rows) {
		t.Fatalf("%d lines, want %d", len(lines), 1+len(rows))
	}
	const want = `AES <"fast"> & sound|512|theirs|0|false|512|9|102.4|128|5|4|ours|0.25|0.25||`
	if got := strings.Join(lines[5], "|"); got != want {
		t.Errorf("line %s\nwant %s", got, want)
	}
}

func TestSVG(t *testing.T) {
	one := sampleRows()[2:5] // a single size
	for _, rows := range [][]row{sampleRows(), one} {
		var b bytes.Buffer
		if err := writeSVG(&b, rows); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Error("a coordinate is no number")
		}
		count := map[string]int{}
		text := ""
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				count[token.Name.Local]++
			case xml.CharData:
				text += string(token) + "\n"
			}
		}
		works := len(byWork(rows))
		if count["svg"] != 1 || count["g"] != works || count["polyline"] != 2*works {
			t.Errorf("elements %v, want a group per work and a line per implementation", count)
		}
		if !strings.Contains(text, `AES <"fast"> & sound`) || !strings.Contains(text, "theirs: 5.00") {
			t.Errorf("labels are missing in %q", text)
		}
	}
}

func TestSpread(t *testing.T) {
	var labels []name
	for range 5 {
		labels = append(labels, name{y: plotBottom - 1}, name{y: plotTop})
	}
	all := spread(labels)
	for i := range all {
		if all[i].y > plotBottom {
			t.Errorf("label %d at %v is below the plot", i, all[i].y)
		}
		if i > 0 && all[i].y-all[i-1].y < nameHeight {
			t.Errorf("labels %d and %d at %v and %v cover each other", i-1, i, all[i-1].y, all[i].y)
		}
	}
}
