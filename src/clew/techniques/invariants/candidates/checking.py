"""Candidates checked by induction (Houdini): those stay that hold wherever control comes to a head.

All candidates of all heads are assumed where a way to a head goes on from any state; those that may be false at its end
are dropped, until none is. What is left holds together, on every path, after any number of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clew.expr.build import conjunction, eq, lnot
from clew.expr.evaluate import Model
from clew.expr.node import Bool, Expr
from clew.expr.op import SLE, ULE
from clew.solver.chain import SolverChain
from clew.solver.interface import Answer
from clew.techniques.invariants.candidates.heads import Point
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.segments import Segment


class OutOfQuestions(Exception):
    """The limit of questions to the solver is reached."""


class Checker:
    """Drops candidates of some heads."""

    def __init__(
        self,
        heads: Sequence[Point],
        segments: Sequence[Segment],
        facts: Sequence[Sequence[Expr]],
        solver: SolverChain,
        limits: Limits,
        poll: Callable[[], object],
    ) -> None:
        """``facts``: what is known to hold at each head, beside what segments assume; ``poll`` is called often."""
        self._heads = heads
        self._segments = segments
        self._facts = facts
        self._solver = solver
        self._left = limits.questions
        self._patience = limits.unknowns
        self._poll = poll
        self._candidates: list[list[Expr]] = []
        self._dropped = [0] * len(heads)
        """When a candidate of each head was last dropped, as a number of drops."""
        self._drops = 0

    def surviving(self, candidates: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
        """The candidates of each head that hold; none of any if that takes too many questions."""
        self._candidates = [list(of_head) for of_head in candidates]
        checked = [-1] * len(self._segments)
        try:
            while True:
                waiting = [number for number, when in enumerate(checked) if self._is_stale(number, when)]
                if not waiting:
                    return self._candidates
                for number in waiting:
                    checked[number] = self._check(self._segments[number])
        except OutOfQuestions:
            self._candidates = [[] for _ in self._heads]
            return self._candidates

    def implied(self) -> list[list[Expr]]:
        """For each segment, equalities that follow from its orders and from what holds; none without questions left."""
        try:
            return [self._implied(segment) for segment in self._segments]
        except OutOfQuestions:
            return [[] for _ in self._segments]

    def _implied(self, segment: Segment) -> list[Expr]:
        """Words of which a segment says that one is not greater, and all that is known says that they are equal."""
        known = [*segment.path, *self._assumed(segment)]
        found: list[Expr] = []
        for condition in segment.path:
            if condition.op in (ULE, SLE):
                same = eq(condition.args[0], condition.args[1], condition.args[0].width)
                if isinstance(same, Expr) and self._ask(_concerning([same], known), lnot(same))[0] is Answer.UNSAT:
                    found.append(same)
        return found

    def _is_stale(self, number: int, checked: int) -> bool:
        """Whether something that a segment assumes was dropped since it was checked."""
        through = self._segments[number].through
        return checked < 0 or any(self._dropped[head] > checked for head, _ in through)

    def _check(self, segment: Segment) -> int:
        """Drop what may be false at the end of a segment; how many drops there had been when its assumptions held."""
        while True:
            began = self._drops
            goals = self._goals(segment)
            if not goals:
                return began
            known = _concerning([goal for _, goal in goals], [*segment.path, *self._assumed(segment)])
            result, model = self._ask(known, lnot(conjunction(goal for _, goal in goals)))
            if result is Answer.UNSAT:
                return began
            if model is not None:
                self._drop(segment.head, [candidate for candidate, goal in goals if not model.eval(goal)])
                continue
            unclear = [candidate for candidate, goal in goals if not self._holds(known, goal)]
            self._drop(segment.head, unclear)
            if not unclear:
                return began

    def _holds(self, known: frozenset[Expr], goal: Expr) -> bool:
        """Whether the solver says so; it is not asked any more once it has not known too often."""
        if not self._patience:
            return False
        answer, _ = self._ask(known, lnot(goal))
        self._patience -= answer is Answer.UNKNOWN
        return answer is Answer.UNSAT

    def _goals(self, segment: Segment) -> list[tuple[Expr, Expr]]:
        """The candidates of a head with what they say at the end of a segment, unless that is true on its face."""
        found: list[tuple[Expr, Expr]] = []
        false: list[Expr] = []
        for candidate in self._candidates[segment.head]:
            goal = self._heads[segment.head].at(candidate, segment.values)
            if isinstance(goal, Expr):
                found.append((candidate, goal))
            elif not goal:
                false.append(candidate)
        if false:
            # The path may be one that the candidates rule out.
            known = frozenset((*segment.path, *self._assumed(segment)))
            if self._ask(known, True)[0] is Answer.UNSAT:
                return []
            self._drop(segment.head, false)
        return found

    def _assumed(self, segment: Segment) -> Iterator[Expr]:
        """What holds in the states that a segment has gone on from."""
        return segment.assumed(self._heads, lambda head: (*self._facts[head], *self._candidates[head]))

    def _drop(self, head: int, candidates: Sequence[Expr]) -> None:
        if candidates:
            gone = set(candidates)
            self._candidates[head] = [kept for kept in self._candidates[head] if kept not in gone]
            self._drops += 1
            self._dropped[head] = self._drops

    def _ask(self, known: frozenset[Expr], more: Bool) -> tuple[Answer, Model | None]:
        self._poll()
        self._left -= 1
        if self._left < 0:
            raise OutOfQuestions
        if more is False:
            return Answer.UNSAT, None
        result = self._solver.check(known | {more} if isinstance(more, Expr) else known)
        return result.answer, result.model


def _concerning(goals: Sequence[Expr], conditions: Sequence[Expr]) -> frozenset[Expr]:
    """The conditions that share symbols with goals, directly or through others."""
    symbols = {symbol for goal in goals for symbol in goal.symbols}
    waiting = list(dict.fromkeys(conditions))
    found: list[Expr] = []
    while True:
        near = [condition for condition in waiting if not symbols.isdisjoint(condition.symbols)]
        if not near:
            return frozenset(found)
        found += near
        symbols.update(symbol for condition in near for symbol in condition.symbols)
        gone = set(near)
        waiting = [condition for condition in waiting if condition not in gone]
