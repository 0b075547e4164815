"""The unrolled graph behind calls: inlined, recursive, through pointers."""

from __future__ import annotations

from clew.explain.unrolled import Status
from unit.explain.graphs import (
    CALLS,
    DIAMONDS,
    INDIRECT_CALL,
    RECURSION,
    edges_of,
    grow,
    names,
    node,
    unrolled,
)

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
