package cryptotest

// Standard returns the configurations that every test vector should pass with,
// for a text and additional data of the given lengths. Each is there for a
// way in which implementations are known to fail.
func Standard(textLen, aadLen int) []Config {
	whole := func(n int) Division { return Sizes(n) }
	halves := func(n int) Division { return Proportions(n, 1, 1) }
	uneven := func(n int) Division { return Proportions(n, 19, 33, 48).At(33, 7, 18) }
	// across lines of a cache
	crossing := func(n int) Division { return Proportions(n, 75, 25).At(32, 57) }
	// single bytes, then the rest
	short := func(n int) Division {
		ones := min(n, 40)
		d := make(Division, ones, ones+1)
		for i := range d {
			d[i].Size = 1
		}
		return append(d, Segment{n - ones, 5})
	}
	// nil and empty ones around and between
	blank := func(n int) Division {
		block := min(n, 16)
		return Sizes(Nil, 0, block, Nil, 0, n-block, 0, Nil)
	}
	// around the first block
	offBy := func(n, size int) Division {
		size = min(n, size)
		return Sizes(size, n-size)
	}
	// inside a region
	flat := func(d Division) Division { return d.At(0) }

	t, a := textLen, aadLen
	configs := []Config{
		{Mode: InPlace, Src: whole(t), AAD: whole(a)},
		{Mode: InPlaceResplit, Regions: whole(t), Src: whole(t), Dst: halves(t), AAD: halves(a)},
		{Src: whole(t), Dst: whole(t), AAD: whole(a)},
		{Src: whole(t).At(1), Dst: whole(t).At(1), AAD: whole(a).At(1)},
		{Src: whole(t).At(8), Dst: whole(t).At(16), AAD: whole(a).At(8)},
		{Src: halves(t), Dst: halves(t), AAD: halves(a)},
		{Src: uneven(t), Dst: uneven(t), AAD: uneven(a)},
		{Mode: InPlace, Src: crossing(t), AAD: crossing(a)},
		{Mode: InPlaceResplit, Regions: crossing(t), Src: flat(crossing(t)), Dst: flat(crossing(t)), AAD: crossing(a)},
		{Src: offBy(t, 15), Dst: offBy(t, 17), AAD: offBy(a, 15)},
		{Mode: InPlaceResplit, Regions: whole(t).At(3), Src: offBy(t, 17), Dst: offBy(t, 15), AAD: offBy(a, 17)},
		{Src: short(t), Dst: uneven(t), AAD: short(a)},
		{Src: uneven(t), Dst: short(t), AAD: uneven(a)},
		{Mode: InPlace, Src: short(t), AAD: short(a)},
		{Src: blank(t), Dst: blank(t), AAD: blank(a)},
		{Mode: InPlaceResplit, Regions: whole(t), Src: blank(t), Dst: flat(short(t)), AAD: blank(a)},
	}
	for i := range configs {
		configs[i].Seed = uint64(i)
	}
	return configs
}
