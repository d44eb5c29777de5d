package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// schedule is where a function finds the round keys of AES.
//
// They are right-aligned in 15 times 16 bytes: the last one always stands at
// 14*16, the first at (14-rounds)*16. So all three key sizes share one body.
// It always does the last ten rounds; AES-192 enters it two rounds earlier and
// AES-256 four, which one comparison decides: branches that never change are
// predicted, and cost nothing beside the AES unit.
type schedule struct {
	keys   reg.GPPhysical // of the array
	first  reg.GPPhysical // of the first round key
	rounds reg.GPPhysical // 10, 12 or 14
}

// keyAt is round key i of the right-aligned array.
func (s schedule) keyAt(i int) operand.Mem { return mem(s.keys, 16*i) }

// locate computes s.first.
func (e *emitter) locate(s schedule) {
	e.MOVQ(operand.U32(14), s.first)
	e.SUBQ(s.rounds, s.first)
	e.SHLQ(operand.U8(4), s.first)
	e.ADDQ(s.keys, s.first)
}

// rounds does all rounds but the first key addition and the last round on the
// states, which go side by side: AES has a latency of three to five cycles and
// starts two a cycle. The steps of beside are spread over the nine rounds that
// every key size has. key is overwritten; beside must leave it and the states
// alone.
func (e *emitter) rounds(s schedule, dec bool, states []vec, key vec, beside steps) {
	tens, twelves := e.mark("tens"), e.mark("twelves")
	e.CMPQ(s.rounds, operand.U8(12))
	e.JLT(operand.LabelRef(tens))
	e.JEQ(operand.LabelRef(twelves))
	for i := 1; i <= 13; i++ {
		switch i {
		case 3:
			e.Label(twelves)
		case 5:
			e.Label(tens)
		}
		e.spread(s.keyAt(i), key)
		for _, v := range states {
			e.round(dec, false, key, v)
		}
		if i >= 5 {
			beside[(i-5)*len(beside)/9 : (i-4)*len(beside)/9].do()
		}
	}
}

// roundsLoop is rounds as a loop: a tenth of the code, and as fast where nothing
// has to go between the rounds. index is overwritten.
func (e *emitter) roundsLoop(s schedule, states []vec, key vec, index reg.GPPhysical) {
	again := e.mark("round")
	// The offset of a round key from the last one, so that it counts up to 0.
	e.MOVQ(s.first, index)
	e.SUBQ(s.keys, index)
	e.SUBQ(operand.I32(13*16), index)
	e.Label(again)
	e.spread(s.keyAt(14).Idx(index, 1), key)
	for _, v := range states {
		e.round(false, false, key, v)
	}
	e.ADDQ(operand.U8(16), index)
	e.JNE(operand.LabelRef(again))
}
