"""The paths of the unrolled graph against those of random functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.explain.unrolled import Status, Unrolled, UnrolledNode
from clew.program.instructions import IndirectBranch, Return, Terminator
from clew.program.module import Block, Function
from clew.program.types import VOID, FunctionType
from clew.program.values import ConstNull

Edges = list[list[int]]


@st.composite
def edge_lists(draw: st.DrawFn) -> Edges:
    """Graphs whose node 0 has no predecessor, as the entry of a function must not."""
    size = draw(st.integers(2, 7))
    return [draw(st.lists(st.integers(1, size - 1), max_size=3, unique=True)) for _ in range(size)]


def function(edges: Edges) -> Function:
    blocks = []
    for number, targets in enumerate(edges):
        end: Terminator = Return(None, None, None)
        if targets:
            end = IndirectBranch(None, None, ConstNull(), tuple(f"b{t}" for t in targets))
        blocks.append(Block(f"b{number}", (end,)))
    return Function("f", FunctionType(VOID, ()), (), tuple(blocks))


def paths(edges: Edges, goal: int, longest: int) -> Iterator[tuple[str, ...]]:
    """Ways from node 0 to the goal, ``longest`` nodes at most."""
    work: list[tuple[int, ...]] = [(0,)]
    while work:
        path = work.pop()
        if path[-1] == goal:
            yield tuple(f"b{number}" for number in path)
        elif len(path) < longest:
            work += [(*path, target) for target in edges[path[-1]]]


def unrolled_paths(graph: Unrolled, longest: int) -> Iterator[tuple[str, ...]]:
    """Ways from the first node to goals, by the blocks they go through."""
    work: list[Sequence[UnrolledNode]] = [(graph.first,)]
    while work:
        path = work.pop()
        if path[-1].status is Status.GOAL:
            yield tuple(n.block for n in path)
        elif len(path) < longest:
            if path[-1].status is Status.FRONTIER:
                graph.expand(path[-1])
            work += [(*path, edge.target) for edge in path[-1].outs.values()]


@given(edge_lists(), st.data())
def test_the_paths_to_a_goal_are_those_of_the_function(edges: Edges, data: st.DataObject) -> None:
    goal = data.draw(st.integers(1, len(edges) - 1))
    try:
        graph = Unrolled({"f": function(edges)}, ["f"], lambda i: None, {("f", f"b{goal}", 0): 0}, frozenset())
    except Unsupported:
        return
    assert sorted(unrolled_paths(graph, 7)) == sorted(paths(edges, goal, 7))
