"""Shadows of what LLVM's intrinsics give."""

from __future__ import annotations

from clew.native.emit.shadow_values import ShadowValues
from clew.native.trace_ops import NodeOp, what
from clew.program import instructions as ir

_FIRST = """expect ssa.copy launder.invariant.group strip.invariant.group ptr.annotation annotation threadlocal.address
arithmetic.fence""".split()
_OVERFLOW = {
    "sadd": (NodeOp.ADD, NodeOp.SADD_OVERFLOW),
    "uadd": (NodeOp.ADD, NodeOp.UADD_OVERFLOW),
    "ssub": (NodeOp.SUB, NodeOp.SSUB_OVERFLOW),
    "usub": (NodeOp.SUB, NodeOp.USUB_OVERFLOW),
    "smul": (NodeOp.MUL, NodeOp.SMUL_OVERFLOW),
    "umul": (NodeOp.MUL, NodeOp.UMUL_OVERFLOW),
}
_TWO = {"umin": NodeOp.UMIN, "umax": NodeOp.UMAX, "smin": NodeOp.SMIN, "smax": NodeOp.SMAX, "ptrmask": NodeOp.AND}
_ONE = {
    "abs": NodeOp.ABS,
    "bswap": NodeOp.BSWAP,
    "bitreverse": NodeOp.BITREVERSE,
    "ctpop": NodeOp.CTPOP,
    "ctlz": NodeOp.CTLZ,
    "cttz": NodeOp.CTTZ,
}
_THREE = {"fshl": NodeOp.FSHL, "fshr": NodeOp.FSHR}


def emit_shadow_of_intrinsic(s: ShadowValues, i: ir.Call, name: str) -> None:
    """Write the shadow of a result; intrinsics without a node use their operands as they are."""
    assert i.result is not None
    values = [argument.value for argument in i.arguments]
    stem = name.removeprefix("llvm.").split(".")[0]
    if any(name.startswith(f"llvm.{first}") for first in _FIRST):
        s.give(i, s.of(values[0]))
    elif stem in _OVERFLOW and ".with.overflow" in name and s.is_number(*values):
        _overflow(s, i, stem)
    elif stem in _TWO and s.is_number(*values):
        shadows, words = (s.one(values[0]), s.one(values[1])), (s.word(values[0]), s.word(values[1]))
        s.give(i, [s.node(what(_TWO[stem], s.width(values[0])), shadows, words, s.result_word(i))])
    elif stem in _ONE and s.is_number(values[0]):
        s.give(i, [s.unary(what(_ONE[stem], s.width(values[0])), s.one(values[0]), s.result_word(i))])
    elif stem in _THREE and s.is_number(*values):
        s.give(i, [s.ternary(what(_THREE[stem], s.width(values[0])), values, s.result_word(i))])
    else:
        s.fixed(values)
        s.nothing(i)


def _overflow(s: ShadowValues, i: ir.Call, stem: str) -> None:
    """The number, and whether it is the right one."""
    left, right = (argument.value for argument in i.arguments[:2])
    assert i.result is not None
    shadows, words = (s.one(left), s.one(right)), (s.word(left), s.word(right))
    found = s.words(i.result)
    s.give(
        i,
        [
            s.node(what(op, s.width(left)), shadows, words, value)
            for op, value in zip(_OVERFLOW[stem], found, strict=True)
        ],
    )
