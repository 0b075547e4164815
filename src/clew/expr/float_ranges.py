"""Cheap facts about float nodes: between which numbers they lie, and whether they can be NaN.

    fp_from_ubv(digits) / 100.0     (0.0, 9999.99)  for six digits, and never NaN

Rounding is monotonic, so the bounds of a result are the results of bounds. Computed on demand, once per node, without
recursion; the node keeps it where bit-vectors keep theirs (``clew.expr.ranges``). Like that module, it builds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Final, TypeAlias

from clew.expr.node import FP, Expr
from clew.expr.op import Op
from clew.expr.ranges import interval, signed_interval
from clew.expr.rewrite import fpmath
from clew.expr.rewrite.fpmath import Real
from clew.expr.sort import SortKind

FloatRange: TypeAlias = tuple[Real, Real, bool]
"""(lowest, highest, whether it may be NaN as well)"""

ANYTHING: Final[FloatRange] = (-inf, inf, True)


def float_range(e: FP) -> FloatRange:
    """Where a float lies."""
    if type(e) is not Expr:
        return (e, e, False) if e == e else ANYTHING
    if e._facts is None:
        _compute(e)
    known: FloatRange = e._facts
    return known


def _compute(root: Expr) -> None:
    stack = [root]
    while stack:
        node = stack[-1]
        pending = [arg for arg in node.args if arg._facts is None and arg.sort.kind is SortKind.FLOAT]
        if pending and node._facts is None and node.op in _HANDLERS:
            stack.extend(pending)
            continue
        stack.pop()
        if node._facts is None:
            handler = _HANDLERS.get(node.op)
            node._facts = ANYTHING if handler is None else handler(node)


def _from_unsigned(e: Expr) -> FloatRange:
    low, high = interval(e.args[0])
    return fpmath.from_int(low, e.sort), fpmath.from_int(high, e.sort), False


def _from_signed(e: Expr) -> FloatRange:
    low, high = signed_interval(e.args[0])
    return fpmath.from_int(low, e.sort), fpmath.from_int(high, e.sort), False


def _neg(e: Expr) -> FloatRange:
    low, high, nan = float_range(e.args[0])
    return -high, -low, nan


def _abs(e: Expr) -> FloatRange:
    low, high, nan = float_range(e.args[0])
    if low >= 0.0:
        return fpmath.magnitude(low), high, nan
    return (fpmath.magnitude(high), -low, nan) if high <= 0.0 else (0.0, max(-low, high), nan)


def _to_float(e: Expr) -> FloatRange:
    low, high, nan = float_range(e.args[0])
    return fpmath.rounded(low, e.sort), fpmath.rounded(high, e.sort), nan


def _round(e: Expr) -> FloatRange:
    low, high, nan = float_range(e.args[0])
    return fpmath.integral(low, e.value), fpmath.integral(high, e.value), nan


def _ite(e: Expr) -> FloatRange:
    low_a, high_a, nan_a = float_range(e.args[1])
    low_b, high_b, nan_b = float_range(e.args[2])
    return min(low_a, low_b), max(high_a, high_b), nan_a or nan_b


def _corners(e: Expr, operation: Callable[..., Real]) -> FloatRange:
    """The least and greatest of the results of bounds; of finite numbers only, among which no NaN can come up."""
    low_a, high_a, nan_a = float_range(e.args[0])
    low_b, high_b, nan_b = float_range(e.args[1])
    if nan_a or nan_b or not all(map(fpmath.finite, (low_a, high_a, low_b, high_b))):
        return ANYTHING
    results = [operation(a, b, e.sort) for a in (low_a, high_a) for b in (low_b, high_b)]
    return min(results), max(results), False


def _div(e: Expr) -> FloatRange:
    low, high, _ = float_range(e.args[1])
    return _corners(e, fpmath.div) if low > 0.0 or high < 0.0 else ANYTHING


_HANDLERS: Final[dict[Op, Callable[[Expr], FloatRange]]] = {
    Op.CONST: lambda e: float_range(e.value),
    Op.FP_FROM_UBV: _from_unsigned,
    Op.FP_FROM_SBV: _from_signed,
    Op.FNEG: _neg,
    Op.FABS: _abs,
    Op.FP_TO_FP: _to_float,
    Op.FROUND: _round,
    Op.ITE: _ite,
    Op.FADD: lambda e: _corners(e, fpmath.add),
    Op.FSUB: lambda e: _corners(e, fpmath.sub),
    Op.FMUL: lambda e: _corners(e, fpmath.mul),
    Op.FDIV: _div,
}
