package main

// A row is a result with what it is compared with: what all reports show.
type row struct {
	work *work
	size int
	result

	// How many times faster than the base this is, from the leasts and from
	// the medians; 0 if there is no base.
	speedLeast, speedMedian float64

	// The part of the AES ceiling that is reached, likewise.
	partLeast, partMedian float64
}

// gbps returns gigabytes a second from a time of one iteration.
func (r result) gbps(ns float64) float64 { return float64(r.bytes) / ns }

// rowsOf sets the results of a group against its base and its ceilings.
func rowsOf(g group, results []result) []row {
	var base *result
	ceilings := map[int]*result{}
	for i := range results {
		r := &results[i]
		if r.ceiling {
			ceilings[r.width] = r
		} else if r.impl == g.work.base {
			base = r
		}
	}
	rows := make([]row, 0, len(results))
	for _, r := range results {
		row := row{work: &g.work, size: g.size, result: r}
		if base != nil && !r.ceiling {
			row.speedLeast = r.gbps(r.least) / base.gbps(base.least)
			row.speedMedian = r.gbps(r.median) / base.gbps(base.median)
		}
		if c := ceilings[r.width]; c != nil && !r.ceiling {
			row.partLeast = r.gbps(r.least) / c.gbps(c.least)
			row.partMedian = r.gbps(r.median) / c.gbps(c.median)
		}
		rows = append(rows, row)
	}
	return rows
}

// byWork divides rows into those of one work each, in their order.
func byWork(rows []row) [][]row {
	var all [][]row
	for _, r := range rows {
		if n := len(all); n > 0 && all[n-1][0].work.name == r.work.name {
			all[n-1] = append(all[n-1], r)
		} else {
			all = append(all, []row{r})
		}
	}
	return all
}

// names returns the implementations in rows in the order of their first
// appearance, the ceilings last.
func names(rows []row) []string {
	var impls, ceilings []string
	seen := map[string]bool{}
	for _, r := range rows {
		switch {
		case seen[r.impl]:
		case r.ceiling:
			ceilings = append(ceilings, r.impl)
		default:
			impls = append(impls, r.impl)
		}
		seen[r.impl] = true
	}
	return append(impls, ceilings...)
}
