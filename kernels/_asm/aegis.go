package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AEGIS family (RFC 10032). A state is five, six or eight words S0, S1, ...
// An update with the message m replaces all of them at once,
//
//	S0 = R(S_last) ^ S0 ^ m
//	Si = R(S_i-1) ^ Si
//
// where R is a round of AES without a key; the instruction ends with the xor of a
// key, so that a word costs one instruction. With eight words the message has a
// second half, which goes to S4. The keystream of a message block is made of the
// words before the update that takes the block in.
//
// Nothing here can be done side by side: every update waits for the one before.
// The longest chain decides. If S0 ^ m were the key, S0 would go through a xor and
// a round in every update, five cycles where a round takes four. So m itself is
// the key, and S0 joins behind the round, which costs its chain one cycle; the
// average over the words is 4 and a fraction. Decryption gains the same: with the
// ciphertext c = m ^ z it is
//
//	S0 = R(S_last) ^ c ^ (S0 ^ z)
//
// where the round takes c for its key, and z is only needed behind it.
//
// The algorithms with an X have two or four lanes, states of their own that meet
// only in the tag. A word of all lanes is a row, and the message goes to them in
// rows too: lane i has the bytes from 16*i on of each. A function takes as many
// lanes as its vectors hold, and if a row has more, goes over the whole message
// again for the next ones: a vector keeps the AES unit nearly busy, and needs
// all sixteen registers.
type aegis struct {
	*emitter
	aegisShape
	width int // of a vector, in bytes

	call   reg.GPPhysical // the arguments
	row    reg.GPPhysical // bytes of a row
	rate   reg.GPPhysical // bytes of an update
	off    reg.GPPhysical // where the lanes of this pass begin in a row
	src    reg.GPPhysical
	dst    reg.GPPhysical
	n      reg.GPPhysical // bytes left
	consts reg.GPPhysical
	tmp    reg.GPPhysical // scratch, like the next
	tmp2   reg.GPPhysical

	state []vec
	spare vec    // where a new S0 is made
	m     [2]vec // the message, a vector of each row
	x     [2]vec // its ciphertext or keystream
	t     vec    // scratch

	// Without masks, ragged ends are padded here: 128 bytes of additional data,
	// 128 of text.
	frame operand.Mem
}

// aegisShape tells the members of the family apart.
type aegisShape struct {
	name   string // of the function that takes one lane after the other
	wide   string // of that for several at once, if there are any
	words  int
	key    int // bytes
	second int // the word that the second row of the message goes to, 0 if there is none
	stream []aegisStream
	times  int   // the repetitions of the list of first messages
	marked []int // the words that the context of a lane goes to before each of these
	length int   // the word that the lengths are added to
	half   int   // the first word of the second half of a long tag
}

// aegisStream is the keystream for a row of the message: the sum of words and of
// the product of two more.
type aegisStream struct {
	sum [3]int // the first is used twice where there are only two
	and [2]int
}

var aegisShapes = []aegisShape{
	{
		name: "aegis128", words: 5, key: 16, times: 5, length: 3, half: 5,
		stream: []aegisStream{{[3]int{1, 4, none}, [2]int{2, 3}}},
	},
	{
		name: "aegis128L", wide: "aegis128X", words: 8, key: 16, second: 4, times: 10,
		marked: []int{3, 7}, length: 2, half: 4,
		stream: []aegisStream{
			{[3]int{6, 1, none}, [2]int{2, 3}},
			{[3]int{2, 5, none}, [2]int{6, 7}},
		},
	},
	{
		name: "aegis256", wide: "aegis256X", words: 6, key: 32, times: 4,
		marked: []int{3, 5}, length: 3, half: 3,
		stream: []aegisStream{{[3]int{1, 4, 5}, [2]int{2, 3}}},
	},
}

const none = -1

// Offsets of the fields of aegisCall in package kernels.
const (
	callState = 8 * iota // where block j of word i stands 64*i + 16*j bytes on
	callSetup            // the key, and 32 bytes on the contexts
	callNonce            // nil: resume from state
	callAAD
	callAADLen
	callDst
	callSrc
	callN
	callTag // to which the tag is added; nil: save to state
	callTagLen
	callLengths // two numbers
	_
	callRow
	callOpen // 1: src is ciphertext
)

// Offsets in the table of constants.
const (
	aegisC0   = 0
	aegisC1   = 16
	aegisOnes = 32 // 32 bytes of ones and 32 of zeros
)

// aegisConstants writes the table.
func aegisConstants(e *emitter) operand.Mem {
	table := e.StaticGlobal("aegis" + e.level + "Constants")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	// The Fibonacci numbers modulo 256.
	a, b := byte(0), byte(1)
	for range 4 {
		word := uint64(0)
		for i := range 8 {
			word |= uint64(a) << (8 * i)
			a, b = b, a+b
		}
		e.AppendDatum(operand.U64(word))
	}
	for i := range 8 {
		e.AppendDatum(operand.U64(-uint64(1 - i/4)))
	}
	return table
}

// aegisKernel writes the function for one shape and width. It is the whole
// algorithm, each part of which can be left out: so a message is one call, or
// pieces of it are.
func aegisKernel(e *emitter, consts operand.Mem, shape aegisShape, width int) {
	name := shape.name
	if width > 16 {
		name = shape.wide
	}
	e.begin(name, "func(c *aegisCall)", "does what the call asks for.")
	a := &aegis{
		emitter: e, aegisShape: shape, width: width,
		call: reg.R8, row: reg.R9, rate: reg.R11, off: reg.R10, src: reg.RSI, dst: reg.RDI,
		n: reg.RDX, consts: reg.R13, tmp: reg.RAX, tmp2: reg.RBX,
	}
	next := 0
	take := func() vec {
		next++
		return vec{next - 1, width}
	}
	for range shape.words {
		a.state = append(a.state, take())
	}
	a.spare, a.t = take(), take()
	for i := range a.m {
		a.m[i], a.x[i] = take(), take()
	}
	e.Load(e.Param("c"), a.call)
	e.LEAQ(consts, a.consts)
	a.field(callRow, a.row)
	e.MOVQ(a.row, a.rate)
	if shape.second > 0 {
		e.ADDQ(a.row, a.rate)
	}
	if e.enc != evex {
		a.frame = e.AllocLocal(256)
		e.Comment("The ragged ends, padded.")
		a.stage(callAAD, callAADLen, 0)
		a.stage(callSrc, callN, 128)
	}
	e.XORQ(a.off, a.off)

	e.Label("pass")
	a.field(callNonce, a.tmp)
	e.TESTQ(a.tmp, a.tmp)
	e.JEQ(operand.LabelRef("resume"))
	a.start()
	e.JMP(operand.LabelRef("additional"))
	e.Label("resume")
	a.field(callState, a.tmp)
	e.ADDQ(a.off, a.tmp)
	for i, v := range a.state {
		a.load(mem(a.tmp, 64*i), v)
	}

	e.Label("additional")
	e.Comment("The additional data.")
	a.field(callAAD, a.src)
	e.ADDQ(a.off, a.src)
	a.field(callAADLen, a.n)
	a.blocks("absorb", a.absorb)
	a.ragged(0, a.absorbLast)

	a.field(callSrc, a.src)
	e.ADDQ(a.off, a.src)
	a.field(callDst, a.dst)
	e.ADDQ(a.off, a.dst)
	a.field(callN, a.n)
	e.CMPQ(mem(a.call, callOpen), operand.U8(0))
	e.JNE(operand.LabelRef("open"))
	e.Comment("Encryption.")
	a.blocks("seal", a.seal)
	a.ragged(128, a.sealLast)
	e.JMP(operand.LabelRef("end"))
	e.Label("open")
	e.Comment("Decryption.")
	a.blocks("open", a.open)
	a.ragged(128, a.openLast)

	e.Label("end")
	a.field(callTag, a.tmp)
	e.TESTQ(a.tmp, a.tmp)
	e.JNE(operand.LabelRef("tag"))
	a.field(callState, a.tmp)
	e.ADDQ(a.off, a.tmp)
	for i, v := range a.state {
		a.store(v, mem(a.tmp, 64*i))
	}
	e.JMP(operand.LabelRef("next"))
	e.Label("tag")
	a.tag()
	e.Label("next")
	e.ADDQ(operand.U8(width), a.off)
	e.CMPQ(a.off, a.row)
	e.JLT(operand.LabelRef("pass"))
	if e.enc != evex {
		a.unstage()
	}
	a.leave()
}

// field loads a field of the call.
func (a *aegis) field(off int, dst reg.GPPhysical) { a.MOVQ(mem(a.call, off), dst) }

// at is the place of this pass in a row of the message that begins at base.
func (a *aegis) at(base reg.GPPhysical, row int) operand.Mem {
	if row == 0 {
		return mem(base, 0)
	}
	return mem(base, 0).Idx(a.row, 1)
}

// update is the update of the state by the messages, a vector for each row. If
// there is extra, it is added to the words that they go to, and overwritten.
//
// In the legacy encoding a round overwrites its input. There a word is made in
// the register of the word before it, so that all names move on by one in a ring
// of one register more, instead of being copied; settle moves them back. With
// three operands the last word is made first, each in its own place.
func (a *aegis) update(messages, extra []vec) {
	last := a.words - 1
	a.roundTo(messages[0], a.state[last], a.spare)
	if a.enc == legacy {
		a.join(0, a.spare, extra, 0)
		for i := 1; i <= last; i++ {
			v := a.state[i-1]
			if i == a.second {
				a.roundTo(messages[1], v, v)
				a.join(i, v, extra, 1)
			} else {
				a.roundTo(a.state[i], v, v)
			}
		}
		ring := append([]vec{a.spare}, a.state...)
		a.state, a.spare = ring[:a.words], ring[a.words]
		return
	}
	for i := last; i > 0; i-- {
		if i == a.second {
			a.roundTo(messages[1], a.state[i-1], a.t)
			a.join(i, a.t, extra, 1)
		} else {
			a.roundTo(a.state[i], a.state[i-1], a.state[i])
		}
	}
	a.join(0, a.spare, extra, 0)
}

// join adds word i, and what is extra in its row, to the round in v that took the
// message. The sum stays in v in the legacy encoding, else it becomes the word.
func (a *aegis) join(i int, v vec, extra []vec, row int) {
	old := a.state[i]
	switch {
	case a.enc == legacy && extra == nil:
		a.xor(old, v, v)
	case a.enc == legacy:
		a.xor(old, extra[row], extra[row])
		a.xor(extra[row], v, v)
	case extra == nil:
		a.xor(v, old, old)
	case a.enc == evex:
		a.xor3(v, extra[row], old)
	default:
		a.xor(extra[row], old, old)
		a.xor(v, old, old)
	}
}

// settle moves the words back to the registers that they had before an update.
func (a *aegis) settle() {
	if a.enc != legacy {
		return
	}
	ring := append(a.state[1:a.words:a.words], a.spare)
	for i := a.words - 1; i >= 0; i-- {
		a.copy(a.state[i], ring[i])
	}
	a.state, a.spare = ring, a.state[0]
}

// start makes the state of a new message from key and nonce.
func (a *aegis) start() {
	a.Comment("The first state, from key and nonce.")
	s := a.state
	a.field(callSetup, a.tmp2)
	k0, n0 := a.m[1], a.m[0]
	a.spread(mem(a.tmp2, 0), k0)
	a.spread(mem(a.tmp, 0), n0)
	c0, c1 := a.x[0], a.x[1]
	a.spread(mem(a.consts, aegisC0), c0)
	a.spread(mem(a.consts, aegisC1), c1)
	a.xor(k0, n0, s[0])
	var messages [][]vec
	switch a.words {
	case 5:
		a.copy(c1, s[1])
		a.copy(c0, s[2])
		a.xor(k0, c0, s[3])
		a.xor(k0, c1, s[4])
		a.copy(s[0], n0)
		messages = [][]vec{{k0}, {n0}}
	case 6:
		k1, n1 := a.x[0], a.x[1]
		a.copy(c1, s[2])
		a.copy(c0, s[3])
		a.xor(k0, c0, s[4])
		a.spread(mem(a.tmp2, 16), k1)
		a.xor(k1, c1, s[5])
		a.spread(mem(a.tmp, 16), n1)
		a.xor(k1, n1, s[1])
		a.copy(s[0], n0)
		a.copy(s[1], n1)
		messages = [][]vec{{k0}, {k1}, {n0}, {n1}}
	case 8:
		for i, v := range []vec{c1, c0, c1, s[0]} {
			a.copy(v, s[1+i])
		}
		a.xor(k0, c0, s[5])
		a.xor(k0, c1, s[6])
		a.copy(s[5], s[7])
		messages = [][]vec{{n0, k0}}
	}
	a.ADDQ(a.off, a.tmp2)
	a.MOVQ(operand.U32(a.times), a.tmp)
	a.Label("mix")
	for _, m := range messages {
		a.context(a.tmp2)
		a.update(m, nil)
		a.settle()
	}
	a.DECQ(a.tmp)
	a.JNE(operand.LabelRef("mix"))
}

// context adds the contexts, which keep lanes apart. A row of one lane has none.
func (a *aegis) context(setup reg.GPPhysical) {
	if a.marked == nil || a.width == 16 && a.enc == evex {
		return
	}
	alone := a.mark("alone")
	if a.width == 16 {
		a.CMPQ(a.row, operand.U8(16))
		a.JEQ(operand.LabelRef(alone))
	}
	a.load(mem(setup, 32), a.t)
	for _, i := range a.marked {
		a.xor(a.t, a.state[i], a.state[i])
	}
	a.Label(alone)
}

// blocks runs step for every whole block of the message. n keeps the rest.
func (a *aegis) blocks(name string, step func()) {
	// As many updates as there are registers in the ring leave all names as they
	// were.
	if a.enc == legacy {
		many, done := a.mark(name+"Many"), a.mark(name+"ManyDone")
		a.IMUL3Q(operand.U8(a.words+1), a.rate, a.tmp)
		a.CMPQ(a.n, a.tmp)
		a.JLT(operand.LabelRef(done))
		a.Label(many)
		for range a.words + 1 {
			step()
		}
		a.SUBQ(a.tmp, a.n)
		a.CMPQ(a.n, a.tmp)
		a.JGE(operand.LabelRef(many))
		a.Label(done)
	}
	again, done := a.mark(name), a.mark(name+"Done")
	a.SUBQ(a.rate, a.n)
	a.JLT(operand.LabelRef(done))
	a.Label(again)
	step()
	a.settle()
	a.SUBQ(a.rate, a.n)
	a.JGE(operand.LabelRef(again))
	a.Label(done)
	a.ADDQ(a.rate, a.n)
}

// rows are the messages of an update, and what else belongs to each.
func (a *aegis) rows() ([]vec, []vec) { return a.m[:len(a.stream)], a.x[:len(a.stream)] }

// absorb takes in a block.
func (a *aegis) absorb() {
	m, _ := a.rows()
	for i, v := range m {
		a.load(a.at(a.src, i), v)
	}
	a.ADDQ(a.rate, a.src)
	a.update(m, nil)
}

// seal encrypts a block. All of it is read before anything is written: dst may be
// src.
func (a *aegis) seal() {
	m, x := a.rows()
	for i, v := range m {
		a.load(a.at(a.src, i), v)
		a.load(a.at(a.src, i), x[i])
		a.addStream(i, x[i])
	}
	for i, v := range x {
		a.store(v, a.at(a.dst, i))
	}
	a.ADDQ(a.rate, a.src)
	a.ADDQ(a.rate, a.dst)
	a.update(m, nil)
}

// open decrypts a block.
func (a *aegis) open() {
	m, x := a.rows()
	for i, v := range m {
		a.load(a.at(a.src, i), v)
		a.keystream(i, x[i])
	}
	for i, v := range m {
		a.xor(v, x[i], a.t)
		a.store(a.t, a.at(a.dst, i))
	}
	a.ADDQ(a.rate, a.src)
	a.ADDQ(a.rate, a.dst)
	a.update(m, x)
}

// addStream adds the keystream of a row to v.
func (a *aegis) addStream(row int, v vec) {
	z, s := a.stream[row], a.state
	a.xor3(s[z.sum[0]], s[z.sum[1]], v)
	if z.sum[2] != none {
		a.xor(s[z.sum[2]], v, v)
	}
	a.xorAnd(s[z.and[0]], s[z.and[1]], a.t, v)
}

// keystream sets v to the keystream of a row.
func (a *aegis) keystream(row int, v vec) {
	z, s := a.stream[row], a.state
	a.xor(s[z.sum[0]], s[z.sum[1]], v)
	if z.sum[2] != none {
		a.xor(s[z.sum[2]], v, v)
	}
	a.xorAnd(s[z.and[0]], s[z.and[1]], a.t, v)
}

// ragged runs last if there are bytes left, which do not fill a block. Without
// masks it finds them at off in the frame, padded, in src and dst.
func (a *aegis) ragged(off int, last func()) {
	done := a.mark("whole")
	a.TESTQ(a.n, a.n)
	a.JEQ(operand.LabelRef(done))
	if a.enc != evex {
		a.LEAQ(a.frame.Offset(off), a.src)
		a.ADDQ(a.off, a.src)
		a.MOVQ(a.src, a.dst)
	}
	last()
	a.settle()
	a.Label(done)
}

// left sets tmp to the bytes that are left for a row of this pass, 0 at least.
func (a *aegis) left(row int) {
	a.MOVQ(a.n, a.tmp)
	a.SUBQ(a.off, a.tmp)
	if row > 0 {
		a.SUBQ(a.row, a.tmp)
	}
	a.XORL(a.tmp2.As32(), a.tmp2.As32())
	a.CMPQ(a.tmp, a.tmp2)
	a.CMOVQLT(a.tmp2, a.tmp)
}

// absorbLast takes in the ragged end of the additional data.
func (a *aegis) absorbLast() {
	if a.enc != evex {
		a.absorb()
		return
	}
	m, _ := a.rows()
	for i, v := range m {
		a.left(i)
		a.firstBytes(a.tmp, a.tmp2)
		a.loadMasked(a.at(a.src, i), v)
	}
	a.update(m, nil)
}

// sealLast encrypts the ragged end of the text.
func (a *aegis) sealLast() {
	if a.enc != evex {
		a.seal()
		return
	}
	m, x := a.rows()
	for i, v := range m {
		a.left(i)
		a.firstBytes(a.tmp, a.tmp2)
		a.loadMasked(a.at(a.src, i), v)
		a.copy(v, x[i])
		a.addStream(i, x[i])
		a.storeMasked(x[i], a.at(a.dst, i))
	}
	a.update(m, nil)
}

// openLast decrypts the ragged end of the text. What stands behind it after that
// is keystream: only zeros go into the state there.
func (a *aegis) openLast() {
	m, x := a.rows()
	for i, v := range m {
		a.left(i)
		if a.enc == evex {
			a.firstBytes(a.tmp, a.tmp2)
			a.loadMasked(a.at(a.src, i), v)
			a.addStream(i, v)
			a.zeroUnmasked(v)
			a.storeMasked(v, a.at(a.dst, i))
			continue
		}
		// As many ones as bytes, width at most, and zeros.
		a.MOVQ(operand.U32(a.width), a.tmp2)
		a.CMPQ(a.tmp, a.tmp2)
		a.CMOVQGT(a.tmp2, a.tmp)
		a.MOVQ(a.consts, a.tmp2)
		a.SUBQ(a.tmp, a.tmp2)
		a.load(a.at(a.src, i), v)
		a.addStream(i, v)
		a.load(mem(a.tmp2, aegisOnes+32), x[i])
		a.and(x[i], v, v)
		a.store(v, a.at(a.dst, i))
	}
	a.update(m, nil)
}

// tag mixes in the lengths and adds the tag of these lanes to that of the call.
func (a *aegis) tag() {
	a.Comment("The lengths, seven updates, and the sum of the words.")
	t, more := a.m[0], a.x[0]
	a.spread(mem(a.call, callLengths), t)
	a.xor(a.state[a.length], t, t)
	a.MOVQ(operand.U32(7), a.tmp2)
	a.Label("finish")
	a.update([]vec{t, t}, nil)
	a.settle()
	a.DECQ(a.tmp2)
	a.JNE(operand.LabelRef("finish"))

	s := a.state
	sum := func(words []vec, v vec) {
		a.xor(words[0], words[1], v)
		for _, w := range words[2:] {
			a.xor(w, v, v)
		}
	}
	// S7 has no part in a short tag.
	words := s
	if a.words == 8 {
		words = s[:7]
	}
	sum(words[:a.half], t)
	if a.half < len(words) {
		short := "short"
		sum(words[a.half:], more)
		a.CMPQ(mem(a.call, callTagLen), operand.U8(32))
		a.JNE(operand.LabelRef(short))
		if a.words == 8 {
			a.xor(s[7], more, more)
		}
		a.addTag(16, more)
		a.xor(more, more, more)
		a.Label(short)
		a.xor(more, t, t)
	}
	a.addTag(0, t)
}

// addTag adds all lanes of v to the tag at tmp.
func (a *aegis) addTag(off int, v vec) {
	a.sumLanes(v, a.t)
	a.load(mem(a.tmp, off), a.t.block())
	a.xor(a.t.block(), v.block(), v.block())
	a.store(v.block(), mem(a.tmp, off))
}

// stage copies the ragged end of what two fields describe to the frame and pads it
// with zeros.
func (a *aegis) stage(from, length, off int) {
	done := a.mark("staged")
	a.rest(length, done)
	a.xor(a.t, a.t, a.t)
	for i := 0; i < 128; i += a.width {
		a.store(a.t, a.frame.Offset(off+i))
	}
	a.field(from, a.src)
	a.ADDQ(a.tmp, a.src)
	a.LEAQ(a.frame.Offset(off), a.dst)
	a.move()
	a.Label(done)
}

// unstage copies the ragged end of the text from the frame to its place, and
// clears it.
func (a *aegis) unstage() {
	done := a.mark("unstaged")
	a.rest(callN, done)
	a.field(callDst, a.dst)
	a.ADDQ(a.tmp, a.dst)
	a.LEAQ(a.frame.Offset(128), a.src)
	a.move()
	a.xor(a.t, a.t, a.t)
	for i := 0; i < 128; i += a.width {
		a.store(a.t, a.frame.Offset(128+i))
	}
	a.Label(done)
}

// rest sets n to the bytes that do not fill a block and tmp to those before them,
// out of a length of the call. It leaves for done if there are none.
func (a *aegis) rest(length int, done string) {
	a.field(length, a.tmp)
	a.LEAQ(mem(a.rate, -1), a.n)
	a.ANDQ(a.tmp, a.n)
	a.JEQ(operand.LabelRef(done))
	a.SUBQ(a.n, a.tmp)
}

// move copies n bytes, 1 at least, from src to dst: words, then bytes.
func (a *aegis) move() {
	words, bytes, byteLoop, done := a.mark("words"), a.mark("bytes"), a.mark("byte"), a.mark("moved")
	a.SUBQ(operand.U8(8), a.n)
	a.JLT(operand.LabelRef(bytes))
	a.Label(words)
	a.MOVQ(mem(a.src, 0), a.tmp2)
	a.MOVQ(a.tmp2, mem(a.dst, 0))
	a.ADDQ(operand.U8(8), a.src)
	a.ADDQ(operand.U8(8), a.dst)
	a.SUBQ(operand.U8(8), a.n)
	a.JGE(operand.LabelRef(words))
	a.Label(bytes)
	a.ADDQ(operand.U8(8), a.n)
	a.JEQ(operand.LabelRef(done))
	a.Label(byteLoop)
	a.MOVB(mem(a.src, 0).Offset(-1).Idx(a.n, 1), a.tmp2.As8())
	a.MOVB(a.tmp2.As8(), mem(a.dst, 0).Offset(-1).Idx(a.n, 1))
	a.DECQ(a.n)
	a.JNE(operand.LabelRef(byteLoop))
	a.Label(done)
}
