"""The unrolled graph: its nodes and edges by name on small programs."""

from __future__ import annotations

from collections import Counter

import pytest

from clew.explain.unrolled import Edge, Status, UnrolledNode
from unit.explain.graphs import (
    CALLS,
    DIAMONDS,
    LOOP,
    NESTED,
    RECURSION,
    edges_of,
    grow,
    main,
    node,
    nodes_of,
    unrolled,
)

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
