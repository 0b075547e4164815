"""The closed set of operators an expression node can have.

Each is also a constant of this module: hot code compares ``e.op is ADD``, and a global is much
cheaper to reach than a member of an enum class.

Forms that do *not* exist, because the smart constructors write them with others: subtraction
(``ADD`` of a ``NEG``), ``!=`` and boolean or/xor (``LNOT`` of ``EQ`` / ``LAND`` / ``EQ``), ``>``
and ``>=`` (swap the operands), right shifts by a constant (``ZEXT``/``SEXT`` of ``EXTRACT``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Op(IntEnum):
    """Operators; the comment gives arguments and payload (``Expr.value``)."""

    CONST = 0  # value: int, bool or float
    SYMBOL = 1  # value: the name
    # Bit-vectors. ADD and CONCAT are n-ary; a constant operand always comes last.
    ADD = 2
    NEG = 3
    MUL = 4
    UDIV = 5  # division as in SMT-LIB: x / 0 is all ones
    SDIV = 6
    UREM = 7
    SREM = 8
    AND = 9
    OR = 10
    XOR = 11
    NOT = 12
    SHL = 13  # an amount >= width gives 0 (ASHR: the sign)
    LSHR = 14
    ASHR = 15
    ZEXT = 16  # value: the new width
    SEXT = 17  # value: the new width
    EXTRACT = 18  # value: (hi, lo), both inclusive
    CONCAT = 19  # from the highest piece to the lowest
    # Booleans. EQ also compares two booleans ("iff"). LAND is n-ary.
    EQ = 20
    ULT = 21
    ULE = 22
    SLT = 23
    SLE = 24
    LNOT = 25
    LAND = 26
    ITE = 27  # any sort
    # Arrays.
    CONST_ARRAY = 28  # args: (element,)
    ARRAY_BYTES = 29  # value: bytes, element i at index i; 0 beyond the end
    STORE = 30
    SELECT = 31
    # Floats. Arithmetic rounds to nearest even.
    FADD = 32
    FSUB = 33
    FMUL = 34
    FDIV = 35
    FNEG = 36
    FABS = 37
    FSQRT = 38
    FFMA = 39  # args[0] * args[1] + args[2], rounded once
    FROUND = 40  # to an integral value; value: "rne" "rtz" "rtp" "rtn" "rna"
    FEQ = 41  # IEEE: NaN is unequal to all, -0 equals +0
    FLT = 42
    FLE = 43
    FISNAN = 44
    FISINF = 45
    FP_FROM_BITS = 46
    FP_TO_BITS = 47  # a NaN gives the canonical quiet NaN
    FP_TO_FP = 48
    FP_TO_SBV = 49  # value: width; toward zero; always guarded by a range test, so never out of range
    FP_TO_UBV = 50
    FP_FROM_SBV = 51
    FP_FROM_UBV = 52
    # An array again: (older, start, count, element over ``index``); value: the stride. It is no argument of SELECT.
    COMPREHENSION = 53

    # Enum's own hash is a Python function over the (randomized) name: slow, and not the same in
    # every process.
    __hash__ = int.__hash__


CONST: Final = Op.CONST
SYMBOL: Final = Op.SYMBOL
ADD: Final = Op.ADD
NEG: Final = Op.NEG
MUL: Final = Op.MUL
UDIV: Final = Op.UDIV
SDIV: Final = Op.SDIV
UREM: Final = Op.UREM
SREM: Final = Op.SREM
AND: Final = Op.AND
OR: Final = Op.OR
XOR: Final = Op.XOR
NOT: Final = Op.NOT
SHL: Final = Op.SHL
LSHR: Final = Op.LSHR
ASHR: Final = Op.ASHR
ZEXT: Final = Op.ZEXT
SEXT: Final = Op.SEXT
EXTRACT: Final = Op.EXTRACT
CONCAT: Final = Op.CONCAT
EQ: Final = Op.EQ
ULT: Final = Op.ULT
ULE: Final = Op.ULE
SLT: Final = Op.SLT
SLE: Final = Op.SLE
LNOT: Final = Op.LNOT
LAND: Final = Op.LAND
ITE: Final = Op.ITE
CONST_ARRAY: Final = Op.CONST_ARRAY
ARRAY_BYTES: Final = Op.ARRAY_BYTES
STORE: Final = Op.STORE
SELECT: Final = Op.SELECT
FADD: Final = Op.FADD
FSUB: Final = Op.FSUB
FMUL: Final = Op.FMUL
FDIV: Final = Op.FDIV
FNEG: Final = Op.FNEG
FABS: Final = Op.FABS
FSQRT: Final = Op.FSQRT
FFMA: Final = Op.FFMA
FROUND: Final = Op.FROUND
FEQ: Final = Op.FEQ
FLT: Final = Op.FLT
FLE: Final = Op.FLE
FISNAN: Final = Op.FISNAN
FISINF: Final = Op.FISINF
FP_FROM_BITS: Final = Op.FP_FROM_BITS
FP_TO_BITS: Final = Op.FP_TO_BITS
FP_TO_FP: Final = Op.FP_TO_FP
FP_TO_SBV: Final = Op.FP_TO_SBV
FP_TO_UBV: Final = Op.FP_TO_UBV
FP_FROM_SBV: Final = Op.FP_FROM_SBV
FP_FROM_UBV: Final = Op.FP_FROM_UBV
COMPREHENSION: Final = Op.COMPREHENSION
