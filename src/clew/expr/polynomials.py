"""Expressions as polynomials over the integers modulo ``2**width``.

What is no sum or product is an *atom*. An atom that is wider stands for its low bits: sums and products of machine
words need no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.expr.node import Expr
from clew.expr.op import ADD, CONST, EXTRACT, MUL, NEG, NOT, SHL

Monomial = tuple[Expr, ...]
"""A product of atoms, in the order of their keys; () is one."""
Polynomial = dict[Monomial, int]
"""Without zeros."""

ONE: Monomial = ()
MOST_TERMS = 64
"""A product with more is left an atom."""


def polynomial(value: Any, width: int) -> Polynomial:
    """A number, or an expression that has at least so many bits."""
    if not isinstance(value, Expr):
        return _number(int(value), width)
    memo: dict[Expr, Polynomial] = {}
    stack = [value]
    while stack:
        e = stack[-1]
        waiting = [arg for arg in _operands(e, width) if arg not in memo]
        if waiting:
            stack += waiting
        else:
            memo[stack.pop()] = _of(e, memo, width)
    return memo[value]


def plus(left: Polynomial, right: Polynomial, factor: int, width: int) -> Polynomial:
    """``left + factor * right``."""
    result = dict(left)
    mask = (1 << width) - 1
    for monomial, coefficient in right.items():
        total = (result.get(monomial, 0) + factor * coefficient) & mask
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def times(left: Polynomial, right: Polynomial, width: int) -> Polynomial:
    """The product."""
    result: Polynomial = {}
    mask = (1 << width) - 1
    for a, first in left.items():
        for b, second in right.items():
            monomial = tuple(sorted((*a, *b), key=lambda atom: atom.key)) if a and b else a or b
            result[monomial] = (result.get(monomial, 0) + first * second) & mask
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def _number(value: int, width: int) -> Polynomial:
    value &= (1 << width) - 1
    return {ONE: value} if value else {}


def _operands(e: Expr, width: int) -> tuple[Expr, ...]:
    """The parts of an expression that polynomials are made of."""
    if e.op in (ADD, NEG, NOT, MUL) or (e.op is SHL and e.args[1].op is CONST):
        return e.args
    return e.args if e.op is EXTRACT and e.value[1] == 0 and e.width >= width else ()


def _of(e: Expr, memo: dict[Expr, Polynomial], width: int) -> Polynomial:
    parts = [memo[arg] for arg in _operands(e, width)]
    if e.op is CONST:
        return _number(e.value, width)
    if not parts:
        return {(e,): 1}
    if e.op is EXTRACT:
        return parts[0]
    if e.op is NEG or e.op is NOT:
        return plus(_number(-(e.op is NOT), width), parts[0], -1, width)
    if e.op is SHL:
        return times(parts[0], _number(1 << e.args[1].value, width), width)
    result = parts[0]
    for part in parts[1:]:
        if e.op is ADD:
            result = plus(result, part, 1, width)
        elif len(result) * len(part) <= MOST_TERMS:
            result = times(result, part, width)
        else:
            return {(e,): 1}
    return result


def replaced(whole: Polynomial, atom: Expr, value: Polynomial, width: int) -> Polynomial:
    """With a polynomial in the place of an atom."""
    result: Polynomial = {}
    for monomial, coefficient in whole.items():
        rest = tuple(other for other in monomial if other is not atom)
        part: Polynomial = {rest: coefficient}
        for _ in range(len(monomial) - len(rest)):
            part = times(part, value, width)
        result = plus(result, part, 1, width)
    return result


def eliminate(
    zero: Sequence[Polynomial], others: Sequence[Polynomial], width: int
) -> tuple[list[Polynomial], list[Polynomial]]:
    """Use polynomials that are zero and say what an atom is to replace it: those that are left, and the others."""
    waiting, left, kept = list(zero), list[Polynomial](), list(others)
    while waiting:
        first = waiting.pop(0)
        atom = _solved(first)
        if atom is None:
            left.append(first)
            continue
        rest = {monomial: c for monomial, c in first.items() if monomial != (atom,)}
        value = plus({}, rest, -pow(first[(atom,)], -1, 1 << width), width)
        waiting, left = ([replaced(p, atom, value, width) for p in some] for some in (waiting, left))
        kept = [replaced(p, atom, value, width) for p in kept]
    return [p for p in left if p], kept


def _solved(zero: Polynomial) -> Expr | None:
    """An atom that an equality says the value of, in terms of others."""
    for monomial, factor in zero.items():
        if len(monomial) == 1 and factor & 1 and not any(monomial[0] in other for other in zero if other != monomial):
            return monomial[0]
    return None
