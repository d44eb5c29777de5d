//go:build !purego

#include "textflag.h"

// The contents of the registers do not matter: the time of an AES round does
// not depend on them. Register 12 is the round key, 0 to 11 are independent.

// func rounds128(n int)
TEXT ·rounds128(SB), NOSPLIT, $0-8
	MOVQ  n+0(FP), CX
	TESTQ CX, CX
	JLE   done

loop:
	AESENC X12, X0
	AESENC X12, X1
	AESENC X12, X2
	AESENC X12, X3
	AESENC X12, X4
	AESENC X12, X5
	AESENC X12, X6
	AESENC X12, X7
	AESENC X12, X8
	AESENC X12, X9
	AESENC X12, X10
	AESENC X12, X11
	DECQ   CX
	JNZ    loop

done:
	RET

// func rounds256(n int)
TEXT ·rounds256(SB), NOSPLIT, $0-8
	MOVQ  n+0(FP), CX
	TESTQ CX, CX
	JLE   done

loop:
	VAESENC Y12, Y0, Y0
	VAESENC Y12, Y1, Y1
	VAESENC Y12, Y2, Y2
	VAESENC Y12, Y3, Y3
	VAESENC Y12, Y4, Y4
	VAESENC Y12, Y5, Y5
	VAESENC Y12, Y6, Y6
	VAESENC Y12, Y7, Y7
	VAESENC Y12, Y8, Y8
	VAESENC Y12, Y9, Y9
	VAESENC Y12, Y10, Y10
	VAESENC Y12, Y11, Y11
	DECQ    CX
	JNZ     loop
	VZEROUPPER

done:
	RET

// func rounds512(n int)
TEXT ·rounds512(SB), NOSPLIT, $0-8
	MOVQ  n+0(FP), CX
	TESTQ CX, CX
	JLE   done

loop:
	VAESENC Z12, Z0, Z0
	VAESENC Z12, Z1, Z1
	VAESENC Z12, Z2, Z2
	VAESENC Z12, Z3, Z3
	VAESENC Z12, Z4, Z4
	VAESENC Z12, Z5, Z5
	VAESENC Z12, Z6, Z6
	VAESENC Z12, Z7, Z7
	VAESENC Z12, Z8, Z8
	VAESENC Z12, Z9, Z9
	VAESENC Z12, Z10, Z10
	VAESENC Z12, Z11, Z11
	DECQ    CX
	JNZ     loop
	VZEROUPPER

done:
	RET
