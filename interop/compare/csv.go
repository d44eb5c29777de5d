package main

import (
	"encoding/csv"
	"io"
	"strconv"
)

// csvHeader names the columns of a CSV file. Times are of one call.
var csvHeader = []string{
	"work", "size", "implementation", "ceiling_bits", "is_ceiling", "bytes", "slices",
	"ns_least", "ns_median", "gbps_least", "gbps_median",
	"base", "speed_least", "speed_median", "ceiling_part_least", "ceiling_part_median",
}

// writeCSV writes all rows, with a header. What does not exist is empty.
func writeCSV(w io.Writer, rows []row) error {
	c := csv.NewWriter(w)
	lines := [][]string{csvHeader}
	for _, r := range rows {
		lines = append(lines, []string{
			r.work.name, strconv.Itoa(r.size), r.impl, strconv.Itoa(r.width), strconv.FormatBool(r.ceiling),
			strconv.Itoa(r.bytes), strconv.Itoa(r.slices),
			exact(r.least), exact(r.median), exact(r.gbps(r.least)), exact(r.gbps(r.median)),
			r.work.base, exact(r.speedLeast), exact(r.speedMedian), exact(r.partLeast), exact(r.partMedian),
		})
	}
	return c.WriteAll(lines)
}

// exact formats with six digits; 0 stands for what does not exist.
func exact(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
