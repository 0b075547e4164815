"""How to give an expression a wanted value: each operator's inverse, one step down.

    x + 3 == 10   ->   x := 7          (b & 8) != 0   ->   bit 3 of b := 1

Booleans and arithmetic are here, and the table of all handlers (see ``goal`` for what a handler does).
"""

from __future__ import annotations

from typing import Any, Final

from clew.base.bits import signed
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, Op
from clew.expr.ranges import facts, interval, known_bits, signed_interval
from clew.expr.sort import SortKind
from clew.solver.layers.goal import ALL, MAX_CHOICES, Alternative, Goal, Handler, full
from clew.solver.layers.invert_bits import BIT_HANDLERS
from clew.solver.layers.invert_floats import FLOAT_HANDLERS


def alternatives(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    """Ways to make ``e`` equal to ``value`` where ``care`` says so; empty where none is known."""
    if e.sort.kind is SortKind.BV:
        low, high, zeros, ones = facts(e)
        if (value & zeros | ~value & ones) & care & e.mask or (care == ALL and not low <= value <= high):
            return []  # no operand can give it that value
    handler = HANDLERS.get(e.op)
    return [] if handler is None else handler(e, value, care, model)


# -- booleans -------------------------------------------------------------------------------------


def _lnot(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    return [((e.args[0], not value, ALL),)]


def _land(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    if value:
        return [tuple([(arg, True, ALL) for arg in e.args if not model.eval(arg)])]
    return [((arg, False, ALL),) for arg in e.args[:MAX_CHOICES]]


def _eq(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    found: list[Alternative] = []
    for side, other in ((a, b), (b, a)):
        if side.op is CONST:
            continue
        theirs = model.eval(other)
        if value:
            found.append(((side, theirs, ALL),))
        elif not e.args[0].width:
            found.append(((side, not theirs, ALL),))
        else:
            found += [((side, different, bits),) for different, bits in _different(side, theirs)]
    return found


def _different(e: Expr, avoid: int) -> list[tuple[int, int]]:
    """Values other than ``avoid``, each with the bits that make the difference."""
    zeros, ones = known_bits(e)
    free = e.mask & ~(zeros | ones)
    if not free:
        return []
    low, high = free & -free, 1 << (free.bit_length() - 1)
    found = [(avoid ^ low, low)]
    if high != low:
        found.append((avoid ^ high, high))
        found.append(((avoid + 1) & e.mask, ALL))
        found.append(((avoid - 1) & e.mask, ALL))
    return found


def _order(strict: bool, twos: bool) -> Handler:
    """``a < b`` or ``a <= b``: move one side just past the other, or to the end of its range."""

    def handler(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
        a, b = e.args
        gap = int(strict)
        if not value:  # not a < b  is  b <= a
            a, b, gap = b, a, 1 - gap
        width = a.width
        x, y = model.eval(a), model.eval(b)
        bounds = signed_interval if twos else interval
        if twos:
            x, y = signed(x, width), signed(y, width)
        lowest, highest = bounds(a)[0], bounds(b)[1]
        wanted: list[tuple[Expr, int]] = []
        if a.op is not CONST and lowest <= y - gap:
            wanted += [(a, y - gap), (a, lowest), (a, (y - gap + lowest) // 2)]
        if b.op is not CONST and highest >= x + gap:
            wanted += [(b, x + gap), (b, highest)]
        return [((side, target & side.mask, ALL),) for side, target in wanted]

    return handler


def _ite(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    condition, then, other = e.args
    chosen = model.eval(condition)
    taken, left = (then, other) if chosen else (other, then)
    found: list[Alternative] = []
    flip: Goal = (condition, not chosen, ALL)
    if left.op is CONST:
        if left.value == value or (left.mask and not (left.value ^ value) & care & left.mask):
            found.append((flip,))
    else:
        found.append((flip, (left, value, care)))
    if taken.op is not CONST:
        found.insert(0, ((taken, value, care),))
    return found


# -- arithmetic -----------------------------------------------------------------------------------


def _add(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    missing = full(e, value, care, model) - model.eval(e)
    terms = [arg for arg in e.args if arg.op is not CONST]
    found: list[Alternative] = [((arg, (model.eval(arg) + missing) & e.mask, ALL),) for arg in terms[:MAX_CHOICES]]
    return [*found, *_shared(terms, signed(missing & e.mask, e.width), model)]


def _shared(terms: list[Expr], missing: int, model: Model) -> list[Alternative]:
    """No operand alone may have room for what is missing: each takes what it can."""
    goals: list[Goal] = []
    for arg in terms:
        low, high = interval(arg)
        current = model.eval(arg)
        target = min(max(current + missing, low), high)
        if target != current:
            goals.append((arg, target, ALL))
            missing -= target - current
        if not missing:
            break
    return [tuple(goals)] if len(goals) > 1 and not missing else []


def _neg(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return [((e.args[0], -full(e, value, care, model) & e.mask, ALL),)]


def _mul(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = full(e, value, care, model)
    found: list[Alternative] = []
    for side, other in (e.args, e.args[::-1]):
        factor = model.eval(other)
        if side.op is CONST or factor == 0:
            continue
        shift = (factor & -factor).bit_length() - 1
        if value & ((1 << shift) - 1):
            continue
        modulus = 1 << (e.width - shift)
        found.append(((side, (value >> shift) * pow(factor >> shift, -1, modulus) % modulus, modulus - 1),))
    return found


def _udiv(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = full(e, value, care, model)
    a, b = e.args
    dividend, divisor = model.eval(a), model.eval(b)
    found: list[Alternative] = []
    if divisor and a.op is not CONST and value * divisor <= e.mask:
        nearest = value * divisor + (0 if value > dividend // divisor else divisor - 1)
        found += [((a, min(nearest, e.mask), ALL),), ((a, value * divisor, ALL),)]
    if b.op is not CONST and value:
        found.append(((b, dividend // value, ALL),))
    return found


def _urem(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = full(e, value, care, model)
    a, b = e.args
    dividend, divisor = model.eval(a), model.eval(b)
    if a.op is CONST or (divisor and value >= divisor):
        return []
    near = dividend - model.eval(e) + value
    return [((a, target, ALL),) for target in (near, near + divisor, near - divisor) if 0 <= target <= e.mask]


def _sdiv(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    product = signed(full(e, value, care, model), e.width) * signed(model.eval(e.args[1]), e.width)
    return [((e.args[0], product & e.mask, ALL),)]


def _srem(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = full(e, value, care, model)
    near = (model.eval(e.args[0]) - model.eval(e) + value) & e.mask
    return [((e.args[0], near, ALL),), ((e.args[0], value, ALL),)]


HANDLERS: Final[dict[Op, Handler]] = {
    Op.LNOT: _lnot,
    Op.LAND: _land,
    Op.EQ: _eq,
    Op.ULT: _order(strict=True, twos=False),
    Op.ULE: _order(strict=False, twos=False),
    Op.SLT: _order(strict=True, twos=True),
    Op.SLE: _order(strict=False, twos=True),
    Op.ITE: _ite,
    Op.ADD: _add,
    Op.NEG: _neg,
    Op.MUL: _mul,
    Op.UDIV: _udiv,
    Op.UREM: _urem,
    Op.SDIV: _sdiv,
    Op.SREM: _srem,
    **BIT_HANDLERS,
    **FLOAT_HANDLERS,
}
