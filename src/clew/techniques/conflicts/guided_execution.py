"""Execution along a given path.

States run as they always do (their model decides, siblings wait), but are led: traced code tells of every
choice, and where that is not the one wanted, the state stops and waits there. So every way out of
a choice is either a prefix with a waiting or executed state, or it is closed.

Waiting states are many and big. Those that wait longest give up their state when there are too many,
and are made again when they are wanted, by following their path once more. (Not those behind a fork
within an instruction: which of its sides comes first may differ the next time.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.analysis.callees import CalleeKind
from clew.base.budget import Budget
from clew.base.errors import InternalError
from clew.execute.codegen.plan import PointKind
from clew.execute.frame import Frame
from clew.execute.guided import GuidedExecutor
from clew.execute.pending import Pending
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.execute.state import State, forget
from clew.explain.prefix import Prefix
from clew.explain.unrolled import Edge, Status, Unrolled, UnrolledNode
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Answer, Result
from clew.techniques.conflicts.limits import USUAL
from clew.techniques.conflicts.statistics import ConflictStatistics


class Stub:
    """What is left of a waiting state: a model that leads to it, and the constraint nobody has solved."""

    __slots__ = ("constraint", "model")

    def __init__(self, model: Model, constraint: Expr | None) -> None:
        self.model = model
        self.constraint = constraint


class PrefixExecutor(GuidedExecutor):
    """Leads the states of one run along the prefixes of its unrolled program."""

    def __init__(
        self,
        run: Run,
        graph: Unrolled,
        budget: Budget,
        start: Callable[[], State],
        wanted: Callable[[int], bool],
        progress: Callable[[], None] = lambda: None,
        most_saved: int = USUAL.saved_states,
    ) -> None:
        self._most_saved = most_saved
        """Waiting states that are kept as they are."""
        self.graph = graph
        self._start = start
        self._wanted = wanted
        self.target_found: Callable[[UnrolledNode, Edge], None] = lambda node, edge: None
        self.ended: Finished | None = None
        self.root = Prefix(None, 0, graph.first)
        self.at = self.root
        self._kept: Expr | None = None
        self._saved: dict[Prefix, None] = {}
        """Prefixes with a waiting state, longest waiting first."""
        self._stubs = 0
        """Prefixes whose state is to be made again when it is wanted."""
        self._route: list[Prefix] | None = None
        """When a path is followed again: the prefixes that are still to come."""
        super().__init__(run, budget, progress)  # the run may be stopped, and ask what waits, from here on
        run.events.branch.append(self._branch)

    # Running

    def save(self, prefix: Prefix, state: Any) -> None:
        prefix.saved = state
        self._saved[prefix] = None
        if len(self._saved) > self._most_saved:
            self.evict(self._most_saved // 4)

    def advance(self, prefix: Prefix) -> Result | None:
        """Let the state that waits at a prefix go on. A result if there is no going on: UNSAT or UNKNOWN.

        Afterwards ``at`` is the prefix it has come to, and ``ended`` how its path ended, if it did.
        """
        self.ended = None
        state = self._activate(prefix)
        if isinstance(state, Result):
            return state
        self._run_from(prefix, state, prefix.items.append)
        return None

    def check(self, prefix: Prefix) -> Result | None:
        """Whether the state that waits at a prefix can go on; if not, the result that says so."""
        state = self._activate(prefix)
        if isinstance(state, Result):
            return state
        self.save(prefix, state)
        return None

    def _run_from(self, prefix: Prefix, state: State, log: Callable[[Any], None]) -> None:
        self.at, self._kept, state.log = prefix, None, log
        self.run_until_halted(state)

    def _activate(self, prefix: Prefix) -> State | Result:
        if isinstance(prefix.saved, Stub):
            self._repeat(prefix)
            self._stubs -= 1
        saved = prefix.saved
        self._saved.pop(prefix, None)
        prefix.saved = None
        if isinstance(saved, State):
            return saved
        if not isinstance(saved, Pending):
            raise InternalError("no state waits where one was wanted")
        state, constraint, model = saved.state, saved.constraint, saved.model
        if constraint is not None:
            if model is None:
                result = self.run.solver.feasible(state.path, constraint, state.model)
                if result.answer is not Answer.SAT:
                    prefix.saved = saved
                    return result
                model = result.model
            assert model is not None
            state.model = model
            state.path = state.path.add(constraint)
        saved.release()
        return state

    def _repeat(self, prefix: Prefix) -> None:
        """Follow the path to a prefix once more, from the start."""
        stub = prefix.saved
        route: list[Prefix] = []
        at: Prefix | None = prefix
        while at is not None:
            route.append(at)
            at = at.parent
        state = self._start()
        state.model = stub.model
        self._route = route[:-1]
        before = self.run.statistics.instructions
        self.run.solver.repeating = True
        try:
            self._run_from(self.root, state, forget)
        finally:
            self._route, self.run.solver.repeating = None, False
        repeated = self.run.statistics.instructions - before
        self.run.statistics.of(ConflictStatistics).instructions_repeated += repeated
        if isinstance(prefix.saved, Stub):
            raise InternalError("following a path again led elsewhere")

    # What running states tell

    def step(self, choice: Any) -> bool:
        """A state takes an edge; True stops it on the way."""
        state, here = self.running, self.at
        assert state is not None
        if here.resuming:
            here.resuming = False
            return False
        node = decision(here)
        edge = self._edge(node, choice)
        if self._route is not None:
            return self._step_again(edge, state, isinstance(choice, str))
        child = here.children.get(edge)
        if child is None:
            child = here.children[edge] = Prefix(here, edge.var, edge.target, edge)
        child.constraint, self._kept = self._kept, None
        self.at = child
        if self._wanted(edge.var) and decision(child).status is not Status.FRONTIER:
            state.log = child.items.append
            return False
        child.resuming = isinstance(choice, str)
        self.save(child, state)
        return self.halt()

    def _step_again(self, edge: Edge, state: State, is_call: bool) -> bool:
        assert self._route is not None
        following = self._route[-1]
        if following.edge is edge and len(self._route) > 1:
            self._route.pop()
            self.at = following
            return False
        if following.edge is edge:
            following.saved, following.resuming = state, is_call
        return self.halt()

    def _edge(self, node: UnrolledNode, choice: Any) -> Edge:
        if isinstance(choice, str):
            known = node.outs.get(choice)
            if known is None:
                is_function = self.run.callees.named(choice).kind is CalleeKind.FUNCTION
                known = self.graph.call(node, choice) if is_function else self.graph.skip(node, choice)
                self.target_found(node, known)
            return known
        point = self.run.compiler.function(node.scope.shape.name).plan.points[choice]
        if point.block != node.block:
            raise InternalError(f"a state chooses in {point.block} where its path is at {node}")
        return node.outs[point.target]

    def _branch(self, state: State, frame: Frame, constraint: Expr) -> None:
        """The running state takes a side."""
        self._kept = constraint

    # The searcher of the run

    def add(self, pending: Pending) -> None:
        """A sibling: the other side of a branch, or of something within an instruction."""
        here = self.at
        frame = pending.state.frame
        assert frame is not None and self.running is not None
        point = frame.function.plan.points[frame.at]
        if point.kind is PointKind.EDGE:
            edge = decision(here).outs[point.target]
            if self._route is not None:
                if self._route[-1].edge is edge and len(self._route) == 1:
                    self._route[0].saved = pending
                return
            child = here.children.get(edge)
            if child is None:
                child = here.children[edge] = Prefix(here, edge.var, edge.target, edge)
                child.constraint = pending.constraint
                self.save(child, pending)
            return
        if self._route is not None:
            raise InternalError("following a path again forks within an instruction")
        variable = self.graph.new_var()
        sibling, on = Prefix(here, variable, here.node), Prefix(here, -variable, here.node)
        sibling.split = on.split = (frame.depth, point.block, point.index)
        sibling.forked = on.forked = True
        sibling.constraint = pending.constraint
        if here.edge is not None and not here.items:
            # The fork is within the call through a pointer that has just been chosen, which will be made again.
            source = here.edge.source
            sibling.resuming = (point.block, point.index, source.open > 0) == (source.block, source.end - 1, True)
        here.splits = (sibling, on)
        self.save(sibling, pending)
        self.at = on
        self.running.log = on.items.append

    def evict(self, count: int) -> list[Pending]:
        """Waiting states go; what is needed to make them again stays."""
        for prefix in [prefix for prefix in self._saved if not prefix.forked][:count]:
            saved = prefix.saved
            if isinstance(saved, Pending):
                prefix.saved = Stub(saved.state.model, saved.constraint)
                saved.release()
            else:
                prefix.saved = Stub(saved.model, None)
            del self._saved[prefix]
            self._stubs += 1
        return []

    def __len__(self) -> int:
        """How many wait, those included whose states are to be made again."""
        return len(self._saved) + self._stubs

    def path_ended(self, path: Finished) -> None:
        self.ended = path


def decision(prefix: Prefix) -> UnrolledNode:
    """Where a prefix comes to its next choice."""
    node = prefix.node
    while len(node.outs) == 1 and not node.open:
        (edge,) = node.outs.values()
        node = edge.target
    return node
