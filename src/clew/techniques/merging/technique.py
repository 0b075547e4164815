"""Cuts paths where they meet others that have shown all that can be shown from there.

At a place where paths meet, a state is compared with those that were there before it, with the same calls to return
from. If one of them is done with, the state is an instance of it, and each of its clauses contradicts the state's path,
then nothing new can happen: the path is merged. Otherwise it goes on with those inputs only that are not covered yet,
and gets a node of its own. Values in which it differs from an earlier state become symbols, if inputs may have made the
difference: what is found out then is about all such values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from clew.analysis.callees import Callees
from clew.base.errors import PathEnd
from clew.base.options import TestRequest
from clew.execute.codegen.context import Watch
from clew.execute.ends import Moved, Subsumed
from clew.execute.events import MergePoint
from clew.execute.frame import Frame
from clew.execute.instrument.merge_points import Places, insert_merge_points, merge_point_name
from clew.execute.pending import Pending, Searcher
from clew.execute.state import State
from clew.expr.node import Expr
from clew.models.registry import all_models, effect_of
from clew.program import instructions as ir
from clew.program.module import Program
from clew.search.interleave import Interleaved
from clew.search.registry import SearchContext
from clew.techniques.merging.account import Account, Ending
from clew.techniques.merging.closing import Covered, CoveredLast, Covers, Uncovered
from clew.techniques.merging.exploration_tree import Epoch, ExplorationNode, enter, leave, node_of
from clew.techniques.merging.instance_matching import Match, match
from clew.techniques.merging.known_states import (
    EarlierStates,
    MergePointAccount,
    MergePointAccounts,
    MergePointRecord,
    MergePointRecords,
)
from clew.techniques.merging.lifting import Lifting, by_name, constant_value
from clew.techniques.merging.limits import USUAL, Limits
from clew.techniques.merging.merge_points import MergePoints, possible_places
from clew.techniques.merging.searcher import DepthFirstPhases, MergingPhase
from clew.techniques.merging.snapshot import Holder, InRegister, ResumePoint, Snapshot, spots
from clew.techniques.merging.statistics import MergingStatistics
from clew.techniques.merging.subsumption import Implication, told_by
from clew.techniques.merging.telling import Telling
from clew.techniques.merging.work import CELL, MOST, NODE, SYMBOL, UNITS, VISIT, WorkAccount, asked, explored
from clew.techniques.registry import TECHNIQUES
from clew.techniques.technique import Exploration, Technique


@TECHNIQUES.register("merging", "cuts paths that can show nothing new")
class Merging(Technique):
    """The technique. ``goal``: ``branch``, ``error`` or ``context``: what cut paths must not be able to show."""

    def __init__(self, goal: str, limits: Limits = USUAL) -> None:
        self._limits = limits
        self._phase = MergingPhase()
        self._errors = goal != "branch"
        self._contexts = goal == "context"
        self._covers = Covers(self._is_still_covered, self._give_up)

    @classmethod
    def make(cls, request: TestRequest) -> Merging | None:
        return cls(request.goal) if request.goal != "path" else None

    def postpone(self) -> bool:
        self._phase.on = False
        return True

    def prepare(self, program: Program, entry: str) -> Program:
        self._find_points = partial(MergePoints, program, all_models(), entry, self._limits.closing)
        self._closing = False
        if not self._phase.on:
            self._places = possible_places(program, Callees(program, all_models()))
        else:
            self._points = self._find_points()
            self._closing, self._places = bool(self._points.heads), self._points.places
        return insert_merge_points(program, self._places)

    def searcher(self, searcher: Searcher, name: str | None, context: SearchContext) -> Searcher:
        if self._limits.closing:
            return CoveredLast(searcher, self._covers)
        return DepthFirstPhases(searcher, context, self._phase) if isinstance(searcher, Interleaved) else searcher

    def attach(self, exploration: Exploration) -> None:
        run = self._run = exploration.run
        self._records = MergePointRecords(self._limits)
        self._public = exploration.accounts.open("merging", 0, 0.0)
        self._counts = run.statistics.of(MergingStatistics)
        self._lifting = Lifting()
        self._telling = Telling(run, self._lifting, self._limits)
        self._implication = Implication(run, self._limits)
        self._book = Account(run, self._errors, self._phase.account)
        phase = self._phase
        phase.explored, phase.asked = partial(explored, run), partial(asked, run)
        phase.switch, phase.release = self._switch, self._release
        watches = self._watches(self._places)
        if phase.on:
            self._open_accounts(watches)
            self._listen()
        else:
            for watch in watches.values():
                watch.postpone(lambda: not run.has_inputs)

    def join(self, part: float) -> None:
        self._points = self._find_points()
        watches = self._watches(self._points.places)
        for watch in watches.values():
            watch.begin()
        self._open_accounts(watches)
        self._phase.begin(part)

    def _watches(self, places: Mapping[str, Places]) -> dict[str, Watch]:
        names = (merge_point_name(name, place) for name, found in places.items() for place in found)
        return {name: self._run.compiler.watch(name) for name in names}

    def _open_accounts(self, watches: dict[str, Watch]) -> None:
        self._points.attach(self._run.globals.addresses)
        self._accounts = MergePointAccounts(watches, self._limits)

    def proof(self) -> str:
        found = {self._points.line(name) for name in self._covers.places}
        lines = sorted(line for line in found if line is not None)
        if not lines:
            return ""
        where = f"loop at line {lines[0]}" if len(lines) == 1 else f"loops at lines {', '.join(map(str, lines))}"
        return f"every state at the head of the {where} is an instance of one seen before"

    # Whether it pays

    @property
    def account(self) -> WorkAccount:
        """What merging has cost and brought so far."""
        return self._phase.account

    def _listen(self) -> None:
        self._epoch = Epoch()
        self._book.listen()
        events = self._run.events
        events.merge_point.append(self._merge_point)
        events.library_call.append(self._library_call)
        events.path_filed.append(self._path_ended)

    def _switch(self, on: bool) -> None:
        """Merge paths from now on, or do not: then nothing is left in their way."""
        self._accounts.switch(on)
        if on:
            self._listen()
            return
        self._epoch.is_over = True
        self._book.stop()
        events = self._run.events
        events.merge_point.remove(self._merge_point)
        events.library_call.remove(self._library_call)
        events.path_filed.remove(self._path_ended)

    def _release(self, pending: Pending) -> None:
        """A state that was tracked, until nothing was any more, goes on with numbers instead of symbols for them."""
        state = pending.state
        node, frame = state.extension(ExplorationNode), state.frame
        if node is None or frame is None or not node.epoch.is_over:
            return
        numbers = state.constant_symbols
        if numbers:
            now = self._snapshot(state, frame, frame.live)
            if not numbers.isdisjoint(now.holders):
                self._lifting.lower(state, now, frame, frame.at, numbers)
        leave(state)

    def _path_ended(self, state: State, end: PathEnd) -> None:
        self._accounts.path_ended()
        self._public.own, self._public.earned = UNITS * self.account.paid, UNITS * self.account.credited

    # Merge points

    def _merge_point(self, arrival: MergePoint) -> None:
        state, frame = arrival.state, arrival.frame
        if frame.depth > self._limits.frames or state.drops_siblings or state.model_is_fixed:
            return
        self.account.charge(VISIT)
        here = (frame.function.name, arrival.point)
        node = node_of(state)
        if node is not None and self._is_idle(state, node, here, arrival.name):
            return
        place = self._records.at(spots(frame, arrival.point))
        key = () if self._closing else self._points.fixed(frame, arrival.point, arrival.live)
        states = place.states.get(key)
        if states is None:
            states = place.states[key] = EarlierStates(self._limits.lifted_nodes)
        now = self._snapshot(state, frame, arrival.live)
        self._telling.make_numbers(arrival, now, place)
        known = self._known(state, place, states, now, self._accounts.of(arrival.name))
        if isinstance(known, ExplorationNode) and not known.is_closed:
            self._wait(arrival, known)
        if isinstance(known, ExplorationNode):
            self._hit(arrival, states, known)
            self._merge(state)
            return
        self._accounts.settle(arrival.name)
        if self._closing:
            self._telling.note(state, place, states, known, now)
            self._telling.make_numbers(arrival, now, place)
        else:
            self._note(place, known, arrival)
        made = self._lift(place, states, now, arrival)
        if known is not None:
            replaced = place.differing if states.tries > 0 else ()
            states.telling = next((holder for holder in known.differing if holder not in replaced), None)
        if made:
            assert state.frame is not None
            self._enter(state, states, state.frame, here, state.frame.live, made).is_moved = True
            raise Moved
        self._enter(state, states, frame, here, arrival.live)

    def _is_idle(self, state: State, node: ExplorationNode, here: ResumePoint, name: str) -> bool:
        """Whether there is nothing to compare: the state was here just now."""
        if node.is_moved and node.here == here:
            node.is_moved = False
            return True
        return name not in self._points.heads and _was_here(state, node, here)

    def _snapshot(self, state: State, frame: Frame, live: tuple[Any, ...]) -> Snapshot:
        return Snapshot(frame, live, state.memory, state.environment, self._points.variables)

    def _known(
        self, state: State, place: MergePointRecord, states: EarlierStates, now: Snapshot, account: MergePointAccount
    ) -> ExplorationNode | Match | None:
        """The node that has shown all that the state can show; else the closest of those that differ from it."""
        best: Match | None = None
        implication = self._implication
        before, work = implication.work, 0
        covering: ExplorationNode | None = None
        telling = now.number(states.telling)
        uncovered = state.extension(Uncovered) is not None
        state.forget(Uncovered)
        for formula in states.index.candidates(now) if self._closing else states.formulas:
            if formula.is_invalid or (uncovered and not formula.is_closed):
                continue
            if telling is not None and formula.snapshot.number(states.telling) not in (telling, None):
                work += CELL
                continue
            found = match(formula.snapshot, now, formula.lookups, self._run.undefined, self._limits)
            work += found.work
            if found.is_instance:
                covers = implication.is_same_context if self._contexts else implication.covers
                if covers(state, formula, found):
                    covering = formula
                    break
                if self._closing:
                    self._telling.blame(place, implication.blamed)
            elif not found.hopeless and (best is None or len(found.differing) < len(best.differing)):
                best = found
        work += implication.work - before
        account.charge(work)
        self.account.charge(work)
        if self._closing:
            state.slice -= NODE + work  # a slice is not to take for ever where there is one such place after the other
        return covering or best

    def _library_call(self, arrival: MergePoint) -> None:
        """Go on with numbers instead of symbols for them: nothing is concluded from what is explored then, or that the
        numbers count."""
        state = arrival.state
        if effect_of(arrival.name).exact or not state.constant_symbols:
            return
        now = self._snapshot(state, arrival.frame, arrival.live)
        if state.constant_symbols.isdisjoint(now.holders):
            return
        if self._closing:
            for symbol in by_name(state.constant_symbols & now.holders.keys()):
                constant_value(state, symbol)  # which is then known to count
        self._lifting.lower(state, now, arrival.frame, arrival.point, state.constant_symbols)
        if not self._closing:
            state.stop_tracking()
        raise Moved

    def _merge(self, state: State) -> None:
        """End the path, unless it has covered something new: then inputs have to be found that come to an end."""
        if not state.covered_new:
            raise Subsumed
        node = node_of(state)
        if node is not None:
            node.done(state.id)
        leave(state)
        state.extend(Ending())
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
        if len(holders) + len(place.differing) <= self._limits.lifted:
            state, frame, point = arrival.state, arrival.frame, arrival.point
            place.differing.update(dict.fromkeys(h for h in holders if self._points.may_differ(state, frame, point, h)))

    def _lift(
        self, place: MergePointRecord, states: EarlierStates, now: Snapshot, arrival: MergePoint
    ) -> dict[Expr, Any]:
        """Replace by symbols what differs here."""
        if self._contexts or states.tries <= 0:
            return {}
        holders = (*place.differing, *(holder for holder in place.telling if now.number(holder) is None))
        wanted = [holder for holder in holders if not _is_own_symbol(now, holder)]
        if not wanted:
            return {}
        states.tries -= 1
        self.account.charge(SYMBOL * len(wanted))
        return self._lifting.lift(arrival.state, now, arrival.frame, arrival.point, wanted)

    def _enter(
        self,
        state: State,
        states: EarlierStates,
        frame: Frame,
        here: ResumePoint,
        live: tuple[Any, ...],
        made: Mapping[Expr, Any] | None = None,
    ) -> ExplorationNode:
        """Open a node for what lies ahead; ``made``: symbols that were made here, with what they stand for."""
        self.account.charge(NODE)
        snapshot = Snapshot(frame, live, state.memory.fork(), state.environment, self._points.variables)
        parent = node_of(state)

        def publish(node: ExplorationNode) -> None:
            self._counts.merge_formulas += 1
            if not self._closing:
                self._records.keep(states, node)

        node = ExplorationNode(parent, here, state.path, snapshot, publish, self._limits, self._epoch)
        node.opened(state.id)
        if parent is not None:
            parent.replaced(state.id, node)
        if made:
            node.define(made)
        self._book.entered(state, parent)
        enter(state, node)
        if self._closing:
            self._covers.entered(node)
            node.is_redundant = self._implication.is_redundant
            if len(states.index) < self._limits.formulas:
                states.index.add(node)
        return node

    # States that count on what is still being explored

    def _wait(self, arrival: MergePoint, node: ExplorationNode) -> None:
        """End a path whose state is covered by a node that has not closed; the state is kept, in case that breaks."""
        state = arrival.state
        self._counts.merge_hits += 1
        waiting = state.snapshot(arrival.frame.suspended(object(), arrival.point, arrival.live))
        waiting.extend(Covered(node, arrival.name, self._implication.strength))
        self._run.add_pending(waiting, None)
        raise Subsumed

    def _is_still_covered(self, state: State, node: ExplorationNode) -> bool:
        frame = state.frame
        assert frame is not None
        now = self._snapshot(state, frame, frame.live)
        found = match(node.snapshot, now, node.lookups, self._run.undefined, self._limits)
        if found.is_instance and self._implication.covers(state, node, found):
            return True
        self._blame(state, self._implication.blamed)
        return False

    def _give_up(self, state: State, covered: Covered) -> None:
        """More and more is asked of a state: what that is about had better be numbers."""
        node = covered.node
        added = node.added(covered.first[0])
        self._blame(state, dict.fromkeys(holder for known in added for holder in told_by(node, known)))

    def _blame(self, state: State, holders: Iterable[Holder]) -> None:
        frame = state.frame
        assert frame is not None
        self._telling.blame(self._records.at(spots(frame, frame.at)), holders)

    def _hit(self, arrival: MergePoint, states: EarlierStates, formula: ExplorationNode) -> None:
        self.account.credit(formula.work)
        self._accounts.merged(arrival.name, formula.work)
        states.tries, states.telling = self._limits.lifted_nodes, None
        formula.hits += 1
        self._counts.merge_hits += 1
        node = node_of(arrival.state)
        if node is not None:
            node.lookups |= formula.lookups
            node.work = min(node.work + formula.work, MOST)


def _was_here(state: State, node: ExplorationNode, here: ResumePoint) -> bool:
    """Whether a state has decided nothing since it was here, or at too many other places."""
    at: ExplorationNode | None = node
    for _ in range(node.limits.idle_visits):
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
