package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Measures of a chart, in pixels.
const (
	chartWidth  = 960
	chartHeight = 480
	plotLeft    = 64
	plotRight   = chartWidth - 230 // the names stand behind it
	plotTop     = 48
	plotBottom  = chartHeight - 56
	nameHeight  = 17
)

// colors can be told apart by colour-blind readers too (Okabe and Ito).
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7a00"}

// dashes tell lines apart when the colours begin anew.
var dashes = []string{"none", "7 3", "2 3"}

// A chart collects the text of an SVG file.
type chart struct{ b bytes.Buffer }

func (c *chart) printf(format string, args ...any) { fmt.Fprintf(&c.b, format+"\n", args...) }

// text writes a label.
func (c *chart) text(x, y float64, anchor, fill, format string, args ...any) {
	c.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`, x, y, anchor, fill, escape(fmt.Sprintf(format, args...)))
}

// line writes a straight line.
func (c *chart) line(x1, y1, x2, y2 float64, color, dash string) {
	c.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-dasharray="%s"/>`, x1, y1, x2, y2, color, dash)
}

// escape makes text safe in XML.
func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a bytes.Buffer takes everything
	return b.String()
}

// writeSVG draws a chart for every work in rows, one below the other: gigabytes
// a second, of the least slices, over the size.
func writeSVG(w io.Writer, rows []row) error {
	works := byWork(rows)
	c := &chart{}
	height := len(works) * chartHeight
	c.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">`, chartWidth, height)
	c.printf(`<rect width="%d" height="%d" fill="#ffffff"/>`, chartWidth, height)
	for i, rows := range works {
		c.printf(`<g transform="translate(0 %d)">`, i*chartHeight)
		c.draw(rows)
		c.printf(`</g>`)
	}
	c.printf(`</svg>`)
	_, err := w.Write(c.b.Bytes())
	return err
}

// draw draws the chart of one work.
func (c *chart) draw(rows []row) {
	least, most, top := math.MaxInt, 0, 0.0
	for _, r := range rows {
		least, most = min(least, r.size), max(most, r.size)
		top = max(top, r.gbps(r.least))
	}
	step := tick(top)
	top = step * math.Ceil(top/step)

	span := math.Log2(float64(most)) - math.Log2(float64(least))
	x := func(size int) float64 {
		if span == 0 {
			return (plotLeft + plotRight) / 2
		}
		return plotLeft + 12 + (plotRight-plotLeft-24)*(math.Log2(float64(size))-math.Log2(float64(least)))/span
	}
	y := func(gbps float64) float64 { return plotBottom - (plotBottom-plotTop)*gbps/top }

	c.printf(`<text x="%d" y="26" font-size="16" font-weight="bold" fill="#222222">%s</text>`, plotLeft, escape(rows[0].work.name))
	for i := 0.0; i*step <= top*1.001; i++ {
		c.line(plotLeft, y(i*step), plotRight, y(i*step), "#e4e4e4", "none")
		c.text(plotLeft-8, y(i*step)+4, "end", "#444444", "%s", strconv.FormatFloat(i*step, 'g', 6, 64))
	}
	c.text(plotLeft-8, plotTop-12, "end", "#444444", "GB/s")
	var labelled []float64
	crowded := func(at float64) bool {
		return slices.ContainsFunc(labelled, func(l float64) bool { return math.Abs(at-l) < 34 })
	}
	sizes := sizesOf(rows)
	// Round sizes are labelled first, ragged ones where there is room.
	slices.SortStableFunc(sizes, func(a, b int) int { return cmp.Compare(bits.TrailingZeros(uint(b)), bits.TrailingZeros(uint(a))) })
	for _, size := range sizes {
		at := x(size)
		c.line(at, plotBottom, at, plotBottom+5, "#444444", "none")
		if !crowded(at) {
			c.text(at, plotBottom+20, "middle", "#444444", "%s", shortSize(size))
			labelled = append(labelled, at)
		}
	}
	c.text((plotLeft+plotRight)/2, plotBottom+42, "middle", "#444444", "bytes, logarithmic; circles: no multiple of 16")
	c.line(plotLeft, plotBottom, plotRight, plotBottom, "#444444", "none")

	c.names(c.lines(rows, x, y))
}

// A name labels a line at its right end.
type name struct {
	y     float64
	text  string
	color string
}

// lines draws a line for each implementation, and the ceilings as levels. The
// line leads through sizes that are whole blocks; the ragged ones, which would
// make it a saw, are circles.
func (c *chart) lines(rows []row, x func(int) float64, y func(float64) float64) []name {
	var labels []name
	drawn := 0
	for _, impl := range names(rows) {
		var points []row
		for _, r := range rows {
			if r.impl == impl {
				points = append(points, r)
			}
		}
		last := points[len(points)-1]
		if last.ceiling {
			// It has no size. Each group measured it; the best is the ceiling.
			best := 0.0
			for _, r := range points {
				best = max(best, r.gbps(r.least))
			}
			c.line(plotLeft, y(best), plotRight, y(best), "#777777", "4 4")
			labels = append(labels, name{y(best), fmt.Sprintf("%s: %s", impl, number(best)), "#777777"})
			continue
		}
		slices.SortFunc(points, func(a, b row) int { return cmp.Compare(a.size, b.size) })
		last = points[len(points)-1]
		color, dash := colors[drawn%len(colors)], dashes[drawn/len(colors)%len(dashes)]
		drawn++
		var path bytes.Buffer
		for _, r := range points {
			at, fill := [2]float64{x(r.size), y(r.gbps(r.least))}, "#ffffff"
			if whole(r.size) {
				fmt.Fprintf(&path, "%.1f,%.1f ", at[0], at[1])
				fill = color
			}
			c.printf(`<circle cx="%.1f" cy="%.1f" r="3" fill="%s" stroke="%s"/>`, at[0], at[1], fill, color)
		}
		c.printf(`<polyline fill="none" stroke-width="2" stroke="%s" stroke-dasharray="%s" points="%s"/>`, color, dash, path.Bytes())
		labels = append(labels, name{y(last.gbps(last.least)), fmt.Sprintf("%s: %s", impl, number(last.gbps(last.least))), color})
	}
	return labels
}

// names writes labels beside the plot, each as near to its line as the others
// leave room.
func (c *chart) names(labels []name) {
	for _, l := range spread(labels) {
		c.line(plotRight+2, l.from, plotRight+14, l.y, l.color, "none")
		c.text(plotRight+18, l.y+4, "start", l.color, "%s", l.text)
	}
}

// A placed label has moved from where its line ends.
type placed struct {
	name
	from float64
}

// spread moves labels apart vertically so that none covers another.
func spread(labels []name) []placed {
	all := make([]placed, len(labels))
	for i, l := range labels {
		all[i] = placed{l, l.y}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.y, b.y) })
	// Downwards from the top, then upwards from what has left the plot.
	for i := 1; i < len(all); i++ {
		all[i].y = max(all[i].y, all[i-1].y+nameHeight)
	}
	floor := float64(plotBottom)
	for i := len(all) - 1; i >= 0; i-- {
		all[i].y = min(all[i].y, floor)
		floor = all[i].y - nameHeight
	}
	return all
}

// tick returns the distance of about six horizontal lines: 1, 2 or 5 times a
// power of ten.
func tick(top float64) float64 {
	raw := top / 6
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// sizesOf returns the sizes in rows, ascending.
func sizesOf(rows []row) []int {
	var sizes []int
	for _, r := range rows {
		sizes = append(sizes, r.size)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// shortSize writes 65536 as 64K.
func shortSize(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + "M"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + "K"
	}
	return strconv.Itoa(n)
}

// whole says whether n bytes are whole blocks.
func whole(n int) bool { return n%16 == 0 }
