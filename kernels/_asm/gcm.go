package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// AES-GCM (NIST SP 800-38D): the keystream is AES of a counter, and GHASH sums
// up the ciphertext C_1 ... C_n as
//
//	S = C_1*H^n + C_2*H^(n-1) + ... + C_n*H
//
// so that the blocks of a group can be multiplied independently, each by the
// power of H that its distance from the end demands, and the products added
// before they are reduced once.
//
// The field. GHASH reads a block with the highest power of x in the lowest bit of
// the last byte. With its bytes reversed a block is a number whose bit 127 is the
// power 0: the polynomial mirrored. The carry-less product of two mirrored
// polynomials is the mirrored product, but one bit too low, so all powers of H
// are multiplied by x beforehand; see ghash_generic.go. What remains is a product
// of 256 bits, whose low half must be folded into the high half, modulo
// x^128 + x^127 + x^126 + x^121 + 1: adding to the product the modulus times its
// lowest 64 bits clears those, and what the addition brings is
//
//	the 64 bits themselves, 128 places up, and
//	(x^63 + x^62 + x^57) times them, 64 places up
//
// Twice that, and the high half is the result.
//
// In words of 64 bits, with the product w3:w2:w1:w0 and f = x^63 + x^62 + x^57,
//
//	w2:w1 += w0:0 + f*w0        (w0 is gone)
//	w3:w2 += w1:0 + f*w1        (w1 is gone; w3:w2 is the result)
//
// Products of 128 bits are made from three of 64, after Karatsuba: lo*lo, hi*hi
// and (lo+hi)*(lo+hi), of which the first two are subtracted later, once for all
// vectors of a group:
//
//	w1:w0 = lo*lo,  w3:w2 = hi*hi,  w2:w1 += (lo+hi)*(lo+hi) + lo*lo + hi*hi
//
// The sums lo+hi of the powers are in a table of their own. Four products would do
// without those sums, but multiplications use the same unit as AES on some CPUs,
// and the other operations do not.
//
// A function is made of these pieces:
//
//	crypt      counters, AES and text for vectors side by side
//	hashGroup  GHASH of a group, in steps that go between the rounds of crypt
//	pass       what is left, added to the same sums vector by vector
//	reduce     the sums folded to the block that they stand for
//
// One function absorbs, and one each encrypts and decrypts: runs, whose state lives
// in memory between calls, and whole messages in one call.
type gcm struct {
	*emitter
	aes    schedule
	dst    reg.GPPhysical
	src    reg.GPPhysical
	n      reg.GPPhysical // bytes left
	powers reg.GPPhysical // the table of powers
	accs   reg.GPPhysical // where the sum so far lives between calls
	ctrs   reg.GPPhysical // where the counter block does; then scratch
	consts reg.GPPhysical // the table of constants
	tmp    reg.GPPhysical // in pass, the power for the next block
	tmp2   reg.GPPhysical // scratch

	state []vec
	ctr   vec // counters of the next vector, bytes reversed
	swap  vec // reverses the bytes of each lane
	lo    vec // sums of products
	mi    vec
	hi    vec // likewise; between groups the sum so far, in the lowest lane, bytes reversed, else 0
	x, t  vec // scratch
	key   vec // scratch for a round key, a power or a constant
	x2    vec // with 32 registers, scratch for a second vector
	t2    vec
	used  int

	frame operand.Mem // 16 bytes for a ragged end
}

// group is the number of vectors in a group. With 16 registers eight states
// leave as many for everything else, which is just enough if a power may take the
// place of a round key: so a step that loads one also uses it up.
const group = 8

// take gives out the next vector register.
func (g *gcm) take() vec {
	g.used++
	return g.vec(g.used - 1)
}

// Offsets in the powers, which have the layout of gcmPowers in package kernels:
// the powers from H^33 down to H, for the rest of a group of the widest level and
// the lengths behind it, four blocks of zeros, so that the lanes of a
// vector behind the last block are multiplied by nothing, and the same for the
// sums of their halves, which stand in the low half of their lanes.
const (
	powersEnd = 33 * 16
	powersSum = 37 * 16
)

// Offsets in the table of constants.
const (
	gcmSwap   = 0   // 15 ... 0, in every lane
	gcmOnes   = 64  // in lane i the number i, in its lowest 32 bits
	gcmLanes  = 128 // in every lane the number of lanes, likewise
	gcmReduce = 192 // in every lane x^63 + x^62 + x^57, in the low half
	gcmTail   = 256 // 16 bytes of ones and 16 of zeros
	gcmNext   = 288 // in lane i the number i+1, like gcmOnes
	gcmGroup  = 352 // in every lane the blocks of a group, likewise
	gcmSteps  = 416 // for each vector of a group, in every lane the blocks before it, in the highest byte
)

// gcmConstants writes the table; it is read with unaligned loads, since the linker
// aligns it to 32 bytes at most.
func gcmConstants(e *emitter) operand.Mem {
	table := e.StaticGlobal("gcm" + e.level + "Constants")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	put := func(words ...uint64) {
		for _, w := range words {
			e.AppendDatum(operand.U64(w))
		}
	}
	for range 4 {
		put(0x08090a0b0c0d0e0f, 0x0001020304050607)
	}
	put(0, 0, 1, 0, 2, 0, 3, 0)
	for range 4 {
		put(uint64(e.lanes()), 0)
	}
	for range 4 {
		put(0xc200000000000000, 0)
	}
	put(1<<64-1, 1<<64-1, 0, 0)
	put(1, 0, 2, 0, 3, 0, 4, 0)
	for range 4 {
		put(uint64(group*e.lanes()), 0)
	}
	for i := range group {
		for range e.lanes() {
			put(0, uint64(i*e.lanes())<<56)
		}
	}
	return table
}

// newGCM assigns the registers. hi and t have low numbers because some
// instructions of sumLanes reach no others.
func newGCM(e *emitter) *gcm {
	g := &gcm{
		emitter: e,
		aes:     schedule{keys: reg.RAX, first: reg.RBX, rounds: reg.RCX},
		dst:     reg.RDI, src: reg.RSI, n: reg.RDX, powers: reg.R8, ctrs: reg.R9,
		accs: reg.R10, consts: reg.R13, tmp: reg.R11, tmp2: reg.R12,
	}
	for _, v := range []*vec{&g.ctr, &g.swap, &g.lo, &g.mi, &g.hi, &g.x, &g.t, &g.key} {
		*v = g.take()
	}
	for range group {
		g.state = append(g.state, g.take())
	}
	if e.enc == evex {
		g.x2, g.t2 = g.take(), g.take()
	}
	return g
}

// constant is the table of constants at an offset.
func (g *gcm) constant(off int) operand.Mem { return mem(g.consts, off) }

// hashGroup absorbs a group from base+off: the sum so far joins the first block,
// and block i of n is multiplied by H^(n-i). The table has the highest power
// first, so a vector of powers is a load from as many blocks before its end as
// are still to come.
//
// It needs nothing but lo, mi, hi, x, t and key, and is cut into steps that can go
// between the rounds of AES. A step uses up what it loads into key, since the next
// round key goes there.
func (g *gcm) hashGroup(base reg.GPPhysical, off int) steps {
	var s steps
	power := func(i int) operand.Mem { return mem(g.powers, powersEnd-(group-i)*g.width) }
	text := func(i int) operand.Mem { return mem(base, off+i*g.width) }
	if g.enc == evex {
		for i := 0; i < group; i += 2 {
			s = append(s, g.pair(text(i), text(i+1), power(i), power(i+1), i == 0)...)
		}
	} else {
		for i := range group {
			s = append(s, g.product(text(i), power(i), i == 0)...)
		}
	}
	return append(s, g.reduce()...)
}

// product multiplies a vector of text by powers and adds the parts to lo, mi and
// hi, or sets them if this is the first of a group; then the sum so far joins it.
func (g *gcm) product(text, power operand.Mem, first bool) steps {
	s := steps{
		func() { g.load(text, g.x) },
		func() { g.shuffleBytes(g.swap, g.x, g.x) },
	}
	if first {
		s = append(s, func() { g.xor(g.hi, g.x, g.x) })
	}
	// The first product sets the sums. For the middle one, x is the sum of its
	// own halves by then.
	add := func(halves int, sum vec) {
		if first {
			g.clmul(halves, g.x, g.key, sum)
			return
		}
		g.clmul(halves, g.x, g.key, g.t)
		g.xor(g.t, sum, sum)
	}
	return append(s,
		func() {
			g.load(power, g.key)
			add(lowLow, g.lo)
			add(highHigh, g.hi)
		},
		func() { g.swapHalves(g.x, g.t) },
		func() { g.xor(g.t, g.x, g.x) },
		func() {
			g.load(power.Offset(powersSum), g.key)
			add(lowLow, g.mi)
		})
}

// pair is product for two vectors, whose parts are added in one instruction.
func (g *gcm) pair(textA, textB, powerA, powerB operand.Mem, first bool) steps {
	// a joins the sum so far if it is the first; three-way xor adds both
	// products to what is there.
	a, b := g.x, g.x2
	s := steps{
		func() { g.load(textA, a) },
		func() { g.shuffleBytes(g.swap, a, a) },
		func() { g.load(textB, b) },
		func() { g.shuffleBytes(g.swap, b, b) },
	}
	if first {
		s = append(s, func() { g.xor(g.hi, a, a) })
	}
	add := func(halves, off int, sum vec) func() {
		return func() {
			g.load(powerA.Offset(off), g.key)
			if first {
				g.clmul(halves, a, g.key, sum)
			} else {
				g.clmul(halves, a, g.key, g.t)
			}
			g.load(powerB.Offset(off), g.key)
			g.clmul(halves, b, g.key, g.t2)
			if first {
				g.xor(g.t2, sum, sum)
			} else {
				g.xor3(g.t, g.t2, sum)
			}
		}
	}
	return append(s,
		add(lowLow, 0, g.lo),
		add(highHigh, 0, g.hi),
		func() { g.swapHalves(a, g.t) },
		func() { g.xor(g.t, a, a) },
		func() { g.swapHalves(b, g.t2) },
		func() { g.xor(g.t2, b, b) },
		add(lowLow, powersSum, g.mi))
}

// reduce turns the sums into the sum so far. Every lane is reduced on its own,
// then they are added.
func (g *gcm) reduce() steps {
	// fold clears the low 64 bits of from: the product with the middle of the
	// modulus, and the halves exchanged, which moves the 64 bits up.
	fold := func(from, to vec) steps {
		return steps{
			func() {
				g.load(g.constant(gcmReduce), g.key)
				g.clmul(lowLow, from, g.key, g.t)
			},
			func() { g.swapHalves(from, g.x) },
			func() { g.xor3(g.t, g.x, to) },
		}
	}
	// Karatsuba's subtraction, then the two words from the bottom up.
	s := steps{func() { g.xor3(g.lo, g.hi, g.mi) }}
	s = append(s, fold(g.lo, g.mi)...)
	s = append(s, fold(g.mi, g.hi)...)
	return append(s, func() { g.sumLanes(g.hi, g.t) })
}

// counters sets n states to the first key addition of the next counter blocks.
// A counter is a number of 32 bits that wraps without a carry into the nonce, and
// an addition of 32-bit parts does just that; only its bytes stand the other way
// round in a block, hence the reversal for every vector.
func (g *gcm) counters(states []vec) {
	width := states[0].width
	key := g.key.at(width)
	g.spread(mem(g.aes.first, 0), key)
	g.load(g.constant(gcmLanes), g.t)
	// Each vector of counters is that before it, moved on by its lanes.
	for _, v := range states {
		g.shuffleBytes(g.swap.at(width), g.ctr.at(width), v)
		g.xor(key, v, v)
		g.addD(g.t, g.ctr, g.ctr)
	}
}

// groupCounters is counters for a group, with one operation less a vector: as long
// as no carry leaves the last byte of the counter, a counter further on is an
// addition to that byte, in the order in which the block has it. ctrs has the
// number of the first block; one group in 256/blocks takes the other way.
func (g *gcm) groupCounters() {
	// The last byte of a block is the highest of its 32-bit part, so that what
	// leaves it leaves the part, and is lost: hence the question first.
	carry, done := g.mark("carry"), g.mark("counted")
	blocks := group * g.lanes()
	g.MOVBLZX(g.ctrs.As8(), g.tmp.As32())
	g.ADDL(operand.I32(blocks), g.ctrs.As32())
	g.CMPL(g.tmp.As32(), operand.I32(256-blocks))
	g.JHI(operand.LabelRef(carry))
	g.spread(mem(g.aes.first, 0), g.key)
	g.shuffleBytes(g.swap, g.ctr, g.t)
	for i, v := range g.state {
		g.load(g.constant(gcmSteps+i*g.width), v)
		g.addD(g.t, v, v)
		g.xor(g.key, v, v)
	}
	// ctr has its bytes reversed, and can be moved on as a number.
	g.load(g.constant(gcmGroup), g.t)
	g.addD(g.t, g.ctr, g.ctr)
	g.JMP(operand.LabelRef(done))
	g.Label(carry)
	g.counters(g.state)
	g.Label(done)
}

// crypt is what encryption and decryption share, everything but GHASH: in counter
// mode both add the same keystream to what they read.
//
// It encrypts or decrypts a vector for each state, from src to dst. The text
// is added to the last round key, which takes the xor behind AES off the critical
// path.
func (g *gcm) crypt(states []vec, beside steps) {
	if beside != nil {
		g.groupCounters()
	} else {
		g.counters(states)
	}
	if beside == nil {
		g.roundsLoop(g.aes, states, g.key, g.tmp2)
	} else {
		g.rounds(g.aes, false, states, g.key, beside)
	}
	g.spread(g.aes.keyAt(14), g.key)
	// All texts are read before anything is written: dst may be src.
	for i, v := range states {
		g.load(mem(g.src, i*g.width), g.t)
		g.xor(g.key, g.t, g.t)
		g.round(false, true, g.t, v)
	}
	for i, v := range states {
		g.store(v, mem(g.dst, i*g.width))
	}
}

// advance goes on by size bytes of text.
func (g *gcm) advance(size int) {
	g.ADDQ(operand.I32(size), g.src)
	if g.dst != nil {
		g.ADDQ(operand.I32(size), g.dst)
	}
	g.SUBQ(operand.I32(size), g.n)
}

// finish stores the sum as the standard has it and returns. Plaintext and
// keystream stay in registers only.
func (g *gcm) finish() {
	g.shuffleBytes(g.swap.block(), g.hi.block(), g.hi.block())
	g.store(g.hi.block(), mem(g.accs, 0))
	g.leave()
}

// clearSums begins a sum of products for add: the sum so far is put where it will
// join the first block, whichever that is.
func (g *gcm) clearSums() {
	g.copy(g.hi, g.sum())
	for _, v := range []vec{g.lo, g.mi, g.hi} {
		g.xor(v, v, v)
	}
}

// hashLast is the end of what groups began: it absorbs the last group of size bytes, in front of dst. Once in a
// message, it is a loop to save code.
func (g *gcm) hashLast(size int) {
	g.Comment("The hash of the last group.")
	g.LEAQ(mem(g.powers, powersEnd-size), g.tmp)
	g.LEAQ(mem(g.dst, -size), g.tmp2)
	g.clearSums()
	again := g.mark("last")
	g.Label(again)
	g.add(func() { g.load(mem(g.tmp2, 0), g.x) }, g.width, 0)
	g.ADDQ(operand.I32(g.width), g.tmp)
	g.ADDQ(operand.I32(g.width), g.tmp2)
	g.CMPQ(g.tmp2, g.dst)
	g.JNE(operand.LabelRef(again))
	g.reduce().do()
}

// pass adds n bytes to the sums, vector by vector: tmp points at the power for
// the next block, and moves on with it.
func (g *gcm) pass(op string) {
	if op != "hash" {
		// AES of one vector after the other would wait for itself.
		g.loopWhile("four", 4*g.width, func() {
			g.Comment("Four vectors.")
			g.absorbFour(op)
			g.next(4 * g.width)
		})
	}
	g.loopWhile("vector", g.width, func() {
		g.Comment("A vector.")
		g.absorb(op, g.width, false)
		g.next(g.width)
	})
	if g.enc == evex {
		g.partial(op)
		return
	}
	if g.lanes() > 1 {
		g.loopWhile("block", 16, func() {
			g.Comment("A block.")
			g.absorb(op, 16, false)
			g.next(16)
		})
	}
	g.ragged(op)
}

// next goes on by size bytes, and as many of powers.
func (g *gcm) next(size int) {
	g.advance(size)
	g.ADDQ(operand.I32(size), g.tmp)
}

// sum is where the sum so far waits in tail.
func (g *gcm) sum() vec { return g.state[7] }

// loopWhile runs body while size bytes are left. body counts n down. The loop is
// closed at its end, so that a message pays for one comparison only where there is
// nothing to do.
func (g *gcm) loopWhile(name string, size int, body func()) {
	again, done := g.mark(name), g.mark(name+"Done")
	g.CMPQ(g.n, operand.I32(size))
	g.JLT(operand.LabelRef(done))
	g.Label(again)
	body()
	g.CMPQ(g.n, operand.I32(size))
	g.JGE(operand.LabelRef(again))
	g.Label(done)
}

// absorbFour does four vectors, enough to keep the AES unit busy with the help of
// what the CPU has begun behind them, and all that is left beside the sums. Decryption hashes before it writes, for work in
// place.
func (g *gcm) absorbFour(op string) {
	states := g.state[:4]
	if op == "seal" {
		g.crypt(states, nil)
	}
	for i, v := range states {
		g.add(func() {
			if op == "seal" {
				g.copy(v, g.x)
			} else {
				g.load(mem(g.src, i*g.width), g.x)
			}
		}, g.width, i*g.width)
	}
	if op == "open" {
		g.crypt(states, nil)
	}
}

// absorb does one vector or block of the rest: state[0] becomes keystream and then
// the other text, t is the text that is read. masked limits loads and stores to
// the selected bytes.
func (g *gcm) absorb(op string, width int, masked bool) {
	v, x, t := g.state[0].at(width), g.x.at(width), g.t.at(width)
	load := func(dst vec) {
		if masked {
			g.loadMasked(mem(g.src, 0), dst)
		} else {
			g.load(mem(g.src, 0), dst)
		}
	}
	if op == "hash" {
		g.add(func() { load(x) }, width, 0)
		return
	}
	g.keystream(v)
	// Text and keystream give the other text; GHASH gets the ciphertext, which
	// for decryption is what was read.
	load(t)
	g.xor(t, v, v)
	if masked {
		// Behind the message v is keystream: that is not ciphertext.
		g.storeMasked(v, mem(g.dst, 0))
		g.zeroUnmasked(v)
	} else {
		g.store(v, mem(g.dst, 0))
	}
	cipher := v
	if op == "open" {
		cipher = t
	}
	g.add(func() { g.copy(cipher, x) }, width, 0)
}

// keystream sets v to AES of the next counters, for one vector or block. It takes
// part in the sums in no way, so several in a row overlap.
func (g *gcm) keystream(v vec) {
	key := g.key.at(v.width)
	g.spread(mem(g.aes.first, 0), key)
	g.shuffleBytes(g.swap.at(v.width), g.ctr.at(v.width), v)
	g.xor(key, v, v)
	g.roundsLoop(g.aes, []vec{v}, key, g.tmp2)
	g.spread(g.aes.keyAt(14), key)
	g.round(false, true, key, v)
	// The next counters: a block is one further, a vector all its lanes. After a
	// block only the lowest lane counts, for only blocks can follow.
	if v.width == g.width {
		g.load(g.constant(gcmLanes), g.t)
	} else {
		g.load(g.constant(gcmOnes+16), g.t.block())
	}
	g.addD(g.t, g.ctr, g.ctr)
}

// add adds a product of the rest to the sums, and the sum so far to the first.
// The power stands off bytes behind tmp.
func (g *gcm) add(load func(), width, off int) {
	load()
	g.shuffleBytes(g.swap.at(width), g.x.at(width), g.x.at(width))
	g.xor(g.sum().at(width), g.x.at(width), g.x.at(width))
	g.xor(g.sum(), g.sum(), g.sum())
	g.addProduct(width, off)
}

// addProduct multiplies x by the powers off bytes behind tmp.
func (g *gcm) addProduct(width, off int) {
	x, t, p := g.x.at(width), g.t.at(width), g.key.at(width)
	// The sums were cleared, so every product is added.
	sum := func(halves int, s vec) {
		g.clmul(halves, x, p, t)
		// A block's product leaves the other lanes alone: an instruction that
		// writes a block of a wider register zeroes the rest.
		g.xor(t.at(g.width), s, s)
	}
	g.load(mem(g.tmp, off), p)
	sum(lowLow, g.lo)
	sum(highHigh, g.hi)
	g.swapHalves(x, t)
	g.xor(t, x, x)
	g.load(mem(g.tmp, off+powersSum), p)
	sum(lowLow, g.mi)
}

// partial does the bytes that do not fill a vector, under a mask, without a loop
// and without touching a byte outside. The lanes
// behind the last block meet powers of zero.
func (g *gcm) partial(op string) {
	done := g.mark("partialDone")
	g.TESTQ(g.n, g.n)
	g.JEQ(operand.LabelRef(done))
	g.Comment("What does not fill a vector.")
	g.firstBytes(g.n, g.tmp2)
	g.absorb(op, g.width, true)
	g.passPowers()
	g.Label(done)
}

// ragged does the bytes that do not fill a block, without masks: they pass through 16 bytes of
// the frame one by one, since nothing outside may be touched.
func (g *gcm) ragged(op string) {
	done := g.mark("raggedDone")
	g.TESTQ(g.n, g.n)
	g.JEQ(operand.LabelRef(done))
	g.Comment("What does not fill a block.")
	frame := g.frame
	v, x, u := g.state[0].block(), g.x.block(), g.t.block()
	// move copies the n bytes, from the last to the first.
	move := func(from, to operand.Mem) {
		again := g.mark("byte")
		g.MOVQ(g.n, g.tmp2)
		g.Label(again)
		g.MOVB(from.Idx(g.tmp2, 1).Offset(-1), g.ctrs.As8())
		g.MOVB(g.ctrs.As8(), to.Idx(g.tmp2, 1).Offset(-1))
		g.DECQ(g.tmp2)
		g.JNE(operand.LabelRef(again))
	}
	// The frame holds zeros behind the bytes of the message. The keystream comes
	// first because it needs the same scratch registers.
	if op != "hash" {
		g.keystream(v)
	}
	g.xor(u, u, u)
	g.store(u, frame)
	move(mem(g.src, 0), frame)
	g.load(frame, u)
	cipher := u
	if op != "hash" {
		g.xor(u, v, v)
		g.store(v, frame)
		move(frame, mem(g.dst, 0))
		if op == "seal" {
			// Only the bytes of the message count, not the keystream behind.
			g.MOVQ(g.consts, g.tmp2)
			g.SUBQ(g.n, g.tmp2)
			g.load(mem(g.tmp2, gcmTail+16), u)
			g.and(u, v, v)
			cipher = v
		}
	}
	g.add(func() { g.copy(cipher, x) }, 16, 0)
	if op != "hash" {
		g.xor(u, u, u)
		g.store(u, frame) // plaintext or keystream
	}
	g.passPowers()
	g.Label(done)
}

// passPowers moves tmp past the powers for n bytes, the last of which fill up a
// block only with zeros: what follows in a short message begins a new one.
func (g *gcm) passPowers() {
	g.ADDQ(operand.U8(15), g.n)
	g.ANDQ(operand.I32(-16), g.n)
	g.ADDQ(g.n, g.tmp)
}

// gcmHash writes the function that absorbs bytes as they are: additional data, a
// nonce of unusual length, or ciphertext that is only to be verified. There is no
// AES to go beside, so GHASH runs as fast as it can by itself.
func gcmHash(e *emitter, consts operand.Mem) {
	e.begin("gcmHash", "func(powers *[1184]byte, acc *[16]byte, src *byte, n int)",
		"absorbs n bytes, 1 at least, with zeros up to a whole block, into acc.")
	g := newGCM(e)
	if e.enc != evex {
		g.frame = e.AllocLocal(16)
	}
	g.dst = nil
	g.LEAQ(consts, g.consts)
	g.Load(g.Param("powers"), g.powers)
	g.Load(g.Param("acc"), g.accs)
	g.Load(g.Param("src"), g.src)
	g.Load(g.Param("n"), g.n)
	g.load(g.constant(gcmSwap), g.swap)
	g.load(mem(g.accs, 0), g.hi.block())
	g.shuffleBytes(g.swap.block(), g.hi.block(), g.hi.block())
	// dst is nil: there is none to advance.
	size := group * g.width
	g.loopWhile("group", size, func() {
		g.Comment("A group of vectors.")
		g.hashGroup(g.src, 0).do()
		g.advance(size)
	})
	done := g.mark("tailDone")
	g.TESTQ(g.n, g.n)
	g.JEQ(operand.LabelRef(done))
	g.Comment("The rest: the power for its first block.")
	g.wholeBlocks(g.n, 0, g.tmp)
	g.powerBefore(g.tmp)
	g.clearSums()
	g.pass("hash")
	g.reduce().do()
	g.Label(done)
	g.finish()
}

// gcmMessage writes the function for one direction. It has two uses.
//
// With a nonce it does a whole message: there is one call of assembly instead of
// four. If additional data, text and lengths have few blocks together, there is
// also one reduction for all of them: with a blocks of additional data and m of
// text, the last ones padded, the first block of all is multiplied by H^(a+m+1)
// and the lengths by H. The powers of all of them are one stretch of the table,
// along which tmp moves. A vector that is not full may meet powers meant for
// blocks behind it, but only with zeros. What covers the tag is encrypted first,
// and waits in the frame: nothing depends on it until the end, so its fourteen
// rounds cost no time of their own.
//
// Without a nonce it does a run. Between calls the state is the sum so far and the
// counter block, both as the standard has them, so that a message can be fed in
// pieces and each piece at another level.
//
// Decryption hashes the group that it decrypts. Encryption is a group behind: it
// hashes the one before, out of dst, and in the end the last.
func gcmMessage(e *emitter, consts operand.Mem, op string) {
	name, verb := "gcmSeal", "encrypts"
	if op == "open" {
		name, verb = "gcmOpen", "decrypts"
	}
	e.begin(name, "func(keys *[15][16]byte, rounds int, powers *[1184]byte, acc, ctr *[16]byte, nonce, aad *byte, aadLen int, dst, src *byte, n int, tag *[16]byte)",
		verb+" n bytes from src to dst. keys are right-aligned; dst and src are the same",
		"or disjoint.",
		"",
		"With a nonce, of 12 bytes, and a tag, this is a whole message with aadLen bytes",
		"of additional data, 512 at most; acc and ctr are not used. tag is set.",
		"",
		"With neither, this is a run of at least 1 byte: the counter blocks are those from",
		"ctr on, and the ciphertext, with zeros up to a whole block, is absorbed into acc.",
		"ctr moves behind the last block.")
	g := newGCM(e)
	g.frame = e.AllocLocal(32)
	mask := g.frame.Offset(16)
	e.LEAQ(consts, g.consts)
	e.Load(e.Param("powers"), g.powers)
	e.Load(e.Param("keys"), g.aes.keys)
	e.Load(e.Param("rounds"), g.aes.rounds)
	g.locate(g.aes)
	g.load(g.constant(gcmSwap), g.swap)
	e.Load(e.Param("nonce"), g.tmp)
	e.TESTQ(g.tmp, g.tmp)
	e.JEQ(operand.LabelRef("resume"))
	g.begin12(mask)

	// Lengths are rounded up to blocks, and one block is added for the lengths.
	e.Comment("Few blocks in all: the power for the first of them.")
	for _, v := range []vec{g.lo, g.mi, g.hi, g.sum()} {
		g.xor(v, v, v)
	}
	e.Load(e.Param("aad"), g.src)
	e.Load(e.Param("aadLen"), g.n)
	g.wholeBlocks(g.n, 0, g.tmp2)
	e.Load(e.Param("n"), g.tmp)
	g.wholeBlocks(g.tmp, 16, g.tmp)
	e.ADDQ(g.tmp2, g.tmp)
	e.CMPQ(g.tmp, operand.I32(powersEnd))
	e.JLE(operand.LabelRef("additional"))
	e.MOVQ(g.tmp2, g.tmp)
	e.Label("additional")
	g.powerBefore(g.tmp)
	// Of the additional data nothing is written: there is no dst to advance.
	dst := g.dst
	g.dst = nil
	g.pass("hash")
	g.dst = dst
	e.Load(e.Param("dst"), g.dst)
	e.Load(e.Param("src"), g.src)
	e.Load(e.Param("n"), g.n)
	// If all are in one sum, tmp is not at the end of the table yet.
	e.LEAQ(mem(g.powers, powersEnd), g.tmp2)
	e.CMPQ(g.tmp, g.tmp2)
	e.JNE(operand.LabelRef("rest"))
	// Then the additional data are at an end, and the text begins with their sum.
	e.Comment("Many blocks: the additional data by themselves.")
	g.reduce().do()
	e.MOVL(operand.U32(2), g.ctrs.As32())
	e.JMP(operand.LabelRef("text"))

	e.Label("resume")
	e.Load(e.Param("acc"), g.tmp)
	g.load(mem(g.tmp, 0), g.hi.block())
	g.shuffleBytes(g.swap.block(), g.hi.block(), g.hi.block())
	e.Load(e.Param("dst"), g.dst)
	e.Load(e.Param("src"), g.src)
	e.Load(e.Param("n"), g.n)
	e.Load(e.Param("ctr"), g.accs)
	// Lane i of the first vector counts i further. What goes back to memory is
	// known already: one counter for each block, also for a ragged one.
	e.Comment("The counters of the first vector, and that behind the last block.")
	g.spread(mem(g.accs, 0), g.ctr)
	g.shuffleBytes(g.swap, g.ctr, g.ctr)
	g.load(g.constant(gcmOnes), g.t)
	g.addD(g.t, g.ctr, g.ctr)
	e.LEAQ(mem(g.n, 15), g.tmp)
	e.SHRQ(operand.U8(4), g.tmp)
	e.MOVL(mem(g.accs, 12), g.ctrs.As32())
	e.BSWAPL(g.ctrs.As32())
	e.ADDL(g.ctrs.As32(), g.tmp.As32())
	e.BSWAPL(g.tmp.As32())
	e.MOVL(g.tmp.As32(), mem(g.accs, 12))

	e.Label("text")
	g.groups(op)
	e.Comment("The rest: the power for its first block, with the lengths behind if this is the end.")
	// A run without a rest is done: there would be nothing for the sum to join.
	e.Load(e.Param("tag"), g.tmp2)
	e.TESTQ(g.tmp2, g.tmp2)
	e.JNE(operand.LabelRef("withLengths"))
	e.TESTQ(g.n, g.n)
	e.JEQ(operand.LabelRef("finish"))
	g.wholeBlocks(g.n, 0, g.tmp)
	e.JMP(operand.LabelRef("sums"))
	e.Label("withLengths")
	g.wholeBlocks(g.n, 16, g.tmp)
	e.Label("sums")
	g.powerBefore(g.tmp)
	g.clearSums()

	e.Label("rest")
	g.pass(op)
	e.Load(e.Param("tag"), g.tmp2)
	e.TESTQ(g.tmp2, g.tmp2)
	e.JNE(operand.LabelRef("lengths"))
	g.reduce().do()
	e.Label("finish")
	e.Load(e.Param("acc"), g.accs)
	g.finish()

	// As a number, its bytes reversed already, the last block has the length of
	// the text below and that of the additional data above. If nothing came
	// before it, the sum so far is still waiting.
	e.Label("lengths")
	e.Comment("The lengths in bits, and the tag.")
	e.Load(e.Param("n"), g.n)
	e.SHLQ(operand.U8(3), g.n)
	g.fromGP(g.n, g.x.block())
	e.Load(e.Param("aadLen"), g.n)
	e.SHLQ(operand.U8(3), g.n)
	g.insertHigh(g.n, g.x.block())
	g.xor(g.sum().block(), g.x.block(), g.x.block())
	g.addProduct(16, 0)
	g.reduce().do()
	g.shuffleBytes(g.swap.block(), g.hi.block(), g.hi.block())
	// The mask has done its duty, and does not stay in the frame.
	g.load(mask, g.t.block())
	g.xor(g.t.block(), g.hi.block(), g.hi.block())
	g.store(g.hi.block(), mem(g.tmp2, 0))
	g.xor(g.t.block(), g.t.block(), g.t.block())
	g.store(g.t.block(), mask)
	g.leave()
}

// begin12 is SP 800-38D section 7.1 steps 2 and 3 for the usual length of a nonce;
// others are hashed, in Go, by several calls. It takes the nonce at tmp, of 12 bytes: it stores what covers the tag at
// mask and sets the counters of the first vector.
func (g *gcm) begin12(mask operand.Mem) {
	g.Comment("J0 is the nonce and a counter of 1. What covers the tag is AES of it.")
	j0, v := g.state[5], g.state[6].block()
	// No more than the nonce may be read: 8 bytes and 4. The counter is
	// big-endian, so its 1 is bit 56 of the upper half.
	g.MOVL(mem(g.tmp, 8), g.tmp2.As32())
	g.MOVQ(mem(g.tmp, 0), g.tmp)
	g.BTSQ(operand.U8(56), g.tmp2)
	g.fromGP(g.tmp, j0.block())
	g.insertHigh(g.tmp2, j0.block())
	g.spread(mem(g.aes.first, 0), g.key.block())
	g.xor(j0.block(), g.key.block(), v)
	g.roundsLoop(g.aes, []vec{v}, g.key.block(), g.tmp2)
	g.spread(g.aes.keyAt(14), g.key.block())
	g.round(false, true, g.key.block(), v)
	g.store(v, mask)
	g.spreadLane(j0, g.ctr)
	g.shuffleBytes(g.swap, g.ctr, g.ctr)
	g.load(g.constant(gcmNext), g.t)
	g.addD(g.t, g.ctr, g.ctr)
}

// wholeBlocks sets dst to n, rounded up to blocks, and more. In bytes, since a block
// of text and a power have the same size.
func (g *gcm) wholeBlocks(n reg.GPPhysical, more int, dst reg.GPPhysical) {
	g.LEAQ(mem(n, 15+more), dst)
	g.ANDQ(operand.I32(-16), dst)
}

// powerBefore sets tmp to the power for the first of the blocks that have so many
// bytes: as many bytes before the end of the table. bytes is overwritten.
func (g *gcm) powerBefore(bytes reg.GPPhysical) {
	g.NEGQ(bytes)
	g.LEAQ(mem(g.powers, powersEnd).Idx(bytes, 1), g.tmp)
}

// groups does all groups of a run, with the sum so far in hi before and after.
func (g *gcm) groups(op string) {
	// For encryption a group can be hashed when it is there, so the hash is one
	// group behind: what dst holds in front.
	size := group * g.width
	if op == "open" {
		g.loopWhile("group", size, func() {
			g.Comment("A group of vectors.")
			g.crypt(g.state, g.hashGroup(g.src, 0))
			g.advance(size)
		})
		return
	}
	// The first group has nothing to be hashed beside it.
	done := g.mark("groupsDone")
	g.CMPQ(g.n, operand.I32(size))
	g.JLT(operand.LabelRef(done))
	g.Comment("The first group.")
	// ctrs is only looked at by groupCounters, and must keep step.
	g.crypt(g.state, nil)
	g.ADDL(operand.I32(group*g.lanes()), g.ctrs.As32())
	g.advance(size)
	g.loopWhile("group", size, func() {
		g.Comment("A group of vectors, beside the hash of the one before.")
		g.crypt(g.state, g.hashGroup(g.dst, -size))
		g.advance(size)
	})
	g.hashLast(size)
	g.Label(done)
}
