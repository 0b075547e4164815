"""Many workers, simulated: the real coordinator, with a clock, a network and workers that are only played.

A worker has a stack of subtrees, of which only the number of paths is known; it explores the last one, and splits it
on the way down at random. It does what a real one does: a word to the coordinator now and then with what it has opened
and closed, half of its jobs if it is asked for some, the oldest ones first. The coordinator is one process: a message
waits until it is done with those before. So the same decisions are made as in a real run, for more workers than any
machine here has.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from clew.parallel.coordinator import Ask, Assign, Command, Coordinator
from clew.parallel.prefix import Prefix


@dataclass(frozen=True)
class Costs:
    """What things take, in seconds and bytes, as measured on a machine of two cores."""

    path: float = 0.005
    replay: float = 0.002
    """Following the prefix of one job, without a solver."""
    latency: float = 0.0005
    """From one machine to another."""
    message: float = 0.00005
    """The coordinator reads a message, decides and answers; without the jobs in it."""
    job: float = 0.000005
    """Each job in a message, which the coordinator does not look into."""
    job_bytes: int = 700
    look: float = 0.02
    """Between two looks of a worker for messages."""
    interval: float = 0.5
    """Between two words of a worker."""


@dataclass(frozen=True)
class Simulated:
    """What a simulation shows."""

    workers: int
    paths: int
    seconds: float
    """Until all paths were explored, on the simulated clock."""
    work: float
    """Seconds of all paths, one after the other."""
    explored: int
    messages: int
    bytes: int
    jobs: int
    """That went from one worker to another."""
    busy: float
    """Seconds that the coordinator was at work."""
    idle: float
    """Seconds that workers waited, all together."""

    @property
    def efficiency(self) -> float:
        return self.work / (self.seconds * self.workers)


@dataclass
class _Worker:
    stack: list[tuple[int, int]] = field(default_factory=list)
    """Jobs with the numbers of their paths, the oldest first."""
    told: set[int] = field(default_factory=set)
    """Jobs that the coordinator knows."""
    closed: list[int] = field(default_factory=list)
    made: int = 0
    idle_since: float | None = None
    """When it has, or will have, nothing left."""


class Simulation:
    """One exploration of a tree of so many paths by so many workers."""

    def __init__(self, paths: int, workers: int, costs: Costs | None = None, seed: int = 0) -> None:
        self._costs = costs or Costs()
        self._random = random.Random(seed)
        self._workers = [_Worker() for _ in range(workers)]
        self._coordinator = Coordinator()
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._sizes: dict[int, int] = {}
        """Of jobs that are under way, by what stands for their prefix."""
        self._now = self._free = self._ended = 0.0
        self._paths = paths
        self._explored = self._messages = self._bytes = self._ticket = 0
        self._busy = self._idle = 0.0

    def run(self) -> Simulated:
        """Until nothing is left."""
        for number, worker in enumerate(self._workers):
            if number == 0:
                worker.stack.append((self._job(worker), self._paths))
                self._do(self._coordinator.joined(0, []))
                self._at(0.0, lambda: self._explore(0))
            else:
                worker.idle_since = 0.0
                self._do(self._coordinator.joined(number, []))
        while self._events:
            self._now, _, happens = heapq.heappop(self._events)
            happens()
        for worker in self._workers:
            if worker.idle_since is not None:
                self._idle += self._ended - worker.idle_since
        costs, count = self._costs, len(self._workers)
        return Simulated(
            count, self._paths, self._ended, self._paths * costs.path, self._explored, self._messages, self._bytes,
            self._coordinator.assigned, self._busy, self._idle,
        )  # fmt: skip

    def _at(self, when: float, happens: Callable[[], None]) -> None:
        self._ticket += 1
        heapq.heappush(self._events, (when, self._ticket, happens))

    # Workers

    def _job(self, worker: _Worker) -> int:
        worker.made += 1
        return worker.made

    def _explore(self, number: int) -> None:
        """A worker goes on until its next word, or until it has nothing left."""
        worker, costs = self._workers[number], self._costs
        budget = max(1, round(costs.interval / costs.path))
        done = 0
        while worker.stack and done < budget:
            job, size = worker.stack.pop()
            if size <= budget - done:
                done += size
                if job in worker.told:
                    worker.closed.append(job)
                continue
            left = self._split(size)
            if job in worker.told:
                worker.closed.append(job)
            worker.stack += [(self._job(worker), left), (self._job(worker), size - left)]
        self._explored += done
        then = self._now + done * costs.path
        if worker.stack:
            self._at(then, lambda: self._go_on(number))
        else:
            worker.idle_since = then
            self._ended = max(self._ended, then)
            self._at(then, lambda: self._commit(number, idle=True))

    def _go_on(self, number: int) -> None:
        self._commit(number)
        self._explore(number)

    def _split(self, size: int) -> int:
        """How many paths lie behind one side of a branch: often few."""
        return min(size - 1, max(1, int(size * self._random.betavariate(0.6, 0.6))))

    def _commit(self, number: int, given: Sequence[tuple[int, int]] | None = None, idle: bool = False) -> None:
        """The worker's word is on its way."""
        worker = self._workers[number]
        opened = [(job, size) for job, size in worker.stack if job not in worker.told]
        worker.told.update(job for job, _ in opened)
        worker.told.difference_update(worker.closed)
        closed, worker.closed = worker.closed, []
        told = [(job, self._prefix(size)) for job, size in opened]
        handed = None if given is None else [self._prefix(size) for _, size in given]
        self._to_coordinator(
            len(told) + len(handed or ()),
            lambda: self._coordinator.committed(number, told, closed, handed, idle),
        )

    def _give(self, number: int, count: int) -> None:
        """The oldest jobs, which have most below them; one is kept."""
        worker = self._workers[number]
        count = max(0, min(count, len(worker.stack) - 1))
        given, worker.stack = worker.stack[:count], worker.stack[count:]
        worker.closed += [job for job, _ in given if job in worker.told]
        self._commit(number, given, idle=worker.idle_since is not None and worker.idle_since <= self._now)

    # The coordinator

    def _prefix(self, size: int) -> Prefix:
        """What stands for the prefix of a subtree."""
        self._ticket += 1
        self._sizes[self._ticket] = size
        return Prefix(b"", self._ticket, 0)

    def _to_coordinator(self, jobs: int, decide: Callable[[], list[Command]]) -> None:
        """A message arrives, waits for its turn, and is answered."""
        costs = self._costs
        self._messages += 1
        self._bytes += 100 + jobs * costs.job_bytes

        def arrives() -> None:
            commands = decide()
            answered = sum(len(c.jobs) for c in commands if isinstance(c, Assign))
            service = costs.message * (1 + len(commands)) + costs.job * (jobs + answered)
            self._free = max(self._free, self._now) + service
            self._busy += service
            self._at(self._free, lambda: self._do(commands))

        self._at(self._now + costs.latency, arrives)

    def _do(self, commands: Sequence[Command]) -> None:
        for command in commands:
            self._messages += 1
            if isinstance(command, Assign):
                self._bytes += len(command.jobs) * self._costs.job_bytes
            then = self._now + self._costs.latency
            self._at(then, partial(self._hear, command))

    def _hear(self, command: Command) -> None:
        worker = self._workers[command.worker]
        if isinstance(command, Ask):
            self._at(self._now + self._costs.look / 2, lambda: self._give(command.worker, command.count))
            return
        taken = cast(Assign, command)
        assert worker.idle_since is not None
        self._idle += self._now - worker.idle_since
        worker.idle_since = None
        for job, prefix in taken.jobs:
            worker.stack.append((job, self._sizes.pop(prefix.choices)))
            worker.told.add(job)
        self._at(self._now + self._costs.replay, lambda: self._explore(command.worker))
