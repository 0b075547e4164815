"""The formula: its models are the paths to goals, tried out on every assignment of small graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.explain.unrolled import Edge, Status, Unrolled, UnrolledNode
from clew.techniques.conflicts.formula import Formula
from clew.techniques.conflicts.limits import Limits
from unit.explain.graphs import (
    CALLS,
    DIAMONDS,
    INDIRECT_CALL,
    LOOP,
    NESTED,
    RECURSION,
    grow,
    main,
    node,
    nodes_of,
    unrolled,
)

Names = frozenset[str]


def formula_of(graph: Unrolled) -> Formula:
    goals = [n.goal for n in nodes_of(graph)]
    return Formula(graph, max([*goals, 0]) + 1, lambda: None)


def no_frontier(graph: Unrolled) -> list[int]:
    return [-n.var for n in graph.frontiers] + [-n.open for n in graph.open_calls]


def edges(graph: Unrolled) -> list[Edge]:
    return [edge for n in nodes_of(graph) for edge in n.outs.values()]


def ways(graph: Unrolled) -> Iterator[tuple[Edge, ...]]:
    """All ways from the first node to a goal."""
    work: list[tuple[UnrolledNode, tuple[Edge, ...]]] = [(graph.first, ())]
    while work:
        at, before = work.pop()
        if at.status is Status.GOAL:
            yield before
        work += [(edge.target, (*before, edge)) for edge in at.outs.values()]


def named(way: Sequence[Edge]) -> Names:
    return frozenset(map(repr, way))


def chosen_way(graph: Unrolled, formula: Formula) -> tuple[Edge, ...]:
    """The path of the model found last, from the first node on."""
    at, found = graph.first, []
    while at.outs:
        (edge,) = [edge for edge in at.outs.values() if formula.chosen(edge.var)]
        found.append(edge)
        at = edge.target
    assert at.status is Status.GOAL
    return tuple(found)


def models(graph: Unrolled, formula: Formula, assumptions: Sequence[int] = ()) -> list[Names]:
    """All paths that models stand for. Each is excluded once it was found: none comes twice."""
    found = []
    while formula.solve([*no_frontier(graph), *assumptions]):
        way = chosen_way(graph, formula)
        found.append(named(way))
        formula.add([-variable for variable in {edge.var for edge in way} | {graph.first.var}])
    return found


def sorted_names(found: Sequence[Names]) -> list[list[str]]:
    return sorted(sorted(way) for way in found)


SWITCH = main(
    "entry:\n  %v = call i32 @__VERIFIER_nondet_int()\n  switch i32 %v, label %b0 [\n"
    + "".join(f"    i32 {i}, label %b{i}\n" for i in range(1, 11))
    + "  ]\n"
    + "".join(f"b{i}:\n  br label %{'bad' if i % 5 else 'well'}\n" for i in range(11))
    + "bad:\n  call void @goal()\n  ret i32 0\nwell:\n  ret i32 1"
)
TWO_GOALS = main("""
entry:
  %a = call i1 @any()
  br i1 %a, label %one, label %more
more:
  %b = call i1 @any()
  br i1 %b, label %one, label %two
one:
  call void @goal()
  unreachable
two:
  call void @goal()
  unreachable
""")


@pytest.mark.parametrize("text", [DIAMONDS, TWO_GOALS], ids=["diamonds", "two goals"])
def test_every_assignment_of_edges_is_a_model_if_and_only_if_it_is_a_path(text: str) -> None:
    graph = unrolled(text)
    formula = formula_of(graph)
    every = edges(graph)
    variables = sorted({edge.var for edge in every})
    paths = {frozenset(edge.var for edge in way) for way in ways(graph)}
    assert len(variables) <= 10
    found = set()
    for signs in product((1, -1), repeat=len(variables)):
        if formula.solve([sign * variable for sign, variable in zip(signs, variables, strict=True)]):
            found.add(frozenset(v for v, sign in zip(variables, signs, strict=True) if sign > 0))
    assert found == paths


@pytest.mark.parametrize("text", [DIAMONDS, TWO_GOALS, SWITCH], ids=["diamonds", "two goals", "switch"])
def test_in_every_model_exactly_the_nodes_of_the_path_are_true(text: str) -> None:
    graph = unrolled(text)
    formula = formula_of(graph)
    count = 0
    while formula.solve([]):
        way = chosen_way(graph, formula)
        on_it = {graph.first, *(edge.target for edge in way)}
        assert {n for n in nodes_of(graph) if formula.chosen(n.var)} == on_it
        assert {edge for edge in edges(graph) if formula.chosen(edge.var)} == set(way)
        formula.add([-edge.var for edge in way])
        count += 1
    assert count == len(list(ways(graph)))


@pytest.mark.parametrize("times", [0, 1, 3])
@pytest.mark.parametrize("text", [CALLS, LOOP, NESTED, RECURSION], ids=["calls", "loop", "nested", "recursion"])
def test_models_are_the_paths_also_when_the_graph_grows(text: str, times: int) -> None:
    graph = unrolled(text)
    formula = formula_of(graph)
    for _ in range(times):
        grow(graph, 1)
        formula.grow()
    assert sorted_names(models(graph, formula)) == sorted_names(list(map(named, ways(graph))))


def test_growing_adds_to_what_was_learned() -> None:
    """What was excluded stays so: paths that come later are those of the new iteration."""
    graph = unrolled(LOOP)
    formula = formula_of(graph)
    models(graph, formula)
    grow(graph, 1)
    formula.grow()
    later = models(graph, formula)
    assert len(later) == 2
    assert all("main:#1:head -> main:after" in way for way in later)


def test_of_more_than_six_ways_on_one_alone_is_taken() -> None:
    graph = unrolled(SWITCH)
    entry = graph.first
    formula = formula_of(graph)
    assert sorted_names(models(graph, formula)) == sorted_names(list(map(named, ways(graph))))
    fresh = formula_of(unrolled(SWITCH))
    variables = [edge.var for edge in entry.outs.values()]
    for first in variables:
        for second in variables:
            assert first == second or not fresh.solve([first, second])
    assert not fresh.solve([-variable for variable in variables])


def test_frontiers_are_reached_only_if_not_assumed_away() -> None:
    graph = unrolled(LOOP)
    formula = formula_of(graph)
    (frontier,) = graph.frontiers
    formula.add([-node(graph, "main:#0:head").outs["after"].var])
    assert not formula.solve(no_frontier(graph))
    assert -frontier.var in formula.needed()
    assert formula.solve([])
    assert formula.chosen(frontier.var)


def test_refutations_need_no_more_than_they_do() -> None:
    graph = unrolled(LOOP)
    formula = formula_of(graph)
    (frontier,) = graph.frontiers
    formula.add([-node(graph, "main:#0:head").outs["after"].var])
    formula.add([-node(graph, "main:#0:body").var])
    assert not formula.solve([-frontier.var])
    assert formula.needed() == set()


def test_where_the_graph_ends_only_goals_ahead_count() -> None:
    """One goal before a loop, one behind it: what comes after the first iteration leads to the second alone."""
    text = main("""
        entry:
          %a = call i1 @any()
          br i1 %a, label %first, label %head
        first:
          call void @goal()
          unreachable
        head:
          %b = call i1 @any()
          br i1 %b, label %head, label %second
        second:
          call void @goal()
          unreachable
    """)
    graph = unrolled(text)
    formula = formula_of(graph)
    formula.add([-graph.first.outs["first"].var])
    assert formula.solve([-formula.goal_vars[0]])
    assert not formula.solve([-formula.goal_vars[1]])
    assert formula.needed() == {-formula.goal_vars[1]}


def test_only_goals_that_are_asked_for() -> None:
    graph = unrolled(TWO_GOALS)
    formula = formula_of(graph)
    to_one = [-formula.goal_vars[1]]
    assert formula.solve(to_one)
    assert chosen_way(graph, formula)[-1].target is node(graph, "main:one")
    formula.settle(0)
    assert sorted_names(models(graph, formula)) == [["main:entry -> main:more", "main:more -> main:two"]]
    formula.settle(1)
    assert not formula.solve([])


def test_without_a_goal_there_is_no_model() -> None:
    graph = unrolled(main("entry:\n ret i32 0"))
    assert not formula_of(graph).solve([])


def test_learned_clauses_exclude_paths_together() -> None:
    graph = unrolled(DIAMONDS)
    formula = formula_of(graph)
    entry, middle = node(graph, "main:entry"), node(graph, "main:middle")
    formula.add([-entry.outs["left"].var, -middle.outs["bad"].var])
    assert sorted_names(models(graph, formula)) == [
        ["main:entry -> main:right", "main:middle -> main:bad", "main:right -> main:middle"]
    ]


def test_targets_of_calls_through_pointers() -> None:
    graph = unrolled(INDIRECT_CALL, indirect=("f", "g"))
    formula = formula_of(graph)
    entry = graph.first
    unknown = entry.open
    assert not formula.solve([-unknown])
    assert formula.needed() == {-unknown}
    assert formula.solve([])
    for number, name in enumerate(("f", "g"), 1):
        formula.target_found(entry, graph.call(entry, name))
        assert entry.open != unknown
        unknown = entry.open
        assert len(entry.outs) == number
        assert formula.solve([-unknown])
        assert chosen_way(graph, formula)[0] in entry.outs.values()
    f, g = entry.outs["f"].var, entry.outs["g"].var
    assert [formula.solve(pair) for pair in ([f, g], [f, unknown], [g, unknown])] == [False] * 3
    assert formula.solve([f]) and formula.solve([g]) and formula.solve([unknown])
    assert not formula.solve([-f, -g, -unknown])
    formula.add([-f])
    formula.add([-g])
    assert not formula.solve([-unknown])
    assert formula.needed() == {-unknown}


def test_guided_it_takes_the_way_it_is_told() -> None:
    graph = unrolled(DIAMONDS)
    formula = formula_of(graph)
    for way in [*ways(graph), *reversed(list(ways(graph)))]:
        formula.guide([edge.var for edge in way])
        assert formula.solve([])
        assert chosen_way(graph, formula) == way


def test_a_solver_that_takes_long_lets_others_look() -> None:
    """Holes for pigeons: nothing that is found within a conflict."""
    graph = unrolled(DIAMONDS)
    looks: list[int] = []
    formula = Formula(graph, 1, lambda: looks.append(0), Limits(sat_conflicts=1))
    seats = [[graph.new_var() for _ in range(4)] for _ in range(5)]
    for pigeon in seats:
        formula.add(pigeon)
    for hole in zip(*seats, strict=True):
        for position, one in enumerate(hole):
            for other in hole[position + 1 :]:
                formula.add([-one, -other])
    assert not formula.solve([])
    assert looks


# Random graphs


@st.composite
def texts(draw: st.DrawFn) -> str:
    """``main`` of random blocks: two ways on, one, a goal, or the end."""
    size = draw(st.integers(2, 7))
    block = st.integers(1, size)
    parts = ["entry:\n  br label %b1"]
    for number in range(1, size + 1):
        match draw(st.integers(0, 5)):
            case 0:
                end = "ret i32 0"
            case 1:
                end = "call void @goal()\n  unreachable"
            case 2:
                end = f"br label %b{draw(block)}"
            case _:
                end = f"%c{number} = call i1 @any()\n  br i1 %c{number}, label %b{draw(block)}, label %b{draw(block)}"
        parts.append(f"b{number}:\n  {end}")
    return main("\n".join(parts))


@given(texts(), st.integers(0, 2))
def test_models_of_random_graphs_are_their_paths(text: str, times: int) -> None:
    try:
        graph = unrolled(text)
    except Unsupported:
        return
    formula = formula_of(graph)
    for _ in range(times):
        grow(graph, 1)
        formula.grow()
    every = [named(way) for way in ways(graph)]
    if len(every) <= 60:
        assert sorted_names(models(graph, formula)) == sorted_names(every)
