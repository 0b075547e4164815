"""Weak topological orders (Bourdoncle): in which order to compute a fixpoint, and where to widen.

An order is a list of nodes and *components*. A component is a set of nodes that lead back to each other; it has a
head, through which each of its cycles passes that is not in one of the components inside. Works on any graph: of a
loop that can be entered in several places, one entry becomes the head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.analysis.graph import postorder, strong_components


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
