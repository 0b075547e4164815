"""Keeps the nodes of the exploration tree up to date: what happens to states below a node is reported to it."""

from __future__ import annotations

from typing import Any

from clew.base.errors import PathEnd
from clew.checks.properties import trap_in
from clew.execute.coverage import Edge
from clew.execute.ends import Lost, Subsumed
from clew.execute.extensions import Extension
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.sites import CheckId
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr, as_bool
from clew.report.records import UNDEFINED, LossKind
from clew.solver.interface import Query
from clew.techniques.merging.clauses import clause
from clew.techniques.merging.exploration_tree import ExplorationNode, node_of
from clew.techniques.merging.work import FORK, NOTE, PATH, QUERY, WorkAccount


class Ending(Extension):
    """A merged path only has to come to an end, since it covered something new and inputs are to show that.

    Its siblings are of no use.
    """

    __slots__ = ("_is_surplus",)

    def __init__(self, is_surplus: bool = False) -> None:
        self._is_surplus = is_surplus

    @property
    def is_surplus(self) -> bool:
        return self._is_surplus

    @property
    def drops_siblings(self) -> bool:
        return True

    @property
    def counts(self) -> bool:
        return self._is_surplus  # others were counted when they were merged

    def for_sibling(self, state: State) -> Ending | None:
        return None if self._is_surplus else Ending(is_surplus=True)


class Account:
    """Listens to a run while it is told to. ``errors``: whether paths that would show errors count.

    ``work`` is charged for what it takes to listen; nodes get to know the work below them.
    """

    def __init__(self, run: Run, errors: bool, work: WorkAccount) -> None:
        self._run = run
        self._errors = errors
        self._work = work
        self._traps: dict[Edge, CheckId | None] = {}
        self._since: dict[int, int] = {}
        """Steps of states when they came below their nodes."""
        events = run.events
        self._listeners: tuple[tuple[list[Any], Any], ...] = (
            (events.pending_sibling, self._pending),
            (events.infeasible_sibling, self._infeasible),
            (events.implied_fact, self._implied),
            (events.path_end, self._ended),
            (events.path_filed, self._filed),
            (events.loss, self._lost),
            (events.environment_read, self._looked_up),
        )

    def listen(self) -> None:
        """From now on; before others do, so that nothing is kept from it."""
        for listeners, listener in self._listeners:
            listeners.insert(0, listener)

    def stop(self) -> None:
        """What happens from now on is not heard of."""
        for listeners, listener in self._listeners:
            listeners.remove(listener)
        self._since.clear()

    def entered(self, state: State, parent: ExplorationNode | None) -> None:
        """A state comes below a new node; what it did since it came below the last one is that one's."""
        if parent is not None:
            parent.work += state.steps - self._since.get(state.id, state.steps)
        self._since[state.id] = state.steps

    def _pending(self, pending: Pending) -> bool:
        state = pending.state
        node = node_of(state)
        if node is not None:
            self._work.charge(NOTE)
            node.work += FORK
            self._since.setdefault(state.id, state.steps)
            if node.is_closed:
                node.invalidate()  # it was not all that there is
            node.opened(state.id)
        return True

    def _infeasible(self, pending: Pending, core: Query | None) -> None:
        state = pending.state
        node = node_of(state)
        if node is None:
            return
        assert pending.constraint is not None
        self._work.charge(NOTE)
        node.work += QUERY
        check = pending.check or self._trap(pending.edge)
        if check is None or self._errors:
            node.refuted(clause(state.path, (pending.constraint,), check, core))
        node.done(state.id)

    def _implied(self, state: State, fact: Expr, check: CheckId | None, edge: Edge | None, core: Query | None) -> None:
        node = node_of(state)
        if node is None:
            return
        self._work.charge(NOTE)
        check = check or self._trap(edge)
        if check is None or self._errors:
            node.refuted(clause(state.path, (as_bool(build.lnot(fact)),), check, core or node.equations(fact)))

    def _trap(self, edge: Edge | None) -> CheckId | None:
        """The error that an edge leads to, if it is one of Clang's checks."""
        if edge is None:
            return None
        if edge not in self._traps:
            self._traps[edge] = trap_in(self._run.compiler.function(edge[0]).function, edge[2])
        return self._traps[edge]

    def _ended(self, state: State, end: PathEnd) -> None:
        if isinstance(end, Subsumed):
            self._run.statistics.paths_merged += 1

    def _filed(self, state: State, end: PathEnd) -> None:
        node = node_of(state)
        if node is None:
            return
        node.work += PATH + state.steps - self._since.pop(state.id, state.steps)
        if isinstance(end, Lost):
            node.invalidate()
        node.done(state.id)

    @staticmethod
    def _lost(state: State, kind: LossKind) -> None:
        node = node_of(state)
        if node is not None and kind not in UNDEFINED:  # what is not defined is the same for all paths
            node.invalidate()

    @staticmethod
    def _looked_up(state: State, name: str) -> None:
        node = node_of(state)
        if node is not None:
            node.lookups.add(name)
