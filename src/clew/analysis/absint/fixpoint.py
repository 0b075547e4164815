"""Invariants as a fixpoint: states that contain all that can be, computed in a weak topological order.

At the head of a component states are joined for a few rounds, then widened until nothing new comes, then narrowed.
Every state that is kept contains all valuations that really occur: a pass through a component from a head that does
gives results that do. So narrowing may stop at any time, and components inside others start anew each time.

A weak topological order (Bourdoncle) is a list of nodes and *components*. A component is a set of nodes that lead back
to each other; it has a head, through which each of its cycles passes that is not in one of the components inside. There
is one for any graph: of a loop that can be entered in several places, one entry becomes the head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.frames import Edge, Supergraph
from clew.analysis.absint.linear import Constraint
from clew.analysis.absint.transfer import Transfer
from clew.analysis.graph import postorder, strong_components
from clew.base.dataclass import dataclass


@dataclass(slots=True, eq=False)
class Component:
    """A cycle, with all that is nested in it."""

    head: int
    nodes: frozenset[int]
    body: list[int | Component] = field(default_factory=list)
    """In order, without the head."""


def weak_topological_order(edges: Sequence[Sequence[int]], root: int) -> list[int | Component]:
    """The order of what can be reached from ``root``."""
    order = postorder(edges, root)
    order.reverse()
    place = [-1] * len(edges)
    for position, node in enumerate(order):
        place[node] = position
    result: list[int | Component] = []
    work: list[tuple[list[int], list[int | Component]]] = [(order, result)]
    while work:
        region, into = work.pop()
        for part, cyclic in _components(edges, region, place):
            if not cyclic:
                into.append(part[0])
                continue
            head, *rest = part
            component = Component(head, frozenset(part))
            into.append(component)
            work.append((rest, component.body))
    return result


def _components(edges: Sequence[Sequence[int]], region: list[int], place: list[int]) -> list[tuple[list[int], bool]]:
    """Strongly connected components of a region, in an order in which edges between them lead forwards.

    Each is sorted by the order of the whole graph, and told whether it holds a cycle.
    """
    found = []
    for component in reversed(strong_components(edges, region)):
        part = sorted(component, key=place.__getitem__)
        found.append((part, len(part) > 1 or part[0] in edges[part[0]]))
    return found


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient to be."""

    delay: int = 2
    """Rounds of joining before widening."""
    narrowings: int = 3
    patience: float = 1.0
    """How many times the usual effort to spend in one domain."""


class TooExpensive(Exception):
    """The effort is spent."""


class Fixpoint:
    """Computes the states of one graph in one domain."""

    def __init__(
        self,
        graph: Supergraph,
        transfer: Transfer,
        top: Abstract,
        bottom: Abstract,
        pace: Pace,
        effort: int,
        thresholds: Callable[[Component], tuple[Constraint, ...]],
        stop: Callable[[], bool],
        initialized: bool,
    ) -> None:
        """``initialized``: nothing runs before the entry, so that globals have the values they began with."""
        self._graph = graph
        self._transfer = transfer
        self._bottom = bottom
        self._pace = pace
        self._effort = effort * pace.patience
        """Sizes of the states that nodes are given, all together: after that, the domain is too expensive here."""
        self._thresholds = thresholds
        self._stop = stop
        self._start = {graph.entries[0]: transfer.start(top, initialized)}
        for entry in graph.entries[1:]:
            self._start[entry] = transfer.start(top, False)
        self.states: list[Abstract] = [bottom] * len(graph.nodes)
        """At the start of each node."""
        self._flows: list[Abstract] = [bottom] * len(graph.edges)
        self._spent = 0

    def run(self) -> None:
        """Compute ``states``; raises ``TooExpensive``."""
        graph = self._graph
        root = len(graph.nodes)
        edges = [[edge.target for edge in outgoing] for outgoing in graph.outgoing]
        for part in weak_topological_order([*edges, list(self._start)], root):
            if part != root:
                self._compute(part)

    def _compute(self, part: int | Component) -> None:
        if isinstance(part, int):
            start = self._start.get(part, self._bottom)
            self._set(part, self._joined(start, self._graph.incoming[part]))
        else:
            self._stabilize(part)

    def _joined(self, state: Abstract, edges: Iterable[Edge]) -> Abstract:
        """A state with what comes over some edges."""
        for edge in edges:
            flow = self._flows[edge.number]
            if not flow.is_bottom:
                state = flow if state.is_bottom else state.join(flow)
        return state

    def _set(self, node: int, state: Abstract) -> None:
        """Give a node its state, and its edges theirs."""
        self.states[node] = state
        outgoing = self._graph.outgoing[node]
        if state.is_bottom:
            for edge in outgoing:
                self._flows[edge.number] = self._bottom
            return
        self._spent += 1 + state.size()
        if self._spent > self._effort or self._stop():
            raise TooExpensive
        behind = self._transfer.after(state, self._graph.nodes[node])
        for edge in outgoing:
            self._flows[edge.number] = self._transfer.along(behind, edge)

    def _stabilize(self, part: Component) -> None:
        head = part.head
        incoming = self._graph.incoming[head]
        outside = [edge for edge in incoming if edge.source not in part.nodes]
        inside = [edge for edge in incoming if edge.source in part.nodes]
        for node in part.nodes:
            for edge in self._graph.outgoing[node]:
                self._flows[edge.number] = self._bottom
        # A component may be entered elsewhere than at its head: what flows in there is seen with the body.
        entry = self._joined(self._start.get(head, self._bottom), outside)
        state, rounds = entry, 0
        thresholds = self._thresholds(part)
        while True:
            self._round(part, state)
            again = self._joined(entry, inside)
            if state.contains(again):
                break
            rounds += 1
            if rounds <= self._pace.delay and again.contains(state):
                state = again  # cheaper than to join them
                continue
            grown = state.join(again) if rounds <= self._pace.delay else state.widen(again, thresholds)
            if state.contains(grown):
                break  # what comes back is in there, and so in here, even if that could not be shown at once
            state = grown
        for _ in range(self._pace.narrowings):
            smaller = state.narrow(again)
            if smaller.contains(state):
                break
            state = smaller
            self._round(part, state)
            again = self._joined(entry, inside)

    def _round(self, part: Component, state: Abstract) -> None:
        self._set(part.head, state)
        for inner in part.body:
            self._compute(inner)
