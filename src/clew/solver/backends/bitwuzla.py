"""Bitwuzla: the solver that decides what the layers above could not.

Incremental instances pay off along one path (ten times faster than fresh ones, since the shared
constraints are already bit-blasted) and hurt across unrelated queries (five times slower: all that an
instance ever saw is searched again). So a small pool is kept, and a query goes to the instance that
already holds most of its constraints, all given as assumptions; else to a fresh one.

Who asks for a core most often asks for a smaller one next, with fewer suspects: the same instance answers that (four
times faster than a fresh one), as long as nobody else is suspected.

A query that the incremental attempt does not decide within a quarter of the limit is tried again in a
fresh instance with its constraints asserted, which lets the preprocessor loose on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from time import perf_counter
from typing import Any

import bitwuzla  # type: ignore[import-not-found]
from bitwuzla import Option
from immutables import Map

from clew.base.dataclass import dataclass
from clew.base.watchdog import held
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.rewrite import fpmath
from clew.expr.semantics import ArrayValue
from clew.expr.sort import BOOL, Sort
from clew.expr.sort import SortKind as SortKind
from clew.solver.backends.bitwuzla_terms import Term, Terms
from clew.solver.backends.registry import BACKENDS
from clew.solver.interface import Query, Result, SolverOptions, ordered, sat, symbols_of, unknown, unsat
from clew.solver.stats import SolverStats

NAME = "bitwuzla"
STOP_EVERY = 8
"""Questions of Bitwuzla whether to stop, for one that is passed on."""
FREE_SIZE = 24
"""An instance that has seen so few constraints is cheaper to use than a fresh one, related or not."""


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """When incremental instances are given up for new ones."""

    instances: int = 6
    """Kept side by side."""
    checks: int = 300
    """After which an instance is dropped: they slow down with age."""
    terms: int = 200_000
    """Translated terms after which the term manager and all that hangs on it is dropped."""


class _Instance:
    """One incremental solver, the constraints it has seen, and its age in checks."""

    __slots__ = ("solver", "seen", "checks")

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        self.seen: set[Expr] = set()
        self.checks = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Inquiry:
    """The instance that was asked last for a core: what it takes for granted, and whom it has seen suspected."""

    solver: Any
    granted: tuple[Term, ...]
    suspects: frozenset[Term]
    share: float
    """Of the time limit, for each check."""

    def covers(self, granted: tuple[Term, ...], suspects: Sequence[Term], share: float) -> bool:
        """Whether it can be asked about these."""
        return granted == self.granted and share == self.share and self.suspects.issuperset(suspects)


@BACKENDS.register(NAME, "bit-vectors, arrays and floats; incremental")
class BitwuzlaSolver:
    """The backend. Every native call is guarded: whatever goes wrong inside is UNKNOWN."""

    def __init__(
        self,
        options: SolverOptions | None = None,
        stats: SolverStats | None = None,
        limits: PoolLimits | None = None,
    ) -> None:
        self._options = options or SolverOptions()
        self._limits = limits or PoolLimits()
        self._stats = stats or SolverStats()
        self._terms = Terms()
        self._pool: list[_Instance] = []  # least recently used first
        self._inquiry: _Inquiry | None = None

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Decide, incrementally at first."""
        self._make_room()
        query = ordered(constraints)
        instance = self._instance_for(constraints)
        result = self._attempt(instance.solver, query, hint, assume=True)
        instance.checks += 1
        instance.seen |= constraints
        if result.reason:
            self._pool.remove(instance)
            result = self._attempt(self._fresh(0.75), query, hint, assume=False)
        return result

    def clear(self) -> None:
        """Forget everything."""
        self._pool.clear()
        self._inquiry = None
        self._terms = Terms()

    # -- instances --------------------------------------------------------------------------------

    def _make_room(self) -> None:
        """Terms cannot be freed one by one: when they pile up, all go."""
        if len(self._terms.memo) > self._limits.terms:
            self.clear()

    def _instance_for(self, constraints: Query) -> _Instance:
        best: _Instance | None = None
        most = -1
        size = len(constraints)
        for instance in self._pool:
            if instance.checks >= self._limits.checks or len(instance.seen) > 4 * size + 2 * FREE_SIZE:
                continue
            shared = len(constraints & instance.seen)
            if shared > most and (2 * shared >= size or len(instance.seen) + size <= FREE_SIZE):
                best, most = instance, shared
        if best is None:
            best = _Instance(self._fresh(0.25))
            if len(self._pool) >= self._limits.instances:
                del self._pool[0]
        else:
            self._pool.remove(best)
        self._pool.append(best)
        return best

    def _fresh(self, share: float) -> Any:
        """A new native instance that may use this share of the time limit per check."""
        options = bitwuzla.Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(Option.SEED, self._options.seed)
        options.set(Option.TIME_LIMIT_PER, max(1, int(self._options.time_limit * share * 1000)))
        solver = bitwuzla.Bitwuzla(self._terms.manager, options)
        if self._options.stop is not None:
            solver.configure_terminator(_now_and_then(self._options.stop, self._stats).__next__)
        return solver

    # -- one check --------------------------------------------------------------------------------

    def _attempt(self, solver: Any, query: list[Expr], hint: Model | None, assume: bool) -> Result:
        terms = [self._terms.term(constraint) for constraint in query]
        sides = [side for constraint in query for side in self._terms.side_conditions(constraint)]
        started = perf_counter()
        try:
            with held():  # the native code calls ``stop``, from where no exception gets through
                if assume:
                    answer = solver.check_sat(*terms, *sides)
                else:
                    solver.assert_formula(*terms, *sides)
                    answer = solver.check_sat()
            if answer == bitwuzla.Result.SAT:
                values = {symbol: self._value(solver, symbol) for symbol in ordered(symbols_of(query))}
                return sat(Model(values) if hint is None else hint.updated(values), NAME)
            if answer == bitwuzla.Result.UNSAT:
                blamed = set(solver.get_unsat_assumptions()) if assume else set(terms)
                return unsat(NAME, frozenset(c for c, term in zip(query, terms, strict=True) if term in blamed))
        except Exception as error:  # the binding raises its own type, RuntimeError or MemoryError
            return unknown(f"Bitwuzla failed: {error}", NAME)
        finally:
            self._stats.solver_checks += 1
            self._stats.seconds += perf_counter() - started
        return unknown(f"no answer within {self._options.time_limit:g} s", NAME)

    def _value(self, solver: Any, symbol: Expr) -> Any:
        return _plain(solver.get_value(self._terms.term(symbol)), symbol.sort)

    def unsat_assumptions(
        self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None = None
    ) -> list[Expr] | None:
        """The assumptions that contradict ``base`` or, given it, each other."""
        self._make_room()
        limit = self._options.time_limit
        asserted = [self._terms.term(c) for c in base]
        terms = [self._terms.term(c) for c in assumptions]
        sides = [side for c in (*base, *assumptions) for side in self._terms.side_conditions(c)]
        share = 1.0 if seconds is None else min(seconds, limit) / limit
        started = perf_counter()
        try:
            inquiry, self._inquiry = self._inquiry_into(terms, (*asserted, *sides), share), None
            with held():
                answer = inquiry.solver.check_sat(*terms)
            if answer == bitwuzla.Result.UNKNOWN:
                return None
            self._inquiry = inquiry
            if answer == bitwuzla.Result.SAT:
                return None
            blamed = set(inquiry.solver.get_unsat_assumptions())
        except Exception:  # as above: no answer
            return None
        finally:
            self._stats.solver_checks += 1
            self._stats.seconds += perf_counter() - started
        return _first_of_each(assumptions, terms, blamed)

    def _inquiry_into(self, suspects: Sequence[Term], granted: tuple[Term, ...], share: float) -> _Inquiry:
        """The last one, if it can go on with fewer suspects; else a new one."""
        known = self._inquiry
        if known is not None and known.covers(granted, suspects, share):
            return known
        solver = self._fresh(share)
        if granted:
            solver.assert_formula(*granted)
        return _Inquiry(solver, granted, frozenset(suspects), share)


def _now_and_then(stop: Callable[[], bool], stats: SolverStats) -> Iterator[bool]:
    """``stop`` asked at every ``STOP_EVERY``th question only, and these counted: Bitwuzla asks often."""
    while True:
        stats.questions += STOP_EVERY
        yield stop()
        yield from repeat(False, STOP_EVERY - 1)


def _first_of_each(suspects: Sequence[Expr], terms: Sequence[Term], blamed: set[Term]) -> list[Expr]:
    """The blamed suspects; of several with the same term the first."""
    found: list[Expr] = []
    for constraint, term in zip(suspects, terms, strict=True):
        if term in blamed:
            blamed.discard(term)
            found.append(constraint)
    return found


def _plain(value: Term, sort: Sort) -> Any:
    """A value term as a plain value."""
    if sort is BOOL:
        return bool(value.value())
    if sort.kind is SortKind.BV:
        return int(value.value(10))
    if sort.kind is SortKind.FLOAT:
        return fpmath.from_bits(int(value.value(2, False), 2), sort)
    return _plain_array(value)


def _plain_array(value: Term) -> ArrayValue:
    """A chain of stores over a constant array; an outer store wins over an inner one."""
    entries: dict[int, int] = {}
    while value.kind() == bitwuzla.Kind.ARRAY_STORE:
        inner, index, element = value.children()
        entries.setdefault(int(index.value(10)), int(element.value(10)))
        value = inner
    return ArrayValue(int(value.children()[0].value(10)), b"", Map(entries))
