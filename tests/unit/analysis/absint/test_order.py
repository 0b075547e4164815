"""Weak topological orders: what makes them that, on random graphs; their shape on some that are easy to draw."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from clew.analysis.absint.fixpoint import Component, weak_topological_order

Graph = list[list[int]]
Order = list[int | Component]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(0, size - 1), max_size=3)) for _ in range(size)]


def flat(order: Order) -> Iterator[int]:
    """All nodes as they come."""
    for part in order:
        if isinstance(part, Component):
            yield part.head
            yield from flat(part.body)
        else:
            yield part


def components(order: Order) -> Iterator[Component]:
    for part in order:
        if isinstance(part, Component):
            yield part
            yield from components(part.body)


def reached(graph: Graph, root: int) -> set[int]:
    found, work = {root}, [root]
    while work:
        new = set(graph[work.pop()]) - found
        found |= new
        work += new
    return found


@given(graphs())
def test_each_node_that_is_reached_is_in_the_order_once(graph: Graph) -> None:
    order = list(flat(weak_topological_order(graph, 0)))
    assert sorted(order) == sorted(reached(graph, 0))
    assert order[0] == 0


@given(graphs())
def test_only_edges_to_the_head_of_a_component_lead_back(graph: Graph) -> None:
    order = weak_topological_order(graph, 0)
    place = {node: at for at, node in enumerate(flat(order))}
    around = {node: {c.head for c in components(order) if node in c.nodes} for node in place}
    for source in place:
        for target in graph[source]:
            if place[target] <= place[source]:
                assert target in around[source], f"{source} -> {target} leads back from outside"


@given(graphs())
def test_components_are_what_leads_back_to_each_other(graph: Graph) -> None:
    order = weak_topological_order(graph, 0)
    for component in components(order):
        assert component.nodes == {component.head, *flat(component.body)}
        within = [
            [to for to in targets if n in component.nodes and to in component.nodes] for n, targets in enumerate(graph)
        ]
        assert all(component.head in reached(within, node) for node in component.nodes)
        assert reached(within, component.head) == component.nodes
        assert len(component.nodes) > 1 or component.head in graph[component.head]


@given(graphs())
def test_without_the_heads_there_are_no_cycles(graph: Graph) -> None:
    order = weak_topological_order(graph, 0)
    heads = {component.head for component in components(order)}
    left = [[to for to in targets if to not in heads] for targets in graph]
    for node in set(flat(order)) - heads:
        assert not any(node in reached(left, target) for target in left[node])


def shape(order: Order) -> str:
    parts = [
        f"({part.head} {shape(part.body)})".replace(" )", ")") if isinstance(part, Component) else str(part)
        for part in order
    ]
    return " ".join(parts)


def test_shapes() -> None:
    assert shape(weak_topological_order([[1, 2], [3], [3], []], 0)) in ("0 1 2 3", "0 2 1 3")
    assert shape(weak_topological_order([[1], [2, 3], [1], []], 0)) == "0 (1 2) 3"
    # Bourdoncle's example: 1 (2 (3 4) ... as loops in loops; here one behind the other in an outer one.
    assert shape(weak_topological_order([[1], [2], [2, 3], [3, 1, 4], []], 0)) == "0 (1 (2) (3)) 4"
    # Entered in two places: one of them is the head.
    assert shape(weak_topological_order([[1, 2], [2], [1]], 0)) in ("0 (1 2)", "0 (2 1)")


def test_long_chains_do_not_exhaust_the_stack() -> None:
    size = 4_000
    order = weak_topological_order([[n + 1] if n + 1 < size else [0] for n in range(size)], 0)
    (whole,) = order
    assert isinstance(whole, Component) and whole.head == 0 and whole.body == list(range(1, size))
