"""The offsets a symbolic index can have inside an object, read off the shape of its expression.

    12 * sext(i) + 4, object of 36 bytes    ->   4, 16, 28

Two views of the expression are tried, and the one that leaves fewer offsets wins: its interval and known
low bits, and its form as a linear sum. The sum is computed modulo 2**w, so its stride says something about
offsets only if, given the ranges of its terms, it cannot wrap around and come back into the object.
"""

from __future__ import annotations

from math import gcd

from clew.expr.node import Expr
from clew.expr.op import ADD, CONST, MUL, NEG, SHL
from clew.expr.ranges import facts, signed_interval


def places(offset: Expr, last: int) -> range:
    """The values of ``offset`` from 0 to ``last`` that cannot be ruled out."""
    by_bits = _by_bits(offset, last)
    if len(by_bits) <= 1:
        return by_bits
    by_sum = _by_sum(offset, last)
    return by_sum if by_sum is not None and len(by_sum) < len(by_bits) else by_bits


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
