"""Decide, execute, explain, learn, backtrack.

    decide      the formula picks a path from the entry to a goal
    execute     the state that waits farthest along that path is led on
    explain     where the path is closed, find choices that close it
    learn       never all of these together again
    backtrack   is what happens when the next path parts from this one: the states at the parting wait

A choice whose condition turned out constant teaches as well, when the path goes on: with the choices
its condition rests on, no other way out is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clew.base.errors import InternalError
from clew.execute.ends import Dropped, Failed
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.explain.conflict import contradiction, refutation
from clew.explain.definitions import Definition, Reason, reason_for, value_of
from clew.explain.definitions import Lost as Unexplained
from clew.explain.prefix import Prefix
from clew.explain.trail import Constraint, Ending, Trail
from clew.explain.unrolled import Edge, Scope, Status, Unrolled, UnrolledNode
from clew.explain.walker import Walker
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.report.records import LossNote
from clew.solver.interface import Answer, Result, ordered
from clew.solver.path import PathCondition, conjuncts
from clew.techniques.conflicts.clause_exchange import ClauseExchange, Correspondence
from clew.techniques.conflicts.clause_shift import Shifter
from clew.techniques.conflicts.formula import Formula
from clew.techniques.conflicts.guided_execution import PrefixExecutor, decision
from clew.techniques.conflicts.limits import USUAL, Limits
from clew.techniques.conflicts.statistics import ConflictStatistics


class Search:
    """Looks for paths to goals until there is none left that is worth trying."""

    def __init__(
        self,
        led: PrefixExecutor,
        formula: Formula,
        walker: Walker,
        unroll: int | None,
        guidance: Guidance,
        limits: Limits = USUAL,
        exchange: ClauseExchange | None = None,
    ) -> None:
        """``exchange``: with other searches for the same goals."""
        self.led = led
        self.run: Run = led.run
        self.graph: Unrolled = led.graph
        self.formula = formula
        self.walker = walker
        self.unroll = unroll
        self.guidance = guidance
        self.limits = limits
        self.shifter = Shifter(self.graph, formula.add, limits)
        self._others = None if exchange is None else Correspondence(self.graph, exchange, self._heard)
        self.doubts: list[tuple[int, str]] = []
        """Behaviour that was not followed: the mask of goals it might have led to, and what it was."""
        self.widened: set[int] = set()
        """Variables of unknown targets of calls, and of frontiers, that execution is to come to."""

    # Deciding

    def assumptions(self) -> list[int]:
        """What is assumed away: that the path goes where the graph ends."""
        ends = [node.var for node in self.graph.frontiers] + [node.open for node in self.graph.open_calls]
        return [-variable for variable in ends if variable not in self.widened]

    def assumptions_for(self, goal: int, all_ends: bool = False) -> list[int]:
        """The same, as far as one goal can be reached from there; ``all_ends``: also of those that are gone for."""
        ends = [(node.var, node) for node in self.graph.frontiers]
        ends += [(node.open, node) for node in self.graph.open_calls]
        found = [variable for variable, node in ends if self.graph.ahead(node) >> goal & 1]
        return [-variable for variable in found if all_ends or variable not in self.widened]

    def decide(self, avoided: Sequence[int] = ()) -> bool:
        """Pick a path to a goal or, where that is all that is in the way, to where the graph ends. False if there is
        none. ``avoided``: more that is assumed, for now."""
        if self._others is not None:
            self._others.read()
        while not self.formula.solve([*self.assumptions(), *avoided]):
            if not self.widen():
                return False
        return True

    def widen(self) -> bool:
        """Go for ends of the graph that the last refutation needs to assume away; False if it needs no such thing."""
        needed = self.formula.needed()
        ends = [node.var for node in self.graph.frontiers if -node.var in needed and self._may_expand(node)]
        ends += [node.open for node in self.graph.open_calls if -node.open in needed]
        self.widened.update(ends)
        return bool(ends)

    def _may_expand(self, node: UnrolledNode) -> bool:
        if self.graph.nodes > self.limits.nodes:
            return False
        return self.unroll is None or node.scope.index <= self.unroll

    def chosen_edge(self, node: UnrolledNode) -> Edge | None:
        """The way out of a node that the path takes; None for a target that is not known yet."""
        return next((edge for edge in node.outs.values() if self.formula.chosen(edge.var)), None)

    # One path

    def try_path(self) -> Finished | None:
        """Follow the path that was decided on as far as it goes, and learn; returns the failure at its end, if any."""
        prefix: Prefix | None = self.led.root
        while prefix is not None:
            if prefix.saved is not None:
                if decision(prefix).status is Status.FRONTIER:
                    self._expand(prefix)
                    return None
                first = prefix
                if not self._goes_on(prefix):
                    self.run.statistics.paths_explored += 1
                losses = dict(self.run.losses)
                result = self.led.advance(prefix)
                self._note_losses(prefix, losses)
                if result is not None:
                    self._closed_by_solver(prefix, result)
                    return None
                self._teach(first, self.led.at)
                if self.led.ended is not None:
                    return self._ended(self.led.at, self.led.ended)
                prefix = self.led.at.parent if self.led.at.saved is not None else self.led.at
                assert prefix is not None
                continue
            prefix = self._next(prefix)
        return None

    def _goes_on(self, prefix: Prefix) -> bool:
        """Whether a state goes on where the last one has just stopped: on its side of the choice, or another."""
        return self.led.ended is None and self.led.at.parent is not None and prefix.parent is self.led.at.parent

    def _expand(self, prefix: Prefix) -> None:
        """A state waits where the graph ends: if it can get there at all, let the graph grow."""
        result = self.led.check(prefix)
        if result is not None:
            self._closed_by_solver(prefix, result)
        else:
            frontier = decision(prefix)
            self.graph.expand(frontier)
            self.formula.grow()
            self.shifter.grown(frontier)

    def _next(self, prefix: Prefix) -> Prefix | None:
        """One choice further along the path; None where that was learned to be closed."""
        if prefix.splits is not None:
            return prefix.splits[0] if self.formula.chosen(prefix.splits[0].literal) else prefix.splits[1]
        node = decision(prefix)
        if node.status is not Status.INNER:
            self._learn_all(prefix)
            return None
        edge = self.chosen_edge(node)
        if edge is None:
            # Through a pointer, to somewhere not known before. If that was found just now, it has to be decided anew.
            if self.formula.chosen(node.open):
                self._learn_all(prefix, [node.open])
            return None
        child = prefix.children.get(edge)
        if child is None:
            self._closed(prefix, edge)
        return child

    # Learning

    def block(self, prefix: Prefix) -> None:
        """This very path is not wanted again."""
        self._learn_all(prefix)

    def _learn(self, reason: Reason, *extra: int) -> None:
        """Not all these choices together again."""
        self.run.statistics.of(ConflictStatistics).conflicts += 1
        clause = [-literal for literal in reason.all_literals().union(extra) if literal]
        self._teach_clause(clause, reason)
        self.guidance.learned(len(clause), self.led.at)

    def _teach_clause(self, clause: list[int], reason: Reason) -> None:
        if self.shifter.is_known(clause):
            return
        self._count(len(clause))
        self.formula.add(clause)
        if reason.prefix is None:
            self.shifter.learned(clause, reason.entered)
            if self._others is not None:
                self._others.learned(clause, reason.entered)

    def _heard(self, clause: list[int], entered: set[Scope]) -> None:
        """Another search has learned something."""
        if not self.shifter.is_known(clause):
            self.run.statistics.of(ConflictStatistics).clauses_from_others += 1
            self.formula.add(clause)
            self.shifter.learned(clause, entered)

    def _count(self, size: int) -> None:
        statistics = self.run.statistics.of(ConflictStatistics)
        statistics.learned_clauses += 1
        statistics.learned_literals += size
        statistics.learned_largest = max(statistics.learned_largest, size)

    def _learn_all(self, prefix: Prefix, extra: Iterable[int] = ()) -> None:
        """Nothing better is known than that this very path is not to be tried again."""
        reason = Reason()
        reason.rest_on(prefix)
        self._learn(reason, *extra)

    def _closed_by_solver(self, prefix: Prefix, result: Result) -> None:
        """The constraint of a waiting state has no solution together with its path."""
        saved = prefix.saved
        prefix.saved = None
        state, constraint = saved.state, saved.constraint
        if result.answer is Answer.UNKNOWN:
            self.run.note_unknown(state, result.reason)
            self.doubt(prefix, f"the solver gave up ({result.reason})")
            self._learn_all(prefix)
        elif prefix.edge is None:
            self._learn_all(prefix)
        else:
            assert prefix.parent is not None
            self._infeasible(prefix.parent, prefix.edge, state.path, constraint, result)
        saved.release()

    def _closed(self, prefix: Prefix, edge: Edge) -> None:
        """No state has gone this way: the condition is constant, or the path implies its negation."""
        ending = self._ending(prefix)
        if ending is None:
            self._learn_all(prefix, [edge.var])
            return
        constraint = self.walker.constraint(ending, edge)
        try:
            says = constraint.says(value_of(ending.subject))
        except Unexplained:
            self._learn_all(prefix, [edge.var])
            return
        if says is False:
            self._learn(self._refutation(constraint), edge.var)
        elif isinstance(says, Expr):
            implied = build.lnot(says)
            assert isinstance(implied, Expr)
            self._contradicted(ending.trail, constraint, [implied], prefix)
        else:
            raise InternalError(f"a way that is open was not taken: {edge}")

    def _infeasible(self, prefix: Prefix, edge: Edge, path: PathCondition, constraint: Expr, result: Result) -> None:
        """Learn why a symbolic condition cannot hold at the end of a prefix."""
        ending = self._ending(prefix)
        core = self._core(path, constraint, result)
        if ending is None or core is None:
            self._learn_all(prefix, [edge.var])
        else:
            self._contradicted(ending.trail, self.walker.constraint(ending, edge), core, prefix)

    def _contradicted(self, trail: Trail, constraint: Constraint, core: list[Expr], prefix: Prefix) -> None:
        """Learn why one more constraint contradicts those in ``core`` (all of its own may be among them)."""
        blamed = {id(known): known for known in (self._blamed(trail, part, prefix) for part in core)}
        constraints = [constraint, *blamed.values()]
        reason = contradiction(self.run.solver, self.run.layout, constraints, self.limits.reasons)
        self._learn(reason, constraint.literal)

    def _refutation(self, constraint: Constraint) -> Reason:
        return refutation(self.run.solver, self.run.layout, constraint, self.limits.reasons)

    def _core(self, path: PathCondition, constraint: Expr, result: Result | None) -> list[Expr] | None:
        """The parts of a path that contradict a constraint."""
        own = conjuncts(constraint)
        if result is not None and result.core is not None:
            core: list[Expr] | None = ordered(result.core)
        else:
            core = self.run.solver.unsat_assumptions((), [*ordered(path.slice(constraint)), *own])
        return None if core is None else [part for part in core if part not in own]

    @staticmethod
    def _blamed(trail: Trail, part: Expr, prefix: Prefix) -> Constraint:
        known = trail.constraints.get(part)
        if known is not None:
            return known
        # Added by a model or a check somewhere on the way.
        return Constraint(0, Definition(prefix=prefix, value=part), lambda value: value)

    def _ending(self, prefix: Prefix) -> Ending | None:
        try:
            return self.walker.ending(prefix)
        except Unexplained:
            return None

    def _teach(self, first: Prefix, last: Prefix) -> None:
        """Tell the formula of conditions on the way that were constant."""
        prefix = last.parent
        while prefix is not None and prefix is not first.parent:
            if not prefix.taught and prefix.splits is None:
                prefix.taught = True
                self._teach_one(prefix)
            prefix = prefix.parent

    def _teach_one(self, prefix: Prefix) -> None:
        node = decision(prefix)
        if len(prefix.children) != 1 or (len(node.outs) < 2 and not node.open):
            return
        ((edge, _),) = prefix.children.items()
        if not node.open and all(o is edge or o.target.status is Status.EXIT for o in node.outs.values()):
            return
        ending = self._ending(prefix)
        if ending is None:
            return
        try:
            if isinstance(value_of(ending.subject), Expr):
                return
        except Unexplained:
            return
        reason = reason_for([ending.subject], Reason())
        self._teach_clause([*(-literal for literal in reason.all_literals() | {node.var}), edge.var], reason)

    # Ends of paths

    def _ended(self, prefix: Prefix, path: Finished) -> Finished | None:
        """A path ended before it came to its next choice."""
        if isinstance(path.end, Failed):
            return path
        if isinstance(path.end, Dropped):
            self._dropped(prefix, path)
        else:
            self._learn_all(prefix)
        return None

    def _dropped(self, prefix: Prefix, path: Finished) -> None:
        """An assumption of the program's does not hold on this path."""
        place, frame = path.place, path.state.frame
        trail = None
        if place is not None and frame is not None:
            try:
                trail = self.walker.before(prefix, (frame.depth, place.block, place.position))
                call = trail.node.scope.shape.blocks[place.block].instructions[place.position]
                if isinstance(call, ir.Call) and self.run.callees.resolve(call).effect.assumes:
                    self._assumption_fails(prefix, path.state.path, trail, self.walker.assumption(trail, call))
                    return
            except Unexplained:
                pass
        self._learn_all(prefix)

    def _assumption_fails(self, prefix: Prefix, path: PathCondition, trail: Trail, assumed: Constraint) -> None:
        says = assumed.says(value_of(assumed.definition))
        if says is False:
            self._learn(self._refutation(assumed), assumed.literal)
            return
        core = self._core(path, says, None) if isinstance(says, Expr) else None
        if core is None:
            self._learn_all(prefix)
        else:
            self._contradicted(trail, assumed, core, prefix)

    def doubt(self, prefix: Prefix, what: str) -> None:
        """Something that happens after a prefix is not followed."""
        self.doubts.append((self.graph.ahead(prefix.node), what))

    def _note_losses(self, prefix: Prefix, before: dict[Any, int]) -> None:
        """What the run has lost while a state went on from a prefix."""
        for (kind, what, location), count in self.run.losses.items():
            if before.get((kind, what, location)) != count:
                self.doubt(prefix, LossNote(kind, what, location).text)


class Guidance:
    """When to let the SAT solver stay close to the last path: ``blackbox`` never, ``guide`` always, ``learn:K`` when
    the last clause is short, at most K percent of the choices on the path."""

    def __init__(self, decide: str, formula: Formula) -> None:
        self._formula = formula
        name, _, percent = decide.partition(":")
        self._share = {"blackbox": -1.0, "guide": 2.0}.get(name, float(percent or 10) / 100)

    def learned(self, size: int, at: Prefix) -> None:
        if self._share < 0:
            return
        close = size <= self._share * max(at.depth, 1)
        self._formula.guide(_on_the_way(at) if close else ())


def _on_the_way(last: Prefix) -> Iterator[int]:
    """The variables of everything on a path."""
    prefix: Prefix | None = last
    while prefix is not None:
        yield prefix.literal
        node = prefix.node
        while len(node.outs) == 1 and not node.open:
            yield node.var
            (edge,) = node.outs.values()
            node = edge.target
        yield node.var
        prefix = prefix.parent
