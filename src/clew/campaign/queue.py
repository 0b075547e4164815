"""What runs next. Knows nothing of clocks, processes or machines: whoever asks says how much time is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.campaign.listing import Run
from clew.campaign.results import Outcome


@dataclass(slots=True)
class Queue:
    """The runs that wait, those that are going on, and what came of the others.

    Every run is, at any moment, in exactly one of these. A run that was lost (its process died, or its machine) goes
    back, behind those that wait, until it has been tried ``retries`` times more.
    """

    waiting: list[Run]
    running: dict[str, Run] = field(default_factory=dict)
    ended: dict[str, Outcome] = field(default_factory=dict)
    _tries: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Iterable[Run], known: Iterable[Outcome] = ()) -> Queue:
        """A queue of all runs but those whose outcome is known."""
        queue = cls([], ended={outcome.run.name: outcome for outcome in known})
        queue.waiting = [run for run in runs if run.name not in queue.ended]
        return queue

    @property
    def is_done(self) -> bool:
        return not self.waiting and not self.running

    def next(self) -> Run | None:
        """Take the next run, which is going on from now; None if none waits."""
        if not self.waiting:
            return None
        run = self.waiting.pop(0)
        self.running[run.name] = run
        self._tries[run.name] = self._tries.get(run.name, 0) + 1
        return run

    def end(self, outcome: Outcome) -> bool:
        """A run has ended. Tells whether that is final; a lost run may be tried again."""
        run = self.running.pop(outcome.run.name)
        if outcome.is_lost and self._tries[run.name] <= run.retries:
            self.waiting.append(run)
            return False
        self.ended[run.name] = outcome
        return True

    def close(self) -> list[Run]:
        """Nothing is begun from now on; those that waited."""
        left, self.waiting = self.waiting, []
        return left
