"""What a process has to explore, as jobs: told as what has changed since it was told last.

A job is what waits, by its serial number; or the running state; or, for all states that a technique has put elsewhere,
the place that they were at before (a negative number for each such place). A state that only shows sooner what others
come to anyway is no job, unless it has covered something that no test shows yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.execute.engine import Engine
from clew.execute.history import PathPlace, StepKind
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.parallel.prefix import Prefix, prefix_of

RUNNING = 0
"""The running state, as a job."""

PRICE = 3e-5
"""Seconds for each job that somebody is told of, at least, if there are many: few cost less."""
LEAST_LAST = 0.2
"""Seconds that it has to take, at least, to be worth it before the end."""

Jobs = list[tuple[int, Prefix]]


class Frontier:
    """Of one run: its tracker."""

    def __init__(self, engine: Engine, at_work: Callable[[int], None] = lambda job: None) -> None:
        """``at_work`` is told which of the jobs that were told last the process is at."""
        self._engine = engine
        self._at_work = at_work
        self._open: dict[int, Pending] = {}
        self._origin: dict[int, int] = {}
        """For what was queued since: the job that it comes from, among those that were told last."""
        self._told: set[int] = set()
        self._places: dict[PathPlace, int] = {}
        self._job = RUNNING
        self._said: int | None = None
        """The job of which ``at_work`` was told last."""
        engine.run.tracker = self

    def __len__(self) -> int:
        return len(self._open)

    # The tracker

    def queued(self, pending: Pending) -> None:
        self._open[pending.serial] = pending
        self._origin[pending.serial] = self._job

    def refused(self, pending: Pending) -> None:
        self._open.pop(pending.serial, None)

    def activated(self, pending: Pending) -> None:
        job = self._number(pending)
        self._open.pop(pending.serial, None)
        self.begin(job if job in self._told else self._origin.get(pending.serial, RUNNING))

    def begin(self, job: int) -> None:
        """The process is at a job from now on."""
        self._job = job
        if job != self._said:
            self._said = job
            self._at_work(job)

    # What there is

    def waiting(self) -> list[Pending]:
        """All that waits, the oldest first."""
        found: dict[int, Pending] = {}
        for serial, pending in self._open.items():
            while pending.heir is not None:
                pending = pending.heir
            if not pending.released:
                found[serial] = pending
        self._open = found
        return list(found.values())

    def is_empty(self) -> bool:
        """Whether nothing is left to explore."""
        running = self._engine.running
        if running is not None and counts(running):
            return False
        return not any(counts(pending.state) for pending in self.waiting())

    def jobs(self) -> dict[int, Pending | State]:
        """All that is left to explore, by number."""
        found: dict[int, Pending | State] = {}
        for pending in self.waiting():
            number = self._number(pending)
            if counts(pending.state) and (number not in found or pending.state.covered_new):
                found[number] = pending
        running = self._engine.running
        if running is not None and counts(running):
            found[RUNNING] = running
        return found

    def untold(self) -> int:
        """How many of those that wait were not told of."""
        return len(self._open.keys() - self._told)

    def would_take(self, seconds: float, price: float) -> bool:
        """Whether to tell what is new takes so many seconds that are left, at this price for each job: then that is to
        be done now, and the end of the run finds little to tell."""
        worth = max(seconds, LEAST_LAST) / max(price, PRICE)
        return len(self._origin) > worth and self.untold() > worth  # what was queued since is quickly counted

    def has_untold_plenty(self) -> bool:
        """Whether there is something to give away, and whoever goes by what was told last takes it that there is not:
        one job keeps its worker busy, and is not asked for."""
        return len(self._told) < 2 <= len(self._open)

    def shows_all(self) -> bool:
        """Whether tests show all that was covered here: no path that is still to end has covered something new."""
        running = self._engine.running
        if running is not None and running.covered_new:
            return False
        return not any(pending.state.covered_new for pending in self.waiting())

    def leads_to_all(self) -> bool:
        """Whether the paths that have covered something new which no test shows are where their prefixes lead."""
        running = self._engine.running
        states = [pending.state for pending in self.waiting()] + ([] if running is None else [running])
        return not any(state.covered_new and state.departure is not None for state in states)

    def part(self, waiting: Iterable[Pending], others: Iterable[Pending]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Of jobs that were told: those of some that wait, which are no jobs of the others; and those of both."""
        own, rest = (
            {self._number(one) for one in some if counts(one.state)} & self._told for some in (waiting, others)
        )
        return tuple(sorted(own - rest)), tuple(sorted(own & rest))

    def keep(self, jobs: Iterable[int], at_work: Callable[[int], None]) -> None:
        """Of the jobs that were told, these are left here; who is told at which of them the process is."""
        self._told, self._at_work, self._said = set(jobs), at_work, None

    def lose(self, jobs: Iterable[int]) -> None:
        """Somebody else has these of the jobs that were told."""
        self._told.difference_update(jobs)

    def close(self) -> list[int]:
        """Nothing is explored here any more: the jobs that were told of."""
        told, self._told = list(self._told), set()
        return told

    def changes(self) -> tuple[Jobs, list[int]]:
        """The jobs that there are now and were not told of, and those that were and are done with."""
        now = self.jobs()
        closed = [number for number in self._told if number not in now]
        fresh = [(number, self._prefix(job)) for number, job in now.items() if self._is_news(number)]
        self._told = set(now)
        self._origin.clear()
        if self._engine.running is not None:
            self.begin(RUNNING)
        return fresh, closed

    def _is_news(self, number: int) -> bool:
        return number == RUNNING or number not in self._told

    def _prefix(self, job: Pending | State) -> Prefix:
        return prefix_of(job if isinstance(job, Pending) else Pending(job, None, None, None, RUNNING))

    def _number(self, pending: Pending) -> int:
        departure = pending.state.departure
        if departure is None:
            return pending.serial
        return self._places.setdefault(departure, -1 - len(self._places))


def counts(state: State) -> bool:
    """Whether what a state leads to is to be explored: nobody else comes to it, or no test shows what it covered."""
    return state.covered_new or not state.drops_siblings


def portable(waiting: Iterable[Pending]) -> list[Pending]:
    """Those that a prefix leads to, and nobody else counts on being explored here; neighbours have most of their paths
    in common."""
    found = [pending for pending in waiting if pending.state.departure is None and not pending.state.drops_siblings]
    return sorted(found, key=turns_of)


def turns_of(pending: Pending) -> list[int]:
    """Where the path to a sibling leaves others. In this order, siblings are neighbours whose paths have most in
    common."""
    turns, step = [], pending.state.place.history
    while step is not None:
        if step.kind is StepKind.TURN:
            turns.append(step.number)
        step = step.previous
    return turns[::-1]
