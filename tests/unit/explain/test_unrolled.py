"""The unrolled graph: its nodes and edges by name on small programs, its paths against the program's on random ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.explain.unrolled import Edge, Status, Unrolled, UnrolledNode
from clew.program.instructions import IndirectBranch, Return, Terminator
from clew.program.module import Block, Function
from clew.program.types import VOID, FunctionType
from clew.program.values import ConstNull
from unit.explain.graphs import (
    CALLS,
    DIAMONDS,
    INDIRECT_CALL,
    LOOP,
    NESTED,
    RECURSION,
    edges_of,
    grow,
    main,
    names,
    node,
    nodes_of,
    unrolled,
)


def leading(graph: Unrolled, name: str) -> set[str]:
    """Where a node leads."""
    return {repr(edge.target) for edge in node(graph, name).outs.values()}


# Blocks


def test_branches_and_joins() -> None:
    graph = unrolled(DIAMONDS)
    assert edges_of(graph) == {
        "main:entry -> main:left",
        "main:entry -> main:right",
        "main:left -> main:middle",
        "main:right -> main:middle",
        "main:middle -> main:bad",
        "main:middle -> main:well",
    }
    assert len(node(graph, "main:middle").ins) == 2
    assert not graph.frontiers


def test_goals_and_ends_lead_nowhere() -> None:
    graph = unrolled(DIAMONDS)
    bad, well = node(graph, "main:bad"), node(graph, "main:well")
    assert (bad.status, bad.goal, bad.outs) == (Status.GOAL, 0, {})
    assert (well.status, well.outs) == (Status.EXIT, {})
    assert node(graph, "main:middle").status is Status.INNER


def test_what_leads_to_no_goal_is_sliced_off() -> None:
    graph = unrolled(
        main("""
        entry:
          %a = call i1 @any()
          br i1 %a, label %aside, label %on
        aside:
          br label %endless
        endless:
          br label %endless
        on:
          call void @goal()
          ret i32 0
    """)
    )
    assert node(graph, "main:aside").status is Status.EXIT
    assert edges_of(graph) == {"main:entry -> main:aside", "main:entry -> main:on"}


def test_no_goal_no_graph() -> None:
    graph = unrolled(main("entry:\n br label %on\non:\n ret i32 0"))
    assert graph.first.status is Status.EXIT
    assert edges_of(graph) == set()


def test_goals_have_the_numbers_they_were_given() -> None:
    graph = unrolled(
        main("""
        entry:
          %a = call i1 @any()
          br i1 %a, label %one, label %two
        one:
          call void @goal()
          unreachable
        two:
          call void @goal()
          unreachable
    """)
    )
    assert {repr(n): n.goal for n in nodes_of(graph)} == {"main:entry": -1, "main:one": 0, "main:two": 1}


def test_behind_a_goal_that_is_passed_nothing_counts() -> None:
    """The second goal is reached through the first only; a path ends at the first."""
    graph = unrolled(main("entry:\n call void @goal()\n br label %on\non:\n call void @goal()\n ret i32 0"))
    assert (graph.first.status, graph.first.goal) == (Status.GOAL, 0)
    assert edges_of(graph) == set()


def test_a_way_on_without_alternative_shares_its_variable() -> None:
    graph = unrolled(DIAMONDS)
    left, entry = node(graph, "main:left"), node(graph, "main:entry")
    assert left.outs["middle"].var == left.var
    assert len({entry.var, *(edge.var for edge in entry.outs.values())}) == 3


@pytest.mark.parametrize("text", [DIAMONDS, LOOP, NESTED, CALLS, RECURSION])
def test_every_variable_has_one_owner(text: str) -> None:
    graph = grow(unrolled(text), 2)
    owners: list[UnrolledNode | Edge] = [*nodes_of(graph)]
    owners += [edge for n in nodes_of(graph) for edge in n.outs.values() if edge.var != n.var]
    assert [var for var, count in Counter(owner.var for owner in owners).items() if count > 1] == []
    assert all(graph.owner[owner.var] is owner for owner in owners)
    assert graph.nodes == len(nodes_of(graph))


# Calls


def test_calls_are_inlined_once_per_call() -> None:
    graph = unrolled(CALLS)
    first, second = "main:entry(pick:", "main:entry.1(pick:"
    assert edges_of(graph) == {
        f"main:entry -> {first}entry",
        f"{first}entry -> {first}yes",
        f"{first}entry -> {first}no",
        f"{first}yes -> main:entry.1",
        f"{first}no -> main:entry.1",
        f"main:entry.1 -> {second}entry",
        f"{second}entry -> {second}yes",
        f"{second}entry -> {second}no",
        f"{second}yes -> main:entry.2",
        f"{second}no -> main:entry.2",
        "main:entry.2 -> main:bad",
        "main:entry.2 -> main:well",
    }


def test_pieces_cover_a_block_once() -> None:
    graph = unrolled(CALLS)
    pieces = [node(graph, f"main:entry{suffix}") for suffix in ("", ".1", ".2")]
    assert [(piece.first, piece.end) for piece in pieces] == [(0, 1), (1, 2), (2, 3)]


def test_a_call_of_something_else_is_no_cut() -> None:
    graph = unrolled(DIAMONDS)
    assert node(graph, "main:entry").end == 2


def test_a_callee_is_an_end_where_neither_it_nor_what_follows_leads_to_a_goal() -> None:
    text = """
        define void @idle() {
        entry:
          br label %on
        on:
          ret void
        }
        define i32 @main() {
        entry:
          %a = call i1 @any()
          br i1 %a, label %before, label %aside
        before:
          call void @idle()
          call void @goal()
          ret i32 0
        aside:
          call void @idle()
          ret i32 0
        }
    """
    graph = unrolled(text)
    assert node(graph, "main:aside").status is Status.EXIT
    assert "main:before(idle:on -> main:before.1" in edges_of(graph)


def test_a_goal_in_a_callee_counts_where_the_call_is_the_last_thing_of_interest() -> None:
    text = """
        define void @check() {
        entry:
          %a = call i1 @any()
          br i1 %a, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret void
        }
        define i32 @main() {
        entry:
          call void @check()
          ret i32 0
        }
    """
    graph = unrolled(text)
    assert node(graph, "main:entry(check:bad").status is Status.GOAL
    assert node(graph, "main:entry(check:well").status is Status.EXIT


def test_roots_run_one_after_the_other() -> None:
    text = """
        define void @setup() {
        entry:
          %a = call i1 @any()
          br i1 %a, label %yes, label %no
        yes:
          ret void
        no:
          unreachable
        }
        define i32 @main() {
        entry:
          call void @goal()
          ret i32 0
        }
    """
    graph = unrolled(text, "setup", "main")
    assert edges_of(graph) == {
        "setup:entry -> setup:yes", "setup:entry -> setup:no", "setup:yes -> main:entry",
    }  # fmt: skip


def test_callees_wait_when_there_are_many() -> None:
    graph = unrolled(CALLS, eager_nodes=0)
    assert names(graph.frontiers) == {"main:entry(pick:entry"}
    grow(graph, 1)
    assert names(graph.frontiers) == {"main:entry.1(pick:entry"}
    grow(graph, 1)
    assert (graph.frontiers, edges_of(graph)) == ({}, edges_of(unrolled(CALLS)))


# Loops


def test_iterations_are_scopes() -> None:
    graph = unrolled(LOOP)
    first = {
        "main:entry -> main:#0:head",
        "main:#0:head -> main:#0:body",
        "main:#0:head -> main:after",
        "main:#0:body -> main:#0:one",
        "main:#0:body -> main:#0:other",
        "main:#0:one -> main:#0:latch",
        "main:#0:other -> main:#0:latch",
        "main:#0:latch -> main:#1:head",
    }
    assert edges_of(graph) == first
    assert names(graph.frontiers) == {"main:#1:head"}
    grow(graph, 1)
    second = {edge.replace("#1", "#2").replace("#0", "#1") for edge in first if "#0:" in edge.split(" -> ")[0]}
    assert edges_of(graph) == first | second
    assert names(graph.frontiers) == {"main:#2:head"}


def test_what_follows_a_loop_is_there_once() -> None:
    graph = grow(unrolled(LOOP), 3)
    assert {repr(edge.source) for edge in node(graph, "main:after").ins} == {f"main:#{i}:head" for i in range(4)}


def test_inner_loops_begin_anew() -> None:
    graph = unrolled(NESTED)
    assert leading(graph, "main:#0:outer") == {"main:#0:#0:inner", "main:after"}
    assert leading(graph, "main:#0:#0:inner") == {"main:#0:#1:inner", "main:#0:latch"}
    assert names(graph.frontiers) == {"main:#1:outer", "main:#0:#1:inner"}
    graph.expand(node(graph, "main:#1:outer"))
    assert leading(graph, "main:#1:outer") == {"main:#1:#0:inner", "main:after"}
    assert names(graph.frontiers) == {"main:#0:#1:inner", "main:#2:outer", "main:#1:#1:inner"}


def test_leaving_several_loops_at_once() -> None:
    graph = unrolled(
        main("""
        entry:
          br label %outer
        outer:
          br label %inner
        inner:
          %a = call i1 @any()
          br i1 %a, label %out, label %next
        next:
          %b = call i1 @any()
          br i1 %b, label %inner, label %outer
        out:
          call void @goal()
          ret i32 0
    """)
    )
    assert leading(graph, "main:#0:#0:inner") == {"main:out", "main:#0:#0:next"}
    assert leading(graph, "main:#0:#0:next") == {"main:#0:#1:inner", "main:#1:outer"}


def test_a_goal_within_a_loop_is_one_per_iteration() -> None:
    graph = unrolled(
        main("""
        entry:
          br label %head
        head:
          %a = call i1 @any()
          br i1 %a, label %bad, label %head
        bad:
          call void @goal()
          ret i32 0
    """)
    )
    grow(graph, 2)
    # The goal's block is behind the loop: the way to it may start in any iteration.
    assert len(node(graph, "main:bad").ins) == 3


def test_expanding_tells_what_is_new() -> None:
    graph = unrolled(LOOP)
    assert len(graph.fresh) == 7  # all nodes but the frontier
    graph.fresh.clear()
    grow(graph, 1)
    assert names(graph.fresh) == {f"main:#1:{block}" for block in ("head", "body", "one", "other", "latch")}


def test_a_jump_into_a_loop_is_not_supported() -> None:
    text = main("""
        entry:
          %a = call i1 @any()
          br i1 %a, label %one, label %two
        one:
          br label %two
        two:
          %b = call i1 @any()
          br i1 %b, label %one, label %out
        out:
          call void @goal()
          ret i32 0
    """)
    with pytest.raises(Unsupported, match=r"a goto into a loop \(in main\)"):
        unrolled(text)


def test_values_that_outlive_a_loop() -> None:
    graph = unrolled(
        main("""
        entry:
          br label %head
        head:
          %i = phi i32 [ 0, %entry ], [ %j, %latch ]
          %a = call i1 @any()
          br i1 %a, label %latch, label %after
        latch:
          %j = add i32 %i, 1
          %k = add i32 %j, 1
          %b = call i1 @any()
          br i1 %b, label %head, label %out
        out:
          br label %after
        after:
          %r = phi i32 [ %i, %head ], [ %k, %out ]
          call void @goal()
          ret i32 %r
    """)
    )
    assert graph.shape("main").outliving == [{"i", "k"}]


def test_joins() -> None:
    shape = unrolled(LOOP).shape("main")
    both = {block: (shape.joins(block, True), shape.joins(block, False)) for block in shape.blocks}
    assert both == {
        "entry": (True, True),  # nothing is before it: whoever asks has come from a caller
        "head": (False, False),
        "body": (False, False),
        "one": (False, False),
        "other": (False, False),
        "latch": (True, True),
        "after": (True, True),  # one exit, of any iteration
    }


def test_joins_of_headers() -> None:
    """A header entered from two sides, and one with two back edges."""
    text = main("""
        entry:
          %a = call i1 @any()
          br i1 %a, label %x, label %y
        x:
          br label %head
        y:
          br label %head
        head:
          %b = call i1 @any()
          br i1 %b, label %second, label %after
        second:
          %c = call i1 @any()
          br i1 %c, label %second, label %third
        third:
          %d = call i1 @any()
          br i1 %d, label %head, label %fourth
        fourth:
          br label %head
        after:
          call void @goal()
          ret i32 0
    """)
    shape = unrolled(text).shape("main")
    assert (shape.joins("head", True), shape.joins("head", False)) == (True, True)
    assert (shape.joins("second", True), shape.joins("second", False)) == (False, False)
    assert shape.joins("third", True)  # from any iteration of the inner loop
    assert not shape.joins("fourth", True)


# Recursion


def test_recursion_is_unrolled_on_demand() -> None:
    graph = unrolled(RECURSION)
    outer = "main:entry(down:"
    assert names(graph.frontiers) == {f"{outer}more(down:entry"}
    inner = node(graph, f"{outer}more(down:entry")
    assert (inner.scope.index, inner.scope.depth_of("down"), inner.scope.depth_of("main")) == (1, 2, 1)
    grow(graph, 1)
    assert f"{outer}more(down:end -> {outer}more.1" in edges_of(graph)
    (deeper,) = graph.frontiers
    assert (repr(deeper), deeper.scope.index) == (f"{outer}more(down:more(down:entry", 2)


# Calls through pointers


def test_targets_of_pointers_are_found_by_execution() -> None:
    graph = unrolled(INDIRECT_CALL, indirect=("f", "g"))
    entry = graph.first
    assert graph.open_calls == [entry]
    assert (entry.status, entry.outs) == (Status.INNER, {})
    assert entry.open not in graph.owner
    edge = graph.call(entry, "g")
    assert edges_of(graph) == {"main:entry -> main:entry(g:entry", "main:entry(g:entry -> main:entry.1"}
    assert edge.var != entry.var and edge.target.scope.indirect
    assert node(graph, "main:entry.1").status is Status.GOAL
    graph.call(entry, "f")
    assert set(entry.outs) == {"f", "g"}
    assert len(node(graph, "main:entry.1").ins) == 2


def test_pointers_to_what_is_no_c_function_lead_over_the_call() -> None:
    graph = unrolled(INDIRECT_CALL, indirect=("f",))
    graph.skip(graph.first, "abs")
    assert edges_of(graph) == {"main:entry -> main:entry.1"}
    assert graph.first.outs["abs"].var != graph.first.var
    assert node(graph, "main:entry.1").status is Status.GOAL


def test_goals_may_be_behind_pointers() -> None:
    text = """
        @table = external global ptr
        define void @bad() {
        entry:
          call void @goal()
          ret void
        }
        define i32 @main() {
        entry:
          %p = load ptr, ptr @table
          call void %p()
          ret i32 0
        }
    """
    assert unrolled(text, indirect=("bad",)).first.status is Status.INNER
    assert unrolled(text).first.status is Status.EXIT


def test_recursion_through_a_pointer() -> None:
    text = """
        @table = external global ptr
        define i32 @main() {
        entry:
          %p = load ptr, ptr @table
          call void %p()
          call void @goal()
          ret i32 0
        }
    """
    graph = unrolled(text, indirect=("main",))
    graph.call(graph.first, "main")
    assert names(graph.frontiers) == {"main:entry(main:entry"}


# What lies ahead


def test_goals_ahead() -> None:
    """One goal in the loop's callee, one behind the loop."""
    text = """
        define void @check() {
        entry:
          %a = call i1 @any()
          br i1 %a, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret void
        }
        define i32 @main() {
        entry:
          br label %head
        head:
          %b = call i1 @any()
          br i1 %b, label %inside, label %after
        inside:
          call void @check()
          br label %head
        after:
          %c = call i1 @any()
          br i1 %c, label %last, label %end
        last:
          call void @goal()
          unreachable
        end:
          ret i32 0
        }
    """
    graph = unrolled(text)
    expected = {
        "main:entry": 3,
        "main:#0:head": 3,
        "main:#0:inside": 3,
        "main:#0:inside(check:entry": 3,
        "main:#0:inside(check:bad": 1,
        "main:#0:inside(check:well": 3,  # on with the loop
        "main:#1:head": 3,
        "main:after": 2,
        "main:last": 2,
        "main:end": 0,
    }
    assert {name: graph.ahead(node(graph, name)) for name in expected} == expected


# Random graphs


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
