"""Several runs side by side, each a supervised process of its own that leaves a folder of results.

A run is forked from this process, which has the program already. It works in turns: at the end of each it tells what
it has covered, and waits until it gets another one, or is told to end. Whatever becomes of it, its supervisor sees to
it that its time and memory are kept and that its summary is written.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew.base.budget import Interrupt, StopReason, current_memory_mb
from clew.base.dataclass import dataclass
from clew.base.options import TestRequest
from clew.base.processes import die_with_parent
from clew.cli.display import Display
from clew.cli.early_signals import SIGNALS
from clew.cli.exits import FAILURE
from clew.cli.session import Job, run_session
from clew.cli.supervision import supervised
from clew.report.journal import Journal
from clew.report.listener import Listener, Listeners, Snapshot
from clew.report.records import BranchId, Summary

_END = b"end\n"


@dataclass(frozen=True, slots=True)
class Report:
    """What a run tells at the end of a turn."""

    purpose: Hashable
    covered: frozenset[BranchId]
    """That it had not told of before."""
    seconds: float
    """That the turn took."""
    memory_mb: float
    waits: bool
    """It may have another turn."""
    ended: bool
    finishing: float = 0.0
    """Seconds that it took to write down what it has found, if that is done."""


class _Turns(Listener):
    """In the process of a run: when its turn is over, the run stands still here until it gets another one.

    Turns are seconds of the processor's: on a machine that has much to do, a turn is as much work as on any other.
    """

    def __init__(self, channel: socket.socket, interrupt: Interrupt, seconds: float) -> None:
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
        try:
            self.tell(self._summary())
            order = self._channel.recv(64)
        except OSError:
            order = _END  # nobody is there any more
        if order in (_END, b""):
            self._interrupt.request(StopReason.TIME)
        else:
            self._begin(float(order))

    def tell(self, summary: Summary, last: bool = False, finishing: float = 0.0) -> None:
        """Send a report; after the ``last`` one the run does not wait for a turn. ``finishing``: see ``Report``."""
        covered = {branch.id for branch in summary.coverage.branches if branch.covered} - self._told
        self._told |= covered
        seconds = time.process_time() - self._began
        report = {"covered": sorted(covered), "seconds": seconds, "memory_mb": current_memory_mb()}
        self._channel.sendall(json.dumps(report | {"last": last, "finishing": finishing}).encode() + b"\n")


@dataclass(slots=True)
class _Worker:
    """The other end, of a process and its reports."""

    process: int
    purpose: Hashable
    channel: socket.socket
    unread: bytes = b""

    def reports(self) -> Iterable[dict[str, Any]]:
        """Those that have come; an empty one at the end."""
        try:
            data = self.channel.recv(1 << 20)
        except OSError:
            data = b""
        *lines, self.unread = (self.unread + data).split(b"\n")
        yield from map(json.loads, lines)
        if not data:
            yield {}


class Workers:
    """The runs that are going on, by what they are for; ``len`` counts those that have a turn."""

    def __init__(self, job: Job[TestRequest]) -> None:
        self._job = job
        self._workers: dict[Hashable, _Worker] = {}
        self._busy: set[Hashable] = set()
        self._come: list[Report] = []

    def __len__(self) -> int:
        return len(self._busy)

    @property
    def any(self) -> bool:
        """Whether there is any run, with a turn or without, or something that one has told is not read yet."""
        return bool(self._workers or self._come)

    def start(self, request: TestRequest, folder: Path, purpose: Hashable, seconds: float) -> None:
        """Begin a run, with a turn of so many seconds; it leaves its results in a new folder."""
        sys.stdout.flush()
        sys.stderr.flush()
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child:
            theirs.close()
            self._workers[purpose] = _Worker(child, purpose, ours)
            self._busy.add(purpose)
            return
        code = FAILURE
        try:
            die_with_parent()
            ours.close()
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            turns = _Turns(theirs, request.interrupt, seconds)
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
            turns.tell(summary, last=True, finishing=time.monotonic() - done)
        except Exception as error:  # one run that fails is no reason for the others to end
            print(f"clew: {request.function or 'main'}: {error}", file=sys.stderr, flush=True)
            return FAILURE
        return 0

    def go_on(self, purpose: Hashable, seconds: float) -> None:
        """Give a run another turn."""
        self._order(purpose, b"%.3f\n" % seconds)

    def end(self, purpose: Hashable) -> None:
        """Tell a run that has no turn to end; it reports when it has."""
        self._order(purpose, _END)

    def _order(self, purpose: Hashable, order: bytes) -> None:
        self._busy.add(purpose)
        try:
            self._workers[purpose].channel.sendall(order)
        except OSError:
            pass  # it has just ended, which its next report will tell

    def wait(self, seconds: float) -> Report | None:
        """What a run tells that has ended, or come to the end of its turn; None if none has within the time."""
        until = time.monotonic() + seconds
        while self._workers and not self._come:
            sources = {worker.channel: worker for worker in self._workers.values()}
            ready, _, _ = select.select(list(sources), [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            for channel in ready:
                self._read(sources[channel])
        return self._come.pop(0) if self._come else None

    def _read(self, worker: _Worker) -> None:
        """Take what a run has said. One that ends says so first; its process takes a moment longer."""
        for told in worker.reports():
            ended, waits = not told, bool(told) and not told["last"]
            covered = frozenset((function, block, place) for function, block, place in told.get("covered", ()))
            seconds, memory_mb = told.get("seconds", 0.0), told.get("memory_mb", 0.0)
            report = Report(worker.purpose, covered, seconds, memory_mb, waits, ended, told.get("finishing", 0.0))
            if ended:
                worker.channel.close()
                os.waitpid(worker.process, 0)
                del self._workers[worker.purpose]
            if ended or waits:
                self._busy.discard(worker.purpose)
            self._come.append(report)

    def interrupt(self) -> None:
        """Ask all runs to end in order."""
        for purpose, worker in self._workers.items():
            try:
                os.kill(worker.process, signal.SIGINT)
            except ProcessLookupError:
                continue  # it has just ended
            if purpose not in self._busy:
                self.end(purpose)
