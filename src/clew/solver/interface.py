"""What every layer and backend of the solver looks like, and the options of the whole stack.

A query is a conjunction, given as a set of boolean expressions. Invariants of every answer:

- UNSAT is only said with a proof; whatever was cut short, failed or is out of reach is UNKNOWN, with a reason.
- A SAT result carries a model that makes all constraints true and assigns each of their symbols; where a
  hint was given, the model agrees with it on all other symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

from clew.base.dataclass import dataclass
from clew.expr.evaluate import Model
from clew.expr.node import Expr

Query: TypeAlias = frozenset[Expr]


class Answer(Enum):
    """The three possible answers."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Result(NamedTuple):
    """An answer; ``model`` with SAT, ``reason`` with UNKNOWN.

    ``source`` names the layer that found it. ``core``, with UNSAT, is a subset of the query that is
    already unsatisfiable, where the source knows one.
    """

    answer: Answer
    model: Model | None = None
    reason: str = ""
    source: str = ""
    core: Query | None = None


def sat(model: Model, source: str) -> Result:
    """A SAT result."""
    return Result(Answer.SAT, model, "", source)


def unsat(source: str, core: Query | None = None) -> Result:
    """An UNSAT result."""
    return Result(Answer.UNSAT, None, "", source, core)


def unknown(reason: str, source: str) -> Result:
    """An UNKNOWN result."""
    return Result(Answer.UNKNOWN, None, reason, source)


class Solver(Protocol):
    """A layer or backend."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Decide the conjunction. ``hint`` is any model: a starting point, and the values of all other symbols."""


@runtime_checkable
class CoreSolver(Solver, Protocol):
    """A backend that can also say which constraints are to blame."""

    def unsat_assumptions(
        self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None = None
    ) -> list[Expr] | None:
        """Assumptions, in their order, that are unsatisfiable with all of ``base``; None unless UNSAT (within the
        seconds). They need not be as few as can be."""


class Backend(Solver, Protocol):
    """A solver that is made anew for each chain; see ``solver.backends.registry``."""

    def clear(self) -> None:
        """Forget earlier queries, and the expressions in them; answers do not change."""


@dataclass(frozen=True, slots=True)
class SolverOptions:
    """Settings of the chain."""

    time_limit: float = 10.0
    """Seconds one query may take in each backend."""
    seed: int = 0
    second_opinion: bool = True
    """Ask the other backends where the first one gives up."""
    validate: bool = False
    """Re-check every answer: models by evaluation, UNSAT by another backend."""
    recent_models: int = 6
    repair_attempts: int = 12
    """Candidate models the repair layer may try per query."""
    cache_entries: int = 4096
    large: int = 8_000
    """Weight of what is new in a query, from which on it is asked in a process of its own: see ``layers.forked``."""
    memory_mb: float | None = None
    """What that process may take, with all that it shares with this one."""
    stop: Callable[[], bool] | None = None
    """Polled by backends during a check; True ends it as UNKNOWN. Must not raise."""
    next_turn: Callable[[], bool] = lambda: False
    """Called before and after a check by a backend: whether it was ended only for now, and is to be made again."""


def symbols_of(constraints: Iterable[Expr]) -> set[Expr]:
    """All symbols of a query."""
    found: set[Expr] = set()
    for constraint in constraints:
        found |= constraint.symbols
    return found


def ordered(constraints: Iterable[Expr]) -> list[Expr]:
    """A query in an order that is the same in every process (sets iterate by address)."""
    return sorted(constraints, key=_key)


_key = attrgetter("key")
