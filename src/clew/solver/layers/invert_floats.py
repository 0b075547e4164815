"""Inverses of the float operators, as ``invert`` has them for integers.

Rounding makes them guesses more often than not; ``care`` means nothing here. Same contract: the repair layer
checks every outcome.

What they are worth: six rounds of five comparisons of doubles, 300 queries, cost 4 seconds in back ends; without these
inverses, 10 seconds before all are asked.
"""

from __future__ import annotations

import math
from typing import Any, Final

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, Op
from clew.expr.rewrite import fpmath
from clew.expr.sort import SortKind
from clew.solver.layers.goal import ALL, Alternative, Handler


def _goals(*wanted: tuple[Expr, Any]) -> list[Alternative]:
    return [((side, value, ALL),) for side, value in wanted if side.op is not CONST]


def _feq(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    x, y = model.eval(a), model.eval(b)
    if value:
        return _goals((a, y), (b, x))
    return _goals((a, y + 1.0), (b, x + 1.0), (a, math.nan))


def _flt(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    x, y = model.eval(a), model.eval(b)
    if value:
        return _goals((a, y - 1.0), (b, x + 1.0), (a, math.nextafter(y, -math.inf)), (a, -math.inf), (b, math.inf))
    return _goals((a, y), (b, x), (a, math.nan))


def _fle(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    x, y = model.eval(a), model.eval(b)
    if value:
        return _goals((a, y), (b, x))
    return _goals((a, y + 1.0), (b, x - 1.0), (a, math.nextafter(y, math.inf)), (a, math.nan))


def _fisnan(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], math.nan if value else 0.0))


def _fisinf(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], math.inf if value else 0.0))


def _fadd(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    return _goals((a, value - model.eval(b)), (b, value - model.eval(a)))


def _fsub(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    return _goals((a, value + model.eval(b)), (b, model.eval(a) - value))


def _fmul(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    pairs = [(side, model.eval(other)) for side, other in (e.args, e.args[::-1])]
    return _goals(*[(side, value / factor) for side, factor in pairs if factor])


def _fdiv(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], value * model.eval(e.args[1])))


def _fneg(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], -value))


def _same(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], value))


def _fsqrt(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], value * value))


def _from_bits(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    try:
        return _goals((e.args[0], fpmath.to_bits(value, e.sort)))
    except OverflowError:  # a double too large for the single format
        return []


def _to_bits(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    if care != ALL:
        value = model.eval(e) & ~care | value & care
    return _goals((e.args[0], fpmath.from_bits(value & e.mask, e.args[0].sort)))


def _from_integer(e: Expr, value: float, care: int, model: Model) -> list[Alternative]:
    arg = e.args[0]
    if not math.isfinite(value):
        return []
    return _goals((arg, int(value) & arg.mask))


def _to_signed(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], float(value - (e.mask + 1) if value >> (e.width - 1) else value)))


def _to_unsigned(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return _goals((e.args[0], float(value)))


def _of_doubles(handler: Handler) -> Handler:
    """No guesses about formats that are wider."""

    def guesses(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
        wide = any(part.sort.kind is SortKind.FLOAT and part.width > 64 for part in (e, *e.args))
        return [] if wide else handler(e, value, care, model)

    return guesses


_HANDLERS: Final[dict[Op, Handler]] = {
    Op.FEQ: _feq,
    Op.FLT: _flt,
    Op.FLE: _fle,
    Op.FISNAN: _fisnan,
    Op.FISINF: _fisinf,
    Op.FADD: _fadd,
    Op.FSUB: _fsub,
    Op.FMUL: _fmul,
    Op.FDIV: _fdiv,
    Op.FNEG: _fneg,
    Op.FABS: _same,
    Op.FROUND: _same,
    Op.FP_TO_FP: _same,
    Op.FSQRT: _fsqrt,
    Op.FP_FROM_BITS: _from_bits,
    Op.FP_TO_BITS: _to_bits,
    Op.FP_TO_SBV: _to_signed,
    Op.FP_TO_UBV: _to_unsigned,
    Op.FP_FROM_SBV: _from_integer,
    Op.FP_FROM_UBV: _from_integer,
}
FLOAT_HANDLERS: Final = {op: _of_doubles(handler) for op, handler in _HANDLERS.items()}
