"""Conditions on one symbol as sets of its values: many of them become one, which says exactly the same.

    x + 3 > 10,   x + 5 > 10,   x == 9     any of them:   6 <= x <= 2147483645

Paths that have added different numbers to a value refute the same check of it, each with a clause of its own. Their
number grows with that of the sums, that of the intervals hardly ever does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.op import ADD, CONST, EQ, LAND, LNOT, MUL, NEG, SEXT, SHL, SLE, SLT, SYMBOL, ULE, ULT, ZEXT
from clew.expr.sort import SortKind

Intervals = tuple[tuple[int, int], ...]
"""Unsigned numbers: first and last of each interval, in order, with gaps between them."""

MOST = 24
"""Intervals of one set, and wraps of one product."""


def value_set(conditions: Sequence[Expr]) -> tuple[Expr, Intervals] | None:
    """The symbol that all conditions are about, and its values for which all hold; None if that is not so simple."""
    symbols = conditions[0].symbols.union(*(condition.symbols for condition in conditions[1:])) if conditions else ()
    if len(symbols) != 1:
        return None
    (symbol,) = symbols
    if symbol.sort.kind is not SortKind.BV:
        return None
    whole: Intervals = ((0, symbol.mask),)
    found: Intervals | None = whole
    for condition in conditions:
        part = _holds(condition, symbol.mask)
        found = None if part is None or found is None else intersection(found, part)
    return None if found is None else (symbol, found)


def is_in(symbol: Expr, values: Intervals) -> Bool:
    """The condition that a symbol has one of some values."""
    top = symbol.mask
    parts = list(values)
    if len(parts) > 1 and parts[0][0] == 0 and parts[-1][1] == top:
        parts[0] = (parts.pop()[0] - top - 1, parts[0][1])  # once round
    width = symbol.width
    return build.disjunction(
        [build.ule(build.add(symbol, -low & top, width), high - low, width) for low, high in parts]
    )


def union(one: Intervals, other: Intervals) -> Intervals | None:
    """What is in either; None where that is too many intervals."""
    found = _joined((*one, *other))
    return found if len(found) <= MOST else None


def intersection(one: Intervals, other: Intervals) -> Intervals:
    """What is in both."""
    shared = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return _joined((low, high) for low, high in shared if low <= high)


def _joined(intervals: Iterable[tuple[int, int]]) -> Intervals:
    found: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return tuple(found)


def _complement(values: Intervals, top: int) -> Intervals:
    found, start = [], 0
    for low, high in values:
        if start < low:
            found.append((start, low - 1))
        start = high + 1
    return (*found, (start, top)) if start <= top else tuple(found)


def _holds(condition: Expr, top: int) -> Intervals | None:
    """The values of a condition's only symbol, at most ``top``, for which it holds."""
    op = condition.op
    if op is LNOT:
        inner = _holds(condition.args[0], top)
        return None if inner is None else _complement(inner, top)
    if op is LAND:
        parts = [part for arg in condition.args if (part := _holds(arg, top)) is not None]
        return reduce(intersection, parts) if len(parts) == len(condition.args) else None
    if op not in _COMPARISONS:
        return None
    left, right = condition.args
    if left.sort.kind is not SortKind.BV or (left.op is CONST) == (right.op is CONST):
        return None
    term, number = (right, left.value) if left.op is CONST else (left, right.value)
    return _preimage(term, _compared(op, int(number), left.op is CONST, term.mask))


_COMPARISONS = frozenset((EQ, ULE, ULT, SLE, SLT))


def _compared(op: object, number: int, is_left: bool, top: int) -> Intervals:
    """The numbers that compare so with a number, which is the left operand or the right one."""
    if op is EQ:
        return ((number, number),)
    if op in (SLE, SLT):
        half = (top >> 1) + 1
        shifted = _compared(ULE if op is SLE else ULT, (number + half) & top, is_left, top)
        return _moved(shifted, -half, top)
    if op is ULT:
        number += 1 if is_left else -1
    if is_left:
        return ((number, top),) if number <= top else ()
    return ((0, number),) if number >= 0 else ()


def _moved(values: Intervals, distance: int, top: int) -> Intervals:
    """Values with a number added, modulo 2 ** width."""
    parts: list[tuple[int, int]] = []
    for low, high in values:
        start = (low + distance) & top
        end = start + high - low
        parts += [(start, end)] if end <= top else [(start, top), (0, end - top - 1)]
    return _joined(parts)


def _preimage(term: Expr, values: Intervals) -> Intervals | None:
    """What the only symbol of a term must be so that the term has one of some values."""
    while term.op is not SYMBOL:
        if term.op is ADD and len(term.args) == 2 and term.args[1].op is CONST:
            values = _moved(values, -int(term.args[1].value), term.mask)
        elif term.op is NEG:
            values = _moved(tuple((term.mask - high, term.mask - low) for low, high in reversed(values)), 1, term.mask)
        elif term.op is ZEXT:
            values = intersection(values, ((0, term.args[0].mask),))
        elif term.op is SEXT:
            values = _before_extension(values, term.args[0].mask, term.mask)
        elif term.op in (MUL, SHL) and term.args[1].op is CONST:
            number = int(term.args[1].value)
            factor = number if term.op is MUL else 1 << min(number, term.width)
            if not 0 < factor <= MOST:
                return None
            values = _before_product(values, factor, term.mask)
        else:
            return None
        if len(values) > MOST:
            return None
        term = term.args[0]
    return values


def _before_extension(values: Intervals, narrow: int, wide: int) -> Intervals:
    """Numbers whose sign extension is one of some values."""
    half = narrow >> 1
    low, high = intersection(values, ((0, half),)), intersection(values, ((wide - half, wide),))
    return _joined((*low, *((a - wide + narrow, b - wide + narrow) for a, b in high)))


def _before_product(values: Intervals, factor: int, top: int) -> Intervals:
    """Numbers of which ``factor`` times as much, modulo 2 ** width, is one of some values."""
    found = []
    for turn in range(factor):
        for low, high in values:
            first, last = -(-(low + turn * (top + 1)) // factor), (high + turn * (top + 1)) // factor
            if first <= last:
                found.append((first, last))
    return _joined(found)
