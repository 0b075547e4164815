"""The numbers that traces are written in: operations of nodes, kinds of records; ``c/trace.h`` has the same ones."""

from __future__ import annotations

from enum import IntEnum


class NodeOp(IntEnum):
    """What a node computes."""

    INPUT = 1
    CONST = 2
    ADD = 3
    SUB = 4
    MUL = 5
    UDIV = 6
    SDIV = 7
    UREM = 8
    SREM = 9
    AND = 10
    OR = 11
    XOR = 12
    SHL = 13
    LSHR = 14
    ASHR = 15
    EQ = 16
    NE = 17
    ULT = 18
    ULE = 19
    SLT = 20
    SLE = 21
    ZEXT = 22
    SEXT = 23
    EXTRACT = 24
    CONCAT = 25
    ITE = 26
    TABLE = 27
    SADD_OVERFLOW = 28
    UADD_OVERFLOW = 29
    SSUB_OVERFLOW = 30
    USUB_OVERFLOW = 31
    SMUL_OVERFLOW = 32
    UMUL_OVERFLOW = 33
    UMIN = 34
    UMAX = 35
    SMIN = 36
    SMAX = 37
    ABS = 38
    BSWAP = 39
    BITREVERSE = 40
    CTPOP = 41
    CTLZ = 42
    CTTZ = 43
    FSHL = 44
    FSHR = 45


BITS = frozenset((*range(NodeOp.EQ, NodeOp.ZEXT), *range(NodeOp.SADD_OVERFLOW, NodeOp.UMIN)))
"""Operations that give one bit: their width is that of their operands."""


def what(op: NodeOp, width: int, extra: int = 0) -> int:
    """An operation as the runtime takes it."""
    return op | width << 8 | extra << 16


class RecordKind(IntEnum):
    """What a record tells."""

    FORK = 1
    """A condition was true or false."""
    CASE = 2
    """A switch saw a value."""
    FIXED = 3
    """The value of a node was used as it is."""
    BOUNDS = 4
    """An address was in an object."""
    LOST = 5
    """From here on the trace does not have everything."""
