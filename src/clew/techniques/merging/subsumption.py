"""Whether nothing new can happen to a state that is an instance of an earlier one: the clauses of that one are asked.

What is cheap comes first: parts that the bindings make false, the state's model, symbols that stand for numbers; then
the solver, unless there is arithmetic in them that it finds hard. Whatever it cannot answer is taken as: something new
might happen.
"""

from __future__ import annotations

from typing import Any

from clew.execute.run import Run
from clew.execute.sites import CheckId
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.walk import is_hard, substitute
from clew.solver.interface import Answer
from clew.techniques.merging.clauses import Clause, clause
from clew.techniques.merging.exploration_tree import ExplorationNode, node_of
from clew.techniques.merging.instance_matching import Match
from clew.techniques.merging.lifting import by_name
from clew.techniques.merging.limits import USUAL, Limits
from clew.techniques.merging.snapshot import Holder
from clew.techniques.merging.statistics import MergingStatistics
from clew.techniques.merging.work import CLAUSE, asked

Event = tuple[tuple[Expr, ...], CheckId | None]


class Implication:
    """Questions about formulas, in one run."""

    def __init__(self, run: Run, limits: Limits = USUAL) -> None:
        self._run = run
        self._counts = run.statistics.of(MergingStatistics)
        self._limits = limits
        self.work = 0
        """What all questions so far have cost."""
        self.strength = (0, 0)
        """Of the formula of the last question, when it was asked: the answer may have made it stronger."""
        self.blamed: tuple[Holder, ...] = ()
        """What told the state of the last question from the one that it is an instance of, as far as that is known."""

    def covers(self, state: State, formula: ExplorationNode, found: Match) -> bool:
        """Whether each clause of a formula contradicts the state's path; if so, the state's node gets to know them.

        Otherwise the path goes on without the inputs for which they all do, if the formula is there to stay.
        """
        self._counts.merge_checks += 1
        self.blamed, self.strength = (), formula.strength
        before = asked(self._run)
        found_out = self._covers(state, formula, found)
        self.work += asked(self._run) - before
        return found_out

    def _covers(self, state: State, formula: ExplorationNode, found: Match) -> bool:
        events, clauses = [], []
        for known in self._clauses(formula):
            event = _event(formula, known, found)
            if event is not None:
                events.append((event, known.check))
                clauses.append(known)
        if len(events) > self._limits.checked_clauses:
            return False
        self.work += CLAUSE * len(events)
        refuted = self._refuted(state, events)
        if isinstance(refuted, Model):
            happens = (all(refuted.eval(part) for part in event) for event, _ in events)
            self.blamed = told_by(formula, next(known for known, so in zip(clauses, happens, strict=True) if so))
            few = sum(len(event) for event, _ in events) <= self._limits.restricted
            if formula.is_closed and few and not any(is_hard(event) for event, _ in events):
                left = build.disjunction([build.conjunction(list(event)) for event, _ in events])
                state.depart()
                state.path, state.model = state.path.add(left), refuted
                if (node := node_of(state)) is not None:
                    node.lookups |= formula.lookups  # the inputs that are left out are covered on that condition
            return False
        if refuted is None:
            return False
        if (node := node_of(state)) is not None:
            node.lookups |= formula.lookups
            for known in refuted:
                node.refuted(known)
        return True

    def _refuted(self, state: State, events: list[Event]) -> list[Clause] | Model | None:
        """The clauses of events that all contradict a path; a model with which one happens; None if nobody knows."""
        if any(all(state.model.eval(part) for part in event) for event, _ in events):
            return state.model
        found = []
        node = node_of(state)
        for event, check in events:
            wrong = (part for part in event if node is not None and part.symbols <= node.constant_symbols)
            surely = next((part for part in wrong if not state.model.eval(part)), None)
            if node is not None and surely is not None:
                found.append(clause(state.path, event, check, node.equations(surely)))
                continue
            if is_hard(event):
                return None
            result = self._run.solver.feasible(state.path, build.conjunction(list(event)), state.model)
            if result.answer is not Answer.UNSAT:
                return result.model
            found.append(clause(state.path, event, check, result.core))
        return found

    def is_redundant(self, node: ExplorationNode, since: tuple[Expr, ...], check: CheckId | None) -> bool:
        """Whether an event can only be, in terms of a node's state, where one of its clauses is violated already."""
        known = [each.since(node.length) for each in node.clauses() if each.check in (None, check)]
        if not known or len(known) > self._limits.checked_clauses or is_hard(since) or any(map(is_hard, known)):
            return False
        before = asked(self._run)
        others = [build.lnot(build.conjunction(list(event))) for event in known]
        result = self._run.solver.check(frozenset((*since, *(part for part in others if isinstance(part, Expr)))))
        self.work += asked(self._run) - before
        return result.answer is Answer.UNSAT

    def is_same_context(self, state: State, formula: ExplorationNode, found: Match) -> bool:
        """Whether the live state is the very same, and the path says at least as much about it."""
        self._counts.merge_checks += 1
        old = formula.snapshot
        symbols = () if found.bindings else (*old.holders, *old.elsewhere(formula.lookups))
        same = (constraint in state.path for symbol in symbols for constraint in formula.path.slice(symbol))
        return not found.bindings and all(same)

    def _clauses(self, formula: ExplorationNode) -> list[Clause]:
        """Those that count: they rest on what is older than the place, and errors that were found do not matter."""
        reported = self._run.reported
        for known in formula.clauses():
            if known.check is None or known.check not in reported:
                known.minimize(self._run.solver, formula.length, self._limits)
        return [known for known in formula.clauses() if known.check is None or known.check not in reported]


def told_by(formula: ExplorationNode, known: Clause) -> tuple[Holder, ...]:
    """What holds the values of a node's state that a clause is about."""
    symbols = {symbol for part in known.since(formula.length) for symbol in part.symbols}
    held = formula.snapshot.holders
    return tuple(dict.fromkeys(holder for symbol in by_name(symbols) for holder in held.get(symbol, ())))


def _event(formula: ExplorationNode, known: Clause, found: Match) -> tuple[Expr, ...] | None:
    """A clause's event for a state; None if it cannot be, whatever the path says."""
    parts = known.since(formula.length)
    bindings = _renaming(formula, parts, found.bindings)
    event: list[Expr] = []
    for part in parts:
        value: Any = substitute(part, bindings) if bindings else part
        if value is False:
            return None
        if isinstance(value, Expr):
            event.append(value)
    return tuple(event)


def _renaming(formula: ExplorationNode, parts: tuple[Expr, ...], bindings: dict[Expr, Any]) -> dict[Expr, Any]:
    """Bindings for all symbols of a clause: those that the state at the place does not have may be anything."""
    held = formula.snapshot.holders
    renamed = dict(bindings)
    for part in parts:
        for symbol in part.symbols:
            if symbol not in renamed and symbol not in held:
                renamed[symbol] = build.symbol(f"{symbol.value}`", symbol.sort)
    return renamed
