"""How to give an expression a wanted value: each operator's inverse, one step down.

    x + 3 == 10   ->   x := 7          (b & 8) != 0   ->   bit 3 of b := 1

A goal is ``(expression, value, care)``: the bits of ``care`` are to become those of ``value``. A handler takes a
goal and the current model and offers alternatives, best first; each is a tuple of goals that together reach it, other
operands staying as they are. Handlers may guess: the repair layer checks every outcome by evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, Op
from clew.expr.ranges import facts, interval, known_bits, signed_interval
from clew.expr.sort import Kind
from clew.solver.layers.invert_floats import FLOAT_HANDLERS

Goal: TypeAlias = tuple[Expr, Any, int]
Alternative: TypeAlias = tuple[Goal, ...]
Handler: TypeAlias = Callable[[Expr, Any, int, Model], list[Alternative]]

ALL: Final = -1
"""Care about every bit."""
MAX_CHOICES: Final = 4


def alternatives(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
    """Ways to make ``e`` equal to ``value`` where ``care`` says so; empty where none is known."""
    if e.sort.kind is Kind.BV:
        low, high, zeros, ones = facts(e)
        if (value & zeros | ~value & ones) & care & e.mask or (care == ALL and not low <= value <= high):
            return []  # no operand can give it that value
    handler = HANDLERS.get(e.op)
    return [] if handler is None else handler(e, value, care, model)


def _full(e: Expr, value: int, care: int, model: Model) -> int:
    """The whole value wanted: bits nobody cares about stay."""
    if care == ALL:
        return value
    current: int = model.eval(e)
    return (current & ~care | value & care) & e.mask


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


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _order(strict: bool, signed: bool) -> Handler:
    """``a < b`` or ``a <= b``: move one side just past the other, or to the end of its range."""

    def handler(e: Expr, value: Any, care: int, model: Model) -> list[Alternative]:
        a, b = e.args
        gap = int(strict)
        if not value:  # not a < b  is  b <= a
            a, b, gap = b, a, 1 - gap
        width = a.width
        x, y = model.eval(a), model.eval(b)
        bounds = signed_interval if signed else interval
        if signed:
            x, y = _signed(x, width), _signed(y, width)
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
    missing = _full(e, value, care, model) - model.eval(e)
    terms = [arg for arg in e.args if arg.op is not CONST][:MAX_CHOICES]
    return [((arg, (model.eval(arg) + missing) & e.mask, ALL),) for arg in terms]


def _neg(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    return [((e.args[0], -_full(e, value, care, model) & e.mask, ALL),)]


def _mul(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = _full(e, value, care, model)
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
    value = _full(e, value, care, model)
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
    value = _full(e, value, care, model)
    a, b = e.args
    dividend, divisor = model.eval(a), model.eval(b)
    if a.op is CONST or (divisor and value >= divisor):
        return []
    near = dividend - model.eval(e) + value
    return [((a, target, ALL),) for target in (near, near + divisor, near - divisor) if 0 <= target <= e.mask]


def _sdiv(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    product = _signed(_full(e, value, care, model), e.width) * _signed(model.eval(e.args[1]), e.width)
    return [((e.args[0], product & e.mask, ALL),)]


def _srem(e: Expr, value: int, care: int, model: Model) -> list[Alternative]:
    value = _full(e, value, care, model)
    near = (model.eval(e.args[0]) - model.eval(e) + value) & e.mask
    return [((e.args[0], near, ALL),), ((e.args[0], value, ALL),)]


# -- bits -----------------------------------------------------------------------------------------


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
    value = _full(e, value, care, model)
    low = value & arg.mask
    return [((arg, low, ALL),)] if _signed(low, arg.width) & e.mask == value else []


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
    return [((index, place, ALL),) for place in places[:MAX_CHOICES]]


HANDLERS: Final[dict[Op, Handler]] = {
    Op.LNOT: _lnot,
    Op.LAND: _land,
    Op.EQ: _eq,
    Op.ULT: _order(strict=True, signed=False),
    Op.ULE: _order(strict=False, signed=False),
    Op.SLT: _order(strict=True, signed=True),
    Op.SLE: _order(strict=False, signed=True),
    Op.ITE: _ite,
    Op.ADD: _add,
    Op.NEG: _neg,
    Op.MUL: _mul,
    Op.UDIV: _udiv,
    Op.UREM: _urem,
    Op.SDIV: _sdiv,
    Op.SREM: _srem,
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
    **FLOAT_HANDLERS,
}
