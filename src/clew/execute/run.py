"""One exploration: what its states share, the siblings that wait, and who listens."""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.context import RunContext, RunOptions
from clew.execute.coverage import Coverage, Edge
from clew.execute.events import Events
from clew.execute.machine import Machine
from clew.execute.pending import Pending, Searcher, Tracker
from clew.execute.sites import CheckId
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.report.values import InputValue
from clew.solver.chain import SolverChain


class Run(RunContext):
    """One exploration, or one re-execution (``replayed`` gives its inputs)."""

    def __init__(
        self,
        machine: Machine,
        solver: SolverChain,
        searcher: Searcher,
        coverage: Coverage,
        options: RunOptions | None = None,
        events: Events | None = None,
        replayed: Sequence[InputValue] | None = None,
    ) -> None:
        super().__init__(machine, solver, coverage, options, replayed)
        self.searcher = searcher
        self.events: Events = events or Events()
        self.tracker: Tracker | None = None
        self._serial = 0

    def add_pending(
        self,
        state: State,
        constraint: Expr | bool | None,
        model: Model | None = None,
        check: CheckId | None = None,
        *,
        gave_way: bool = False,
    ) -> None:
        """Queue a sibling, unless it is of no use, or a listener objects; ``gave_way``: see ``Pending``."""
        if state.extensions and state.is_surplus:
            return
        pending = self.new_pending(state, constraint, model, check)
        pending.gave_way = gave_way
        for listener in self.events.pending_sibling:
            if not listener(pending):
                if self.tracker is not None:
                    self.tracker.refused(pending)
                return
        self.statistics.forks += 1
        self.searcher.add(pending)

    def give_up_waiting(self) -> None:
        """Let go of all siblings that wait: they are of no interest any more."""
        for waiting in self.searcher.evict(len(self.searcher)):
            waiting.release()

    def new_pending(
        self, state: State, constraint: Expr | bool | None, model: Model | None = None, check: CheckId | None = None
    ) -> Pending:
        """A sibling that is not queued yet."""
        self._serial += 1
        condition = constraint if isinstance(constraint, Expr) else None
        pending = Pending(state, condition, model, self._edge(state), self._serial, check)
        if self.tracker is not None:
            self.tracker.queued(pending)
        return pending

    @classmethod
    def _edge(cls, state: State) -> Edge | None:
        assert state.frame is not None
        return cls.edge_at(state.frame, state.frame.at)
