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
//
// Five words begin with S0 ... S4 = K+N, c1, c0, K+c0, K+c1, and so on; the
// constants c0 and c1 are the Fibonacci numbers modulo 256. Then key and nonce are
// messages of some updates, and in the end the lengths are those of seven more. The
// tag is the sum of all words, or for 32 bytes the sums of two halves.
//
// A function is made of these pieces, in this order, for each group of lanes:
//
//	start      the first state, or resume: the state of the call
//	absorb     blocks of additional data, and absorbLast the ragged one
//	seal open  blocks of text, and sealLast, openLast
//	tag        the tag, or the state is saved in the call
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
	spare vec    // where what S0 takes in is made
	m     [2]vec // the message, a vector of each row; in start, key and nonce
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
	second int // the word that the second row of the message goes to, 0 if there is none
	stream []aegisStream
	times  int   // the repetitions of the list of first messages
	marked []int // the words that the context of a lane goes to before each of these
	length int   // the word that the lengths are added to
	half   int   // the first word of the second half of a long tag
}

// aegisStream is the keystream for a row of the message: the sum of two or three
// words and of the product of two more.
type aegisStream struct {
	sum []int
	and [2]int
}

var aegisShapes = []aegisShape{
	{
		name: "aegis128", words: 5, times: 5, length: 3, half: 5,
		stream: []aegisStream{{[]int{4, 1}, [2]int{2, 3}}},
	},
	{
		name: "aegis128L", wide: "aegis128X", words: 8, second: 4, times: 10,
		marked: []int{3, 7}, length: 2, half: 4,
		stream: []aegisStream{
			{[]int{6, 1}, [2]int{2, 3}},
			{[]int{5, 2}, [2]int{6, 7}},
		},
	},
	{
		name: "aegis256", wide: "aegis256X", words: 6, times: 4,
		marked: []int{3, 5}, length: 3, half: 3,
		stream: []aegisStream{{[]int{5, 4, 1}, [2]int{2, 3}}},
	},
}

// Offsets of the fields of aegisCall in package kernels.
const (
	callState   = 8 * iota // where block j of word i stands 64*i + 16*j bytes on
	callSetup              // the key, and 32 bytes on the contexts
	callNonce              // nil: resume from state
	callAAD                // not read if its length is 0
	callAADLen             // bytes
	callDst                // the same as src, or apart from it
	callSrc                // likewise not read if n is 0
	callN                  // bytes
	callTag                // to which the tag is added; nil: save to state
	callTagLen             // 16 or 32
	callLengths            // of additional data and text, in bits
	_
	callRow  // 16 bytes for every lane
	callOpen // 1: src is ciphertext
)

// Offsets in the table of constants.
const (
	aegisC0   = 0
	aegisC1   = 16
	aegisOnes = 32 // 32 bytes of ones and 32 of zeros
)

// aegisConstants writes the table; it is read with unaligned loads. The ones and
// zeros are a mask for any number of bytes: a load that begins so many bytes
// before the zeros has as many ones.
func aegisConstants(e *emitter) operand.Mem {
	table := e.StaticGlobal("aegis" + e.level + "Constants")
	e.DataAttributes(attr.RODATA | attr.NOPTR)
	// Two blocks of Fibonacci numbers, which nobody could have chosen.
	a, b := byte(0), byte(1)
	for range 4 {
		word := uint64(0)
		for i := range 8 {
			word |= uint64(a) << (8 * i)
			a, b = b, a+b
		}
		e.AppendDatum(operand.U64(word))
	}
	// Four words of ones and four of zeros.
	for i := range 8 {
		e.AppendDatum(operand.U64(-uint64(1 - i/4)))
	}
	return table
}

// aegisKernel writes the function for one shape and width. It is the whole
// algorithm, each part of which can be left out: so a message is one call, or
// pieces of it are. A short message is all set-up, and there is nothing to gain
// for it but few instructions outside the chain of updates.
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
	// At 128L this is fifteen vectors, one less than there are without EVEX.
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
	// A block has a row for each part of the message.
	e.MOVQ(a.row, a.rate)
	if shape.second > 0 {
		e.ADDQ(a.row, a.rate)
	}
	if e.enc != evex {
		a.frame = e.AllocLocal(256)
		// Once, before the first pass writes: dst may be src.
		e.Comment("The ragged ends, padded.")
		a.stage(callAAD, callAADLen, 0)
		a.stage(callSrc, callN, 128)
	}
	e.XORQ(a.off, a.off)

	// The passes differ in off alone.
	e.Label("pass")
	a.field(callNonce, a.tmp)
	e.TESTQ(a.tmp, a.tmp)
	e.JEQ(operand.LabelRef("resume"))
	a.start()
	e.JMP(operand.LabelRef("additional"))
	// What is left of the message before comes first.
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
	// Both directions share all the rest, so they share a function.
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

	// A state in memory has room for four lanes a word, whatever the row.
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

// at is the place of this pass in a row of the message. base points at the place
// in the first row, off included.
func (a *aegis) at(base reg.GPPhysical, row int) operand.Mem {
	if row == 0 {
		return mem(base, 0)
	}
	return mem(base, 0).Idx(a.row, 1)
}

// update is the update of the state by the messages, a vector for each row. If
// there is extra, it is added to the words that they go to.
//
// Each word is made in its own place, from the last to the first, since it needs
// the one before it as it was. The rounds that take messages for keys are made
// elsewhere, and join their words when those are not needed any more: S0 is the key
// of nobody, but S1 needs it.
//
// In the legacy encoding a round overwrites its input, and that is copied before,
// and the result behind. A ring of registers whose names move on would save half
// of that; it takes code nine times as long, was a twentieth faster for eight
// words, and a tenth slower for six.
func (a *aegis) update(messages, extra []vec) {
	last := a.words - 1
	a.roundTo(messages[0], a.state[last], a.spare, a.spare)
	for i := last; i > 0; i-- {
		if i == a.second {
			a.roundTo(messages[1], a.state[i-1], a.t, a.t)
			a.join(a.t, i, extra, 1)
		} else {
			a.roundTo(a.state[i], a.state[i-1], a.t, a.state[i])
		}
	}
	a.join(a.spare, 0, extra, 0)
}

// join adds v, the round that took a message, and what is extra in its row to
// word i. v comes last, it is on the chain; the word and extra are there long before.
func (a *aegis) join(v vec, i int, extra []vec, row int) {
	word := a.state[i]
	switch {
	case extra == nil:
		a.xor(v, word, word)
	case a.enc == evex:
		a.xor3(v, extra[row], word)
	default:
		a.xor(extra[row], word, word)
		a.xor(v, word, word)
	}
}

// start makes the state of a new message from key and nonce, which are at setup and
// tmp: RFC 10032, the functions Init. All lanes begin with the same words, and
// differ by what context adds.
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
	// A register that has done its duty takes the next message.
	switch a.words {
	case 5:
		// K+N, c1, c0, K+c0, K+c1; then K and K+N in turn.
		a.copy(c1, s[1])
		a.copy(c0, s[2])
		a.xor(k0, c0, s[3])
		a.xor(k0, c1, s[4])
		a.copy(s[0], n0)
		messages = [][]vec{{k0}, {n0}}
	case 6:
		// K0+N0, K1+N1, c1, c0, K0+c0, K1+c1; then K0, K1, K0+N0, K1+N1 in
		// turn.
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
		// K+N, c1, c0, c1, K+N, K+c0, K+c1, K+c0; then N and K together.
		for i, v := range []vec{c1, c0, c1, s[0]} {
			a.copy(v, s[1+i])
		}
		a.xor(k0, c0, s[5])
		a.xor(k0, c1, s[6])
		a.copy(s[5], s[7])
		messages = [][]vec{{n0, k0}}
	}
	// A loop: it ends the same way every time, which is predicted.
	a.ADDQ(a.off, a.tmp2)
	a.MOVQ(operand.U32(a.times), a.tmp)
	a.Label("mix")
	for _, m := range messages {
		a.context(a.tmp2)
		a.update(m, nil)
	}
	a.DECQ(a.tmp)
	a.JNE(operand.LabelRef("mix"))
}

// context adds the contexts, which keep lanes apart: the number of the lane, and
// the number of the last. A row of one lane has none; that is known here only where
// vectors of several lanes have a function of their own.
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

// blocks runs step for every whole block of the message. n keeps the rest. The
// loop needs one comparison a block, and the bounds of a step no more: a block is
// always whole.
func (a *aegis) blocks(name string, step func()) {
	again, done := a.mark(name), a.mark(name+"Done")
	a.SUBQ(a.rate, a.n)
	a.JLT(operand.LabelRef(done))
	a.Label(again)
	step()
	a.SUBQ(a.rate, a.n)
	a.JGE(operand.LabelRef(again))
	a.Label(done)
	a.ADDQ(a.rate, a.n)
}

// rows are the messages of an update, and what else belongs to each.
func (a *aegis) rows() ([]vec, []vec) { return a.m[:len(a.stream)], a.x[:len(a.stream)] }

// absorb takes in a block of additional data, whose keystream nobody needs.
// It is as fast as the chain of updates lets it be.
func (a *aegis) absorb() {
	m, _ := a.rows()
	for i, v := range m {
		a.load(a.at(a.src, i), v)
	}
	a.ADDQ(a.rate, a.src)
	a.update(m, nil)
}

// seal encrypts a block. All of it is read before anything is written: dst may be
// src. Nothing waits for the ciphertext; it is made beside the rounds.
func (a *aegis) seal() {
	m, x := a.rows()
	for i, v := range m {
		a.load(a.at(a.src, i), v)
		a.addStream(i, v, x[i])
	}
	for i, v := range x {
		a.store(v, a.at(a.dst, i))
	}
	a.ADDQ(a.rate, a.src)
	a.ADDQ(a.rate, a.dst)
	a.update(m, nil)
}

// open decrypts a block. The rounds take the ciphertext, and the keystream is the
// extra that makes plaintext of it, as shown at the top.
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

// keystream sets v to the keystream of a row. An update makes the last word first,
// and in this order the sum takes them in; decryption waits for it.
func (a *aegis) keystream(row int, v vec) {
	// On Zen 4 this order is worth a sixth of the time of AEGIS-256: a chain from
	// S1, which is made last, over the sum to S0 and back to S1.
	z, s := a.stream[row], a.state
	and, last := z.and, z.sum[len(z.sum)-1]
	switch {
	case len(z.sum) == 3 && a.enc == evex:
		a.xor(s[z.sum[0]], s[z.sum[1]], v)
		a.xorAnd(s[and[0]], s[and[1]], v)
	case len(z.sum) == 3:
		// Side by side, so that fewer operations wait for each other.
		a.xor(s[z.sum[0]], s[z.sum[1]], v)
		a.and(s[and[0]], s[and[1]], a.t)
		a.xor(a.t, v, v)
	case a.enc == evex:
		a.copy(s[z.sum[0]], v)
		a.xorAnd(s[and[0]], s[and[1]], v)
	default:
		a.and(s[and[0]], s[and[1]], v)
		a.xor(s[z.sum[0]], v, v)
	}
	a.xor(s[last], v, v)
}

// addStream sets v to the sum of m and the keystream of a row. EVEX has operations
// on three vectors, so that adding m first takes no instruction more.
func (a *aegis) addStream(row int, m, v vec) {
	if a.enc != evex {
		a.keystream(row, v)
		a.xor(m, v, v)
		return
	}
	z, s := a.stream[row], a.state
	a.copy(m, v)
	a.xor3(s[z.sum[0]], s[z.sum[1]], v)
	for _, i := range z.sum[2:] {
		a.xor(s[i], v, v)
	}
	a.xorAnd(s[z.and[0]], s[z.and[1]], v)
}

// ragged runs last if there are bytes left, which do not fill a block. Without
// masks it finds them at off in the frame, padded, in src and dst.
//
// The bytes of all rows and lanes are counted together, so a pass may well find
// none of its own: it takes in zeros then.
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
	a.Label(done)
}

// left sets tmp to the bytes that are left for a row of this pass, 0 at least: what
// is left in all, less the rows and lanes before. It may be more than a vector.
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

// absorbLast takes in the ragged end of the additional data. A masked load
// brings zeros behind it, and touches nothing there.
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

// sealLast encrypts the ragged end of the text. In the frame it is a block like
// any other, of which only the bytes of the message will be copied.
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
		a.addStream(i, v, x[i])
		a.storeMasked(x[i], a.at(a.dst, i))
	}
	a.update(m, nil)
}

// openLast decrypts the ragged end of the text. What stands behind it after that
// is keystream: only zeros go into the state there, as they did when it was
// encrypted. So the text itself is the message of the update, with nothing extra.
func (a *aegis) openLast() {
	m, x := a.rows()
	for i, v := range m {
		a.left(i)
		if a.enc == evex {
			// Keystream behind the end is cleared before the update.
			a.firstBytes(a.tmp, a.tmp2)
			a.loadMasked(a.at(a.src, i), v)
			a.addStream(i, v, x[i])
			a.copy(x[i], v)
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
		a.addStream(i, v, x[i])
		a.load(mem(a.tmp2, aegisOnes+32), v)
		a.and(x[i], v, v)
		a.store(v, a.at(a.dst, i))
	}
	a.update(m, nil)
}

// tag mixes in the lengths and adds the tag of these lanes to that of the call.
func (a *aegis) tag() {
	a.Comment("The lengths, seven updates, and the sum of the words.")
	// The lengths in bits are added to a word; that is the message of all rows.
	t, more := a.m[0], a.x[0]
	// Two numbers were stored just now: a load of both would wait for the cache.
	a.field(callLengths, a.tmp2)
	a.fromGP(a.tmp2, t.block())
	a.field(callLengths+8, a.tmp2)
	a.insertHigh(a.tmp2, t.block())
	a.spreadLane(t.block(), t)
	a.xor(a.state[a.length], t, t)
	a.MOVQ(operand.U32(7), a.tmp2)
	a.Label("finish")
	a.update([]vec{t, t}, nil)
	a.DECQ(a.tmp2)
	a.JNE(operand.LabelRef("finish"))

	// The end of the message waits for this: two words at a time if possible.
	s := a.state
	sum := func(words []vec, v vec) {
		a.xor(words[0], words[1], v)
		rest := words[2:]
		for ; len(rest) >= 2; rest = rest[2:] {
			a.xor3(rest[0], rest[1], v)
		}
		if len(rest) > 0 {
			a.xor(rest[0], v, v)
		}
	}
	// S7 has no part in a short tag, and completes the second half of a long
	// one.
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

// addTag adds all lanes of v to the tag at tmp, to which every pass brings its
// own.
func (a *aegis) addTag(off int, v vec) {
	a.sumLanes(v, a.t)
	a.load(mem(a.tmp, off), a.t.block())
	a.xor(a.t.block(), v.block(), v.block())
	a.store(v.block(), mem(a.tmp, off))
}

// stage copies the ragged end of what two fields describe to the frame and pads it
// with zeros, so that it can be read by vectors without touching what is behind the
// message.
func (a *aegis) stage(from, length, off int) {
	done := a.mark("staged")
	a.rest(length, done)
	a.LEAQ(a.frame.Offset(off), a.dst)
	a.zero(a.dst)
	a.field(from, a.src)
	a.ADDQ(a.tmp, a.src)
	a.move()
	a.Label(done)
}

// unstage copies the ragged end of the text from the frame to its place when all
// passes have been over it, and clears it: it may be plaintext.
func (a *aegis) unstage() {
	// The same bytes that stage found, in the other direction.
	done := a.mark("unstaged")
	a.rest(callN, done)
	a.field(callDst, a.dst)
	a.ADDQ(a.tmp, a.dst)
	a.LEAQ(a.frame.Offset(128), a.src)
	a.move()
	a.LEAQ(a.frame.Offset(128), a.src)
	a.zero(a.src)
	a.Label(done)
}

// zero clears the memory of a block at base. The frame has room for four lanes, and
// most algorithms need less.
func (a *aegis) zero(base reg.GPPhysical) {
	again := a.mark("zero")
	a.xor(a.t, a.t, a.t)
	a.MOVQ(a.rate, a.tmp2)
	a.Label(again)
	a.store(a.t, mem(base, -a.width).Idx(a.tmp2, 1))
	a.SUBQ(operand.U8(a.width), a.tmp2)
	a.JNE(operand.LabelRef(again))
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

// move copies n bytes, 1 at least, from src to dst: blocks, then a word, then
// bytes. A block is loaded soon, and must then have been stored in one piece, or
// the load waits for the cache.
func (a *aegis) move() {
	blocks, word, bytes, byteLoop, done := a.mark("blocks"), a.mark("word"), a.mark("bytes"), a.mark("byte"), a.mark("moved")
	a.Label(blocks)
	a.CMPQ(a.n, operand.U8(16))
	a.JLT(operand.LabelRef(word))
	a.load(mem(a.src, 0), a.t.block())
	a.store(a.t.block(), mem(a.dst, 0))
	a.past(16)
	a.JMP(operand.LabelRef(blocks))
	a.Label(word)
	a.CMPQ(a.n, operand.U8(8))
	a.JLT(operand.LabelRef(bytes))
	a.MOVQ(mem(a.src, 0), a.tmp2)
	a.MOVQ(a.tmp2, mem(a.dst, 0))
	a.past(8)
	a.Label(bytes)
	a.TESTQ(a.n, a.n)
	a.JEQ(operand.LabelRef(done))
	a.Label(byteLoop)
	a.MOVB(mem(a.src, -1).Idx(a.n, 1), a.tmp2.As8())
	a.MOVB(a.tmp2.As8(), mem(a.dst, -1).Idx(a.n, 1))
	a.DECQ(a.n)
	a.JNE(operand.LabelRef(byteLoop))
	a.Label(done)
}

// past goes on behind size bytes that were moved.
func (a *aegis) past(size int) {
	a.ADDQ(operand.U8(size), a.src)
	a.ADDQ(operand.U8(size), a.dst)
	a.SUBQ(operand.U8(size), a.n)
}
