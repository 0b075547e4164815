"""What the process of a command and those of its arms tell each other: records, by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.checks.properties import PropertyKey
from clew.jobs.arms import Standing
from clew.jobs.run_record import RunRecord
from clew.report.records import Arrival, Bug, Coverage, LoopInvariant, Test
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.conflicts.clause_exchange import Clause
from clew.techniques.tasks import Answer

if TYPE_CHECKING:
    from clew.techniques.invariants.candidates.lemmas import Lemmas


@dataclass(frozen=True, slots=True)
class News:
    """What an arm has found out since its last word: it holds for all arms, and nothing is ever taken back."""

    answers: Mapping[PropertyKey, Answer] = field(default_factory=dict)
    found: tuple[Test | Bug, ...] = ()
    """In the order in which they were found; a test that shows a bug comes before that."""
    arrival: Arrival | None = None
    unasked: Mapping[PropertyKey, str] = field(default_factory=dict)
    """Errors that nobody asked for, and for each what bound alone makes it one, if one does."""
    doubtful: frozenset[PropertyKey] = frozenset()
    """Failures that their own inputs did not show again."""
    warnings: tuple[str, ...] = ()
    loop_invariants: tuple[LoopInvariant, ...] = ()
    """On which the proofs among the answers rest."""
    lemmas: Mapping[bool, Lemmas] = field(default_factory=dict)
    """What loops keep, as ``Ledger`` has it."""

    def __bool__(self) -> bool:
        found = self.answers or self.found or self.arrival or self.unasked
        return bool(found or self.doubtful or self.warnings or self.lemmas)


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that has ended an arm."""

    text: str
    trace: str
    is_users: bool
    """Whether it is the user's, and ends the command."""


@dataclass(frozen=True, slots=True)
class Told:
    """A word of an arm."""

    standing: Standing
    news: News
    runs: Mapping[int, tuple[RunRecord, Coverage]]
    """Its own runs, as they are now, by their places in the ledger of its process."""
    ready: int | None
    """Which of them is the one over the program itself."""
    helpers: tuple[RunStatistics, SolverStats]
    """What runs have done that help, since the process began."""
    paused: bool = False
    """Whether its turn is over."""
    stopped: StopReason | None = None
    """What has cut it off in the middle of something, if something has."""
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Clauses:
    """What a search has learned, for others like it."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """An arm may work for so long, and grow to such a size."""

    seconds: float
    memory_mb: float | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The command is over before its question is answered: arms are to come to their ends."""

    reason: StopReason
