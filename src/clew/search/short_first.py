"""Short paths first: what lies behind iterations that were skipped waits for outcomes that no path has taken yet.

A path that skips iterations may be long to run again, and questions about what loops compute are hard. What is near and
new is had before that, whichever strategy is in charge, and at next to no cost.
"""

from __future__ import annotations

from clew.execute.coverage import Coverage
from clew.execute.pending import Pending, Searcher

PATIENCE = 64
"""Selections for which long paths wait, at most: what is new may be infeasible, or not be chosen."""


class ShortFirst:
    """Around another strategy, which says in which order the others come.

    It gets siblings on long paths when no other one waits whose edge was never taken, or has not been chosen for long.
    """

    def __init__(self, strategy: Searcher, coverage: Coverage) -> None:
        self._strategy = strategy
        self._coverage = coverage
        self._new: list[Pending] = []
        """Siblings on short paths whose edges had never been taken when they came."""
        self._long: list[Pending] = []
        """Those that wait here."""
        self._waited = 0
        """Selections since there were any."""

    def add(self, pending: Pending) -> None:
        if pending.state.is_long:
            self._long.append(pending)
            return
        if pending.edge is not None and pending.edge not in self._coverage.edges:
            self._is_new_left()
            self._new.append(pending)
        self._strategy.add(pending)

    def select(self) -> Pending | None:
        if self._long:
            self._waited += 1
            if self._waited > PATIENCE or not self._is_new_left():
                self._admit()
        pending = self._strategy.select()
        if pending is None and self._long:
            self._admit()
            pending = self._strategy.select()
        return pending

    def _is_new_left(self) -> bool:
        """Whether a sibling waits whose edge was never taken."""
        new = self._new
        while new and (new[-1].taken or new[-1].edge in self._coverage.edges):
            new.pop()
        return bool(new)

    def _admit(self) -> None:
        """Let long paths take part."""
        admitted, self._long, self._waited = self._long, [], 0
        for pending in admitted:
            if not pending.taken:
                self._strategy.add(pending)

    def evict(self, count: int) -> list[Pending]:
        self._new = [pending for pending in self._new if not pending.taken]
        waiting = [pending for pending in self._long if not pending.taken]
        kept = max(len(waiting) - count, 0)
        self._long, victims = waiting[:kept], waiting[kept:]
        for victim in victims:
            victim.taken = True
        return victims + self._strategy.evict(count - len(victims))

    def __len__(self) -> int:
        return len(self._strategy) + sum(not pending.taken for pending in self._long)
