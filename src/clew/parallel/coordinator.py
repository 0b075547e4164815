"""Who explores what: queues of jobs, and who takes from whom. It knows neither processes nor clocks.

Whoever runs the workers tells it what happens (``committed``, ``died``), and does what it answers. It knows every job
that is left, as of the last word of each worker: what a worker has done is told together with what that leaves to do,
so a worker that dies has done nothing since its last word, and its jobs go to others. A job at which two workers have
died is set aside.

    idle worker, jobs queued        some of them are its own
    idle worker, nothing queued     those with most jobs are asked for half of them, as many as there are idle workers
    no jobs anywhere                all is explored
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import field
from heapq import nlargest

from clew.base.dataclass import dataclass
from clew.parallel.prefix import Prefix

FIRST = 1 << 40
"""Numbers of jobs begin here that are assigned."""
BATCH = 64
"""Jobs that a worker gets at once, at most, unless there are many for each."""
ROUNDS = 4
"""In how many such portions those are handed out: what is got at once is followed together."""
MOST_GIVEN = 2048
"""Jobs that a worker is asked for, at most."""
DEATHS = 2
"""Workers that may die at a job before it is set aside."""
MOST_WARY = 6
"""Twice as many words of a worker pass after each time that it could not be divided, up to so many times."""
MOST_DEATHS = 50
"""Workers that may die before none takes their place any more."""


@dataclass(frozen=True, slots=True)
class Assign:
    """The worker gets these jobs, by number."""

    worker: int
    jobs: tuple[tuple[int, Prefix], ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """The worker is asked for so many of its jobs."""

    worker: int
    count: int


@dataclass(frozen=True, slots=True)
class Replace:
    """The worker has died: another one is to take its number."""

    worker: int


Command = Assign | Ask | Replace


@dataclass(slots=True)
class _Worker:
    jobs: dict[int, Prefix] = field(default_factory=dict)
    asked: bool = False
    """Whether it was asked for jobs, and has not answered."""
    refused: int = 0
    """Its size when it had nothing to give; it is asked again when that has changed."""
    waiting: int = 0
    """States that wait there, if these can be divided whatever jobs they are."""
    dividing: bool = False
    """Whether it was asked for a copy of itself, which takes the place of one that was idle."""
    failures: int = 0
    wary: int = 0
    """Times in a row that there was no copy; and words of the worker until it is asked again because of that."""

    @property
    def size(self) -> int:
        return max(len(self.jobs), self.waiting)


class Coordinator:
    """Of one exploration."""

    def __init__(self, first_number: int = FIRST) -> None:
        """``first_number``: of jobs that are assigned; workers have smaller ones for those that they make."""
        self.queue: list[Prefix] = []
        """Jobs that nobody has, the next one last."""
        self.set_aside: list[Prefix] = []
        """Jobs at which workers have died."""
        self.deaths = 0
        self._deaths: dict[tuple[int, ...], int] = {}
        """Of workers, by the place of the job that they were at."""
        self._workers: dict[int, _Worker] = {}
        self._idle: dict[int, None] = {}
        """Workers that have nothing to do, those that have waited longest first."""
        self._asks = 0
        """Workers that were asked for jobs, and have not answered."""
        self._next = first_number
        self.assigned = 0
        self.asked = 0
        """Jobs that were handed out, and times that a worker was asked for some."""

    # What happens

    def numbers(self, count: int) -> range:
        """Numbers for so many jobs that somebody else hands out."""
        self._next += count
        return range(self._next - count, self._next)

    def joined(self, worker: int, jobs: Iterable[tuple[int, Prefix]] = ()) -> list[Command]:
        """A worker is there, with jobs (by such numbers), or with none."""
        known = dict(jobs)
        self._workers[worker] = _Worker(known)
        self._note_idle(worker, not known)
        return self._serve()

    def added(self, jobs: Sequence[Prefix]) -> list[Command]:
        """There are jobs that nobody has, the next one last."""
        self.queue += jobs
        return self._serve()

    def committed(
        self,
        worker: int,
        opened: Iterable[tuple[int, Prefix]],
        closed: Iterable[int],
        given: Sequence[Prefix] | None = None,
        idle: bool = False,
        waiting: int = 0,
    ) -> list[Command]:
        """A worker tells what is left of its jobs; ``given`` is what it hands back, if it was asked for jobs;
        ``waiting`` are states that could be divided."""
        known = self._workers[worker]
        for number in closed:
            known.jobs.pop(number, None)
        known.jobs.update(opened)
        known.waiting, known.wary = waiting, max(0, known.wary - 1)
        self._note_idle(worker, idle and not known.jobs)
        if given is not None:
            self._answered(known)
            known.refused = 0 if given else known.size
            self.queue += reversed(given)
        return self._serve()

    def dividing(self, worker: int) -> int | None:
        """A worker that was asked for jobs is to be divided instead: the idle one that its copy takes the place of, and
        which is none from now on. None if there is no such one: all are still to answer."""
        idle = next((number for number in self._idle if not self._workers[number].asked), None)
        if idle is not None:
            self._workers[worker].dividing = True
            self._asks -= 1
            self._note_idle(idle, False)
            del self._workers[idle]
        return idle

    def divided(self, worker: int, copy: int, moved: Iterable[int], shared: Iterable[int]) -> list[Command]:
        """The copy of a worker has these of its jobs, or a part of them; if none, there is no copy."""
        known = self._workers[worker]
        self._answered(known)
        jobs = {number: known.jobs.pop(number) for number in moved if number in known.jobs}
        jobs |= {number: known.jobs[number] for number in shared if number in known.jobs}
        known.refused = 0 if jobs else known.size
        known.failures = 0 if jobs else min(MOST_WARY, known.failures + 1)
        known.wary = (1 << known.failures) - 1
        if jobs:
            known.waiting //= 2
            self._workers[copy] = _Worker(jobs, waiting=known.waiting)
        return self._serve()

    def died(self, worker: int, at: int | None = None) -> list[Command]:
        """A worker is no more, which was at one of its jobs: all of them are to be done by others."""
        gone = self._workers.pop(worker)
        self._note_idle(worker, False)
        self._answered(gone)
        self.deaths += 1
        if at is not None and at in gone.jobs:
            place = gone.jobs[at].place
            self._deaths[place] = self._deaths.get(place, 0) + 1
            if self._deaths[place] >= DEATHS:
                self.set_aside.append(gone.jobs.pop(at))
        self.queue += gone.jobs.values()
        replaced: list[Command] = [Replace(worker)] if self.deaths <= MOST_DEATHS else []
        return replaced + self._serve()

    # What there is

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to explore, or nobody to do it."""
        if not self._workers and self.deaths > MOST_DEATHS:
            return True
        return not self.queue and len(self._idle) == len(self._workers)

    def left(self) -> list[Prefix]:
        """All that is left to explore, without what was set aside."""
        return self.queue + [prefix for worker in self._workers.values() for prefix in worker.jobs.values()]

    def __len__(self) -> int:
        """How many jobs are left."""
        return len(self.queue) + sum(len(worker.jobs) for worker in self._workers.values())

    def unclaimed(self, ended: Container[int]) -> list[Prefix]:
        """What is left but for the jobs of some workers."""
        others = [worker for number, worker in self._workers.items() if number not in ended]
        return self.queue + [prefix for worker in others for prefix in worker.jobs.values()]

    def knows(self, worker: int) -> bool:
        """Whether a worker takes part."""
        return worker in self._workers

    def queued_by(self, worker: int) -> int:
        """How many jobs a worker has."""
        known = self._workers.get(worker)
        return 0 if known is None else len(known.jobs)

    # Who gets what

    def _note_idle(self, worker: int, idle: bool) -> None:
        if not idle:
            self._idle.pop(worker, None)
        else:
            self._idle.setdefault(worker)

    def _answered(self, worker: _Worker) -> None:
        if worker.asked:
            self._asks -= not worker.dividing
            worker.asked = worker.dividing = False

    def _serve(self) -> list[Command]:
        """Queued jobs go to those who wait; for each of the others, one more worker is asked for some of its own."""
        commands: list[Command] = []
        while self._idle and self.queue:
            commands.append(self._assign(next(iter(self._idle)), len(self._idle)))
        if len(self._idle) > self._asks:
            commands += self._ask(len(self._idle) - self._asks)
        return commands

    def _assign(self, number: int, among: int) -> Assign:
        worker = self._workers[number]
        portion = max(BATCH, len(self.queue) // (ROUNDS * len(self._workers)))
        count = max(1, min(portion, len(self.queue) // among))
        for _ in range(count):
            worker.jobs[self._next] = self.queue.pop()
            self._next += 1
        self._note_idle(number, False)
        worker.refused = 0
        self.assigned += count
        return Assign(number, tuple(worker.jobs.items()))

    def _ask(self, count: int) -> Iterator[Command]:
        """Ask those with most jobs for half of them, unless that was done, or they had none to give just now."""
        able = (
            item
            for item in self._workers.items()
            if item[1].size > 1 and item[1].size != item[1].refused and not item[1].asked and not item[1].wary
        )
        for number, worker in nlargest(count, able, key=lambda item: item[1].size):
            worker.asked = True
            self._asks += 1
            self.asked += 1
            yield Ask(number, min(MOST_GIVEN, worker.size // 2))
