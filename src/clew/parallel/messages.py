"""What a coordinator and its workers tell each other: records, whatever carries them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.execute.coverage import Edge
from clew.execute.sites import CheckId
from clew.parallel.prefix import Prefix
from clew.report.reasons import Attempts
from clew.report.records import BranchId, Bug, LoopStatement, LossKind, Test, Unreachable
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What holds for all, once somebody knows it: it only ever grows."""

    edges: frozenset[Edge] = frozenset()
    blocks: frozenset[tuple[str, str]] = frozenset()
    lines: frozenset[tuple[str, int]] = frozenset()
    """What was covered."""
    reported: frozenset[CheckId] = frozenset()
    """Errors that need not be looked for any more."""

    def without(self, known: Knowledge) -> Knowledge:
        """What is in this, and not known."""
        return Knowledge(
            self.edges - known.edges,
            self.blocks - known.blocks,
            self.lines - known.lines,
            self.reported - known.reported,
        )

    def __or__(self, other: Knowledge) -> Knowledge:
        return Knowledge(
            self.edges | other.edges,
            self.blocks | other.blocks,
            self.lines | other.lines,
            self.reported | other.reported,
        )

    def __bool__(self) -> bool:
        return bool(self.edges or self.blocks or self.lines or self.reported)


@dataclass(frozen=True, slots=True)
class Work:
    """What a worker has done since its last word: counted, found, given up."""

    statistics: RunStatistics
    solver: SolverStats
    helpers: tuple[RunStatistics, SolverStats]
    """Of runs that help, over another program or for inputs only."""
    losses: Mapping[tuple[LossKind, str, Location | None], int] = field(default_factory=dict)
    found: tuple[Test | Bug, ...] = ()
    """In the order in which they were found; a test that shows a bug comes before that."""
    warnings: tuple[str, ...] = ()
    unreachable: Mapping[BranchId, Unreachable] = field(default_factory=dict)
    accounts: Mapping[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """By technique: own work, caused work, earned work, branches."""
    started: frozenset[int] = frozenset()
    """Which of the user's start values some input has got."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A word of a worker: what was done, and what that leaves to do, all at once."""

    opened: tuple[tuple[int, Prefix], ...]
    closed: tuple[int, ...]
    work: Work
    knowledge: Knowledge
    given: tuple[Prefix, ...] | None = None
    """What it hands back, if it was asked for jobs."""
    idle: bool = False
    ends: bool = False
    """Whether this is its last word."""
    stopped: StopReason | None = None
    """Why it has stopped before all was explored, if it has."""
    loops: tuple[LoopStatement, ...] = ()
    attempts: Mapping[BranchId, Attempts] = field(default_factory=dict)
    """Of all paths that it ran, with its last word: outcomes of branches that they did not cover."""
    waiting: int = 0
    """States that wait, of which several may be one job."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The last word of a worker that has come upon an error of ours."""

    trace: str


@dataclass(frozen=True, slots=True)
class Take:
    """Jobs for a worker, by number."""

    jobs: tuple[tuple[int, Prefix], ...]


@dataclass(frozen=True, slots=True)
class Give:
    """A worker is to hand so many of its jobs back."""

    count: int


@dataclass(frozen=True, slots=True)
class Divide:
    """A worker is to let a copy of itself, which has this number, go on with half of what waits. The copy's end of a
    socket comes with the message."""

    number: int


@dataclass(frozen=True, slots=True)
class Divided:
    """What a copy that is about to be made will go on with; if that is nothing, there will be no copy."""

    number: int
    moved: tuple[int, ...] = ()
    """Jobs that are the copy's from now on."""
    shared: tuple[int, ...] = ()
    """Jobs of which both have a part."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The first word of a copy."""

    process: int


@dataclass(frozen=True, slots=True)
class End:
    """All is explored, the question is answered, or the time is over: a worker is to tell its last word."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The first word of a worker that was not forked: it has the program, and is ready."""

    digest: str
    """Of the program."""
    machine: str
    process: int
    """Where it is."""


@dataclass(frozen=True, slots=True)
class Begin:
    """The first word to such a worker."""

    seconds: float | None
    """How long the run may still take; no clock is read on two machines."""
    knowledge: Knowledge
