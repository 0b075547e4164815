"""The process that coordinates workers: it does what the coordinator decides, files results, and keeps the limits."""

from __future__ import annotations

import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

from clew.base.budget import StopReason
from clew.base.errors import InternalError
from clew.base.watchdog import held
from clew.execute.engine import LEFT_WAITING
from clew.execute.pending import NoSiblings, Pending, Searcher
from clew.execute.run import Run
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.checkpoints import Checkpoints
from clew.jobs.sharing.merging import Results
from clew.parallel.coordinator import Ask, Assign, Command, Coordinator, Replace
from clew.parallel.local import Channel, LocalWorkers
from clew.parallel.messages import Broken, Commit, Copied, Divided, End, Give, Knowledge, Take
from clew.parallel.prefix import Prefix, prefix_of
from clew.report.listener import WorkerStanding
from clew.report.records import LossKind

STEP = 0.05
"""Seconds between two looks at the limits."""
LATE = 0.6
"""Seconds that workers have to tell their last word when the time is over."""
SWELL = 1.3
"""Part of its memory limit at which a worker is ended from outside."""
MEMORY_LOOK = 0.5
MANY = 256
"""Jobs that are not handed over, but go on in a copy of the process that has them: to follow so many takes longer."""
KILLED = "paths that ended each process which explored them"
NOBODY = "paths that were left when no process could be kept at work"


class Elsewhere(NoSiblings):
    """The searcher of a process that explores nothing: what waits, waits at others."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator

    def __len__(self) -> int:
        return len(self._coordinator)


class Division:
    """What waits in a process, divided among workers that are forked from it."""

    def __init__(self, run: Run, waiting: Sequence[Pending], workers: Sequence[int], coordinator: Coordinator) -> None:
        self._run = run
        self._coordinator = coordinator
        self.waiting = list(waiting)
        self._parts: dict[int, list[tuple[Pending, int]]] = {}
        self._jobs: dict[int, list[tuple[int, Prefix]]] = {}
        for place, worker in enumerate(workers):
            part = waiting[place :: len(workers)]
            self._parts[worker] = list(zip(part, coordinator.numbers(len(part)), strict=True))
            self._jobs[worker] = [(job, prefix_of(pending)) for pending, job in self._parts[worker]]

    def part(self, worker: int) -> list[tuple[Pending, int]]:
        """What a worker begins with: what waits, and the number of each as a job."""
        return self._parts.get(worker, [])

    def joined(self, worker: int) -> list[Command]:
        """A worker was forked: it has its part, if it is the first of its number."""
        return self._coordinator.joined(worker, self._jobs.pop(worker, ()))

    def handed_over(self) -> list[Command]:
        """All workers have their parts: nothing waits here any more. The part of one that could not be forked goes to
        the others."""
        for pending in self.waiting:
            pending.release()
        self.waiting.clear()
        self._parts.clear()
        self._run.searcher = Elsewhere(self._coordinator)
        return self._coordinator.added([prefix for jobs in self._jobs.values() for _, prefix in jobs])


def note_unexplored(run: Run, coordinator: Coordinator, ended: Container[int], stopped: StopReason | None) -> None:
    """What nobody has explored; workers that told their last words (``ended``) have noted their own."""
    if coordinator.set_aside:
        run.note_loss(LossKind.UNEXPLORED, KILLED, None, count=len(coordinator.set_aside))
    left = len(coordinator.unclaimed(ended))
    if left:
        what = NOBODY if stopped is None else f"{LEFT_WAITING} ({stopped})"
        run.note_loss(LossKind.UNEXPLORED, what, None, count=left)


class Coordination:
    """Of one exploration, from the first fork to the end."""

    step = STEP

    def __init__(
        self,
        ready: PreparedRun,
        results: Results,
        jobs: int,
        memory_mb: float | None,
        checkpoints: Checkpoints | None,
        crew: Any = None,
    ) -> None:
        self._ready = ready
        self._results = results
        self._jobs = jobs
        self._memory_mb = memory_mb
        self._budget = ready.budget
        self._coordinator = Coordinator()
        self._checkpoints = checkpoints
        self._crew = LocalWorkers(jobs) if crew is None else crew
        self._searcher: Searcher = ready.run.searcher
        self._stopped: StopReason | None = None
        self._ended: set[int] = set()
        """Workers that have told their last word."""
        self._deadline = self._memory_looked = 0.0
        self.effort: dict[int, Commit] = {}
        """What each worker has counted last."""
        self._standings: dict[int, WorkerStanding] = {}
        self._leaving: dict[int, int] = {}
        """Idle workers that end, and of which workers copies are to take their places."""
        self._copies: dict[int, int] = {}
        """Copies that workers were asked for, and have not told of."""
        self._early: dict[int, list[Any]] = {}
        """What such copies have said before."""

    def begin(self, waiting: Sequence[Pending], unfollowed: Sequence[Prefix]) -> Channel | None:
        """Fork the first workers, each with a part of what waits. In a worker: its channel. ``unfollowed`` is handed
        out later."""
        workers = range(self._jobs)
        division = self._division = Division(self._ready.run, waiting, workers, self._coordinator)
        for number in workers:
            channel = self._crew.start(number)
            if channel is not None:
                return channel
            division.joined(number)
        division.handed_over()
        if self._checkpoints is not None:
            self._checkpoints.shared(self._coordinator)
        self._do(self._coordinator.added(unfollowed))
        return None

    def part(self, number: int) -> list[tuple[Pending, int]]:
        """What a worker begins with: what waits, and the number of each as a job."""
        return self._division.part(number)

    def run(self) -> Channel | None:
        """Until all is explored, or the run is stopped. In a worker that takes the place of another: its channel."""
        with held():
            while not (self._coordinator.is_done if self._stopped is None else not len(self._crew)):
                for number, message in list(self._crew.wait(self.step)):
                    channel = self._hear(number, message)
                    if channel is not None:
                        return channel
                self._keep_limits()
            self._finish()
        return None

    # Messages

    def _hear(self, number: int, message: Any) -> Channel | None:
        if isinstance(message, Broken):
            self._crew.close()
            raise InternalError(message.trace)
        if number in self._copies:
            self._early[number].append(message)
            return None
        if message is None:
            return self._gone(number)
        if isinstance(message, Divided):
            return self._divided(number, message)
        if isinstance(message, Copied):
            self._crew.copied(number, message.process)
            if self._stopped not in (None, StopReason.TIME):
                self._crew.interrupt()
            return None
        self._committed(number, message)
        return None

    def _gone(self, number: int) -> Channel | None:
        """A worker has ended, or died."""
        for copy in [copy for copy, of in self._copies.items() if of == number]:
            channel = self._told_of(copy)  # there is none
            if channel is not None:
                return channel
        if number in self._leaving:
            self._ended.discard(number)
            return self._copy(number, self._leaving.pop(number))
        if number in self._ended:
            return None
        return self._replace(number) if self._coordinator.knows(number) else self._begin_anew(number)

    def _committed(self, number: int, message: Commit) -> None:
        self.effort[number] = message
        news = self._results.add(message)
        self._note_standing(number, message, news)
        if news:
            for other in range(self._jobs):
                if other != number and other in self._crew:
                    self._crew.send(other, news)
        if message.ends:
            self._ended.add(number)
        if message.stopped is not None:
            self._stop(message.stopped)
        if self._coordinator.knows(number):
            waiting = message.waiting if self._crew.divides else 0
            self._do(
                self._coordinator.committed(
                    number, message.opened, message.closed, message.given, message.idle, waiting
                )
            )

    def _note_standing(self, number: int, message: Commit, news: Knowledge) -> None:
        """How the worker stands, for who watches."""
        last = self._standings.get(number) or WorkerStanding(self._crew.name_of(number))
        self._standings[number] = replace(
            last,
            jobs=self._coordinator.queued_by(number),
            paths=last.paths + message.work.statistics.paths_completed,
            covered=last.covered + len(news.edges),
        )
        self._ready.collector.workers = tuple(
            standing for one, standing in sorted(self._standings.items()) if one in self._crew
        )

    def _do(self, commands: Iterable[Command]) -> None:
        if self._stopped is not None:
            return
        for command in commands:
            if isinstance(command, Assign):
                self._crew.send(command.worker, Take(command.jobs))
            elif isinstance(command, Ask):
                idle = self._coordinator.dividing(command.worker) if self._is_worth_a_copy(command) else None
                if idle is None:
                    self._crew.send(command.worker, Give(command.count))
                else:
                    self._leaving[idle] = command.worker
                    self._crew.send(idle, End())

    def _replace(self, number: int) -> Channel | None:
        """A worker has died: another one takes its place, unless the end is near. In that one: its channel."""
        at = self._crew.job_of(number) if self._stopped is None else None  # who is late at the end is killed
        commands = self._coordinator.died(number, at)
        if self._stopped is not None or Replace(number) not in commands:
            self._do(commands)
            return None
        channel = self._start(number)
        if channel is None:
            self._do(commands)
            self._do(self._coordinator.joined(number))
        return channel

    def _start(self, number: int) -> Channel | None:
        """Fork a worker from this process. In it: its channel."""
        self._ready.run.searcher = self._searcher
        channel: Channel | None = self._crew.start(number)
        if channel is None:
            self._ready.run.searcher = Elsewhere(self._coordinator)
        return channel

    # Copies of workers

    def _is_worth_a_copy(self, command: Ask) -> bool:
        """Whether there is much to divide, or states that no prefix leads to."""
        departed = 2 * command.count > self._coordinator.queued_by(command.worker) + 1
        return self._crew.divides and (command.count >= MANY or departed)

    def _copy(self, number: int, of: int) -> Channel | None:
        """An idle worker has ended: ask for a copy of another one in its place. If there is none, begin one anew."""
        if self._stopped is not None:
            return None
        if of in self._crew and self._crew.divide(of, number):
            self._copies[number] = of
            self._early[number] = []
            return None
        if self._coordinator.knows(of):
            self._do(self._coordinator.divided(of, number, (), ()))
        return self._begin_anew(number)

    def _begin_anew(self, number: int) -> Channel | None:
        """There is no copy: fork a worker from this process. In it: its channel."""
        channel = self._start(number) if self._stopped is None else None
        if channel is None and number in self._crew:
            self._do(self._coordinator.joined(number))
        return channel

    def _divided(self, number: int, message: Divided) -> Channel | None:
        if self._coordinator.knows(number):
            self._do(self._coordinator.divided(number, message.number, message.moved, message.shared))
        return self._told_of(message.number)

    def _told_of(self, copy: int) -> Channel | None:
        """It is known what a copy has to do: hear what it has said by then."""
        self._copies.pop(copy, None)
        for message in self._early.pop(copy, ()):
            channel = self._hear(copy, message)
            if channel is not None:
                return channel
        return None

    # Limits

    def _keep_limits(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.poll()
        reason = self._budget.exhausted()
        if reason is not None and reason is not StopReason.MEMORY:
            self._stop(reason)
        now = time.monotonic()
        if self._memory_mb is not None and now > self._memory_looked + MEMORY_LOOK:
            self._memory_looked = now
            for number, used in self._crew.memory_mb().items():
                if used > SWELL * self._memory_mb:
                    self._crew.kill(number)
        if self._stopped is not None and now > self._deadline:
            for number in range(self._jobs):
                if number in self._crew:
                    self._crew.kill(number)

    def _stop(self, reason: StopReason) -> None:
        """The run is over before all is explored: workers tell their last words."""
        if self._stopped is None:
            self._stopped = reason
            self._deadline = time.monotonic() + LATE
            if reason is not StopReason.TIME:  # they see that themselves
                self._crew.interrupt()

    # The end

    def _finish(self) -> None:
        ready = self._ready
        if self._stopped is None:
            self._end_all()
        if self._stopped is not None:
            ready.engine.stop(self._stopped)
        note_unexplored(ready.run, self._coordinator, self._ended, self._stopped)
        ready.engine.waiting_noted = True
        self._crew.close()

    def _end_all(self) -> None:
        """Nothing is left: hear the last words of all."""
        for number in range(self._jobs):
            self._crew.send(number, End())
        until = time.monotonic() + LATE
        while len(self._crew) and time.monotonic() < until:
            for number, message in list(self._crew.wait(self.step)):
                if isinstance(message, Commit):
                    self.effort[number] = message
                    self._results.add(message)
