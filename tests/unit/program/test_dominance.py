"""Dominators against their definition, on random graphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.program.dominance import Dominators, reverse_postorder

_GRAPHS = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)


def _reachable(graph: dict[str, list[str]], without: str) -> set[str]:
    seen: set[str] = set()
    stack = ["0"] if without != "0" else []
    while stack:
        block = stack.pop()
        if block not in seen:
            seen.add(block)
            stack.extend(target for target in graph[block] if target != without)
    return seen


@given(_GRAPHS)
def test_dominators(edges: list[list[int]]) -> None:
    graph = {str(block): [str(target) for target in targets] for block, targets in enumerate(edges)}
    dominators = Dominators("0", graph)
    reachable = _reachable(graph, "")
    assert set(dominators.number) == reachable
    for above in reachable:
        for below in reachable:
            cut = below not in _reachable(graph, above)
            assert dominators.dominates(above, below) == cut


@pytest.mark.slow
def test_deep_graphs_need_no_recursion() -> None:
    graph = {str(i): [str(i + 1)] for i in range(8_000)} | {"8000": []}
    assert len(reverse_postorder("0", graph)) == 8_001
    assert Dominators("0", graph).dominates("7", "7999")
