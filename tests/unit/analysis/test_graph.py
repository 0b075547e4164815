"""``analysis.graph`` against definitions applied naively to random graphs, and on shapes C gives rise to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.analysis import graph as g
from clew.program.instructions import IndirectBranch, Return, Terminator
from clew.program.module import Block, Function
from clew.program.types import VOID, FunctionType
from clew.program.values import ConstNull

Edges = list[list[int]]


def make(edges: Edges) -> g.ControlFlow:
    """The control flow of a function whose block ``i`` goes to ``edges[i]``."""
    blocks = []
    for number, targets in enumerate(edges):
        end: Terminator = Return(None, None, None)
        if targets:
            end = IndirectBranch(None, None, ConstNull(), tuple(f"b{t}" for t in targets))
        blocks.append(Block(f"b{number}", (end,)))
    return g.control_flow(Function("f", FunctionType(VOID, ()), (), tuple(blocks)))


def reach(edges: Edges, start: int, without: int | None = None, within: set[int] | None = None) -> set[int]:
    """Nodes reachable from ``start`` (itself included) when node ``without`` is taken away."""
    if start == without:
        return set()
    seen, stack = {start}, [start]
    while stack:
        for target in edges[stack.pop()]:
            if target != without and target not in seen and (within is None or target in within):
                seen.add(target)
                stack.append(target)
    return seen


@st.composite
def edge_lists(draw: st.DrawFn) -> Edges:
    size = draw(st.integers(1, 9))
    node = st.integers(0, size - 1)
    return [draw(st.lists(node, max_size=3, unique=True)) for _ in range(size)]


@given(edge_lists())
def test_reverse_postorder_lists_each_reachable_block_after_its_dominators(edges: Edges) -> None:
    cfg = make(edges)
    order = g.reverse_postorder(cfg)
    assert order[0] == 0
    assert sorted(order) == sorted(reach(edges, 0))
    place = {block: at for at, block in enumerate(order)}
    tree = g.dominators(cfg)
    assert all(tree.parent[b] == g.NONE or place[tree.parent[b]] < place[b] for b in order)


@given(edge_lists())
def test_dominators_agree_with_the_definition(edges: Edges) -> None:
    tree = g.dominators(make(edges))
    reachable = reach(edges, 0)
    assert set(tree.preorder) == reachable
    for above in range(len(edges)):
        cut = reach(edges, 0, without=above)
        for below in range(len(edges)):
            expected = above in reachable and below in reachable and below not in cut
            assert tree.dominates(above, below) == expected
    for block in reachable - {0}:
        strict = [d for d in reachable if d != block and tree.dominates(d, block)]
        assert tree.parent[block] in strict
        assert all(tree.dominates(d, tree.parent[block]) for d in strict)


@given(edge_lists())
def test_frontiers_agree_with_the_definition(edges: Edges) -> None:
    cfg = make(edges)
    tree = g.dominators(cfg)
    frontiers = g.dominance_frontiers(cfg, tree)
    reachable = reach(edges, 0)
    for block in range(len(edges)):
        expected = {
            join
            for source in reachable
            for join in edges[source]
            if tree.dominates(block, source) and not (tree.dominates(block, join) and block != join)
        }
        assert len(set(frontiers[block])) == len(frontiers[block])
        assert set(frontiers[block]) == expected


@given(edge_lists())
def test_loops_are_the_nested_cycles(edges: Edges) -> None:
    cfg = make(edges)
    tree = g.dominators(cfg)
    forest = g.loop_forest(cfg)
    reachable = reach(edges, 0)
    on_cycle = {b for b in reachable if any(b in reach(edges, t) for t in edges[b])}
    assert {b for loop in forest.loops for b in loop.blocks} == on_cycle
    for loop in forest.loops:
        blocks = set(loop.blocks)
        assert all(reach(edges, b, within=blocks) == blocks for b in blocks)
        assert loop.header == loop.entries[0]
        assert loop.irreducible == (not all(tree.dominates(loop.header, b) for b in blocks))
        assert set(loop.exits) == {(b, t) for b in blocks for t in edges[b] if t not in blocks}
        assert set(loop.latches) == {b for b in blocks if loop.header in edges[b]}
        outer = forest.loops[loop.parent] if loop.parent != g.NONE else None
        assert loop.depth == (outer.depth + 1 if outer else 1)
        assert outer is None or (outer.index < loop.index and blocks < outer.blocks and outer.header not in blocks)
    for block in range(len(edges)):
        inside = {loop.index for loop in forest.loops if block in loop.blocks}
        assert {loop.index for loop in forest.around(block)} == inside


@given(edge_lists())
def test_every_back_edge_of_a_natural_loop_ends_at_a_header(edges: Edges) -> None:
    cfg = make(edges)
    tree = g.dominators(cfg)
    forest = g.loop_forest(cfg)
    if any(loop.irreducible for loop in forest.loops):
        return
    headers = {loop.header for loop in forest.loops}
    back = {t for b in reach(edges, 0) for t in edges[b] if tree.dominates(t, b)}
    assert back == headers


def test_goto_into_a_loop_is_flagged_irreducible() -> None:
    forest = g.loop_forest(make([[1, 2], [2, 3], [1], []]))
    (loop,) = forest.loops
    assert loop.irreducible
    assert set(loop.entries) == {1, 2}
    assert forest.headed_by(loop.header) == loop
    assert forest.headed_by(3) is None


def test_two_nested_natural_loops() -> None:
    forest = g.loop_forest(make([[1], [2, 5], [3, 4], [2], [1], []]))
    outer, inner = forest.loops
    assert (outer.header, outer.blocks, outer.depth) == (1, frozenset({1, 2, 3, 4}), 1)
    assert (inner.header, inner.blocks, inner.depth, inner.parent) == (2, frozenset({2, 3}), 2, 0)
    assert outer.exits == ((1, 5),)
    assert not outer.irreducible


@pytest.mark.slow
def test_a_long_ladder_of_early_exits_is_no_trouble() -> None:
    """``if (a) return; if (b) return; ...``: deep dominator tree, one join with thousands of predecessors."""
    steps = 4_000
    end = 2 * steps
    ladder: Edges = [edges for i in range(steps) for edges in ([2 * i + 1, 2 * i + 2], [end])]
    cfg = make([*ladder, []])
    tree = g.dominators(cfg)
    assert tree.parent[end] == 0
    assert tree.parent[end - 2] == end - 4
    assert g.dominance_frontiers(cfg, tree)[1] == [end]
    assert not g.loop_forest(cfg).loops


@pytest.mark.slow
def test_a_long_row_of_loops_is_no_trouble() -> None:
    count = 4_000
    row: Edges = [[i, i + 1] for i in range(count)] + [[]]
    forest = g.loop_forest(make(row))
    assert len(forest.loops) == count
    assert g.dominators(make(row)).parent[count] == count - 1
