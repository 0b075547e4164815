"""The process of an arm: it works when it is given a turn, and tells what it has found out."""

from __future__ import annotations

import os
import time
from traceback import format_exception
from typing import Any, NoReturn

from clew.base.budget import StopReason
from clew.base.errors import UserError
from clew.base.watchdog import Stopped, held, is_held, watched
from clew.jobs.arms import Arm
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.run_record import RunRecord, coverage_of, record_of
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.worker import stop_by_signals
from clew.jobs.side_by_side.divided import DividedArm
from clew.jobs.side_by_side.exchange import Diary
from clew.jobs.side_by_side.messages import Clauses, Failure, News, Stop, Told, Turn
from clew.jobs.side_by_side.path_worker import Mailbox, PathWorker
from clew.parallel.local import Channel
from clew.parallel.messages import End, Give, Knowledge, Take
from clew.report.records import Coverage
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats

LOOK = 0.02
"""Seconds between two looks for messages, while the arm works."""


class Member:
    """This process, as that of one arm."""

    def __init__(self, arm: Arm[Any], ledger: Ledger, relay: Relay, channel: Channel) -> None:
        self._arm = arm
        self._ledger = ledger
        self._channel = channel
        self._diary = Diary(ledger, relay)
        self._others = set(ledger.runs) - {arm.phase.ready}
        self._helped = ledger.assistance()
        self._covered: dict[PreparedRun, tuple[int, Coverage]] = {}
        self._looked = 0.0
        self._mailbox = Mailbox(channel, self)
        self._paths: PathWorker | None = None
        arm.attend = self._attend

    def _explore(self, divided: DividedArm) -> None:
        ready = self._arm.phase.ready
        ready.run.searcher = divided.searcher
        self._others.add(ready)  # what it amounts to is not told by one process alone
        self._paths = PathWorker(ready, self._ledger, self._arm, self._mailbox, self)
        self._paths.begin(divided.division.part(self._channel.number), divided.division.waiting)
        self._arm.is_whole = True
        self._arm.phase.paths.join(self._paths)

    def serve(self, divided: DividedArm | None) -> NoReturn:
        """Take turns until all is over; this process never does anything else, whatever ends it.

        ``divided``: explore a part of the paths of the arm, and no more.
        """
        try:
            stop_by_signals(self._ledger.budget.interrupt)
            if divided is not None:
                self._explore(divided)
            with watched(self._ledger.budget):
                while True:
                    self._take_turn(self._wait())
        except BaseException as problem:  # death is what a lack of memory, or something unheard of, is told as
            if isinstance(problem, Exception) and not isinstance(problem, MemoryError):
                self.tell(paused=True, failure=_failure(problem))
        finally:
            os._exit(1)

    def _wait(self) -> Turn:
        """The next turn; what is heard meanwhile is learned."""
        with held():
            while not isinstance(message := self._channel.receive(None), Turn):
                self._hear(message)
                if self._paths is not None:
                    self._paths.read()
        return message

    # Messages

    def _attend(self) -> None:
        """Between two pieces of work: hear what there is, and tell what cannot wait."""
        now = time.monotonic()
        if now < self._looked + LOOK or is_held():
            return
        self._looked = now
        self.look()
        self._teach()
        if self._diary.has_news():
            self.tell()

    def _teach(self) -> None:
        """Send what this search has learned to others like it."""
        exchange = self._arm.exchange
        clauses = () if exchange is None else exchange.taken()
        if clauses:
            self._channel.send(Clauses(clauses))

    def look(self, seconds: float = 0.0) -> None:
        while (message := self._channel.receive(seconds)) is not None:
            self._hear(message)
            seconds = 0.0

    def tell_news(self) -> None:
        if self._diary.has_more():
            self.tell()

    def _hear(self, message: Any) -> None:
        match message:
            case News():
                self._diary.learn(message)
            case Clauses(clauses=clauses) if self._arm.exchange is not None:
                self._arm.exchange.arrive(clauses)
            case Take() | Give() | Knowledge():
                self._mailbox.letters.append(message)
            case Stop(reason=reason):
                self._ledger.budget.interrupt.request(reason)
            case End():
                self.tell(paused=True)
                os._exit(0)

    def _take_turn(self, turn: Turn) -> None:
        """What the watchdog cuts off is over."""
        self._arm.budget.memory_mb = self._ledger.budget.memory_mb = turn.memory_mb
        stopped: StopReason | None = None
        try:
            self._arm.take_turn(turn.seconds)
        except Stopped as stop:
            stopped = stop.reason
        self.tell(paused=True, stopped=stopped)

    def tell(self, paused: bool = False, stopped: StopReason | None = None, failure: Failure | None = None) -> None:
        ledger, arm = self._ledger, self._arm
        runs = {place: ready for place, ready in enumerate(ledger.runs) if ready not in self._others}
        own = arm.phase.ready
        with held():
            told = Told(
                arm.standing(),
                self._diary.news(),
                {place: self._record(ready) for place, ready in runs.items()},
                next((place for place, ready in runs.items() if ready is own), None),
                self._help(),
                paused,
                stopped,
                failure,
            )
            self._channel.send(told)

    def _help(self) -> tuple[RunStatistics, SolverStats]:
        """What runs have done that help; where paths are divided, that is told with these."""
        if self._paths is not None:
            return RunStatistics(), SolverStats()
        statistics, solver = self._ledger.assistance()
        return statistics.since(self._helped[0]), solver.since(self._helped[1])

    def _record(self, ready: PreparedRun) -> tuple[RunRecord, Coverage]:
        version, known = ready.run.coverage.version, self._covered.get(ready)
        if known is None or known[0] != version:
            known = self._covered[ready] = (version, coverage_of(ready))
        return record_of(ready), known[1]


def _failure(problem: Exception) -> Failure:
    if isinstance(problem, UserError):
        return Failure(str(problem), "", True)
    return Failure(f"{type(problem).__name__}: {problem}", "".join(format_exception(problem)), False)
