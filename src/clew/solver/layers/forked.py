"""Large queries are asked in a process of their own.

Solvers look at their limits while they search, not while they rewrite and translate what they were given: that alone
may take minutes. So a query that brings much at once, by the number and kind of operators that were not in an earlier
one, goes to a copy of this process, which is killed when its time is over. Operators of a query that was decided there
do not count any more: the next one, which is likely to have most of them, too, is asked here, incrementally.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from clew.base.forked import TookTooLong, apart
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, Op
from clew.solver.backends.registry import backends_of
from clew.solver.interface import (
    Answer,
    CoreSolver,
    Query,
    Result,
    Solver,
    SolverOptions,
    ordered,
    sat,
    symbols_of,
    unknown,
    unsat,
)
from clew.solver.stats import EASY, SolverStats

NAME = "apart"
SLACK = 0.5
"""Seconds that the copy may take beyond the limits of the solvers."""
_PRODUCTS = frozenset((Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM))
_FLOATS = frozenset(op for op in Op if op.name.startswith("F"))
_FLOAT_WEIGHT = 300


class Apart:
    """The layer, and the same for questions about cores. ``make`` gives new solvers, for a copy."""

    def __init__(
        self, below: Solver, cores: CoreSolver, make: Callable[[], Solver], options: SolverOptions, stats: SolverStats
    ) -> None:
        self._below = below
        self._cores = cores
        self._make = make
        self._options = options
        self._stats = stats
        self._known: set[Expr] = set()
        """Nodes that solvers have seen."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Decide, here or elsewhere; again if there was no time for it."""
        self._stats.nodes += _size(constraints)
        asked = self._stats.questions
        self._options.next_turn()
        result = self._decided(constraints, hint)
        while result.answer is Answer.UNKNOWN and self._options.next_turn():
            result = self._decided(constraints, hint)
        self._stats.hard += max(0, self._stats.questions - asked - EASY)
        return result

    def _decided(self, constraints: Query, hint: Model | None) -> Result:
        if not self._is_large(constraints):
            return self._below.check(constraints, hint)
        query, symbols = ordered(constraints), ordered(symbols_of(constraints))
        options = self._options

        def work() -> tuple[tuple[str, Any, str], int]:
            asked = self._stats.questions
            return _packed(self._make().check(constraints), query, symbols), self._stats.questions - asked

        began = perf_counter()
        try:
            seconds = options.time_limit * len(backends_of(options)) + SLACK
            (answer, values, source), questions = apart(work, seconds, options.memory_mb, options.stop)
        except TookTooLong:
            self._forget(constraints)
            return unknown(f"no answer within {options.time_limit:g} s", NAME)
        finally:
            self._stats.solver_checks += 1
            self._stats.seconds += perf_counter() - began
        self._stats.questions += questions
        if answer == Answer.SAT.value:
            found = dict(zip(symbols, values, strict=True))
            return sat(Model(found) if hint is None else hint.updated(found), source)
        if answer == Answer.UNSAT.value:
            return unsat(source, None if values is None else frozenset(query[number] for number in values))
        self._forget(constraints)
        return unknown(values, source)

    def unsat_assumptions(
        self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None = None
    ) -> list[Expr] | None:
        """The assumptions that contradict ``base``; asked for again if there was no time for it."""
        self._stats.nodes += _size((*base, *assumptions))
        self._options.next_turn()
        found = self._blamed(base, assumptions, seconds)
        while found is None and self._options.next_turn():
            found = self._blamed(base, assumptions, seconds)
        return found

    def _blamed(self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None) -> list[Expr] | None:
        if not self._is_large(frozenset((*base, *assumptions))):
            return self._cores.unsat_assumptions(base, assumptions, seconds)

        def work() -> list[int] | None:
            found = self._cores.unsat_assumptions(base, assumptions, seconds)
            blamed = None if found is None else set(found)
            return None if blamed is None else [n for n, item in enumerate(assumptions) if item in blamed]

        try:
            limit = self._options.time_limit if seconds is None else min(seconds, self._options.time_limit)
            numbers = apart(work, limit + SLACK, self._options.memory_mb, self._options.stop)
        except TookTooLong:
            self._forget((*base, *assumptions))
            return None
        return None if numbers is None else [assumptions[n] for n in numbers]

    def clear(self) -> None:
        """Solvers have forgotten everything."""
        self._known.clear()

    def _is_large(self, constraints: Query) -> bool:
        """Whether what no solver has seen weighs much. From now on it counts as seen."""
        known, weight = self._known, 0
        stack = [constraint for constraint in constraints if constraint not in known]
        while stack:
            node = stack.pop()
            if node not in known:
                known.add(node)
                weight += weight_of(node)
                stack.extend(node.args)
        return weight > self._options.large

    def _forget(self, constraints: Query | Sequence[Expr]) -> None:
        """They were not decided: the same ones are large again."""
        stack = list(constraints)
        while stack:
            node = stack.pop()
            if node in self._known:
                self._known.discard(node)
                stack.extend(node.args)


def _size(constraints: Query | Sequence[Expr]) -> int:
    """The number of different nodes in a query."""
    seen, stack = set(constraints), list(constraints)
    while stack:
        for node in stack.pop().args:
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return len(seen)


def weight_of(node: Expr) -> int:
    """What it takes to translate a node into bits, in about tenths of a millisecond."""
    if node.op in _PRODUCTS:
        constant = any(arg.op is CONST for arg in node.args)
        return node.width // 4 if constant else node.width * node.width // 16
    return _FLOAT_WEIGHT if node.op in _FLOATS else 1


def _packed(result: Result, query: Sequence[Expr], symbols: Sequence[Expr]) -> tuple[str, Any, str]:
    """A result without expressions: the values of the symbols, the numbers of a core, or the reason."""
    if result.model is not None:
        return result.answer.value, [result.model.eval(symbol) for symbol in symbols], result.source
    if result.answer is Answer.UNSAT:
        core = result.core
        numbers = None if core is None else [n for n, constraint in enumerate(query) if constraint in core]
        return result.answer.value, numbers, result.source
    return result.answer.value, result.reason, result.source
