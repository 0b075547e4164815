"""The unrolled graph of loops: a scope for each iteration, and what comes out of them."""

from __future__ import annotations

import pytest

from clew.base.errors import Unsupported
from unit.explain.graphs import (
    LOOP,
    NESTED,
    edges_of,
    grow,
    leading,
    main,
    names,
    node,
    unrolled,
)


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
