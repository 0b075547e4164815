"""The process that coordinates workers of a cluster: they come and go, and it knows of them what they say."""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.history import PathPlace
from clew.execute.pending import Pending
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.checkpoints import Checkpoints
from clew.jobs.sharing.coordination import Coordination, Elsewhere
from clew.jobs.sharing.merging import Results, known_to
from clew.jobs.sharing.worker import drop
from clew.parallel.cluster import ClusterWorkers
from clew.parallel.coordinator import MOST_DEATHS
from clew.parallel.frontier import counts
from clew.parallel.local import Channel
from clew.parallel.messages import Begin, Broken, Commit, Joined
from clew.parallel.prefix import Prefix, prefix_of


class ClusterCoordination(Coordination):
    """Of one exploration, from when the first worker is ready to the end."""

    step = 0.2

    def __init__(
        self, ready: PreparedRun, results: Results, crew: ClusterWorkers, checkpoints: Checkpoints | None
    ) -> None:
        super().__init__(ready, results, crew.count, None, checkpoints, crew)
        self._cluster = crew

    def begin(self, waiting: Sequence[Pending], unfollowed: Sequence[Prefix]) -> None:
        """All that waits are jobs from now on, those with least of a path behind them first; so is ``unfollowed``,
        later."""
        self._coordinator.queue += [*unfollowed, *reversed(_prefixes(waiting))]
        for pending in waiting:
            drop(pending)
        self._ready.run.searcher = Elsewhere(self._coordinator)
        if self._checkpoints is not None:
            self._checkpoints.shared(self._coordinator)
        for number in range(self._jobs):
            if number in self._crew:
                self._welcome(number)

    def take_back(self) -> list[Prefix]:
        """The workers are gone, and this process explores: what they have left."""
        self._ready.run.searcher = self._searcher
        if self._checkpoints is not None:
            self._checkpoints.shared(None)
        return self._coordinator.left()

    def _hear(self, number: int, message: Commit | Broken | Joined | None) -> Channel | None:
        if isinstance(message, Joined):
            self._welcome(number)
            return None
        if isinstance(message, Commit) and message.work.statistics.paths_completed:
            self._coordinator.deaths = 0  # machines that vanish are no reason to give up, as long as others get on
        return super()._hear(number, message)

    def _welcome(self, number: int) -> None:
        if self._stopped is None and self._coordinator.deaths <= MOST_DEATHS:
            self._crew.send(number, Begin(self._budget.time_left(), known_to(self._ready.run)))
            self._do(self._coordinator.joined(number))

    def _finish(self) -> None:
        for why in self._cluster.refusals():
            self._ready.collector.warn(f"workers of the cluster took no part: {why}")
        super()._finish()

    def _replace(self, number: int) -> Channel | None:
        """Ray lets another worker take its place, which says when it is ready."""
        self._do(self._coordinator.died(number, self._crew.job_of(number)))
        return None


def _prefixes(waiting: Sequence[Pending]) -> list[Prefix]:
    """The jobs that some siblings are: those that were put elsewhere from one place are one."""
    found: list[Prefix] = []
    places: set[PathPlace] = set()
    for pending in waiting:
        departure = pending.state.departure
        if not counts(pending.state) or departure in places:
            continue
        if departure is not None:
            places.add(departure)
        found.append(prefix_of(pending))
    return found
