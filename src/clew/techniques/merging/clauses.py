"""What was refuted on a path, and why: constraints of the path that contradict an event.

An event is a sibling that the solver refuted, an error that cannot show, or a fact that the path was sure of, negated.
Seen from an earlier place of the path, a clause says: what came after the place, and the event, cannot be at once,
given what held at the place. So constraints that are older than the place are no part of the formula there. Leaving
out others as well, down to a core, makes it shorter, and stronger than need be: it is done where there are many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from clew.execute.sites import CheckId
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.walk import substitute
from clew.solver.chain import SolverChain
from clew.solver.interface import Answer, Query
from clew.solver.path import PathCondition
from clew.techniques.merging.limits import USUAL, Limits


class Clause:
    """``reasons``: constraints of the path with their positions, oldest first; they contradict the ``event``."""

    __slots__ = ("check", "event", "is_certain", "is_minimal", "reasons")

    def __init__(self, reasons: tuple[tuple[int, Expr], ...], event: tuple[Expr, ...], check: CheckId | None) -> None:
        self.reasons = reasons
        self.event = event
        self.check = check
        """The error that the event is, if it is one."""
        self.is_certain = False
        """Whether it is contradictory in itself, whatever the state."""
        self.is_minimal = False

    def rests_on(self, length: int) -> bool:
        """Whether anything older than a place counts: ``length`` is that of the path there."""
        return not self.is_certain and bool(self.reasons) and self.reasons[0][0] <= length

    def since(self, length: int) -> tuple[Expr, ...]:
        """What cannot be, in terms of the state at a place: what came after it, and the event."""
        return (*(reason for position, reason in self.reasons if position > length), *self.event)

    def spelled_out(self, definitions: Mapping[Expr, Any]) -> Clause:
        """The same with symbols replaced by what they are defined to be, in terms of what was there before them."""
        if not any(definitions.keys() & part.symbols for part in self.event) and not any(
            definitions.keys() & reason.symbols for _, reason in self.reasons
        ):
            return self
        replaced = [
            (position, substitute(reason, definitions) if definitions.keys() & reason.symbols else reason)
            for position, reason in self.reasons
        ]
        reasons = tuple((position, reason) for position, reason in replaced if isinstance(reason, Expr))
        event = [substitute(part, definitions) for part in self.event]
        found = Clause(reasons, tuple(part for part in event if isinstance(part, Expr)), self.check)
        found.is_certain = self.is_certain or False in event or any(reason is False for _, reason in replaced)
        return found

    def minimize(self, solver: SolverChain, length: int, limits: Limits = USUAL) -> None:
        """Leave out reasons without which it is contradictory all the same, the oldest first: if many are younger
        than a place."""
        if self.is_minimal or sum(position > length for position, _ in self.reasons) <= limits.short_clause:
            return
        self.is_minimal = True
        if len(self.reasons) > limits.minimized:
            return
        every = [*(reason for _, reason in self.reasons), *self.event]
        core = solver.unsat_assumptions((), every, limits.core_seconds)
        if core is None:
            return
        blamed = set(core)
        kept = [pair for pair in self.reasons if pair[1] in blamed]
        for pair in kept[: limits.deletions]:
            rest = [other for other in kept if other is not pair]
            if solver.check(frozenset((*(reason for _, reason in rest), *self.event))).answer is Answer.UNSAT:
                kept = rest
        self.reasons = tuple(kept)


def clause(
    path: PathCondition, event: tuple[Expr, ...], check: CheckId | None = None, core: Query | None = None
) -> Clause:
    """The clause of an event that contradicts a path. ``core``: contradictory constraints, if some are known."""
    related: set[Expr] = set()
    for part in event:
        negation = build.lnot(part)
        if isinstance(negation, Expr) and negation in path:
            exact = _positions(path, (negation,))
            if exact:
                return Clause(exact, event, check)
        if core is None:
            related |= path.slice(part)
    return Clause(_positions(path, related if core is None else core), event, check)


def _positions(path: PathCondition, wanted: Iterable[Expr]) -> tuple[tuple[int, Expr], ...]:
    """Where constraints stand on a path, oldest first."""
    missing = set(wanted)
    found: list[tuple[int, Expr]] = []
    at: PathCondition | None = path
    while at is not None and missing:
        if at.last is not None and at.last in missing:
            missing.discard(at.last)
            found.append((len(at), at.last))
        at = at.parent
    found.reverse()
    return tuple(found)
