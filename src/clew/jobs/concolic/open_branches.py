"""Outcomes of branches that are open questions: their conditions depended on input, nothing has covered them, and the
solver has refuted none of the siblings that would take them."""

from __future__ import annotations

import sys

from clew.execute.coverage import Edge
from clew.execute.pending import Pending
from clew.solver.interface import Query
from clew.techniques.technique import CoverTask


class OpenBranches:
    """Of one run, as far as exploration has come to them."""

    def __init__(self, task: CoverTask) -> None:
        self._goals = task.goals
        self._work = task.accounts.work
        self._queued: dict[Edge, int] = {}
        """The work at which each was queued for the first time."""
        self._refuted: set[Edge] = set()
        task.run.events.pending_sibling.append(self._pending)
        task.run.events.infeasible_sibling.append(self._infeasible)

    def any(self, for_work: int) -> bool:
        """Whether one of them has been open for so many units of work."""
        before = self._work() - for_work
        left = {edge for edge, _ in self._goals.branches(sys.maxsize)}
        return any(
            queued <= before and edge in left and edge not in self._refuted for edge, queued in self._queued.items()
        )

    def _pending(self, pending: Pending) -> bool:
        edge = pending.edge
        if edge is not None and edge not in self._queued:
            self._queued[edge] = self._work()
        return True

    def _infeasible(self, pending: Pending, core: Query | None) -> None:
        if pending.edge is not None:
            self._refuted.add(pending.edge)
