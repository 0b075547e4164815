"""The part of a process in an exploration: alone at first, then one of several workers, or who coordinates them.

An exploration begins in one process. If it is not over soon, and something waits, the process forks workers, each with
a part of what waits, and with all that is known so far: code, answers of the solver, what techniques have learned. From
then on it explores nothing itself, but hands jobs from workers that have many to those that have none
(``clew.parallel.coordinator``), and files what they find. A worker goes on where this process was.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from traceback import format_exc
from typing import TYPE_CHECKING

from clew.base.budget import current_memory_mb
from clew.base.watchdog import Stopped, watched
from clew.execute.engine import LEFT_WAITING
from clew.execute.pending import Pending
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.checkpoints import Checkpoints
from clew.jobs.sharing.coordination import Coordination
from clew.jobs.sharing.merging import Results
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.resumption import Resumption
from clew.jobs.sharing.worker import Worker, all_waiting, stop_by_signals
from clew.parallel.local import Channel
from clew.report.records import LoopStatement, LossKind
from clew.report.runlog import StoredLog

if TYPE_CHECKING:  # imported for a cluster only: that takes a while
    from clew.parallel.cluster import ClusterLost, ClusterWorkers

PATIENCE = 0.5
"""Seconds of the processor that one process explores for before others are forked."""
AGAIN = 0.1
"""Seconds of the processor until that is tried again, if too little waited for them."""
MANY = 64
"""What should wait, for each worker: it is divided evenly, and nobody has to follow it again."""
HOPE = 4
"""How many times ``PATIENCE`` that is hoped for."""
LEAST = 2
"""What must wait then."""
AWAITED = 30.0
"""Seconds of the processor for which techniques wait for the first worker of a cluster."""
LEAST_MB = 64.0
"""Memory that each worker must have beside what all share."""


class Sharing:
    """Of one run of ``clew test``, with up to ``jobs`` workers."""

    def __init__(
        self, ready: PreparedRun, ledger: Ledger, relay: Relay, jobs: int, earlier: StoredLog | None = None
    ) -> None:
        """``earlier``: the log of the run that is gone on with, if one is."""
        self._ready = ready
        self._ledger = ledger
        self._relay = relay
        budget = ready.budget
        self._jobs = jobs if hasattr(os, "fork") and budget.instructions is None else 1
        self._began = time.process_time()
        self._next = self._began + PATIENCE
        self._hopes_until = self._began + HOPE * PATIENCE
        self._worker: Worker | None = None
        self._cluster: ClusterWorkers | None = None
        self._is_over = False
        self.is_copy = False
        """After ``split``: whether this process is a copy, and another one has all that waits and is no job."""
        self.results: Results | None = None
        self._resumption = Resumption(earlier)
        self._resumption.restore(ready, ledger)
        self._checkpoints: Checkpoints | None = None
        if relay.keeps_checkpoints:
            self._checkpoints = Checkpoints(ready, ledger, relay, self._resumption)

    @property
    def goes_on(self) -> bool:
        """Whether exploration begins with what is left of an earlier run, or to others, not with the first state."""
        return self._resumption.goes_on or self._worker is not None

    @property
    def awaits_cluster(self) -> bool:
        """Whether workers of a cluster are soon to explore what waits: they can take what histories lead to, but not
        what a technique has put elsewhere."""
        return self._cluster is not None and time.process_time() < self._hopes_until

    def use(self, cluster: ClusterWorkers) -> None:
        """Let workers of a cluster take part, in place of processes that are forked."""
        self._cluster = cluster
        self._jobs = cluster.count

    def join(self, channel: Channel) -> None:
        """This process is a worker from the start: it explores what it is told to, and nothing before that."""
        self._worker = Worker(self._ready, self._ledger, self._relay, channel)
        self._settle_in(self._ready.budget.memory_mb)

    # What a phase asks

    @contextmanager
    def within(self) -> Iterator[None]:
        """Around exploration: a worker never leaves the block, whatever ends it."""
        try:
            yield
        except Stopped as stop:
            if self._worker is None:
                raise
            self._worker.end(stop.reason)
        except BaseException:
            if self._worker is None:
                raise
            self._worker.broken(format_exc())
        if self._worker is not None:
            self._worker.end(None)

    def is_time(self) -> bool:
        """Asked between slices of a path, and between paths: whether exploration is to be left for ``split``."""
        if self._worker is not None:
            self._worker.poll()
            return self._worker.is_to_divide
        self._note()
        alone = self._jobs == 1 and self._cluster is None
        if alone or (worked := time.process_time()) < self._next:
            return False
        self._next = worked + AGAIN
        waiting = len(self._ready.run.searcher) + len(self._resumption.left)
        if self._cluster is not None and not self._is_cluster_ready(self._cluster):
            self._hopes_until = min(worked, self._began + AWAITED) + HOPE * PATIENCE
            return False
        enough = MANY if worked < self._hopes_until else LEAST
        if self._cluster is not None:
            return waiting >= enough * len(self._cluster)
        return waiting >= enough * self._jobs and self._has_room()

    def attend(self) -> None:
        """The same, where exploration is not to be left."""
        if self._worker is not None:
            self._worker.poll()
        else:
            self._note()

    def _note(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.poll()

    def is_mine(self, number: int) -> bool:
        """Whether this process is the one of all to do something, of which there is more than one."""
        return self._worker is None or number % self._jobs == self._worker.number

    def more(self) -> bool:
        """Nothing is left to explore here: whether there is now. A worker that is not needed any more ends in this."""
        if self._is_over:
            return False
        if self._worker is None:
            return self._resumption.more(self._ready)
        self._worker.more()
        return True

    def loops(self, own: tuple[LoopStatement, ...]) -> tuple[LoopStatement, ...]:
        """What this process (``own``), workers, and those who have explored earlier, have to say about loops."""
        if self.results is None and not self._resumption.loops:
            return own
        results = self.results or Results(self._ready, self._ledger, self._relay)
        for statement in (*self._resumption.loops, *own):
            results.note_loop(statement)
        return tuple(results.loops.values())

    def end(self, loops: tuple[LoopStatement, ...]) -> None:
        """The run was stopped: tell what is left of it."""
        if self._checkpoints is not None:
            self._checkpoints.end(loops)
        run, left = self._ready.run, len(self._resumption.left)
        if left:
            run.note_loss(LossKind.UNEXPLORED, f"{LEFT_WAITING} ({self._ready.engine.stopped})", None, count=left)

    def split(self) -> bool:
        """Fork workers. In each, this gives True, to explore; here, False, when all is done; or True, if that is to be
        tried again later. A worker lets a copy of itself go on with half of what waits, and gives True in both."""
        run = self._ready.run
        if self._worker is not None:
            self.is_copy = self._worker.divide()
            if self.is_copy:
                self._settle_in(self._ready.budget.memory_mb)
            return True
        waiting = all_waiting(run)
        if any(pending.state.covered_new and pending.state.departure is not None for pending in waiting):
            for pending in waiting:  # no prefix leads to what such a state has covered: a test has to show it first
                run.searcher.add(pending.twin())
            return True
        self.results = Results(self._ready, self._ledger, self._relay)
        if self._cluster is not None:
            return self._hand_over(self._cluster, self.results, waiting)
        memory = self._share_mb()
        coordination = Coordination(self._ready, self.results, self._jobs, memory, self._checkpoints)
        channel = coordination.begin(waiting, self._resumption.left)
        self._resumption.left.clear()
        if channel is None:
            channel = coordination.run()
        if channel is None:
            self._is_over = True
            return False
        self._worker = worker = Worker(self._ready, self._ledger, self._relay, channel)
        self._settle_in(memory)
        self.is_copy = channel.number > 0
        worker.begin(coordination.part(channel.number), waiting)
        return True

    def _is_cluster_ready(self, cluster: ClusterWorkers) -> bool:
        """Whether some worker is; if there will never be any, exploration goes on without."""
        from clew.parallel.cluster import ClusterLost

        try:
            for _ in cluster.wait(0.0):
                pass  # those who come are counted
        except ClusterLost as lost:
            self._leave_cluster(lost)
        return len(cluster) > 0

    def _hand_over(self, cluster: ClusterWorkers, results: Results, waiting: Sequence[Pending]) -> bool:
        """Let the cluster explore: False when all is done. If the cluster is lost: True, with what is left to do."""
        from clew.jobs.sharing.cluster_coordination import ClusterCoordination
        from clew.parallel.cluster import ClusterLost

        coordination = ClusterCoordination(self._ready, results, cluster, self._checkpoints)
        coordination.begin(waiting, self._resumption.left)
        self._resumption.left.clear()
        try:
            coordination.run()
        except ClusterLost as lost:
            self._resumption.take_over(coordination.take_back())
            self._leave_cluster(lost)
            return True
        self._is_over = True
        return False

    def _leave_cluster(self, lost: ClusterLost) -> None:
        self._cluster, self._jobs = None, 1
        self._ready.collector.warn(f"the cluster cannot be used any more, this process explores alone: {lost}")

    def _settle_in(self, memory: float | None) -> None:
        """In a new process: signals and limits are its own."""
        budget = self._ready.budget
        stop_by_signals(budget.interrupt)
        budget.memory_mb = memory
        self._watch = watched(budget)
        self._watch.__enter__()  # until the process ends

    def _share_mb(self) -> float | None:
        """The memory limit of each worker; None for no limit."""
        limit, own = self._ready.budget.memory_mb, current_memory_mb()
        return None if limit is None else (limit - own) / self._jobs

    def _has_room(self) -> bool:
        share = self._share_mb()
        return share is None or share > current_memory_mb() + LEAST_MB
