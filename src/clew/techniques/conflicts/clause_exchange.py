"""Clauses that several searches over one program leave to each other, each with a graph and variables of its own.

A clause travels by value: its choices are named by where they are in the unrolled program. Whoever gets one looks up
each of them in the own graph; one that speaks of what is not there yet waits until it is, and one that is no clause at
all is dropped.

Only such clauses travel as hold for the program itself: not all of these choices are made on any path. Clauses that
rest on a path as a whole do not: they may say no more than that this search does not want it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from clew.analysis.graph import NONE
from clew.explain.unrolled import Edge, Scope, Unrolled, UnrolledNode

LONGEST = 30
"""Literals of a clause that travels: longer ones spare others little."""
MOST = 20_000
"""Clauses that wait to be sent, or for the graph to grow; beyond these, none is added."""


class Activation(NamedTuple):
    """A function that was called from somewhere; for those that run first, ``caller`` is their place among these."""

    caller: NodeName | int
    function: str


class Iteration(NamedTuple):
    """One iteration of a loop."""

    around: ScopeName
    loop: int
    round: int


class NodeName(NamedTuple):
    """A piece of a block."""

    scope: ScopeName
    block: str
    piece: int


class EdgeName(NamedTuple):
    """A way on from there."""

    source: NodeName
    key: str


ScopeName = Activation | Iteration


class Clause(NamedTuple):
    """Choices that are never all made, each with whether it is the making or the not making that is meant."""

    literals: tuple[tuple[NodeName | EdgeName, bool], ...]
    entered: tuple[ScopeName, ...]
    """Loops whose first iterations the reason rests on: it does not hold for later ones."""


class ClauseExchange:
    """The end of one search, the ``number``-th of ``count``: what it has to send, and what has come for it."""

    def __init__(self, number: int, count: int) -> None:
        self.number = number
        self.count = count
        self._outgoing: list[Clause] = []
        self._arrived: list[Clause] = []

    def send(self, clause: Clause) -> None:
        """Have a clause sent with the next message."""
        if len(self._outgoing) < MOST:
            self._outgoing.append(clause)

    def taken(self) -> tuple[Clause, ...]:
        """What is to be sent since this was asked last."""
        taken, self._outgoing = tuple(self._outgoing), []
        return taken

    def arrive(self, clauses: Iterable[Clause]) -> None:
        """Others have sent these: the search takes them up when it can."""
        self._arrived += clauses

    def arrived(self) -> list[Clause]:
        """What has come since this was asked last."""
        arrived, self._arrived = self._arrived, []
        return arrived


class Names:
    """Of the nodes and edges of one graph."""

    def __init__(self, graph: Unrolled) -> None:
        self._graph = graph
        self._scopes: dict[Scope, ScopeName] = {}
        self._first: list[Scope] = []
        scope: Scope | None = graph.first.scope
        while scope is not None:
            self._first.append(scope)
            scope = scope.next

    # From variables to names

    def clause(self, literals: Iterable[int], entered: Iterable[Scope]) -> Clause | None:
        """What a clause is called; None if it is long, or speaks of something beside the graph."""
        named: list[tuple[NodeName | EdgeName, bool]] = []
        for literal in literals:
            owner = self._graph.owner.get(abs(literal))
            if owner is None or len(named) == LONGEST:
                return None
            name = self._node(owner) if isinstance(owner, UnrolledNode) else self._edge(owner)
            named.append((name, literal > 0))
        return Clause(tuple(named), tuple(map(self._scope, entered)))

    def _edge(self, edge: Edge) -> EdgeName:
        return EdgeName(self._node(edge.source), edge.key)

    def _node(self, node: UnrolledNode) -> NodeName:
        return NodeName(self._scope(node.scope), node.block, node.piece)

    def _scope(self, scope: Scope) -> ScopeName:
        name = self._scopes.get(scope)
        if name is None:
            name = self._scopes[scope] = self._made(scope)
        return name

    def _made(self, scope: Scope) -> ScopeName:
        if scope.loop != NONE:
            assert scope.parent is not None
            return Iteration(self._scope(scope.parent), scope.loop, scope.index)
        caller = self._first.index(scope) if scope.caller is None else self._node(scope.caller)
        return Activation(caller, scope.shape.name)

    # From names to variables

    def literals(self, clause: Clause) -> list[int] | None:
        """The clause in terms of this graph; None if that does not have all of it."""
        found = []
        for name, made in clause.literals:
            variable = self._variable(name)
            if variable == 0:
                return None
            found.append(variable if made else -variable)
        return found

    def entered(self, clause: Clause) -> set[Scope] | None:
        """The loops that its reason rests on; None if the graph does not have all of them."""
        found = {self._found(name) for name in clause.entered}
        return None if None in found else {scope for scope in found if scope is not None}

    def _variable(self, name: NodeName | EdgeName) -> int:
        node = self._found_node(name.source if isinstance(name, EdgeName) else name)
        if node is None or isinstance(name, NodeName):
            return 0 if node is None else node.var
        edge = node.outs.get(name.key)
        return 0 if edge is None else edge.var

    def _found_node(self, name: NodeName) -> UnrolledNode | None:
        scope = self._found(name.scope)
        return None if scope is None else scope.nodes.get((name.block, name.piece))

    def _found(self, name: ScopeName) -> Scope | None:
        if isinstance(name, Iteration):
            around = self._found(name.around)
            return None if around is None else around.inner.get((name.loop, name.round))
        if isinstance(name.caller, int):
            scope = self._first[name.caller] if name.caller < len(self._first) else None
            return scope if scope is not None and scope.shape.name == name.function else None
        caller = self._found_node(name.caller)
        edge = None if caller is None else caller.outs.get(name.function)
        return None if edge is None or edge.target.scope.caller is not caller else edge.target.scope


class Correspondence:
    """What a search sends, and what it learns from others: ``learn`` is given clauses that are new to this graph."""

    def __init__(
        self, graph: Unrolled, exchange: ClauseExchange, learn: Callable[[list[int], set[Scope]], None]
    ) -> None:
        self._graph = graph
        self._names = Names(graph)
        self._exchange = exchange
        self._learn = learn
        self._waiting: list[Clause] = []
        self._nodes = 0
        """Of the graph, when clauses that wait were looked at last."""

    def learned(self, literals: list[int], entered: set[Scope]) -> None:
        """The search has learned something that holds for the program."""
        clause = self._names.clause(literals, entered) if len(literals) <= LONGEST else None
        if clause is not None:
            self._exchange.send(clause)

    def read(self) -> None:
        """Learn what has come, as far as the graph has it by now."""
        coming = self._exchange.arrived()
        if self._nodes != self._graph.nodes:
            self._nodes = self._graph.nodes
            coming, self._waiting = self._waiting + coming, []
        for clause in coming:
            literals, entered = self._names.literals(clause), self._names.entered(clause)
            if literals is None or entered is None:
                self._waiting += [clause] if len(self._waiting) < MOST else []
            elif literals:
                self._learn(literals, entered)
