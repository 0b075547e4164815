"""How a running job tells what it finds: the ``Listener`` protocol and its plain implementations.

Jobs call a listener the moment something happens and never care who listens: the recorder that
writes files, the progress line, a test. Imports records only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.base.dataclass import dataclass
from clew.base.watchdog import held
from clew.report.callplan import CallPlan, Signature
from clew.report.records import Bug, Summary, Test


@dataclass(frozen=True, slots=True)
class ProgramInfo:
    """What is known about the program once it is compiled and linked."""

    entry: str = "main"
    pointer_bits: int = 64
    call: CallPlan | None = None
    """How to call the entry when it is not ``main``."""
    signature: Signature | None = None
    """The entry as C source has it, when it is not ``main``."""
    digest: str = ""
    """Of all that the program depends on; empty where not known."""


@dataclass(frozen=True, slots=True)
class WorkerStanding:
    """Where one of several workers stands, as of its last word."""

    name: str
    """Its number, and its machine where there are several."""
    jobs: int = 0
    """Paths that wait with it."""
    paths: int = 0
    covered: int = 0
    """Outcomes of branches that it was the first to cover."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where a run stands."""

    paths: int = 0
    merged: int = 0
    pending: int = 0
    branches_covered: int = 0
    branches_total: int = 0
    lines_covered: int = 0
    tests: int = 0
    bugs: int = 0
    instructions: int = 0
    solver_queries: int = 0
    solver_seconds: float = 0.0
    wall_seconds: float = 0.0
    seconds_left: float | None = None
    """None without a time budget."""
    workers: tuple[WorkerStanding, ...] = ()
    """Others that explore, while this process waits for them; ``pending`` are their jobs."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What is left of a run, and what was done: for whoever goes on with it another time. What that is made of is the
    business of the job."""

    opened: tuple[tuple[int, object], ...]
    closed: tuple[int, ...]
    """Jobs that are left, by number, and were not at the last checkpoint; and those that were, and are done with."""
    standing: object
    """All that was done so far."""
    knowledge: object | None = None
    """What is known; None if that is what was known at the last checkpoint."""
    is_urgent: bool = False
    """Whether the run has no time for anything else than to keep this."""


class Listener:
    """Called by jobs, from the job's own thread; each call returns quickly and may raise only UserError.

    This one listens to nothing; others override what they care about.
    """

    interval = 0.02
    """Seconds between two calls of ``progress`` if nothing is found: one for every path would cost as much as many
    paths do. With 0, there is one for every path."""
    keeps_checkpoints = False
    """Whether it is to be told what is left, now and then."""

    def compiling(self, done: int, total: int) -> None:
        """While the files of a folder or build are compiled: how many are."""

    def loaded(self, program: ProgramInfo) -> None:
        """Once, after the program is compiled and before the first path runs."""

    def progress(self, snapshot: Snapshot) -> None:
        """Whenever something is found, and now and then."""

    def so_far(self, summary: Callable[[], Summary]) -> None:
        """How to sum up, at any progress from now on, what there is so far: for who may have to finish the job."""

    def stands(self, summary: Summary) -> None:
        """The summary, once nothing is left to do but to say why some outcomes are not covered; for the same one."""

    def test_found(self, test: Test) -> None:
        """A test to keep. One that shows a bug comes with ``test.error`` set, before ``bug_found``."""

    def bug_found(self, bug: Bug) -> None:
        """A new bug, reported once."""

    def warning(self, text: str) -> None:
        """One line for the user."""

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        """The run could be left here, and be gone on with."""


class Listeners(Listener):
    """Several listeners as one, told in order. The watchdog does not cut results on their way to them."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._listeners = tuple(listeners)
        self.keeps_checkpoints = any(listener.keeps_checkpoints for listener in listeners)

    def compiling(self, done: int, total: int) -> None:
        for listener in self._listeners:
            listener.compiling(done, total)

    def loaded(self, program: ProgramInfo) -> None:
        for listener in self._listeners:
            listener.loaded(program)

    def progress(self, snapshot: Snapshot) -> None:
        for listener in self._listeners:
            listener.progress(snapshot)

    def so_far(self, summary: Callable[[], Summary]) -> None:
        for listener in self._listeners:
            listener.so_far(summary)

    def stands(self, summary: Summary) -> None:
        for listener in self._listeners:
            listener.stands(summary)

    def test_found(self, test: Test) -> None:
        with held():
            for listener in self._listeners:
                listener.test_found(test)

    def bug_found(self, bug: Bug) -> None:
        with held():
            for listener in self._listeners:
                listener.bug_found(bug)

    def warning(self, text: str) -> None:
        for listener in self._listeners:
            listener.warning(text)

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        with held():
            for listener in self._listeners:
                listener.checkpoint(checkpoint)
