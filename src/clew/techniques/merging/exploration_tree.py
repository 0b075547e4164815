"""The account of what is explored: a node for each visit of a place where paths meet.

A node is open as long as states or siblings of them are alive below it. It closes when all of them have ended, were
refuted or were merged: then its clauses are a formula for its place. Whatever is not reported to the node (a sibling
that is withdrawn or evicted) keeps it open for ever; what is not explored as it should be makes it invalid, and all
above it. Neither ever gives a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clew.execute.extensions import Extension
from clew.execute.sites import CheckId
from clew.execute.state import NO_SYMBOLS, State
from clew.expr.node import Expr
from clew.solver.path import PathCondition
from clew.techniques.merging.clauses import Clause
from clew.techniques.merging.lifting import equation
from clew.techniques.merging.limits import USUAL, Limits
from clew.techniques.merging.snapshot import ResumePoint, Snapshot
from clew.techniques.merging.value_sets import Intervals, is_in, union, value_set
from clew.techniques.merging.work import MOST


class Epoch:
    """The time from when paths are tracked until they are not: what is open then says nothing any more."""

    __slots__ = ("is_over",)

    def __init__(self) -> None:
        self.is_over = False


class ExplorationNode(Extension):
    """A visit; states below it have it as extension. ``closed`` is called when all below it is explored."""

    __slots__ = (
        "_added", "_clauses", "_known", "_open", "_values", "closed", "constant_symbols", "definitions", "epoch",
        "here", "hits", "is_closed", "is_invalid", "is_moved", "is_redundant", "length", "limits", "lookups", "numbers",
        "parent", "path", "snapshot", "work",
    )  # fmt: skip

    def __init__(
        self,
        parent: ExplorationNode | None,
        here: ResumePoint,
        path: PathCondition,
        snapshot: Snapshot,
        closed: Callable[[ExplorationNode], None],
        limits: Limits = USUAL,
        epoch: Epoch | None = None,
    ) -> None:
        self.parent = parent
        self.epoch = epoch or Epoch()
        self.work = 0
        """What was explored below, and what would have been but for merged paths, in units of work."""
        self.limits = limits
        self.here = here
        self.path = path
        self.length = len(path)
        self.snapshot = snapshot
        self.closed = closed
        self.is_closed = False
        self.is_invalid = False
        self.is_moved = False
        """Whether its state is about to come to the place once more, without having gone on."""
        self.definitions: Mapping[Expr, Any] = {}
        """Symbols that were made here, with what they stand for."""
        self.numbers: Mapping[Expr, frozenset[Expr]] = parent.numbers if parent is not None else {}
        """Symbols that stand for numbers, here and below, each with the constraints that say so."""
        self.constant_symbols: frozenset[Expr] = parent.constant_symbols if parent is not None else frozenset()
        """Those symbols."""
        self.hits = 0
        self.lookups: set[str] = set()
        """What models kept for the path and asked for, below here."""
        self._open: set[int | ExplorationNode] = set()
        """Identities of states, and nodes, below that are not done with."""
        self._clauses: dict[object, Clause] = {}
        """By what they say: one for all that are about the values of the same symbol."""
        self._added: list[Clause] = []
        """All that there ever were, in the order in which they came."""
        self.is_redundant: Callable[[ExplorationNode, tuple[Expr, ...], CheckId | None], bool] | None = None
        """Whether what a clause says, in terms of the state here, follows from others; None where nobody asks."""
        self._known: set[tuple[frozenset[Expr], CheckId | None]] = set()
        self._values: dict[tuple[Expr, CheckId | None], Intervals] = {}

    def define(self, definitions: Mapping[Expr, Any]) -> None:
        """Symbols are made here."""
        self.definitions = definitions
        numbers = dict(self.numbers)
        for symbol, value in definitions.items():
            symbols = value.symbols if isinstance(value, Expr) else frozenset()
            if symbols <= self.constant_symbols:
                numbers[symbol] = frozenset((equation(symbol, value),)).union(*(numbers[other] for other in symbols))
        self.numbers, self.constant_symbols = numbers, frozenset(numbers)

    def equations(self, condition: Expr) -> frozenset[Expr] | None:
        """The constraints that give numbers to all symbols of a condition, if they all have one."""
        if not condition.symbols <= self.constant_symbols:
            return None
        return frozenset().union(*(self.numbers[symbol] for symbol in condition.symbols))

    # What is below

    def opened(self, what: int | ExplorationNode) -> None:
        self._open.add(what)

    def replaced(self, state: int, node: ExplorationNode) -> None:
        """A state below has come to a place of its own."""
        self._open.discard(state)
        self._open.add(node)

    def done(self, what: int | ExplorationNode) -> None:
        """One thing less to wait for."""
        node = self
        while True:
            node._open.discard(what)
            if node._open or node.is_closed:
                return
            node.is_closed = True
            parent = node.parent
            if not node.is_invalid and not node.epoch.is_over:
                node.closed(node)
                if parent is not None:
                    parent.adopt(node)
            if parent is None:
                return
            node, what = parent, node

    def adopt(self, child: ExplorationNode) -> None:
        """What was refuted below a node that has closed was refuted below this one."""
        self.work = min(self.work + child.work, MOST)
        self.learn(child)

    def learn(self, child: ExplorationNode, told: int = 0) -> None:
        """What was refuted so far below a node was refuted here, too; the first ``told`` clauses are known."""
        self.lookups |= child.lookups
        for clause in child.added(told) if told else child.clauses():
            if clause.rests_on(self.length):
                self.refuted(clause.spelled_out(child.definitions) if child.definitions else clause)

    def added(self, known: int) -> list[Clause]:
        """Clauses beyond the first ones."""
        return self._added[known:]

    @property
    def strength(self) -> tuple[int, int]:
        """Grows whenever more is asked of a state that is to show nothing new."""
        return len(self._added), len(self.lookups)

    # What was refuted

    def refuted(self, clause: Clause) -> None:
        """Add a clause, unless nothing that is older than this place counts for it."""
        if self.is_invalid or not clause.rests_on(self.length):
            return
        since = clause.since(self.length)
        key = (frozenset(since), clause.check)
        if key in self._known:
            return
        self._known.add(key)
        found = value_set(since)
        if found is None or not self._unite(clause, *found):
            if self.is_redundant is not None and self._clauses and self.is_redundant(self, since, clause.check):
                return
            self._clauses[key] = clause
            self._added.append(clause)
        if len(self._clauses) > self.limits.clauses:
            self.invalidate()

    def _unite(self, clause: Clause, symbol: Expr, values: Intervals) -> bool:
        """Let one clause say which values a symbol cannot have here; False if that is not simple."""
        key = (symbol, clause.check)
        known = self._values.get(key, ())
        united = union(known, values)
        if united is None:
            return False
        if united == known:
            return True
        if united != values:
            event = is_in(symbol, united)
            if not isinstance(event, Expr):
                return False
            reasons = {p: reason for p, reason in self._clauses[key].reasons + clause.reasons if p <= self.length}
            clause = Clause(tuple((p, reasons[p]) for p in sorted(reasons)), (event,), clause.check)
        self._values[key], self._clauses[key] = united, clause
        self._added.append(clause)
        return True

    def clauses(self) -> list[Clause]:
        """The clauses that still rest on what is older than this place."""
        return [clause for clause in self._clauses.values() if clause.rests_on(self.length)]

    # Trouble

    def invalidate(self) -> None:
        """Nothing can be concluded from what is explored below here, nor below any node above."""
        node: ExplorationNode | None = self
        while node is not None and not node.is_invalid:
            node.is_invalid = True
            node._clauses, node._known, node._values, node.lookups = {}, set(), {}, set()
            node._added = []
            node = node.parent

    def stop_tracking(self, state: State) -> None:
        self.invalidate()
        leave(state)


def node_of(state: State) -> ExplorationNode | None:
    """The last visit of a state that what it does is reported to."""
    node = state.extension(ExplorationNode)
    if node is not None and node.epoch.is_over and not node.is_closed:
        leave(state)
        return None
    return node


def enter(state: State, node: ExplorationNode) -> None:
    """What a state does from now on is reported to a node."""
    state.extend(node)
    state.constant_symbols = node.constant_symbols


def leave(state: State) -> None:
    """What a state does from now on is not reported to its node."""
    state.forget(ExplorationNode)
    state.constant_symbols = NO_SYMBOLS
