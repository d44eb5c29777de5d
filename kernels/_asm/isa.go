package main

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// encoding is how vector instructions are encoded. It decides which of them
// exist and how many registers they reach.
type encoding int

const (
	// legacy has two operands, one of which is overwritten, and faults on
	// unaligned memory operands, so that every load is an instruction of its
	// own. 16 registers.
	legacy encoding = iota
	// vex has three operands and unaligned memory. 16 registers.
	vex
	// evex adds three-way logic and 32 registers. It faults on a CPU without
	// AVX-512, whatever the width.
	evex
)

// isa is a level: the name that its functions end in, and the two knobs that an
// algorithm sees.
type isa struct {
	level string
	width int // of a vector, in bytes
	enc   encoding
}

// levels are those of kernels.Level that have assembly.
var levels = []isa{
	{"AESNI", 16, legacy},
	{"AVX", 16, vex},
	{"VAESAVX2", 32, vex},
	{"AVX512VL", 32, evex},
	{"AVX512", 64, evex},
}

// lanes returns the number of 16-byte blocks in a vector.
func (s isa) lanes() int { return s.width / 16 }

// vec is a vector register at some width in bytes.
type vec struct{ index, width int }

// block is the lowest lane of v, as a register of its own.
func (v vec) block() vec { return vec{v.index, 16} }

// at is v at another width, for what is done to some lanes only.
func (v vec) at(width int) vec { return vec{v.index, width} }

// emitter writes a function at one level. Its methods in this file are the only
// place that knows instruction forms: an algorithm calls nothing else for
// vectors. Inputs come first, the destination last; the destination may be one
// of the inputs.
type emitter struct {
	*build.Context
	isa
	marks int // labels given out in this function
}

// vec returns register i at the width of the level.
func (e *emitter) vec(i int) vec { return vec{i, e.width} }

// begin starts a function. The lines of doc describe it, its name left out.
func (e *emitter) begin(name, signature string, doc ...string) {
	name += e.level
	doc[0] = name + " " + doc[0]
	e.Function(name)
	e.Doc(doc...)
	e.Pragma("noescape")
	e.Attributes(attr.NOSPLIT)
	sig, err := gotypes.ParseSignatureInPackage(kernels, signature)
	if err != nil {
		panic(err)
	}
	e.Signature(sig)
	e.marks = 0
}

// kernels has the types of that package that signatures name. Their insides are
// of no interest here: only pointers to them are passed. The generator of avo would
// load the package instead, which does not compile before its assembly exists.
var kernels = types.NewPackage("kernels", "kernels")

func init() {
	call := types.NewTypeName(token.NoPos, kernels, "aegisCall", nil)
	types.NewNamed(call, types.NewStruct(nil, nil), nil)
	kernels.Scope().Insert(call)
}

// reg returns the register itself. One that the encoding does not reach is a
// mistake of the algorithm, and the trace of the panic shows where.
func (e *emitter) reg(v vec) reg.Physical {
	if v.index > 15 && e.enc != evex {
		panic(fmt.Sprintf("%s: register %d needs EVEX", e.level, v.index))
	}
	spec := map[int]reg.Spec{16: reg.S128, 32: reg.S256, 64: reg.S512}[v.width]
	return reg.Vector.Lookup(reg.Index(v.index), spec)
}

// mem is the memory at base+off.
func mem(base reg.Register, off int) operand.Mem {
	return operand.Mem{Base: base, Disp: off}
}

// mark returns a label that is unique in the function.
func (e *emitter) mark(name string) string {
	e.marks++
	return fmt.Sprintf("%s%d", name, e.marks)
}

// load fills dst from unaligned memory. On every CPU with these instructions an
// unaligned load costs what an aligned one does, unless it crosses a cache line.
func (e *emitter) load(src operand.Mem, dst vec) {
	switch e.enc {
	case legacy:
		e.MOVOU(src, e.reg(dst))
	case vex:
		e.VMOVDQU(src, e.reg(dst))
	case evex:
		e.VMOVDQU64(src, e.reg(dst))
	}
}

// store writes src to unaligned memory.
func (e *emitter) store(src vec, dst operand.Mem) {
	switch e.enc {
	case legacy:
		e.MOVOU(e.reg(src), dst)
	case vex:
		e.VMOVDQU(e.reg(src), dst)
	case evex:
		e.VMOVDQU64(e.reg(src), dst)
	}
}

// The mask of the methods below is in K1, a bit for every byte.

// firstBytes selects the first n bytes, fewer than 64. tmp is overwritten. Bytes
// that are not selected cause no fault, wherever they lie.
func (e *emitter) firstBytes(n, tmp reg.GPPhysical) {
	e.MOVQ(operand.I32(-1), tmp)
	e.BZHIQ(n, tmp, tmp)
	e.KMOVQ(tmp, reg.K1)
}

// loadMasked fills dst with the selected bytes of memory, and zeros.
func (e *emitter) loadMasked(src operand.Mem, dst vec) {
	e.VMOVDQU8_Z(src, reg.K1, e.reg(dst))
}

// zeroUnmasked clears the bytes of v that are not selected.
func (e *emitter) zeroUnmasked(v vec) {
	e.VMOVDQU8_Z(e.reg(v), reg.K1, e.reg(v))
}

// storeMasked writes the selected bytes.
func (e *emitter) storeMasked(src vec, dst operand.Mem) {
	e.VMOVDQU8(e.reg(src), reg.K1, dst)
}

// spread loads 16 bytes of memory into every lane of dst. Loads that repeat
// their data do so on the way from the cache: no vector unit is busy with it, so
// round keys need not be kept in registers.
func (e *emitter) spread(src operand.Mem, dst vec) {
	switch {
	case dst.width == 16:
		e.load(src, dst)
	case e.enc == evex:
		e.VBROADCASTI32X4(src, e.reg(dst))
	default:
		e.VBROADCASTI128(src, e.reg(dst))
	}
}

// spreadLane copies the lowest lane of src into every lane of dst.
func (e *emitter) spreadLane(src, dst vec) {
	src = src.at(dst.width)
	switch s := e.reg(src); dst.width {
	case 16:
		e.copy(src, dst)
	case 32:
		e.VPERMQ(operand.U8(0x44), s, e.reg(dst))
	case 64:
		e.VSHUFI64X2(operand.U8(0), s, s, e.reg(dst))
	}
}

// laneAt copies the lane of src that begins at byte n to the lowest of dst. The
// lowest lane of index has the numbers 0 and 1. n is overwritten. At 512 bits only.
func (e *emitter) laneAt(n reg.GPPhysical, index, src, dst vec) {
	e.SHRQ(operand.U8(3), n)
	e.VPBROADCASTQ(n, e.reg(dst))
	e.addQ(index, dst, dst)
	e.VPERMQ(e.reg(src), e.reg(dst), e.reg(dst))
}

// copy copies src to dst. CPUs do that by renaming registers, at no cost but the
// place of an instruction.
func (e *emitter) copy(src, dst vec) {
	if src == dst {
		return
	}
	switch e.enc {
	case legacy:
		e.MOVO(e.reg(src), e.reg(dst))
	case vex:
		e.VMOVDQA(e.reg(src), e.reg(dst))
	case evex:
		e.VMOVDQA64(e.reg(src), e.reg(dst))
	}
}

// op2 is an instruction that combines two vectors: dst = b op a. In the legacy
// encoding dst must hold b before, so b is copied there first, and if dst is a
// the two change places, where the operation allows that; swaps says so.
func (e *emitter) op2(a, b, dst vec, two func(mx, x operand.Op), three func(...operand.Op), swaps bool) {
	switch {
	case e.enc != legacy:
		three(e.reg(a), e.reg(b), e.reg(dst))
	case dst == a && swaps:
		two(e.reg(b), e.reg(dst))
	case dst == a:
		panic("legacy: the second input is overwritten")
	default:
		e.copy(b, dst)
		two(e.reg(a), e.reg(dst))
	}
}

// xor sets dst = a ^ b.
func (e *emitter) xor(a, b, dst vec) {
	three := e.VPXORQ
	if e.enc == vex {
		three = fixed(e.VPXOR)
	}
	e.op2(a, b, dst, e.PXOR, three, true)
}

// xor3 sets dst = a ^ b ^ dst, in one instruction where there is one.
func (e *emitter) xor3(a, b, dst vec) {
	if e.enc == evex {
		e.VPTERNLOGQ(operand.U8(0x96), e.reg(a), e.reg(b), e.reg(dst))
		return
	}
	e.xor(a, dst, dst)
	e.xor(b, dst, dst)
}

// and sets dst = a & b.
func (e *emitter) and(a, b, dst vec) {
	three := e.VPANDQ
	if e.enc == vex {
		three = fixed(e.VPAND)
	}
	e.op2(a, b, dst, e.PAND, three, true)
}

// xorAnd sets dst = dst ^ a & b. It exists in the EVEX encoding only: the immediate
// operand of the instruction is the truth table, indexed by the bits of dst, a and
// b, so any function of three vectors is one of its kind.
func (e *emitter) xorAnd(a, b, dst vec) {
	e.VPTERNLOGQ(operand.U8(0x78), e.reg(b), e.reg(a), e.reg(dst))
}

// fixed gives an instruction with a fixed number of operands the shape of those
// with optional masks.
func fixed(f func(a, b, c operand.Op)) func(...operand.Op) {
	return func(o ...operand.Op) { f(o[0], o[1], o[2]) }
}

// addQ adds the 64-bit halves of the lanes: dst = a + b.
func (e *emitter) addQ(a, b, dst vec) { e.op2(a, b, dst, e.PADDQ, e.VPADDQ, true) }

// addD adds the 32-bit parts of the lanes: dst = a + b.
func (e *emitter) addD(a, b, dst vec) { e.op2(a, b, dst, e.PADDL, e.VPADDD, true) }

// shift is a shift by an immediate count: two is its legacy form, three the one
// with a destination of its own. dst may be src.
func (e *emitter) shift(n int, src, dst vec, two func(i, x operand.Op), three func(i, src, dst operand.Op)) {
	if e.enc == legacy {
		e.copy(src, dst)
		two(operand.U8(n), e.reg(dst))
		return
	}
	three(operand.U8(n), e.reg(src), e.reg(dst))
}

// shiftLeftQ shifts each 64-bit half left by n bits.
func (e *emitter) shiftLeftQ(n int, src, dst vec) { e.shift(n, src, dst, e.PSLLQ, masked(e.VPSLLQ)) }

// shiftRightQ shifts each 64-bit half right by n bits.
func (e *emitter) shiftRightQ(n int, src, dst vec) { e.shift(n, src, dst, e.PSRLQ, masked(e.VPSRLQ)) }

// signs fills each 32-bit part with its sign bit.
func (e *emitter) signs(src, dst vec) { e.shift(31, src, dst, e.PSRAL, masked(e.VPSRAD)) }

// shiftLeftBytes shifts each lane left by n bytes.
func (e *emitter) shiftLeftBytes(n int, src, dst vec) { e.shift(n, src, dst, e.PSLLDQ, e.VPSLLDQ) }

// shiftRightBytes shifts each lane right by n bytes.
func (e *emitter) shiftRightBytes(n int, src, dst vec) { e.shift(n, src, dst, e.PSRLDQ, e.VPSRLDQ) }

// masked gives an instruction with optional masks a fixed number of operands.
func masked(f func(...operand.Op)) func(a, b, c operand.Op) {
	return func(a, b, c operand.Op) { f(a, b, c) }
}

// shiftLeftEach shifts each 64-bit half left by its own count; 64 and more give
// 0. Not at 128 bits.
func (e *emitter) shiftLeftEach(count, src, dst vec) {
	e.VPSLLVQ(e.reg(count), e.reg(src), e.reg(dst))
}

// shiftRightEach is shiftLeftEach to the right. A count for every half is what
// AVX2 brought; without it, start with doublings.
func (e *emitter) shiftRightEach(count, src, dst vec) {
	e.VPSRLVQ(e.reg(count), e.reg(src), e.reg(dst))
}

// shiftLeftBy shifts the halves of a block left by the number in the low half
// of count; 64 and more give 0. In the legacy encoding dst must not be count.
func (e *emitter) shiftLeftBy(count, src, dst vec) {
	e.op2(count, src, dst, e.PSLLQ, e.VPSLLQ, false)
}

// shiftRightBy is shiftLeftBy to the right.
func (e *emitter) shiftRightBy(count, src, dst vec) {
	e.op2(count, src, dst, e.PSRLQ, e.VPSRLQ, false)
}

// fromGP moves a 64-bit general register of the CPU into the low half of a block, and
// zeroes the high half.
func (e *emitter) fromGP(src reg.Register, dst vec) {
	if e.enc == legacy {
		e.MOVQ(src, e.reg(dst))
	} else {
		e.VMOVQ(src, e.reg(dst))
	}
}

// insertHigh moves a 64-bit general register into the high half of a block.
func (e *emitter) insertHigh(src reg.Register, dst vec) {
	if e.enc == legacy {
		e.PINSRQ(operand.U8(1), src, e.reg(dst))
	} else {
		e.VPINSRQ(operand.U8(1), src, e.reg(dst), e.reg(dst))
	}
}

// swapSigns prepares a doubling: of the parts of 32 bits of each lane, part 3
// goes to part 0 and part 1 to part 2, so that the sign of each 64-bit half
// stands at the bottom of the half that its carry goes to.
func (e *emitter) swapSigns(src, dst vec) {
	if e.enc == legacy {
		e.PSHUFL(operand.U8(0x13), e.reg(src), e.reg(dst))
	} else {
		e.VPSHUFD(operand.U8(0x13), e.reg(src), e.reg(dst))
	}
}

// swapHalves exchanges the 64-bit halves of each lane. It is a shuffle of 32-bit
// parts because that has a destination of its own in the legacy encoding too.
func (e *emitter) swapHalves(src, dst vec) {
	if e.enc == legacy {
		e.PSHUFL(operand.U8(0x4e), e.reg(src), e.reg(dst))
	} else {
		e.VPSHUFD(operand.U8(0x4e), e.reg(src), e.reg(dst))
	}
}

// sumLanes adds all lanes of v into the lowest and zeroes the others. t is
// overwritten; both are of index < 16.
func (e *emitter) sumLanes(v, t vec) {
	if v.width == 64 {
		e.VEXTRACTI64X4(operand.U8(1), e.reg(v), e.reg(t.at(32)))
		e.xor(t.at(32), v.at(32), v.at(32))
	}
	if v.width >= 32 {
		e.VEXTRACTI128(operand.U8(1), e.reg(v.at(32)), e.reg(t.block()))
		e.xor(t.block(), v.block(), v.block())
	}
}

// The halves that clmul multiplies. Bit 0 of the immediate operand chooses the
// half of a, bit 4 that of b.
const (
	lowLow   = 0x00 // low half of a, low half of b
	highLow  = 0x01 // high half of a, low half of b
	highHigh = 0x11 // high half of a, high half of b
)

// clmul sets dst = the carry-less product of the chosen halves of a and b, lane
// by lane. In the legacy encoding dst must not be b.
func (e *emitter) clmul(halves int, a, b, dst vec) {
	if e.enc == legacy {
		e.copy(a, dst)
		e.PCLMULQDQ(operand.U8(halves), e.reg(b), e.reg(dst))
		return
	}
	e.VPCLMULQDQ(operand.U8(halves), e.reg(b), e.reg(a), e.reg(dst))
}

// shuffleBytes picks bytes of src: byte i of dst is byte rows[i] of src, or 0
// where the top bit of rows[i] is set. dst must not be rows.
func (e *emitter) shuffleBytes(rows, src, dst vec) {
	e.op2(rows, src, dst, e.PSHUFB, e.VPSHUFB, false)
}

// negativeBytes makes a mask of signs: it sets every byte of dst to all ones where that of src has its
// top bit set, else to 0. dst must not be src; it is a block of index < 16.
func (e *emitter) negativeBytes(src, dst vec) {
	if e.enc == legacy {
		e.PXOR(e.reg(dst), e.reg(dst))
		e.PCMPGTB(e.reg(src), e.reg(dst)) // 0 > src
		return
	}
	e.VPXOR(e.reg(dst), e.reg(dst), e.reg(dst))
	e.VPCMPGTB(e.reg(src), e.reg(dst), e.reg(dst))
}

// round is one round of AES on every lane of state: dec chooses the direction,
// last the final round, which lacks MixColumns. The instruction ends with the
// addition of the key, so that of the first key is an xor before it.
func (e *emitter) round(dec, last bool, key, state vec) {
	k, s := e.reg(key), e.reg(state)
	if e.enc == legacy {
		switch {
		case dec && last:
			e.AESDECLAST(k, s)
		case dec:
			e.AESDEC(k, s)
		case last:
			e.AESENCLAST(k, s)
		default:
			e.AESENC(k, s)
		}
		return
	}
	switch {
	case dec && last:
		e.VAESDECLAST(k, s, s)
	case dec:
		e.VAESDEC(k, s, s)
	case last:
		e.VAESENCLAST(k, s, s)
	default:
		e.VAESENC(k, s, s)
	}
}

// roundTo sets dst to one round of encryption of state, which ends with the xor of
// key. dst may be any of the two; t is overwritten in the legacy encoding, where the
// round happens in a copy. Such copies cost no time on CPUs that rename registers,
// but each takes the place of an instruction.
func (e *emitter) roundTo(key, state, t, dst vec) {
	if e.enc == legacy {
		e.copy(state, t)
		e.AESENC(e.reg(key), e.reg(t))
		e.copy(t, dst)
		return
	}
	e.VAESENC(e.reg(key), e.reg(state), e.reg(dst))
}

// leave returns from the function. The upper halves of the registers are
// cleared after any use of VEX: without that the SSE code of the caller would
// run at half speed.
func (e *emitter) leave() {
	if e.enc != legacy {
		e.VZEROUPPER()
	}
	e.RET()
}
