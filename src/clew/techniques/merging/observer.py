"""Cuts paths where they meet others that have shown all that can be shown from there.

At a place where paths meet, a state is compared with those that were there before it, with the same calls to return
from. If one of them is done with, the state is an instance of it, and each of its clauses contradicts the state's path,
then nothing new can happen: the path is merged. Otherwise it goes on with those inputs only that are not covered yet,
and gets a node of its own. Values in which it differs from an earlier state become symbols, if inputs may have made the
difference: what is found out then is about all such values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.base.errors import PathEnd
from clew.checks.properties import trap_in
from clew.execute.coverage import Edge
from clew.execute.ends import Lost, Merged, Moved
from clew.execute.frame import Frame
from clew.execute.instrument.merge_points import Switch
from clew.execute.observers import MergePoint, Observer
from clew.execute.pending import CheckId, Pending
from clew.execute.run import Run
from clew.execute.state import Role, State
from clew.expr import build
from clew.expr.node import Expr, as_bool
from clew.models.registry import effect_of
from clew.program import instructions as ir
from clew.solver.interface import Query
from clew.techniques.merging.clauses import clause
from clew.techniques.merging.exploration_tree import ExplorationNode
from clew.techniques.merging.instance_matching import Match, match
from clew.techniques.merging.lifting import Lifting
from clew.techniques.merging.merge_points import MergePoints
from clew.techniques.merging.snapshot import Holder, InRegister, ResumePoint, Snapshot, spots
from clew.techniques.merging.subsumption import Implication

MOST_FORMULAS = 6
"""Of one place with the same way back; those that never helped go first."""
MOST_KEPT = 4000
"""Of all places."""
PATIENCE = 24
"""Visits of a place without a merge, before it is not looked at any more."""
DEEPEST = 80
"""Frames beyond which nothing is merged."""
MOST_IDLE = 4
"""Places that a path visits without deciding anything in between, before it must decide something."""
MOST_LIFTED = 12
"""Holders of one place that are replaced by symbols."""
SAVED = 4
"""Questions to the solver that a merged path saves, at least."""
TRIES = 4
"""Nodes of one place with such symbols, before one of them has to be of use."""


class MergePointRecord:
    """What is known of a place with a certain way back."""

    __slots__ = ("differing", "formulas", "is_new", "tries")

    def __init__(self) -> None:
        self.is_new = True
        self.tries = TRIES
        self.formulas: list[ExplorationNode] = []
        self.differing: dict[Holder, None] = {}
        """What states here differ in, and what is therefore replaced by symbols."""


class Merging(Observer):
    """The observer. ``attach`` it to the run before the first state starts.

    ``goal``: ``branch``, ``error`` or ``context``: what cut paths must not be able to show.
    """

    def __init__(self, goal: str) -> None:
        self.switch = Switch()
        self._errors = goal != "branch"
        self._contexts = goal == "context"

    def attach(self, run: Run, points: MergePoints) -> None:
        """``points``: what is known of the program that is run."""
        self._run = run
        self._points = points
        points.attach(run.globals.addresses)
        self._places: dict[tuple[ResumePoint, ...], MergePointRecord] = {}
        self._failures: dict[ResumePoint, int] = {}
        self._kept = 0
        self._lifting = Lifting()
        self._implication = Implication(run, self.switch)
        self._traps: dict[Edge, CheckId | None] = {}

    # The account

    def pending(self, pending: Pending) -> bool:
        node = pending.state.node
        if isinstance(node, ExplorationNode):
            if node.is_closed:
                node.spoil()  # it was not all that there is
            node.opened(pending.state.id)
        return True

    def infeasible(self, pending: Pending, core: Query | None) -> None:
        state = pending.state
        node = state.node
        if not isinstance(node, ExplorationNode):
            return
        assert pending.constraint is not None
        check = pending.check or self._trap(pending.edge)
        if check is None or self._errors:
            node.refuted(clause(state.path, (pending.constraint,), check, core))
        node.done(state.id)

    def relied(self, state: State, fact: Expr, check: CheckId | None, edge: Edge | None, core: Query | None) -> None:
        node = state.node
        check = check or self._trap(edge)
        if isinstance(node, ExplorationNode) and (check is None or self._errors):
            node.refuted(clause(state.path, (as_bool(build.lnot(fact)),), check, core or node.equations(fact)))

    def _trap(self, edge: Edge | None) -> CheckId | None:
        """The error that an edge leads to, if it is one of Clang's checks."""
        if edge is None:
            return None
        if edge not in self._traps:
            self._traps[edge] = trap_in(self._run.compiler.function(edge[0]).function, edge[2])
        return self._traps[edge]

    def path_filed(self, state: State, end: PathEnd) -> None:
        node = state.node
        if not isinstance(node, ExplorationNode):
            return
        if isinstance(end, Lost):
            node.spoil()
        node.done(state.id)

    # Meetings

    def merge_point(self, arrival: MergePoint) -> None:
        state, frame = arrival.state, arrival.frame
        if not self.switch.on:
            self._lower(arrival)
            return
        here = (frame.function.name, arrival.point)
        failures = self._failures.get(here, 0)
        if failures > PATIENCE or frame.depth > DEEPEST or state.role is not Role.EXPLORING or state.pinned:
            return
        if isinstance(state.node, ExplorationNode) and _was_here(state, state.node, here):
            return
        place = self._places.setdefault(spots(frame, arrival.point), MergePointRecord())
        now = Snapshot(frame, arrival.live, state.memory, state.environment, self._points.is_contained)
        known = self._known(state, place, now)
        if isinstance(known, ExplorationNode):
            self._failures[here] = 0
            self._hit(state, place, known)
            self._merge(state)
            return
        self._failures[here] = failures + bool(place.formulas)
        self._note(place, known, arrival)
        made = self._lift(place, now, arrival)
        if made:
            assert state.frame is not None
            self._enter(state, place, state.frame, here, state.frame.live).define(made)
            raise Moved
        self._enter(state, place, frame, here, arrival.live)

    def _known(self, state: State, place: MergePointRecord, now: Snapshot) -> ExplorationNode | Match | None:
        """The node that has shown all that the state can show; else the closest of those that differ from it."""
        best: Match | None = None
        asked = self._implication
        for formula in place.formulas:
            if formula.spoilt:
                continue
            found = match(formula.snapshot, now, formula.lookups, self._run.undefined)
            if found.is_instance:
                covers = asked.is_same_context if self._contexts else asked.covers
                if covers(state, formula, found):
                    return formula
            elif not found.hopeless and (best is None or len(found.differing) < len(best.differing)):
                best = found
        return best

    def library_call(self, arrival: MergePoint, name: str) -> None:
        if not effect_of(name).exact:
            self._lower(arrival)

    def _lower(self, arrival: MergePoint) -> None:
        """Go on with numbers instead of symbols for them: nothing is concluded from what is explored then."""
        state, node = arrival.state, arrival.state.node
        if not isinstance(node, ExplorationNode) or not node.fixed:
            return
        now = Snapshot(arrival.frame, arrival.live, state.memory, state.environment, self._points.is_contained)
        if node.fixed.isdisjoint(now.holders):
            return
        self._lifting.lower(state, now, arrival.frame, arrival.point, node.fixed)
        state.leave_account()
        raise Moved

    def _merge(self, state: State) -> None:
        """End the path, unless it has covered something new: then inputs have to be found that come to an end."""
        if not state.covered_new:
            raise Merged
        if isinstance(state.node, ExplorationNode):
            state.node.done(state.id)
        state.node = None
        state.role = Role.ENDING
        self._run.statistics.paths_merged += 1

    def _note(self, place: MergePointRecord, found: Match | None, arrival: MergePoint) -> None:
        """Remember in what states differ here, or will, if inputs may make the difference."""
        if found is not None:
            holders: Iterable[Holder] = found.differing
        elif place.is_new:
            holders = _brought(arrival)
        else:
            return
        place.is_new = False
        holders = [holder for holder in holders if holder not in place.differing]
        if len(holders) + len(place.differing) <= MOST_LIFTED:
            state, frame, point = arrival.state, arrival.frame, arrival.point
            place.differing.update(dict.fromkeys(h for h in holders if self._points.may_differ(state, frame, point, h)))

    def _lift(self, place: MergePointRecord, now: Snapshot, arrival: MergePoint) -> dict[Expr, Any]:
        """Replace by symbols what differs here."""
        if self._contexts or place.tries <= 0:
            return {}
        wanted = [holder for holder in place.differing if not _is_own_symbol(now, holder)]
        if not wanted:
            return {}
        place.tries -= 1
        self.switch.effort += len(wanted)
        return self._lifting.lift(arrival.state, now, arrival.frame, arrival.point, wanted)

    def _enter(
        self, state: State, place: MergePointRecord, frame: Frame, here: ResumePoint, live: tuple[Any, ...]
    ) -> ExplorationNode:
        """Open a node for what lies ahead."""
        snapshot = Snapshot(frame, live, state.memory.fork(), state.environment, self._points.is_contained)
        parent = state.node if isinstance(state.node, ExplorationNode) else None

        def publish(node: ExplorationNode) -> None:
            self._run.statistics.merge_formulas += 1
            formulas = place.formulas
            if len(formulas) >= MOST_FORMULAS:
                formulas.remove(min(formulas, key=lambda known: known.hits))
                self._kept -= 1
            formulas.insert(0, node)
            self._kept += 1
            if self._kept > MOST_KEPT:
                self._forget()

        node = ExplorationNode(parent, here, state.path, snapshot, publish)
        node.opened(state.id)
        if parent is not None:
            parent.replaced(state.id, node)
        state.node = node
        return node

    def _forget(self) -> None:
        """Give up the formulas of the place that was visited first: they hold memory."""
        for place in self._places.values():
            if place.formulas:
                self._kept -= len(place.formulas)
                place.formulas.clear()
                return

    def _hit(self, state: State, place: MergePointRecord, formula: ExplorationNode) -> None:
        self.switch.effort = max(0, self.switch.effort - SAVED)
        place.tries = TRIES
        formula.hits += 1
        self._run.statistics.merge_hits += 1
        if isinstance(state.node, ExplorationNode):
            state.node.lookups |= formula.lookups


def _was_here(state: State, node: ExplorationNode, here: ResumePoint) -> bool:
    """Whether a state has decided nothing since it was here, or at too many other places."""
    at: ExplorationNode | None = node
    for _ in range(MOST_IDLE):
        if at is None or at.path is not state.path:
            return False
        if at.here == here:
            return True
        at = at.parent
    return True


def _brought(arrival: MergePoint) -> list[Holder]:
    """Numbers in the phis of the block where paths meet: others most likely bring other ones."""
    plan = arrival.frame.function.plan
    point = plan.points[arrival.point]
    numbers = plan.liveness.numbers
    block = plan.blocks[point.block]
    phis = {numbers[i.result.name] for i in block.instructions if isinstance(i, ir.Phi) and i.result is not None}
    return [
        InRegister(0, place)
        for place, number in enumerate(point.live)
        if number in phis and type(arrival.live[place]) is int
    ]


def _is_own_symbol(now: Snapshot, holder: Holder) -> bool:
    """Whether a holder's value is a symbol that nobody else holds."""
    value = now.value(holder)
    if not isinstance(value, Expr) or value.args or holder not in now.holders.get(value, ()):
        return False
    return len(now.holders[value]) == 1
