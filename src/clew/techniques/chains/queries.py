"""Questions about single iterations of loops, which a solver answers if that is easy.

Answers are remembered: the same loops are met at every look ahead, with the same names for their symbols. Nothing here
has to be answered: without an answer a system says less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.ranges import signed_interval
from clew.solver.chain import SolverChain as Solver
from clew.solver.interface import Answer
from clew.solver.path import EMPTY_PATH, PathCondition, conjuncts
from clew.techniques.chains.limits import USUAL, Limits


class IterationQueries:
    """Answers about single iterations, remembered: the same loops are met at every look ahead."""

    def __init__(self, solver: Solver, limits: Limits = USUAL) -> None:
        self._solver = solver
        self._limits = limits
        self._path: PathCondition = EMPTY_PATH
        self._patience = 0
        self._answers: dict[frozenset[Expr], Answer] = {}
        self._gave_up = False
        """Whether the last question was too hard."""
        self._failures = 0

    def look_from(self, path: PathCondition) -> None:
        """Begin a look ahead, from a state with this path condition."""
        self._path = path
        self._patience = self._limits.own_queries
        self._failures = 0

    def refutes(self, constraints: Sequence[Bool], context: Sequence[Bool]) -> bool:
        """Whether constraints, and what holds around them, are known to have no solution."""
        own = _plain(constraints)
        if own is None or self._ask(own):
            return True
        if not context:
            return False
        around = _plain(context)
        if around is None:
            return True
        every = own | around
        for constraint in tuple(every):
            every |= self._path.slice(constraint)
        return every != own and self._ask(every)

    def _ask(self, constraints: frozenset[Expr]) -> bool:
        known = self._answers.get(constraints)
        if known is None and self._failures < self._limits.failed_queries:
            known = self._answers[constraints] = self._solver.check(constraints).answer
            self._failures += known is Answer.UNKNOWN
        elif known is None:
            known = Answer.UNKNOWN
        self._gave_up = known is Answer.UNKNOWN
        return known is Answer.UNSAT

    def bounds(
        self, value: Expr, constraints: Sequence[Bool], context: Sequence[Bool]
    ) -> tuple[int | None, int | None]:
        """The least and the largest that a signed number can be, if that was found."""
        low, high = self._bounds(value, constraints, ())
        if (low is None or high is None) and self._patience > 0:
            before = len(self._answers)
            low, high = self._bounds(value, constraints, context)
            self._patience -= len(self._answers) - before
        return low, high

    def _bounds(
        self, value: Expr, constraints: Sequence[Bool], context: Sequence[Bool]
    ) -> tuple[int | None, int | None]:
        def above(limit: int) -> bool:
            return self._is_refuted([*constraints, build.sgt(value, limit & value.mask, value.width)], context)

        def below(limit: int) -> bool:
            return self._is_refuted([*constraints, build.slt(value, -limit & value.mask, value.width)], context)

        low, high = signed_interval(value)
        far = self._limits.step
        most, least = _least_limit(above, low, high, far), _least_limit(below, -high, -low, far)
        return None if least is None else -least, most

    def _is_refuted(self, constraints: Sequence[Bool], context: Sequence[Bool]) -> bool:
        """The same as ``refutes``, for searches: they end where a question is too hard, as the next ones would be."""
        refuted = self.refutes(constraints, context)
        if self._gave_up and not refuted:
            raise TooHard
        return refuted


def _plain(constraints: Sequence[Bool]) -> frozenset[Expr] | None:
    """As a query; None if there is no need to ask."""
    if any(constraint is False for constraint in constraints):
        return None
    return frozenset(c for constraint in constraints if isinstance(constraint, Expr) for c in conjuncts(constraint))


class TooHard(Exception):
    """The solver gave up on a question."""


def _least_limit(refuted: Callable[[int], bool], lowest: int, known: int, far: int) -> int | None:
    """The least number from ``lowest`` on that nothing goes beyond; ``known`` is one. None if it is large, or too hard.

    Outside of these two nothing is asked: numbers there may be none of the value's width.
    """
    try:
        return _search_limit(refuted, lowest, known, far)
    except TooHard:
        return known if abs(known) <= far else None


def _search_limit(refuted: Callable[[int], bool], lowest: int, known: int, far: int) -> int | None:
    start = min(max(0, lowest), known)
    if start < known and not refuted(start):
        low, high = start, start + 7
        while high < known and not refuted(high):
            low, high = high, 2 * high + 7
            if high > far and high < known:
                return None
        high = min(high, known)
    else:
        low, high, step = start - 1, start, 1
        while low >= lowest and refuted(low):
            step *= 2
            low, high = low - step, low
            if high < -far:
                return high
        low = max(low, lowest - 1)
    while high - low > 1:
        middle = (low + high) // 2
        if refuted(middle):
            high = middle
        else:
            low = middle
    return high
