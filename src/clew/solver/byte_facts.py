"""What a path says of single bytes, and what is left of a condition where that is known.

    s[0] != 0,  s[1] == ']'        (s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2) == 2        is true
    s[0] != 0                      (s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2) == 2        is s[1] != 0

Programs that read text decide on one byte after the other, and conditions that come later are about all of them: how
long a string is, where a character was found. Most of what these ask has been decided by then. A condition that is
constant with that, or about one symbol, takes the place of the one it is made of: nothing is left to ask a solver, and
what has nothing to do with each other stays apart.

The facts of a path are a persistent map: for each symbol of up to eight bits, the values that it can have, and the
constraints that say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from immutables import Map

from clew.expr.build import lnot
from clew.expr.node import Bool, Expr
from clew.expr.op import ITE, LAND, LNOT
from clew.expr.sort import BOOL, SortKind
from clew.expr.walk import substituted_parts
from clew.solver.value_tables import SHARED, everything, is_small

_MOST_PARTS: Final = 2_000
"""Parts of a condition that are looked at; one with more stays as it is."""
_MOST_KEPT: Final = 20_000
"""Conditions of which parts, and what was left of them, are kept."""


Fact: TypeAlias = tuple[int, tuple[Expr, ...]]
"""The values that a byte can have, as a set (see ``value_tables``), and the constraints on it that leave these."""
Facts: TypeAlias = "Map[Expr, Fact]"
NO_FACTS: Final[Facts] = Map()


class _Part(NamedTuple):
    """A part of a condition that is about one byte: for which of its values it holds, or what it is for each."""

    expression: Expr
    byte: Expr
    truth: int
    column: Sequence[Any]


_parts: dict[Expr, tuple[_Part, ...]] = {}
_left: dict[tuple[Expr, tuple[Any, ...]], Bool] = {}


def clear() -> None:
    """Forget what was worked out, and the expressions with it."""
    _parts.clear()
    _left.clear()
    SHARED.clear()


def told(facts: Facts, symbol: Expr, constraint: Expr) -> Facts | None:
    """The facts with a constraint on one symbol; None if it follows from them."""
    truth = SHARED.truth(constraint) if is_small(symbol) else None
    if truth is None:
        return facts
    fact = facts.get(symbol)
    if fact is None:
        return facts.set(symbol, (truth, (constraint,)))
    values, constraints = fact
    left = values & truth
    return None if left == values else facts.set(symbol, (left, (*constraints, constraint)))


def reduced(facts: Facts, condition: Expr) -> Bool:
    """The condition, or what it amounts to where the facts hold, if that is a constant or about one symbol."""
    if len(condition.symbols) == 1:
        return _decided_byte(facts, condition)
    if condition.op is LNOT:
        inner = reduced(facts, condition.args[0])
        return condition if inner is condition.args[0] else lnot(inner)
    known = _known(facts, condition)
    if known is None:
        return condition
    key = (condition, known)
    if key not in _left:
        if len(_left) > _MOST_KEPT:
            _left.clear()
        left: Any = substituted_parts(condition, _values(condition, known))[condition]
        _left[key] = condition if isinstance(left, Expr) and len(left.symbols) != 1 else left
    return _left[key]


def grounds(facts: Facts, condition: Expr) -> set[Expr]:
    """Constraints behind the facts by which a condition was reduced."""
    if len(condition.symbols) == 1:
        (byte,) = condition.symbols
        truth = SHARED.truth(condition)
        assert truth is not None
        return _deciding(facts[byte], truth)
    if condition.op is LNOT:
        return grounds(facts, condition.args[0])
    known = _known(facts, condition)
    if known is None:
        return set()
    found: set[Expr] = set()
    parts = {part.expression: part for part in _parts_of(condition)}
    for expression in _needed(condition, _values(condition, known)):
        part = parts[expression]
        fact = facts[part.byte]
        if part.expression.sort is BOOL:
            found |= _deciding(fact, part.truth)
        else:
            found.update(_smallest(fact, fact[0]))
    return found


def _decided_byte(facts: Facts, condition: Expr) -> Bool:
    """A condition on one symbol, or its truth."""
    (byte,) = condition.symbols
    fact = facts.get(byte)
    truth = SHARED.truth(condition) if fact is not None else None
    if fact is None or truth is None:
        return condition
    values = fact[0]
    if not values & truth:
        return False
    return condition if values & ~truth else True


def _known(facts: Facts, condition: Expr) -> tuple[Any, ...] | None:
    """The value of each part, None where it has several; None if none is known."""
    found: list[Any] = []
    is_known = False
    for part in _parts_of(condition):
        fact = facts.get(part.byte)
        value: Any = None
        if fact is not None:
            values = fact[0]
            if part.expression.sort is BOOL:
                value = False if not values & part.truth else None if values & ~part.truth else True
            elif values and not values & (values - 1):
                value = part.column[values.bit_length() - 1]
        is_known = is_known or value is not None
        found.append(value)
    return tuple(found) if is_known else None


def _values(condition: Expr, known: tuple[Any, ...]) -> dict[Expr, Any]:
    parts = _parts_of(condition)
    return {part.expression: value for part, value in zip(parts, known, strict=True) if value is not None}


def _parts_of(condition: Expr) -> tuple[_Part, ...]:
    """The largest parts that are about one byte."""
    known = _parts.get(condition)
    if known is None:
        if len(_parts) > _MOST_KEPT:
            _parts.clear()
        known = _parts[condition] = _find_parts(condition)
    return known


def _find_parts(condition: Expr) -> tuple[_Part, ...]:
    found: list[_Part] = []
    seen = {condition}
    stack = [condition]
    while stack:
        part = stack.pop()
        symbols = part.symbols
        if len(symbols) == 1 and part.sort.kind in (SortKind.BOOL, SortKind.BV):
            (byte,) = symbols
            made = _part(part, byte) if is_small(byte) else None
            if made is not None:
                found.append(made)
                continue
        for arg in reversed(part.args):
            if arg.symbols and arg not in seen:
                seen.add(arg)
                stack.append(arg)
        if len(seen) > _MOST_PARTS:
            return ()
    return tuple(found)


def _part(e: Expr, byte: Expr) -> _Part | None:
    if e.sort is BOOL:
        truth = SHARED.truth(e)
        return None if truth is None else _Part(e, byte, truth, ())
    column = SHARED.column(e)
    return None if column is None else _Part(e, byte, 0, column)


def _needed(condition: Expr, values: dict[Expr, Any]) -> list[Expr]:
    """Which of the known parts decide what is left: an arm that is not chosen does not, and one false part of a
    conjunction is enough."""
    left = substituted_parts(condition, values)
    found: list[Expr] = []
    seen: set[Expr] = set()
    stack = [condition]
    while stack:
        part = stack.pop()
        if part in seen or not part.symbols:
            continue
        seen.add(part)
        if part in values:
            found.append(part)
        elif part.op is ITE and not isinstance(left[part.args[0]], Expr):
            stack += (part.args[0], part.args[1 if left[part.args[0]] else 2])
        elif part.op is LAND and left[part] is False:
            decisive = next((arg for arg in part.args if left[arg] is False), None)
            stack += part.args if decisive is None else (decisive,)
        else:
            stack += part.args
    return found


def _deciding(fact: Fact, truth: int) -> set[Expr]:
    """Constraints that leave a condition one outcome."""
    return set(_smallest(fact, truth if not fact[0] & ~truth else ~truth))


def _smallest(fact: Fact, within: int) -> tuple[Expr, ...]:
    """One constraint that leaves no values but some, if there is one; else as many as it takes, the latest first."""
    constraints = fact[1]
    for constraint in constraints:
        if not _truth(constraint) & ~within:
            return (constraint,)
    (byte,) = constraints[0].symbols
    left = everything(byte)
    chosen: list[Expr] = []
    for constraint in reversed(constraints):
        chosen.append(constraint)
        left &= _truth(constraint)
        if not left & ~within:
            break
    return tuple(chosen)


def _truth(constraint: Expr) -> int:
    truth = SHARED.truth(constraint)
    assert truth is not None
    return truth
