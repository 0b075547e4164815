"""The graph of a whole program: frames, stretches of blocks, and what calls are followed."""

from __future__ import annotations

from itertools import pairwise

from clew.analysis.absint.frames import EdgeKind, Supergraph
from unit.analysis.absint.analysed import graph_of
from unit.execute.support import c_program, llvm

CHAIN = """
static int twice(int x) { return 2 * x; }
static int both(int a, int b) { return twice(a) + twice(b); }
int main(void) { return both(1, 2) + twice(3); }
"""


def frames(graph: Supergraph) -> list[tuple[str, str, bool]]:
    """Function, the parent's function, and whether it is a general frame."""
    return sorted(
        (f.function.name, "" if f.parent is None else graph.frames[f.parent].function.name, f.general)
        for f in graph.frames
    )


def test_a_frame_per_chain_of_calls() -> None:
    graph = graph_of(c_program(CHAIN))
    assert frames(graph) == [
        ("both", "main", False), ("main", "", False), ("twice", "both", False), ("twice", "both", False),
        ("twice", "main", False),
    ]  # fmt: skip
    assert len({(f.parent, f.call) for f in graph.frames}) == len(graph.frames)
    assert sorted(graph.of_function["twice"]) == [f.number for f in graph.frames if f.function.name == "twice"]


def test_a_parent_has_a_smaller_number() -> None:
    assert all(f.parent is None or f.parent < f.number for f in graph_of(c_program(CHAIN)).frames)


def test_nodes_are_the_stretches_between_calls() -> None:
    graph = graph_of(c_program(CHAIN))
    for frame in graph.frames:
        for block in frame.function.blocks:
            nodes = list(graph.segments(frame.number, block.name))
            assert nodes[0].number == graph.starts[frame.number, block.name]
            assert nodes[0].first == 0 and nodes[-1].stop == len(block.instructions)
            assert all(after.first == before.stop + 1 for before, after in pairwise(nodes))
    (entry,) = [frame for frame in graph.frames if frame.function.name == "main"]
    assert len(list(graph.segments(entry.number, entry.function.blocks[0].name))) == 3


def test_edges_of_calls_and_returns() -> None:
    graph = graph_of(c_program(CHAIN))
    for edge in graph.edges:
        source, target = graph.nodes[edge.source], graph.nodes[edge.target]
        assert edge in graph.outgoing[edge.source] and edge in graph.incoming[edge.target]
        if edge.kind is EdgeKind.FLOW:
            assert source.frame == target.frame and target.first == 0
        if edge.kind is EdgeKind.CALL:
            called = graph.frames[target.frame]
            assert (called.parent, called.call) == (source.frame, (source.block.name, source.stop))
            back = [e for e in graph.incoming[edge.source + 1] if e.kind is EdgeKind.RETURN]
            assert [graph.nodes[e.source].frame for e in back] == [target.frame]
    kinds = [edge.kind for edge in graph.edges]
    assert kinds.count(EdgeKind.CALL) == kinds.count(EdgeKind.RETURN) == 4


def test_control_does_not_pass_a_call_that_is_followed() -> None:
    graph = graph_of(c_program(CHAIN))
    for frame in graph.frames:
        for block in frame.function.blocks:
            for before, after in pairwise(graph.segments(frame.number, block.name)):
                assert after.number not in {edge.target for edge in graph.outgoing[before.number]}


def test_recursion_is_not_followed_and_has_a_general_frame() -> None:
    graph = graph_of(
        c_program("int down(int n) { return n > 0 ? down(n - 1) : n; } int main(void) { return down(5); }")
    )
    assert frames(graph) == [("down", "", True), ("main", "", False)]
    assert len(graph.entries) == 2
    assert not any(edge.kind is EdgeKind.CALL for edge in graph.edges)


def test_calls_through_pointers_are_not_followed() -> None:
    code = """
    static int one(int x) { return 1; }
    static int two(int x) { return 2; }
    static int none(int x) { return 3; }
    int (*table[2])(int) = {one, two};
    int main(void) { return table[__VERIFIER_nondet_int() & 1](0); }
    """
    assert frames(graph_of(c_program(code))) == [("main", "", False), ("one", "", True), ("two", "", True)]


def test_others_have_general_frames_and_follow_calls_of_their_own() -> None:
    graph = graph_of(c_program(CHAIN), others=("both",))
    general = [frame.number for frame in graph.frames if frame.general]
    assert [graph.frames[number].function.name for number in general] == ["both"]
    assert sum(frame.parent == general[0] for frame in graph.frames) == 2


def test_limits() -> None:
    assert frames(graph_of(c_program(CHAIN), depth=1)) == [
        ("both", "main", False), ("main", "", False), ("twice", "", True), ("twice", "main", False),
    ]  # fmt: skip
    small = graph_of(c_program(CHAIN), nodes=1)
    assert frames(small) == [("both", "", True), ("main", "", False), ("twice", "", True)]


def test_calls_with_other_types_than_the_function_has_are_not_followed() -> None:
    program = llvm("""
    define i32 @f(i32 %x) {
    entry:
    ret i32 %x
    }
    define i32 @main() {
    entry:
    %a = call i32 @f(i64 7)
    ret i32 %a
    }
    """)
    assert ("f", "main", False) not in frames(graph_of(program))
    assert ("f", "", True) in frames(graph_of(program))
