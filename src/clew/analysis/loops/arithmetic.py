"""What instructions on integers give, on each path that they may have to split into."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Linear, at_least, at_most, equal
from clew.analysis.loops.conditions import assume, in_view
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.path import Content, Number, Outside, Pair, Path, Test, Truth
from clew.base.bits import range_of_width

Results = Iterator[tuple[Path, Content | None]]

_FEW = 4
"""Values of an operand that are looked at one by one, where the operation is not linear."""
_RUNS = 4
"""Runs of ones in a mask."""


def as_number(path: Path, value: Number | Truth, limits: Limits) -> Iterator[tuple[Path, Number]]:
    """A value of one bit as a number: zero on one path, one on the other."""
    if isinstance(value, Number):
        yield path, value
        return
    for wanted in (False, True):
        for way in assume(path.copy(), value, wanted, limits):
            yield way, Number(Linear.number(int(wanted)), 1)


def as_truth(value: Number | Truth) -> Truth:
    """A value of one bit as a condition."""
    return Test("ne", value, Number(Linear(), value.width)) if isinstance(value, Number) else value


def binary(path: Path, op: str, left: Number, right: Number, disjoint: bool, limits: Limits) -> Results:
    """The result of a binary instruction; flags such as ``nsw`` mean nothing, as to the engine."""
    width = left.width
    if op == "add" or (op == "or" and disjoint) or (op in ("or", "xor") and _are_apart(path, left, right)):
        yield path, Number(left.linear + right.linear, width)
    elif op == "sub":
        yield path, Number(left.linear - right.linear, width)
    elif right.linear.is_number:
        yield from _by_constant(path, op, left, right.linear.constant & ((1 << width) - 1), limits)
    elif left.linear.is_number and op in ("mul", "and", "or", "xor"):
        yield from _by_constant(path, op, right, left.linear.constant & ((1 << width) - 1), limits)
    else:
        yield from _not_linear(path, op, left, right, limits)


def _are_apart(path: Path, left: Number, right: Number) -> bool:
    """Whether one of two values has ones only above those of the other, as far as that shows."""
    for high, low in ((left.linear, right.linear), (right.linear, left.linear)):
        least, greatest = path.range_of(low)
        if least >= 0 and all(
            factor % (1 << greatest.bit_length()) == 0 for factor in (*high.terms.values(), high.constant)
        ):
            return True
    return False


def _not_linear(path: Path, op: str, left: Number, right: Number, limits: Limits) -> Results:
    """By cases, where one of the operands has few values."""
    for few, other, swapped in ((right, left, False), (left, right, True)):
        least, greatest = path.range_of(few.linear)
        if greatest - least >= _FEW or (swapped and op not in ("mul", "and", "or", "xor")):
            continue
        for value in range(least, greatest + 1):
            way = path if value == greatest else path.copy()
            if way.assume((equal(few.linear, value),)):
                yield from _by_constant(way, op, other, value & ((1 << few.width) - 1), limits)
        return
    yield path, path.opaque(left.width, f"the body computes {op} of two values")


def _by_constant(path: Path, op: str, left: Number, constant: int, limits: Limits) -> Results:
    """With the right operand (or either, if that is the same) a constant, in its unsigned form."""
    width = left.width
    signed = constant - (1 << width) if constant >> (width - 1) else constant
    match op:
        case "mul":
            yield path, Number(left.linear * signed, width)
        case "shl" if constant < width:
            yield path, Number(left.linear * (1 << constant), width)
        case "lshr" | "ashr" if constant < width:
            for way, linear in in_view(path, left, op == "ashr", limits):
                yield way, Number(quotient(way, linear, 1 << constant), width)
        case "udiv" | "urem" if constant:
            for way, linear in in_view(path, left, False, limits):
                yield way, Number(_divided(way, linear, constant, op == "urem"), width)
        case "sdiv" | "srem" if signed not in (0, -1):
            yield from _signed_division(path, op, left, signed, limits)
        case "and" | "or" | "xor" if _runs(constant) is not None:
            common = _masked(path, left, constant)
            linear = {"and": common, "or": left.linear + constant - common}.get(op, left.linear + constant - common * 2)
            yield path, Number(linear, width)
        case _:
            yield path, path.opaque(width, f"the body computes {op}")


def quotient(path: Path, linear: Linear, divisor: int) -> Linear:
    """An expression divided by a positive number, rounded down."""
    whole = Linear({v: (abs(c) // divisor) * (1 if c > 0 else -1) for v, c in linear.terms.items()})
    rest = linear - whole * divisor
    least, greatest = path.range_of(rest)
    if least // divisor == greatest // divisor:
        return whole + least // divisor
    key = (rest, 0, divisor)
    if key not in path.parts:
        part = path.parts[key] = path.unknown(least // divisor, greatest // divisor)
        path.assume((at_least(rest, part * divisor), at_most(rest, part * divisor + (divisor - 1))))
    return whole + path.parts[key]


def _divided(path: Path, linear: Linear, divisor: int, remainder: bool) -> Linear:
    whole = quotient(path, linear, divisor)
    return linear - whole * divisor if remainder else whole


def _signed_division(path: Path, op: str, left: Number, divisor: int, limits: Limits) -> Results:
    """Rounded towards zero: a path for either sign."""
    for way, linear in in_view(path, left, True, limits):
        for negative in (True, False):
            end = way.copy() if negative else way
            size = -linear if negative else linear
            if not end.assume((at_least(size, 1 if negative else 0),)):
                continue
            result = _divided(end, size, abs(divisor), op == "srem")
            turned = negative if op == "srem" else negative != (divisor < 0)
            yield end, Number(-result if turned else result, left.width)


def _runs(mask: int) -> list[tuple[int, int]] | None:
    """The runs of ones in a mask, as the first bit and the first one behind; None if there are many."""
    found = []
    at = 0
    while mask >> at:
        if mask >> at & 1:
            start = at
            while mask >> at & 1:
                at += 1
            found.append((start, at))
        else:
            at += 1
    return found if len(found) <= _RUNS else None


def _masked(path: Path, number: Number, mask: int) -> Linear:
    """The bits of a mask: remainders by powers of two, which do not mind how often it has wrapped around."""
    linear, total = number.linear, Linear()
    for start, stop in _runs(mask) or ():
        high = linear if stop == number.width else linear - quotient(path, linear, 1 << stop) * (1 << stop)
        total = total + high - (linear - quotient(path, linear, 1 << start) * (1 << start))
    return total


def with_overflow(path: Path, op: str, signed: bool, left: Number, right: Number, limits: Limits) -> Results:
    """The result of ``llvm.sadd.with.overflow`` and its kin."""
    for way, first in in_view(path, left, signed, limits):
        for end, second in in_view(way, right, signed, limits):
            match op:
                case "add":
                    exact = first + second
                case "sub":
                    exact = first - second
                case _ if second.is_number:
                    exact = first * second.constant
                case _ if first.is_number:
                    exact = second * first.constant
                case _:
                    end.doubt("the body multiplies two values")
                    least, greatest = range_of_width(2 * left.width, True)
                    exact = end.unknown(least, greatest)
            yield end, Pair(Number(exact, left.width), Outside(exact, *range_of_width(left.width, signed)))


def extended(path: Path, value: Number | Truth, to: int, signed: bool, limits: Limits) -> Results:
    """``zext`` and ``sext``."""
    for way, number in as_number(path, value, limits):
        for end, linear in in_view(way, number, signed, limits):
            yield end, Number(linear, to)


def chosen(path: Path, op: str, left: Number, right: Number, limits: Limits) -> Results:
    """The larger or the smaller of two, by ``smax``, ``umin`` and so on."""
    truth = Test(f"{op[0]}{'ge' if op.endswith('max') else 'le'}", left, right)
    for wanted, value in ((True, left), (False, right)):
        for way in assume(path.copy(), truth, wanted, limits):
            yield way, value


def magnitude(path: Path, value: Number, limits: Limits) -> Results:
    """``llvm.abs``: the least number stays what it is."""
    for way, linear in in_view(path, value, True, limits):
        for negative in (True, False):
            end = way.copy() if negative else way
            if end.assume((at_most(linear, -1) if negative else at_least(linear, 0),)):
                yield end, Number(-linear if negative else linear, value.width)
