"""Several runs side by side, each a supervised process of its own that leaves a folder of results.

A run is forked from this process, which has the program already. It works in turns: at the end of each it tells what
it has covered, and waits until it gets another one, or is told to end. Whatever becomes of it, its supervisor sees to
it that its time and memory are kept and that its summary is written.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from clew.base.budget import Interrupt, StopReason, current_memory_mb
from clew.base.dataclass import dataclass
from clew.base.options import TestRequest
from clew.cli.display import Display
from clew.cli.early_signals import SIGNALS
from clew.cli.exits import FAILURE
from clew.cli.session import Job, run_session
from clew.cli.supervision import supervised
from clew.parallel.local import Channel, LocalWorkers
from clew.parallel.messages import End
from clew.report.journal import Journal
from clew.report.listener import Listener, Listeners, Snapshot
from clew.report.records import BranchId, Summary

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Report:
    """What a run tells at the end of a turn."""

    covered: frozenset[BranchId] = frozenset()
    """That it had not told of before."""
    seconds: float = 0.0
    """That the turn took."""
    memory_mb: float = 0.0
    waits: bool = False
    """It may have another turn."""
    ended: bool = False
    finishing: float = 0.0
    """Seconds that it took to write down what it has found, if that is done."""


class _Turns(Listener):
    """In the process of a run: when its turn is over, the run stands still here until it gets another one.

    Turns are seconds of the processor's: on a machine that has much to do, a turn is as much work as on any other.
    """

    def __init__(self, channel: Channel, interrupt: Interrupt, seconds: float) -> None:
        self._channel = channel
        self._interrupt = interrupt
        self._summary: Callable[[], Summary] | None = None
        self._told: set[BranchId] = set()
        self._begin(seconds)

    def _begin(self, seconds: float) -> None:
        self._began = time.process_time()
        self._until = self._began + seconds

    def so_far(self, summary: Callable[[], Summary]) -> None:
        self._summary = summary

    def progress(self, snapshot: Snapshot) -> None:
        if self._summary is None or time.process_time() < self._until or self._interrupt.requested:
            return
        self.tell(self._summary(), waits=True)
        order = self._channel.receive(None)
        if isinstance(order, End):
            self._interrupt.request(StopReason.TIME)
        else:
            self._begin(order)

    def tell(self, summary: Summary, waits: bool = False, finishing: float = 0.0) -> None:
        """Send a report, which says whether the run waits for another turn. ``finishing``: see ``Report``."""
        covered = {branch.id for branch in summary.coverage.branches if branch.covered} - self._told
        self._told |= covered
        seconds = time.process_time() - self._began
        self._channel.send(Report(frozenset(covered), seconds, current_memory_mb(), waits, finishing=finishing))


class Workers(Generic[P]):
    """The runs that are going on, by what they are for; ``len`` counts those that have a turn."""

    def __init__(self, job: Job[TestRequest], purposes: Sequence[P]) -> None:
        self._job = job
        self._purposes = tuple(purposes)
        self._numbers = {purpose: number for number, purpose in enumerate(purposes)}
        self._crew = LocalWorkers(len(self._purposes), divides=False)
        self._busy: set[int] = set()
        self._come: list[tuple[int, Report]] = []

    def __len__(self) -> int:
        return len(self._busy)

    @property
    def any(self) -> bool:
        """Whether there is any run, with a turn or without, or something that one has told is not read yet."""
        return bool(len(self._crew) or self._come)

    def start(self, request: TestRequest, folder: Path, purpose: P, seconds: float) -> None:
        """Begin a run, with a turn of so many seconds; it leaves its results in a new folder."""
        number = self._numbers[purpose]
        channel = self._crew.start(number)
        if channel is None:
            self._busy.add(number)
            return
        code = FAILURE
        try:
            for signal_number in SIGNALS:
                signal.signal(signal_number, signal.SIG_DFL)
            turns = _Turns(channel, request.interrupt, seconds)
            code = supervised(lambda journal: self._session(request, folder, journal, turns))
        finally:
            os._exit(code)

    def _session(self, request: TestRequest, folder: Path, journal: Journal | None, turns: _Turns) -> int:
        done = time.monotonic()
        asked = replace(request, began=done)

        def job(request: TestRequest, listener: Listener) -> Summary:
            nonlocal done
            try:
                return self._job(request, Listeners([listener, turns]))
            finally:
                done = time.monotonic()

        try:
            summary = run_session(job, asked, folder, Display(quiet=True), "test", journal)
            turns.tell(summary, finishing=time.monotonic() - done)
        except Exception as error:  # one run that fails is no reason for the others to end
            print(f"clew: {request.function or 'main'}: {error}", file=sys.stderr, flush=True)
            return FAILURE
        return 0

    def go_on(self, purpose: P, seconds: float) -> None:
        """Give a run another turn."""
        self._order(self._numbers[purpose], seconds)

    def end(self, purpose: P) -> None:
        """Tell a run that has no turn to end; it reports when it has."""
        self._order(self._numbers[purpose], End())

    def _order(self, number: int, order: float | End) -> None:
        self._busy.add(number)
        self._crew.send(number, order)

    def wait(self, seconds: float) -> tuple[P, Report] | None:
        """A run that has ended, or come to the end of its turn, and what it tells; None if none has within the time."""
        if not self._come and len(self._crew):
            self._come += [(number, told or Report(ended=True)) for number, told in self._crew.wait(seconds)]
        if not self._come:
            return None
        number, report = self._come.pop(0)
        if report.ended or report.waits:
            self._busy.discard(number)
        return self._purposes[number], report

    def interrupt(self) -> None:
        """Ask all runs to end in order."""
        self._crew.interrupt()
        for number in range(len(self._purposes)):
            if number in self._crew and number not in self._busy:
                self._order(number, End())
