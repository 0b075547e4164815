"""Where a value that was built with undefined ones does not depend on them.

    arr[a & 1] = 1;          arr[0] is  ite(a & 1 = 0, 1, undef):  defined where  a & 1 = 0

``defined`` gives a sufficient condition: where it holds, no choice for the undefined values makes a difference. A
decision on such a value goes on there, and is a bug elsewhere.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.op import (
    ADD,
    CONCAT,
    CONST,
    EQ,
    EXTRACT,
    ITE,
    LAND,
    LNOT,
    NEG,
    NOT,
    SELECT,
    SLE,
    SLT,
    STORE,
    SYMBOL,
    ULE,
    ULT,
    XOR,
)
from clew.expr.sort import BOOL

_EXACT = frozenset((ADD, NEG, XOR, NOT, EXTRACT, EQ, ULT, ULE, SLT, SLE, LNOT))
"""Operators whose result, as a rule, depends on an operand of which nothing is known."""

_Known = dict[Expr, Bool]


class Defined(NamedTuple):
    """The condition; if not ``exact``, the value may be defined elsewhere, too."""

    condition: Bool
    exact: bool


def defined(value: Expr, undefined: Set[Expr]) -> Defined:
    """Where ``value`` does not depend on the ``undefined`` symbols."""
    known: _Known = {}
    exact = True
    work = [value]
    while work:
        node = work[-1]
        parts = () if node in known or node.symbols.isdisjoint(undefined) else _parts(node)
        missing = [part for part in parts if part not in known]
        if missing:
            work.extend(missing)
            continue
        work.pop()
        if node in known:
            continue
        if node.symbols.isdisjoint(undefined):
            known[node] = True
            continue
        known[node] = _condition(node, parts, known)
        exact = exact and (node.op in _EXACT or node.op in _BY_RULE or _alike(node, parts, known))
    return Defined(known[value], exact or value.symbols <= undefined)


def _alike(node: Expr, parts: tuple[Expr, ...], known: _Known) -> bool:
    """Whether the parts are undefined together; else the defined ones may decide, as in ``x & undef``.

    A constant that does would have been folded away, unless it is just a part of the bits.
    """
    conditions = [known[part] for part in parts if part.op is not CONST or node.op is CONCAT]
    return all(condition is conditions[0] for condition in conditions)


def _parts(node: Expr) -> tuple[Expr, ...]:
    """The nodes whose definedness decides that of ``node``."""
    if node.op is not SELECT:
        return node.args
    array, index = node.args
    stores, _ = _stores(array)
    return (index, *[part for store in stores for part in store])


def _stores(array: Expr) -> tuple[list[tuple[Expr, Expr]], Expr]:
    """What was stored where into an array, newest first, and the array at the bottom."""
    found: list[tuple[Expr, Expr]] = []
    while array.op is STORE:
        array, place, stored = array.args
        found.append((place, stored))
    return found, array


def _condition(node: Expr, parts: tuple[Expr, ...], known: _Known) -> Bool:
    if node.op is SYMBOL:
        return False
    if node.op is ITE:
        condition, yes, no = parts
        return build.land(known[condition], _either(condition, known[yes], known[no]))
    if node.op is SELECT:
        return _selected(node, known)
    together = build.conjunction([known[part] for part in parts])
    if node.op is not LAND:
        return together
    # One operand that is defined and false decides.
    return build.disjunction([together, *[build.land(known[part], build.lnot(part)) for part in parts]])


def _selected(node: Expr, known: _Known) -> Bool:
    array, index = node.args
    stores, bottom = _stores(array)
    result: Bool = not bottom.symbols
    for place, stored in reversed(stores):
        here = build.eq(index, place, index.width)
        result = build.land(known[place], _either(here, known[stored], result))
    return build.land(known[index], result)


def _either(condition: Bool, yes: Bool, no: Bool) -> Bool:
    result = build.ite(condition, yes, no, BOOL)
    return result if isinstance(result, Expr) else bool(result)


_BY_RULE = frozenset((SYMBOL, ITE, LAND, SELECT))
