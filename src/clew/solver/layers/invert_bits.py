"""Inverses of the operators that move bits about: masks, shifts, extensions, pieces, and reads of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from clew.base.bits import signed
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, Op
from clew.expr.ranges import interval
from clew.solver.layers.goal import ALL, MAX_CHOICES, Alternative, Goal, Handler, full


def _not(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return [((e.args[0], ~value & e.mask, care),)]


def _and(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return _masked(e, value, care, model, lambda other: (other, 0))


def _or(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return _masked(e, value, care, model, lambda other: (~other & e.mask, other))


def _masked(e: Expr, value: int, care: int, model: Model, split: Callable[[int], tuple[int, int]]) -> list[Alternative]:
    """AND / OR: given one side, the other decides the bits of ``through``; the rest are ``forced``."""
    found: list[Alternative] = []
    a, b = e.args
    for side, other in ((a, b), (b, a)):
        if side.op is not CONST:
            through, forced = split(model.eval(other))
            if not (value ^ forced) & ~through & care & e.mask:
                found.append(((side, value, care & through & e.mask),))
    if a.op is not CONST and b.op is not CONST:
        found.append(((a, value, care), (b, value, care)))
    return found


def _xor(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    a, b = e.args
    pairs = [(side, other) for side, other in ((a, b), (b, a)) if side.op is not CONST]
    return [((side, value ^ model.eval(other), care),) for side, other in pairs]


def _shl(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    amount = model.eval(e.args[1])
    care &= e.mask
    found: list[Alternative] = []
    if amount < e.width and not value & care & ((1 << amount) - 1):
        found.append(((e.args[0], value >> amount, care >> amount),))
    operand = model.eval(e.args[0])
    return found + _amounts(e, value, care, lambda count: operand << count)


def _lshr(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    amount = model.eval(e.args[1])
    care &= e.mask
    found: list[Alternative] = []
    if amount < e.width and not (value & care) >> (e.width - amount):
        found.append(((e.args[0], (value << amount) & e.mask, (care << amount) & e.mask),))
    operand = model.eval(e.args[0])
    return found + _amounts(e, value, care, lambda count: operand >> count)


def _ashr(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    amount = model.eval(e.args[1])
    if amount >= e.width:
        return []
    return [((e.args[0], (value << amount) & e.mask, (care << amount) & e.mask),)]


def _amounts(e: Expr, value: int, care: int, shifted: Callable[[int], int]) -> list[Alternative]:
    """Shift amounts that give the value with the operand as it is."""
    if e.args[1].op is CONST:
        return []
    fitting = [count for count in range(e.width) if not (shifted(count) ^ value) & care]
    return [((e.args[1], count, ALL),) for count in fitting[:MAX_CHOICES]]


def _zext(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    arg = e.args[0]
    if value & care & e.mask & ~arg.mask:
        return []
    return [((arg, value & arg.mask, care if care == ALL else care & arg.mask),)]


def _sext(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    arg = e.args[0]
    value = full(e, value, care, model)
    low = value & arg.mask
    return [((arg, low, ALL),)] if signed(low, arg.width) & e.mask == value else []


def _extract(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    assert isinstance(e.value, tuple)
    low = e.value[1]
    return [((e.args[0], value << low, (care & e.mask) << low),)]


def _concat(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    goals: list[Goal] = []
    care &= e.mask
    for part in reversed(e.args):
        wanted, bits = value & part.mask, care & part.mask
        if part.op is not CONST:
            goals.append((part, wanted, bits))
        elif (part.value ^ wanted) & bits:
            return []
        value >>= part.width
        care >>= part.width
    return [tuple(goals)]


# -- arrays ---------------------------------------------------------------------------------------


def _select(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    array, index = e.args
    place = model.eval(index)
    found: list[Alternative] = []
    while array.op is Op.STORE and len(found) < MAX_CHOICES:
        inner, where, element = array.args
        if model.eval(where) == place:
            return [((element, value, care),), *found] if element.op is not CONST else found
        if not (model.eval(element) ^ value) & care:
            found.append(((index, model.eval(where), ALL),))
        array = inner
    if array.op is Op.ARRAY_BYTES and index.op is not CONST:
        found += _positions(array.value, e, value, care, index)
    elif array.op is Op.CONST_ARRAY and array.args[0].op is not CONST:
        found.append(((array.args[0], value, care),))
    return found


def _positions(data: object, e: Expr, value: int, care: int, index: Expr) -> list[Alternative]:
    """Where a table holds the value, in the range of the index."""
    assert isinstance(data, bytes)
    low, high = interval(index)
    care &= e.mask
    if care == e.mask:
        first = data.find(bytes((value & 0xFF,)), low, high + 1)
        second = data.find(bytes((value & 0xFF,)), first + 1, high + 1) if first >= 0 else -1
        places = [place for place in (first, second) if place >= 0]
    else:
        places = [place for place in range(low, min(high + 1, len(data))) if not (data[place] ^ value) & care]
    if not value & care and len(data) <= high:
        places.append(max(len(data), low))
    return [((index, place, ALL),) for place in places[:MAX_CHOICES]]


BIT_HANDLERS: Final[dict[Op, Handler]] = {
    Op.NOT: _not,
    Op.AND: _and,
    Op.OR: _or,
    Op.XOR: _xor,
    Op.SHL: _shl,
    Op.LSHR: _lshr,
    Op.ASHR: _ashr,
    Op.ZEXT: _zext,
    Op.SEXT: _sext,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.SELECT: _select,
}
