"""Clocks and random numbers as seeds: what they are is settled where they decide an address.

A program that seeds its hash tables from a clock computes addresses with it, and every access of these tables becomes a
question about hashes, which no solver answers quickly. Which cell of a table is taken matters little: a bug is in the
table, whatever the seed. So where such a value decides which of many places of an object is accessed, ``clew test``
goes on with the value that it has in the state's model, and says what it has left out. Up to there it is any value, and
an address that may lie outside of its object was looked at before. Proofs settle nothing.
"""

from __future__ import annotations

from typing import Any

from immutables import Map

from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr, Value
from clew.expr.walk import substitute
from clew.memory.object import MemoryObject
from clew.memory.symbolic import candidates

LEFT_OUT = "other values of clocks, process numbers and random numbers, where these decide which place is accessed"
FEW = 60
"""Places that remain a choice: tables of months, days, hours or minutes have no more."""
_SETTLED = "settled entropy"
_NOTHING: Map[Expr, int] = Map()


def note_entropy(s: State, *values: Any) -> None:
    """These are values of a clock, or random numbers that the system gives."""
    if s.run.options.settle_entropy:
        s.run.entropy.update(value for value in values if isinstance(value, Expr))


def pinned(s: State, value: Any) -> Any:
    """A value, with the numbers that the path has settled in it."""
    settled: Map[Expr, int] = s.environment.get(_SETTLED, _NOTHING)
    if not settled or not isinstance(value, Expr) or value.symbols.isdisjoint(settled):
        return value
    return substitute(value, settled)


def pin(s: State, obj: MemoryObject, offset: Value, size: int) -> Value:
    """A place in an object; with numbers for the clocks and random numbers in it, if these decide between many.

    The path has those numbers from now on.
    """
    found = offset.symbols & s.run.entropy if isinstance(offset, Expr) else None
    if not found or not isinstance(offset, Expr) or len(candidates(s.memory, obj, offset, size)) <= FEW:
        return offset
    settled: Map[Expr, int] = s.environment.get(_SETTLED, _NOTHING)
    for symbol in sorted(found.difference(settled), key=lambda symbol: symbol.key):
        number = int(s.model.eval(symbol))
        s.path = s.path.add(build.eq(symbol, number, symbol.width))
        settled = settled.set(symbol, number)
    s.environment = s.environment.set(_SETTLED, settled)
    s.run.note_loss("bounded", LEFT_OUT, s)
    return substitute(offset, settled)
