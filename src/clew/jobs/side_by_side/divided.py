"""An arm whose paths several processes explore: who explores what, and what that amounts to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from clew.base.budget import StopReason
from clew.jobs.arms import Arm, Standing
from clew.jobs.ledger import Ledger
from clew.jobs.sharing.coordination import Division, note_unexplored
from clew.jobs.sharing.merging import Results
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.worker import all_waiting
from clew.parallel.coordinator import Assign, Command, Coordinator, Replace
from clew.parallel.messages import Commit, Give, Take

Send = Callable[[int, object], None]


class DividedArm:
    """One arm, and the numbers of its processes.

    The run is that of the process which coordinates: what workers tell is added to it, so that its losses are those of
    all of them, and its end is the end of all. It is over when nothing is left anywhere; what is lost with workers that
    die is done again from what they told last, or noted as a loss, which keeps the run from being a proof.
    """

    def __init__(self, arm: Arm[Any], seats: Sequence[int], ledger: Ledger, relay: Relay, send: Send) -> None:
        assert arm.phase.ready is not None
        self.arm = arm
        self.seats = tuple(seats)
        self._ready = arm.phase.ready
        self._send = send
        self._coordinator = Coordinator()
        self._results = Results(self._ready, ledger, relay)
        self._before = arm.standing()
        """When it was divided."""
        self._estimate = self._before.left
        self._standing: dict[int, Standing] = {}
        self._ended: set[int] = set()
        run = self._ready.run
        self.searcher = run.searcher
        """The one that workers have."""
        self.division = Division(run, all_waiting(run), self.seats, self._coordinator)
        self.is_over = False

    def joined(self, seat: int) -> None:
        """A process was forked."""
        self._do(self.division.joined(seat))

    def parted(self) -> None:
        """All processes that there will be have their parts."""
        self._do(self.division.handed_over())

    def has_work(self, seat: int) -> bool:
        """Whether a process has something to explore."""
        return self._coordinator.queued_by(seat) > 0

    @property
    def is_busy(self) -> bool:
        """Whether any process has something to explore."""
        return any(map(self.has_work, self.seats))

    # What processes tell

    def committed(self, seat: int, commit: Commit) -> None:
        """A process tells what it has done, and what that leaves to do."""
        news = self._results.add(commit)
        if news:
            for other in self.seats:
                if other != seat:
                    self._send(other, news)
        if commit.ends:
            self._ended.add(seat)
        self._do(self._coordinator.committed(seat, commit.opened, commit.closed, commit.given, commit.idle))
        if self._coordinator.is_done and not self._ended:
            self.conclude(None)

    def died(self, seat: int, job: int) -> bool:
        """A process is no more; whether another one is to take its place."""
        commands = self._coordinator.died(seat, job)
        self._standing.pop(seat, None)
        self._do(command for command in commands if not isinstance(command, Replace))
        if self._coordinator.is_done and not self._ended:
            self.conclude(None)
        return Replace(seat) in commands and not self.is_over

    def _do(self, commands: Any) -> None:
        command: Command
        for command in commands:
            if isinstance(command, Assign):
                self._send(command.worker, Take(command.jobs))
            elif not isinstance(command, Replace):
                self._send(command.worker, Give(command.count))

    # How it stands

    def stands(self, seat: int, standing: Standing) -> None:
        """A process tells how it stands."""
        self._standing[seat] = standing

    def standing(self) -> Standing:
        """Of all together."""
        known, before = self._standing, self._before
        worked = before.worked + sum(each.worked - before.worked for each in known.values())
        busy = [seat for seat in self.seats if self.has_work(seat)]
        estimates = [known[seat].estimate if seat in known else before.left / len(self.seats) for seat in busy]
        finite = [each for each in estimates if each < math.inf]
        estimate = self._estimate = sum(finite) if finite else self._estimate  # none for who has just got something
        has_end = any(each.has_end for each in known.values() or (before,))
        return Standing(
            worked,
            estimate,
            self.arm.outlook.left(worked, estimate, has_end),
            1.0,
            has_end,
            self.is_over,
            False,
            self.arm.phase.technique,
        )

    # The end

    def conclude(self, stopped: StopReason | None) -> None:
        """Nothing is left, or the run was stopped: note what was lost, and say what the run amounts to."""
        if self.is_over:
            return
        self.is_over = True
        if stopped is not None:
            self._ready.engine.stop(stopped)
        note_unexplored(self._ready.run, self._coordinator, self._ended, stopped)
        self._ready.engine.waiting_noted = True
        self._ready.engine.paused = False
        self.arm.phase.conclude()
