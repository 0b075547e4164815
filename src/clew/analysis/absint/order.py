"""Weak topological orders (Bourdoncle): in which order to compute a fixpoint, and where to widen.

An order is a list of nodes and *components*. A component is a set of nodes that lead back to each other; it has a
head, through which each of its cycles passes that is not in one of the components inside. Works on any graph: of a
loop that can be entered in several places, one entry becomes the head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.analysis.graph import postorder


@dataclass(slots=True)
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
    allowed = set(region)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    found: list[tuple[list[int], bool]] = []
    for root in region:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        open_nodes.append(root)
        is_open.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in allowed:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    open_nodes.append(target)
                    is_open.add(target)
                    stack.append((target, iter(edges[target])))
                    break
                if target in is_open and index[target] < low[node]:
                    low[node] = index[target]
            else:
                stack.pop()
                if stack and low[node] < low[stack[-1][0]]:
                    low[stack[-1][0]] = low[node]
                if low[node] == index[node]:
                    at = len(open_nodes) - 1
                    while open_nodes[at] != node:
                        at -= 1
                    part = sorted(open_nodes[at:], key=place.__getitem__)
                    del open_nodes[at:]
                    is_open.difference_update(part)
                    found.append((part, len(part) > 1 or node in edges[node]))
    found.reverse()  # a component is found after all that it leads to
    return found
