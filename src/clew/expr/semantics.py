"""What each operator means, on plain values: the reference all rewrites are tested against.

``MEANING[op](node, values)`` computes a node's value from ``values``, which maps each argument
to its own. Written as plainly as possible and independent of the constructors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from immutables import Map

from clew.base.bits import signed
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.rewrite import fpmath

Meaning: TypeAlias = Callable[[Expr, Mapping[Expr, Any]], Any]
MEANING: Final[dict[Op, Meaning]] = {}


class ArrayValue:
    """An immutable array: written elements over ``data`` from index 0 on, over a default."""

    __slots__ = ("default", "data", "written")

    def __init__(self, default: int, data: bytes = b"", written: Map[int, int] | None = None) -> None:
        self.default = default
        self.data = data
        self.written: Map[int, int] = Map() if written is None else written

    def __getitem__(self, index: int) -> int:
        value = self.written.get(index)
        if value is not None:
            return value
        return self.data[index] if index < len(self.data) else self.default

    def with_element(self, index: int, value: int) -> ArrayValue:
        """A copy that differs at one index."""
        return ArrayValue(self.default, self.data, self.written.set(index, value))

    def __repr__(self) -> str:
        return f"ArrayValue({self.default}, {self.data!r}, {dict(self.written)!r})"


def means(op: Op) -> Callable[[Meaning], Meaning]:
    """Register the meaning of ``op``."""

    def register(meaning: Meaning) -> Meaning:
        MEANING[op] = meaning
        return meaning

    return register


@means(Op.ADD)
def _add(e: Expr, v: Mapping[Expr, Any]) -> int:
    total = 0
    for arg in e.args:
        total += v[arg]
    return total & e.mask


@means(Op.CONCAT)
def _concat(e: Expr, v: Mapping[Expr, Any]) -> int:
    bits = 0
    for arg in e.args:
        bits = (bits << arg.width) | v[arg]
    return bits


@means(Op.LAND)
def _land(e: Expr, v: Mapping[Expr, Any]) -> bool:
    return all(v[arg] for arg in e.args)


@means(Op.SDIV)
def _sdiv(e: Expr, v: Mapping[Expr, Any]) -> int:
    a, b = signed(v[e.args[0]], e.width), signed(v[e.args[1]], e.width)
    if b == 0:
        return 1 if a < 0 else e.mask
    quotient = abs(a) // abs(b)
    return (-quotient if (a < 0) != (b < 0) else quotient) & e.mask


@means(Op.SREM)
def _srem(e: Expr, v: Mapping[Expr, Any]) -> int:
    a, b = signed(v[e.args[0]], e.width), signed(v[e.args[1]], e.width)
    if b == 0:
        return a & e.mask
    remainder = abs(a) % abs(b)
    return (-remainder if a < 0 else remainder) & e.mask


@means(Op.UDIV)
def _udiv(e: Expr, v: Mapping[Expr, Any]) -> int:
    a: int = v[e.args[0]]
    b: int = v[e.args[1]]
    return a // b if b else e.mask


@means(Op.UREM)
def _urem(e: Expr, v: Mapping[Expr, Any]) -> int:
    a: int = v[e.args[0]]
    b: int = v[e.args[1]]
    return a % b if b else a


@means(Op.SHL)
def _shl(e: Expr, v: Mapping[Expr, Any]) -> int:
    amount: int = v[e.args[1]]
    bits: int = v[e.args[0]]
    return (bits << amount) & e.mask if amount < e.width else 0


@means(Op.ASHR)
def _ashr(e: Expr, v: Mapping[Expr, Any]) -> int:
    amount: int = min(v[e.args[1]], e.width)
    return (signed(v[e.args[0]], e.width) >> amount) & e.mask


@means(Op.SEXT)
def _sext(e: Expr, v: Mapping[Expr, Any]) -> int:
    return signed(v[e.args[0]], e.args[0].width) & e.mask


@means(Op.EXTRACT)
def _extract(e: Expr, v: Mapping[Expr, Any]) -> int:
    bits: int = v[e.args[0]]
    low: int = e.value[1]
    return (bits >> low) & e.mask


@means(Op.SLT)
def _slt(e: Expr, v: Mapping[Expr, Any]) -> bool:
    a, b = e.args
    return signed(v[a], a.width) < signed(v[b], a.width)


@means(Op.SLE)
def _sle(e: Expr, v: Mapping[Expr, Any]) -> bool:
    a, b = e.args
    return signed(v[a], a.width) <= signed(v[b], a.width)


@means(Op.FP_TO_BITS)
def _to_bits(e: Expr, v: Mapping[Expr, Any]) -> int:
    return fpmath.to_bits(v[e.args[0]], e.args[0].sort)


@means(Op.FP_TO_SBV)
def _to_sbv(e: Expr, v: Mapping[Expr, Any]) -> int:
    half = 1 << (e.width - 1)
    return fpmath.to_int(v[e.args[0]], -half, half - 1) & e.mask


@means(Op.FP_FROM_SBV)
def _from_sbv(e: Expr, v: Mapping[Expr, Any]) -> Any:
    return fpmath.from_int(signed(v[e.args[0]], e.args[0].width), e.sort)


MEANING.update(
    {
        Op.NEG: lambda e, v: -v[e.args[0]] & e.mask,
        Op.MUL: lambda e, v: (v[e.args[0]] * v[e.args[1]]) & e.mask,
        Op.AND: lambda e, v: v[e.args[0]] & v[e.args[1]],
        Op.OR: lambda e, v: v[e.args[0]] | v[e.args[1]],
        Op.XOR: lambda e, v: v[e.args[0]] ^ v[e.args[1]],
        Op.NOT: lambda e, v: v[e.args[0]] ^ e.mask,
        Op.LSHR: lambda e, v: v[e.args[0]] >> min(v[e.args[1]], e.width),
        Op.ZEXT: lambda e, v: v[e.args[0]],
        Op.EQ: lambda e, v: v[e.args[0]] == v[e.args[1]],
        Op.ULT: lambda e, v: v[e.args[0]] < v[e.args[1]],
        Op.ULE: lambda e, v: v[e.args[0]] <= v[e.args[1]],
        Op.LNOT: lambda e, v: not v[e.args[0]],
        Op.CONST_ARRAY: lambda e, v: ArrayValue(v[e.args[0]]),
        Op.ARRAY_BYTES: lambda e, v: ArrayValue(0, e.value),
        Op.STORE: lambda e, v: v[e.args[0]].with_element(v[e.args[1]], v[e.args[2]]),
        Op.SELECT: lambda e, v: v[e.args[0]][v[e.args[1]]],
        Op.FADD: lambda e, v: fpmath.add(v[e.args[0]], v[e.args[1]], e.sort),
        Op.FSUB: lambda e, v: fpmath.sub(v[e.args[0]], v[e.args[1]], e.sort),
        Op.FMUL: lambda e, v: fpmath.mul(v[e.args[0]], v[e.args[1]], e.sort),
        Op.FDIV: lambda e, v: fpmath.div(v[e.args[0]], v[e.args[1]], e.sort),
        Op.FNEG: lambda e, v: -v[e.args[0]],
        Op.FABS: lambda e, v: abs(v[e.args[0]]),
        Op.FSQRT: lambda e, v: fpmath.sqrt(v[e.args[0]], e.sort),
        Op.FFMA: lambda e, v: fpmath.fma(v[e.args[0]], v[e.args[1]], v[e.args[2]], e.sort),
        Op.FROUND: lambda e, v: fpmath.integral(v[e.args[0]], e.value),
        Op.FEQ: lambda e, v: v[e.args[0]] == v[e.args[1]],
        Op.FLT: lambda e, v: v[e.args[0]] < v[e.args[1]],
        Op.FLE: lambda e, v: v[e.args[0]] <= v[e.args[1]],
        Op.FISNAN: lambda e, v: v[e.args[0]] != v[e.args[0]],
        Op.FISINF: lambda e, v: v[e.args[0]] in (fpmath.INF, -fpmath.INF),
        Op.FP_FROM_BITS: lambda e, v: fpmath.from_bits(v[e.args[0]], e.sort),
        Op.FP_TO_FP: lambda e, v: fpmath.rounded(v[e.args[0]], e.sort),
        Op.FP_TO_UBV: lambda e, v: fpmath.to_int(v[e.args[0]], 0, e.mask),
        Op.FP_FROM_UBV: lambda e, v: fpmath.from_int(v[e.args[0]], e.sort),
    }
)
