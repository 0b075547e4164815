"""The offsets a symbolic index can have inside an object, read off the shape of its expression.

    12 * sext(i) + 4, object of 36 bytes    ->   4, 16, 28

Three views of the expression are tried, and the one that leaves fewer offsets wins: its interval and known
low bits, its form as a linear sum, and the alternatives of its choices, each by itself. The sum is computed modulo
2**w, so its stride says something about offsets only if, given the ranges of its terms, it cannot wrap around and come
back into the object. Of alternatives, those that lie outside of the object do not count::

    ite(found, text + position, 0) - text    ->   what position can be: null lies elsewhere
"""

from __future__ import annotations

from math import gcd

from clew.expr.node import Expr
from clew.expr.op import ADD, CONST, ITE, MUL, NEG, SHL
from clew.expr.ranges import facts, signed_interval

MOST_ALTERNATIVES = 256
"""Nodes of nested choices that are looked at."""
FEW = 8
"""With so few offsets left, nobody looks for fewer among alternatives."""


def places(offset: Expr, last: int) -> range:
    """The values of ``offset`` from 0 to ``last`` that cannot be ruled out."""
    best = _by_bits(offset, last)
    if len(best) <= 1:
        return best
    by_sum = _by_sum(offset, last)
    if by_sum is not None and len(by_sum) < len(best):
        best = by_sum
    by_choice = _by_choice(offset, last) if len(best) > FEW else None
    return by_choice if by_choice and len(by_choice) < len(best) else best


def _by_bits(offset: Expr, last: int) -> range:
    low, high, zeros, ones = facts(offset)
    known = zeros | ones
    step = ~known & (known + 1)  # the lowest bit that is not known: all below it are
    residue = ones & (step - 1)
    return range(low + (residue - low) % step, min(high, last) + 1, step)


def _by_sum(offset: Expr, last: int) -> range | None:
    low = high = constant = step = 0
    for term in offset.args if offset.op is ADD else (offset,):
        factor, base = _factor(term)
        if base.op is CONST:
            assert isinstance(base.value, int)
            constant += factor * base.value
            continue
        ends = [factor * end for end in signed_interval(base)]
        low += min(ends)
        high += max(ends)
        known = facts(base)[2]
        step = gcd(step, factor * (~known & (known + 1)))
    # An offset constant such as -8 is a large unsigned number: take the sum closest to zero.
    span = 1 << offset.width
    constant = (constant + span // 2) % span - span // 2
    low, high = low + constant, high + constant
    if step == 0 or low <= last - span or high >= span:
        return None
    low = max(low, 0)
    return range(low + (constant - low) % step, min(high, last) + 1, step)


def _by_choice(offset: Expr, last: int) -> range | None:
    """The least range with all that the alternatives of nested choices leave of the object; None if there are many."""
    span = 1 << offset.width
    low, high = last + 1, -1
    work, seen = [(offset, 0)], set[tuple[Expr, int]]()
    while work:
        node, shift = alternative = work.pop()
        if alternative in seen:
            continue
        seen.add(alternative)
        if len(seen) > MOST_ALTERNATIVES:
            return None
        if node.op is ITE:
            work += [(part, shift) for part in node.args[1:]]
            continue
        constants = [part.value for part in node.args if part.op is CONST] if node.op is ADD else []
        if len(constants) == 1 and len(node.args) == 2:
            (inner,) = (part for part in node.args if part.op is not CONST)
            assert isinstance(constants[0], int)
            work.append((inner, (shift + constants[0]) % span))
            continue
        least, most = facts(node)[:2]
        for wrapped in (shift, shift - span):
            start, end = max(least + wrapped, 0), min(most + wrapped, last)
            if start <= end:
                low, high = min(low, start), max(high, end)
    return range(low, high + 1)


def _factor(term: Expr) -> tuple[int, Expr]:
    """``term`` as a constant times something, modulo 2**width."""
    factor = 1
    while True:
        if term.op is NEG:
            factor, term = -factor, term.args[0]
            continue
        if term.op in (MUL, SHL) and term.args[1].op is CONST:
            value = term.args[1].value
            assert isinstance(value, int)
            if term.op is SHL:
                factor <<= value
            else:
                half = 1 << (term.width - 1)
                factor *= (value + half) % (2 * half) - half
            term = term.args[0]
            continue
        return factor, term
