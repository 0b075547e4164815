"""Patching the current model instead of asking a solver.

A branch query is the path, which the hint satisfies, and one constraint, which it does not. The wanted
value of that constraint is pushed down through invertible operators to a few symbols (``invert``); the
model with those symbols changed is accepted if it satisfies the whole query. If it breaks one or two
other constraints, those are repaired in turn, to a small depth. Says SAT or passes the query on.

What it is worth: of ``tests/programs/real``, ``clew test`` ends 545 paths of ``image.c`` and 912 of ``calc.c`` in 40
seconds; without this layer, 35 and 610 (``repair_attempts=0``).
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple, TypeAlias

from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.op import CONST, SYMBOL
from clew.expr.sort import F32, SortKind
from clew.solver.interface import Query, Result, Solver, ordered, sat, symbols_of
from clew.solver.layers.goal import ALL, Alternative
from clew.solver.layers.invert import alternatives

NAME = "repair"
MAX_STEPS = 150
MAX_ROUNDS = 3
MAX_BROKEN = 2
"""A candidate that breaks more other constraints than this is not worth following."""

_Patch: TypeAlias = dict[Expr, tuple[Any, int]]
_State: TypeAlias = tuple[Alternative, _Patch, "_Round"]
"""Goals left, symbols changed in this round, and the round."""


class _Round(NamedTuple):
    """A model to start from, the symbols in which it differs from the hint, and how many rounds may follow."""

    base: Model
    changed: frozenset[Expr]
    left: int


class Repair:
    """The layer."""

    def __init__(self, below: Solver, attempts: int) -> None:
        self._below = below
        self._attempts = attempts

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Try to patch ``hint``."""
        found = self._patched(constraints, hint or EMPTY_MODEL)
        if found is None:
            return self._below.check(constraints, hint)
        if hint is None:  # then the model must name every symbol by itself
            found = Model({symbol: found.eval(symbol) for symbol in ordered(symbols_of(constraints))})
        return sat(found, NAME)

    def _patched(self, constraints: Query, model: Model) -> Model | None:
        failing = model.violated(constraints)
        if not failing:
            return model
        if len(failing) > 1:
            failing = ordered(failing)
        attempts = self._attempts
        stack: list[_State] = [(_wanted(failing), {}, _Round(model, frozenset(), MAX_ROUNDS))]
        for _ in range(MAX_STEPS):
            if not stack:
                return None
            goals, patch, current = stack.pop()
            if goals:
                _expand(stack, goals, patch, current)
                continue
            candidate = current.base.updated({symbol: value for symbol, (value, _) in patch.items()})
            changed = current.changed.union(patch)
            broken = _broken(constraints, changed, failing, candidate)
            if not broken:
                return candidate
            attempts -= 1
            if attempts == 0:
                return None
            if current.left > 1 and len(broken) <= MAX_BROKEN:
                stack.append((_wanted(ordered(broken)), {}, _Round(candidate, changed, current.left - 1)))
        return None


def _wanted(constraints: list[Expr]) -> Alternative:
    return tuple([(constraint, True, ALL) for constraint in constraints])


def _expand(stack: list[_State], goals: Alternative, patch: _Patch, current: _Round) -> None:
    """Take the first goal one step further; each way to do so is a new state."""
    (e, value, care), rest = goals[0], goals[1:]
    base = current.base
    # A chain of operators that offers one way down is followed without going through the stack.
    while e.op is not SYMBOL:
        if e.op is CONST:
            return
        if _reached(base.eval(e), value, care):
            stack.append((rest, patch, current))
            return
        ways = alternatives(e, value, care, base)
        if len(ways) != 1 or len(ways[0]) != 1:
            for way in reversed(ways):
                stack.append(((*way, *rest), patch, current))
            return
        e, value, care = ways[0][0]
    stack.append((rest, _assigned(patch, e, value, care, base), current))


def _reached(present: Any, value: Any, care: int) -> bool:
    return present == value or (type(present) is int and not (present ^ value) & care)


def _assigned(patch: _Patch, symbol: Expr, value: Any, care: int, base: Model) -> _Patch:
    """The patch with these bits of ``symbol`` set.

    If the round already wants them otherwise the patch stays: what this leaves broken is for the next round.
    """
    if symbol.sort.kind is not SortKind.BV:
        if symbol.sort.kind is SortKind.ARRAY or symbol in patch:
            return patch
        return {**patch, symbol: (_single(value) if symbol.sort is F32 else value, ALL)}
    care &= symbol.mask
    before, fixed = patch[symbol] if symbol in patch else (base.eval(symbol), 0)
    if (before ^ value) & fixed & care:
        return patch
    return {**patch, symbol: (before & ~care | value & care, fixed | care)}


def _broken(constraints: Query, changed: frozenset[Expr], failing: list[Expr], candidate: Model) -> list[Expr]:
    """The constraints the candidate violates; only those that failed before or mention a changed symbol can.

    The list is cut short where it is too long to be repaired, but empty only if all constraints hold.
    """
    broken = [constraint for constraint in failing if not candidate.eval(constraint)]
    for constraint in constraints:
        if len(broken) > MAX_BROKEN:
            break
        if not constraint.symbols.isdisjoint(changed) and not candidate.eval(constraint) and constraint not in broken:
            broken.append(constraint)
    return broken


def _single(value: float) -> float:
    """``value`` rounded to single precision."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded
