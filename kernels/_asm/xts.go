package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// AES-XTS (IEEE 1619). Block j of a data unit is
//
//	C_j = E_K1(P_j ^ T_j) ^ T_j,  T_0 = E_K2(tweak),  T_{j+1} = x * T_j
//
// in GF(2^128): a block is a polynomial with the lowest power in the lowest bit
// of byte 0, modulo x^128 + x^7 + x^2 + x + 1, so what leaves at the top comes
// back at the bottom multiplied by 0x87.
//
// A function is made of the pieces below, all written for vectors of any width:
//
//	first      the tweaks of the first vector from T_0
//	groups     groups of vectors but the last: load, AES, store, next tweaks
//	steal      the last 16+r bytes, if the length is no multiple of 16
//	lastGroup  the same as groups, without next tweaks
//	halves     half a group, a quarter and so on, down to a vector
//	blocks     single blocks behind the last vector
//
// steal comes before what it stands behind in memory: its two blocks wait for
// each other, and the CPU fills that time with what follows in the program.
type xts struct {
	*emitter
	dec bool

	data   schedule
	dst    reg.GPPhysical
	src    reg.GPPhysical
	bulk   reg.GPPhysical // bytes in whole blocks that are not stolen from
	rest   reg.GPPhysical // r, the bytes behind the last whole block
	tmp    reg.GPPhysical
	tmp2   reg.GPPhysical
	consts reg.GPPhysical // of the table of constants

	group  int // vectors in a group
	state  []vec
	tweak  []vec
	next   []vec // the tweaks of the next group
	poly   vec   // in every lane {low half: 0x87, high half: 1}
	t0, t1 vec   // scratch
	key    vec   // scratch for a round key
	used   int   // vector registers given out
}

// take gives out the next vector register, at the width of the level.
func (x *xts) take() vec {
	x.used++
	return x.vec(x.used - 1)
}

// newXTS assigns the registers. With 16 vector registers a group has four
// vectors, and nothing is left over; with 32 it has eight. Measured on Zen 4 (64
// KiB, AES-256): eight against four is 12.6 to 11.4 GB/s at 256 bits with
// AVX-512, and 14.5 GB/s at 512 bits.
func newXTS(e *emitter, dec bool) *xts {
	x := &xts{
		emitter: e, dec: dec,
		data: schedule{keys: reg.RAX, first: reg.RBX, rounds: reg.RCX},
		dst:  reg.RDI, src: reg.RSI, bulk: reg.RDX, rest: reg.R8,
		tmp: reg.R9, tmp2: reg.R10, consts: reg.R13,
		group: 4,
	}
	if e.enc == evex {
		x.group = 8
	}
	x.t0, x.t1, x.key, x.poly = x.take(), x.take(), x.take(), x.take()
	for range x.group {
		x.state = append(x.state, x.take())
		x.tweak = append(x.tweak, x.take())
		x.next = append(x.next, x.take())
	}
	return x
}

// Offsets in the table of constants.
const (
	constPoly  = 0   // poly
	constPick  = 16  // 48 bytes: 16 times 0x80, then 0 to 15, 16 times 0x80
	constLeft  = 64  // shift counts of the halves: 0, 0, 1, 1, 2, 2, 3, 3
	constRight = 128 // 64 less those
	constOdd   = 192 // all ones in lanes 1 and 3
	constUpper = 256 // all ones in lanes 2 and 3
	constIndex = 320 // 0, 1
)

// xtsConstants writes the table. The linker aligns it to 32 bytes at most, so it
// is read with unaligned loads.
func xtsConstants(e *emitter) operand.Mem {
	const dead, ones = 0x8080808080808080, 1<<64 - 1
	table := e.StaticGlobal("xts" + e.level + "Constants")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, w := range []uint64{
		0x87, 1,
		dead, dead, 0x0706050403020100, 0x0f0e0d0c0b0a0908, dead, dead,
		0, 0, 1, 1, 2, 2, 3, 3,
		64, 64, 63, 63, 62, 62, 61, 61,
		0, 0, ones, ones, 0, 0, ones, ones,
		0, 0, 0, 0, ones, ones, ones, ones,
		0, 1,
	} {
		e.AppendDatum(operand.U64(w))
	}
	return table
}

// constant is the table at an offset.
func (x *xts) constant(off int) operand.Mem { return mem(x.consts, off) }

// steps is a piece of a program in single steps, in the order in which they must
// run, each of which writes one
// instruction or two, so that it can be mixed into another piece.
type steps []func()

// do writes all steps in a row.
func (s steps) do() {
	for _, f := range s {
		f()
	}
}

// mulX multiplies a block by x: dst = x * t. The shift left by one is an
// addition of each half to itself. The bit that leaves the low half belongs at
// the bottom of the high one, the bit that leaves the high half becomes 0x87 at
// the bottom of the low one: swapSigns brings each to where it counts, signs
// makes a mask of it, poly cuts the mask to size. dst may be t; t1 is
// overwritten.
func (x *xts) mulX(t, dst vec) steps {
	carry, poly := x.t1.at(t.width), x.poly.at(t.width)
	return steps{
		func() { x.swapSigns(t, carry) },
		func() { x.signs(carry, carry) },
		func() { x.and(poly, carry, carry) },
		func() { x.addQ(t, t, dst) },
		func() { x.xor(carry, dst, dst) },
	}
}

// mul multiplies every lane of t by x^k, 0 < k < 64: dst = t * x^k. dst may be
// t; t0 and t1 are overwritten.
//
// If k is a multiple of 8, a shift of the lane by bytes keeps the bits that
// change the half, and only those that leave at the top must be folded back:
// their product with 0x87, of degree k+6 at most. Otherwise the halves are
// shifted on their own, and fold puts them together.
func (x *xts) mul(k int, t, dst vec) steps {
	if k%8 == 0 {
		return steps{
			func() { x.shiftRightBytes(16-k/8, t, x.t0) },
			func() { x.clmul(lowLow, x.t0, x.poly, x.t0) },
			func() { x.shiftLeftBytes(k/8, t, dst) },
			func() { x.xor(x.t0, dst, dst) },
		}
	}
	return steps{
		func() { x.shiftRightQ(64-k, t, x.t0) },
		func() { x.shiftLeftQ(k, t, dst) },
		func() { x.fold(x.t0, x.t1, dst) },
	}
}

// fold completes a multiplication by x^k in which dst holds the halves shifted
// left by k, and out the bits that each half lost, at the bottom of it. Those of
// the low half belong to the bottom of the high half; those of the high half
// come back as their product with 0x87, which never reaches beyond the lane for
// k < 64. out and tmp are overwritten.
func (x *xts) fold(out, tmp, dst vec) {
	x.clmul(highLow, out, x.poly.at(out.width), tmp)
	x.shiftLeftBytes(8, out, out)
	x.xor3(out, tmp, dst)
}

// first computes the tweaks of the first vector from T_0, which is in every
// lane of tweak[0]: lane j gets T_0 * x^j, by shifts that take a count for every
// half.
func (x *xts) first() {
	if x.lanes() == 1 {
		return
	}
	x.Comment("The tweaks of the first vector.")
	left, right, t := x.state[0], x.state[1], x.tweak[0]
	x.load(x.constant(constLeft), left)
	x.load(x.constant(constRight), right)
	x.shiftRightEach(right, t, x.t0)
	x.shiftLeftEach(left, t, t)
	x.fold(x.t0, x.t1, t)
}

// following computes the tweaks of n vectors from the first: by doubling where
// a vector is one block, else all from the first, independently.
func (x *xts) following(n int) {
	for i := 1; i < n; i++ {
		if x.lanes() == 1 {
			x.mulX(x.tweak[i-1], x.tweak[i]).do()
		} else {
			x.mul(i*x.lanes(), x.tweak[0], x.tweak[i]).do()
		}
	}
}

// after computes the tweak behind n vectors into next[0].
func (x *xts) after(n int) steps {
	if x.lanes() == 1 {
		return x.mulX(x.tweak[n-1], x.next[0])
	}
	return x.mul(n*x.lanes(), x.tweak[0], x.next[0])
}

// nextGroup computes the tweaks of the next group, in the same two ways.
func (x *xts) nextGroup() steps {
	var s steps
	last := x.tweak[x.group-1]
	for i, n := range x.next {
		if x.lanes() == 1 {
			s = append(s, x.mulX(last, n)...)
			last = n
		} else {
			s = append(s, x.mul(x.group*x.lanes(), x.tweak[i], n)...)
		}
	}
	return s
}

// crypt is XTS on states whose blocks have the given tweaks: the tweak is
// folded into the first key addition, and into the last round key, which takes
// the xor behind AES off the critical path: S ^ (K ^ T) = (S ^ K) ^ T.
//
// The steps of beside are spread over the rounds. They do not depend on the
// AES, and the CPU would find that out by itself, but not soon enough: left in a
// row, they cost seven per cent at 512 bits on Zen 4.
func (x *xts) crypt(states, tweaks []vec, beside steps) {
	key := x.key.at(states[0].width)
	x.spread(mem(x.data.first, 0), key)
	for i, v := range states {
		x.xor3(tweaks[i], key, v)
	}
	x.rounds(x.data, x.dec, states, key, beside)
	x.spread(x.data.keyAt(14), key)
	for i, v := range states {
		t := []vec{x.t0, x.t1}[i%2].at(v.width)
		x.xor(key, tweaks[i], t)
		x.round(x.dec, true, t, v)
	}
}

// split divides the length in bulk into bulk and rest: a unit that ends in r
// bytes behind its last whole block keeps that block for steal.
func (x *xts) split() {
	whole := x.mark("whole")
	x.MOVQ(x.bulk, x.rest)
	x.ANDQ(operand.U8(15), x.rest)
	x.JEQ(operand.LabelRef(whole))
	x.SUBQ(x.rest, x.bulk)
	x.SUBQ(operand.U8(16), x.bulk)
	x.Label(whole)
}

// unit is the body: what split found from src to dst, with T_0 in every lane of
// tweak[0]. At the end src and dst are behind what was bulk, and the first lane
// of tweak[0] is the tweak of the block there; with masks, it is the lane that
// bulk counts the bytes before.
func (x *xts) unit() {
	short := x.mark("short")
	if x.masks() {
		x.TESTQ(x.bulk, x.bulk)
		x.JEQ(operand.LabelRef(short))
	} else {
		x.CMPQ(x.bulk, operand.I32(x.width))
		x.JLT(operand.LabelRef(short))
	}
	x.first()
	x.groups()
	x.Label(short)
	x.steal()
	x.lastGroup()
	x.halves()
	if x.masks() {
		x.partial()
	} else {
		x.blocks()
	}
}

// loop runs body while size bytes of bulk are left, then advances src and dst
// by as many.
func (x *xts) loop(name string, size int, body func()) {
	again, done := x.mark(name), x.mark(name+"Done")
	x.SUBQ(operand.I32(size), x.bulk)
	x.JLT(operand.LabelRef(done))
	x.Label(again)
	body()
	x.advance(size)
	x.JGE(operand.LabelRef(again))
	x.Label(done)
	x.ADDQ(operand.I32(size), x.bulk)
}

// groups does all groups but the last, and leaves the tweaks of that one.
func (x *xts) groups() {
	size := x.group * x.width
	done := x.mark("groupsDone")
	x.CMPQ(x.bulk, operand.I32(size))
	x.JLT(operand.LabelRef(done))
	// The loop leaves the tweaks of the group after it, which is the last.
	x.Comment("The other tweaks of the first group.")
	x.following(x.group)
	x.SUBQ(operand.I32(size), x.bulk) // stay one group behind
	x.loop("group", size, func() {
		x.Comment("A group of vectors.")
		x.vectors(x.group, x.nextGroup())
		for i, n := range x.next {
			x.copy(n, x.tweak[i])
		}
	})
	x.ADDQ(operand.I32(size), x.bulk)
	x.Label(done)
}

// lastGroup needs no next group but only the tweak of the next vector: for a
// sector of 512 bytes, which is one group at 512 bits, that saves a quarter of
// the work beside AES.
func (x *xts) lastGroup() {
	size := x.group * x.width
	done := x.mark("lastGroupDone")
	x.CMPQ(x.bulk, operand.I32(size))
	x.JLT(operand.LabelRef(done))
	x.Comment("The last group.")
	x.vectors(x.group, x.after(x.group))
	x.copy(x.next[0], x.tweak[0])
	x.advance(size)
	x.Label(done)
}

// vectors does n vectors whose tweaks are there.
func (x *xts) vectors(n int, beside steps) {
	for i, v := range x.state[:n] {
		x.load(mem(x.src, i*x.width), v)
	}
	x.crypt(x.state[:n], x.tweak[:n], beside)
	for i, v := range x.state[:n] {
		x.store(v, mem(x.dst, i*x.width))
	}
}

// halves does what is left of a group in whole vectors. One vector after the
// other would leave the AES unit waiting; with the bits of their number, each
// pass has as many side by side as can be.
func (x *xts) halves() {
	if x.lanes() == 1 {
		// A vector is a block: the last pass is that of blocks.
		x.half(x.group / 2)
		return
	}
	for n := x.group / 2; n > 0; n /= 2 {
		x.half(n)
	}
}

// half does n vectors, once, if so many are left.
func (x *xts) half(n int) {
	size := n * x.width
	skip := x.mark("half")
	x.CMPQ(x.bulk, operand.I32(size))
	x.JLT(operand.LabelRef(skip))
	x.Commentf("Half a group, or of what is left of it: %d.", n)
	x.following(n)
	x.vectors(n, x.after(n))
	x.copy(x.next[0], x.tweak[0])
	x.advance(size)
	x.Label(skip)
}

// advance goes on by size bytes.
func (x *xts) advance(size int) {
	x.ADDQ(operand.I32(size), x.src)
	x.ADDQ(operand.I32(size), x.dst)
	x.SUBQ(operand.I32(size), x.bulk)
}

// masks reports whether blocks that do not fill a vector are done under a mask,
// all at once. It takes more than two lanes to pay.
func (x *xts) masks() bool { return x.enc == evex && x.lanes() > 2 }

// partial does the blocks behind the last vector under a mask. bulk and tweak[0]
// stay: the tweak behind them is in one of its lanes.
func (x *xts) partial() {
	done := x.mark("partialDone")
	x.TESTQ(x.bulk, x.bulk)
	x.JEQ(operand.LabelRef(done))
	x.Comment("The blocks that do not fill a vector.")
	v := x.state[0]
	x.firstBytes(x.bulk, x.tmp)
	x.loadMasked(mem(x.src, 0), v)
	x.crypt([]vec{v}, x.tweak[:1], nil)
	x.storeMasked(v, mem(x.dst, 0))
	x.ADDQ(x.bulk, x.src)
	x.ADDQ(x.bulk, x.dst)
	x.Label(done)
}

// blocks does the blocks behind the last vector one by one.
func (x *xts) blocks() {
	x.loop("block", 16, func() {
		x.Comment("A single block.")
		v, t := x.state[0].block(), x.tweak[0].block()
		x.load(mem(x.src, 0), v)
		x.crypt([]vec{v}, []vec{t}, nil)
		x.store(v, mem(x.dst, 0))
		x.mulX(t, t).do()
	})
}

// steal is ciphertext stealing (IEEE 1619 section 5.3.2) for the last whole
// block, number m-1, and the r bytes behind it. For encryption
//
//	C'      = crypt(block m-1 of src, T_{m-1})
//	last r bytes of dst = C'[0:r]
//	block m-1 of dst    = crypt(last r bytes of src || C'[r:16], T_m)
//
// and decryption is the same with T_m first and T_{m-1} second. The blocks lie
// bulk bytes on, less than two groups, so that their tweaks are T * x^(bulk/16)
// and one more, where T is the tweak of the next block: a single shift by less
// than 64 bits.
//
// The r bytes are read and written as the 16 bytes that end with the message,
// so nothing outside is touched: a whole block and r bytes are at least 17. A
// row of the table pick moves them: the row at 32-r brings the last r bytes of
// a block to its front and zeroes the others, with the top bit set in just
// those; the row at r brings the first r to its end. The store of the 16 bytes
// that end with the message spoils a part of block m-1, which is written after
// it; for work in place, both loads come first.
func (x *xts) steal() {
	done := x.mark("stealDone")
	x.TESTQ(x.rest, x.rest)
	x.JEQ(operand.LabelRef(done))
	// The tweaks of the group must survive; everything else is free.
	var (
		v      = x.state[0].block()
		first  = x.state[1].block()
		second = x.state[2].block()
		end    = x.state[3].block()
		t0, t1 = x.t0.block(), x.t1.block()
	)
	x.Comment("Ciphertext stealing: T_{m-1} and T_m.")
	x.MOVQ(x.bulk, x.tmp)
	x.SHRQ(operand.U8(4), x.tmp)
	x.fromGP(x.tmp, t0)
	x.NEGQ(x.tmp)
	x.ADDQ(operand.U8(64), x.tmp)
	x.fromGP(x.tmp, t1)
	x.shiftLeftBy(t0, x.tweak[0].block(), first)
	x.shiftRightBy(t1, x.tweak[0].block(), v)
	x.fold(v, t0, first)
	x.mulX(first, second).do()
	if x.dec {
		first, second = second, first
	}

	x.Comment("The last whole block, and the bytes it gives away.")
	at := func(base reg.Register) operand.Mem { return mem(base, 0).Idx(x.bulk, 1) }
	x.load(at(x.src), v)
	x.LEAQ(at(x.src), x.tmp)
	x.load(mem(x.tmp, 0).Idx(x.rest, 1), end)
	x.crypt([]vec{v}, []vec{first}, nil)
	x.load(x.constant(constPick).Idx(x.rest, 1), t1)
	x.shuffleBytes(t1, v, t0)
	x.LEAQ(at(x.dst), x.tmp)
	x.store(t0, mem(x.tmp, 0).Idx(x.rest, 1))

	x.Comment("The block that is put together.")
	x.MOVQ(x.consts, x.tmp2)
	x.SUBQ(x.rest, x.tmp2)
	x.load(mem(x.tmp2, constPick+32), t1)
	x.shuffleBytes(t1, end, end)
	x.negativeBytes(t1, t0)
	x.and(t0, v, v)
	x.xor(end, v, v)
	x.crypt([]vec{v}, []vec{second}, nil)
	x.store(v, mem(x.tmp, 0))
	x.Label(done)
}

// xtsKernel writes the function for one direction.
//
// It has two uses. Without tweak keys it works on a run of one data unit, whose
// encrypted tweak comes and goes through memory. With them it works on many
// units. The tweaks of as many units as a vector has lanes are encrypted
// together, and one such vector ahead: the AES of the tweaks to come runs beside
// that of the data at hand, and adds one part in lanes*(blocks of a unit) to it.
func xtsKernel(e *emitter, consts operand.Mem, dec bool) {
	name, verb := "xtsEncrypt", "encrypts"
	if dec {
		name, verb = "xtsDecrypt", "decrypts"
	}
	e.begin(name, "func(keys, tweakKeys *[15][16]byte, rounds int, tweak *[16]byte, step uint64, size int, dst, src *byte, n int)",
		verb+" n bytes, 16 at least, from src to dst. The keys are right-aligned; dst",
		"and src are the same or disjoint.",
		"",
		"With tweakKeys, n is a multiple of size, 16 at least, and unit i has the tweak in",
		"which i*step is added to the low half of tweak.",
		"",
		"If tweakKeys is nil, this is a run of one unit, whose first block has the",
		"encrypted tweak; step and size are not used. If n is a multiple of 16, tweak",
		"becomes that of the block behind the run; else the unit ends here and tweak is",
		"spoiled.")
	x := newXTS(e, dec)
	// All vector registers are taken: four vectors live in the frame.
	frame := e.AllocLocal(4 * e.width)
	var (
		number = frame                     // the tweaks behind those in ahead, not encrypted
		stride = frame.Offset(e.width)     // from one vector of them to the next
		ahead  = frame.Offset(2 * e.width) // encrypted tweaks of the units after these
		tweaks = frame.Offset(3 * e.width) // encrypted tweaks of the units at hand
		left   = reg.R11                   // bytes of the units behind this one
		used   = reg.R12                   // bytes of tweaks
		t      = x.tweak[0]
		v, n   = x.state[0], x.state[1]
		s      = x.state[2]
	)
	// The first tweak: as it is for a run, to be encrypted for units.
	e.LEAQ(consts, x.consts)
	e.Load(e.Param("keys"), x.data.keys)
	e.Load(e.Param("rounds"), x.data.rounds)
	e.Load(e.Param("dst"), x.dst)
	e.Load(e.Param("src"), x.src)
	e.Load(e.Param("n"), left)
	e.Load(e.Param("tweak"), x.tmp)
	e.Load(e.Param("tweakKeys"), x.tmp2)
	x.locate(x.data)
	x.spread(x.constant(constPoly), x.poly)
	e.TESTQ(x.tmp2, x.tmp2)
	e.JNE(operand.LabelRef("units"))
	x.spread(mem(x.tmp, 0), t)
	e.MOVQ(left, x.bulk)
	e.XORL(left.As32(), left.As32())
	e.JMP(operand.LabelRef("body"))

	// A single unit needs neither the numbers of its followers nor a stride.
	e.Label("units")
	x.spread(mem(x.tmp, 0), n)
	e.Load(e.Param("size"), x.bulk)
	e.CMPQ(left, x.bulk)
	e.JEQ(operand.LabelRef("firstTweaks"))
	e.Comment("The tweaks of the first units, lane by lane, and the stride.")
	e.Load(e.Param("step"), x.tmp)
	x.fromGP(x.tmp, s.block())
	x.spreadLane(s, s)
	for lanes, lane := 1, constOdd; lanes < e.lanes(); lanes, lane = 2*lanes, constUpper {
		x.load(x.constant(lane), x.t0)
		x.and(s, x.t0, x.t0)
		x.addQ(x.t0, n, n)
		x.addQ(s, s, s)
	}
	x.store(s, stride)
	x.addQ(n, s, s)
	x.store(s, number)
	e.Label("firstTweaks")
	x.encryptTweaks(n, v)
	e.JMP(operand.LabelRef("newTweaks"))

	// The next unit takes the next lane of tweaks, or a new vector of them. In
	// that case the encryption of the vector after it is begun as well, if there
	// are so many units: nothing waits for it until this vector is used up.
	e.Label("unit")
	e.CMPQ(used, operand.U8(e.width))
	e.JLT(operand.LabelRef("nextTweak"))
	x.load(ahead, v)
	e.Label("newTweaks")
	e.Comment("A new vector of tweaks.")
	x.store(v, tweaks)
	x.spreadLane(v, t)
	e.MOVQ(operand.U32(16), used)
	e.Load(e.Param("size"), x.bulk)
	e.SHLQ(operand.U8(bits.TrailingZeros(uint(e.lanes()))), x.bulk)
	e.CMPQ(left, x.bulk)
	e.JLE(operand.LabelRef("tweakReady"))
	e.Comment("The tweaks of the units after these.")
	x.load(number, n)
	x.encryptTweaks(n, v)
	x.store(v, ahead)
	x.load(stride, s)
	x.addQ(s, n, n)
	x.store(n, number)
	e.JMP(operand.LabelRef("tweakReady"))

	e.Label("nextTweak")
	x.spread(tweaks.Idx(used, 1), t)
	e.ADDQ(operand.U8(16), used)

	e.Label("tweakReady")
	e.Load(e.Param("size"), x.bulk)
	e.SUBQ(x.bulk, left)
	e.Label("body")
	// From here on units and runs are the same.
	x.split()
	x.unit()

	// unit has left src and dst in front of the last 16+r bytes.
	e.Comment("Past what was stolen from, if anything was.")
	e.TESTQ(x.rest, x.rest)
	e.JEQ(operand.LabelRef("unitDone"))
	e.LEAQ(mem(x.src, 16).Idx(x.rest, 1), x.src)
	e.LEAQ(mem(x.dst, 16).Idx(x.rest, 1), x.dst)
	e.Label("unitDone")
	e.TESTQ(left, left)
	e.JNE(operand.LabelRef("unit"))

	e.Load(e.Param("tweakKeys"), x.tmp)
	e.TESTQ(x.tmp, x.tmp)
	e.JNE(operand.LabelRef("wipe"))
	// The caller goes on from the tweak behind the run. Under masks it is not in
	// the lowest lane if the last vector was not full.
	e.Load(e.Param("tweak"), x.tmp)
	if x.masks() {
		x.load(x.constant(constIndex), x.t1.block())
		x.laneAt(x.bulk, x.t1, t, x.t0)
		t = x.t0
	}
	x.store(t.block(), mem(x.tmp, 0))
	e.leave()

	e.Label("wipe")
	e.Comment("Nothing that depends on the key stays in the frame.")
	x.xor(v, v, v)
	x.store(v, ahead)
	x.store(v, tweaks)
	e.leave()
}

// encryptTweaks sets dst to the encryption of n under the tweak key. It
// overwrites key.
func (x *xts) encryptTweaks(n, dst vec) {
	s := schedule{keys: x.tmp, first: x.tmp2, rounds: x.data.rounds}
	x.Load(x.Param("tweakKeys"), s.keys)
	x.locate(s)
	x.spread(mem(s.first, 0), x.key)
	x.xor(n, x.key, dst)
	x.rounds(s, false, []vec{dst}, x.key, nil)
	x.spread(s.keyAt(14), x.key)
	x.round(false, true, x.key, dst)
}
