"""Where ways meet: by hand for loops, and against all paths of small random graphs without any."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from clew.analysis.control_dependence import Joins
from unit.execute.support import llvm


def joins_of(*lines: str) -> Joins:
    """Of a function whose blocks are given as ``name: successors``; none is ``ret``, ``!`` ends the program."""
    text = ["define void @f(i1 %c, i32 %n) {"]
    for line in lines:
        name, _, targets = line.partition(":")
        match targets.split():
            case []:
                end = "ret void"
            case ["!"]:
                end = "unreachable"
            case [only]:
                end = f"br label %{only}"
            case [yes, no]:
                end = f"br i1 %c, label %{yes}, label %{no}"
            case [default, *rest]:
                cases = " ".join(f"i32 {number}, label %{target}" for number, target in enumerate(rest))
                end = f"switch i32 %n, label %{default} [{cases}]"
        text += [f"{name}:", f"  {end}"]
    return Joins(llvm("\n".join([*text, "}"])).functions["f"])


def decisions(joins: Joins) -> dict[str, set[str]]:
    """Per block where ways meet, the blocks that decide how one comes."""
    names = [*joins.graph.names, "end"]
    found: dict[str, set[str]] = {}
    for block, here in joins.of_block.items():
        deciding = {names[each] for join in here for each in join.decisions}
        if deciding:
            found[names[block]] = deciding
    return found


def passed(joins: Joins, decision: str, block: str) -> set[str]:
    number = joins.graph.numbers
    found: set[str] = set()
    for join in joins.of_block[number[block]]:
        if number[decision] in join.decisions:
            found.update(joins.graph.names[each] for each in joins.passing(join, number[decision]))
    return found


def test_a_diamond() -> None:
    joins = joins_of("a: b c", "b: d", "c: d", "d:")
    assert decisions(joins) == {"d": {"a"}}
    assert passed(joins, "a", "d") == {"b", "c"}


def test_an_inner_decision_does_not_matter_for_the_outer_join() -> None:
    joins = joins_of("a: b f", "b: c d", "c: e", "d: e", "e: g", "f: g", "g:")
    assert decisions(joins) == {"e": {"b"}, "g": {"a"}}
    assert passed(joins, "b", "e") == {"c", "d"}
    assert passed(joins, "a", "g") == {"b", "c", "d", "e", "f"}


def test_ways_that_end_the_program_do_not_count() -> None:
    joins = joins_of("a: b trap", "trap: !", "b: c d", "c: leave d", "leave: gone", "gone: !", "d:")
    assert decisions(joins) == {"d": {"b"}}
    assert joins.graph.numbers["leave"] not in joins.alive


def test_several_returns_meet_at_the_end() -> None:
    assert decisions(joins_of("a: b c", "b:", "c: d e", "d:", "e: !")) == {"end": {"a"}}


def test_a_loop_with_one_end_has_no_join() -> None:
    assert decisions(joins_of("a: head", "head: body out", "body: head", "out:")) == {}


def test_a_decision_in_a_loop_matters_only_there() -> None:
    joins = joins_of("a: head", "head: b out", "b: c d", "c: d", "d: head", "out:")
    assert decisions(joins) == {"d": {"b"}}
    assert passed(joins, "b", "d") == {"c"}


def test_ways_back_meet_in_front_of_the_header() -> None:
    joins = joins_of("a: head", "head: b out", "b: c d", "c: head", "d: head", "out:")
    assert decisions(joins) == {"head": {"b"}}
    [inside] = [join for join in joins.of_block[joins.graph.numbers["head"]] if join.decisions]
    assert {joins.graph.names[source] for source in inside.sources} == {"c", "d"}


def test_ways_into_a_loop_meet_in_front_of_the_header() -> None:
    assert decisions(joins_of("a: b c", "b: head", "c: head", "head: head out", "out:")) == {"head": {"a"}}


def test_two_ends_of_a_loop() -> None:
    joins = joins_of("a: head", "head: b out", "b: out c", "c: head", "out:")
    assert decisions(joins) == {"out": {"head", "b"}}
    assert passed(joins, "b", "out") == {"b", "c", "head"}


def test_an_end_by_error_is_no_second_end() -> None:
    assert decisions(joins_of("a: head", "head: b out", "b: trap c", "trap: !", "c: head", "out:")) == {}


def test_a_loop_without_end() -> None:
    joins = joins_of("a: head", "head: b c", "b: d", "c: d", "d: head")
    assert decisions(joins) == {"d": {"head"}}


def test_a_loop_that_is_entered_twice() -> None:
    joins = joins_of("a: b c", "b: c out", "c: b", "out:")
    assert decisions(joins)["c"] >= {"a"}
    assert decisions(joins)["b"] >= {"a"}


def test_an_inner_loop_in_a_branch() -> None:
    joins = joins_of("a: head other", "head: body leave", "body: head join", "leave: join", "other: join", "join:")
    assert decisions(joins) == {"join": {"a", "head", "body"}}


def test_too_many_nested_joins_become_vague() -> None:
    size = 400
    arms = [f"a{n}: b{n} a{n + 1}" for n in range(size)]
    rest = [line for n in range(size) for line in (f"b{n}: c{n}", f"c{n}: {f'c{n - 1}' if n else 'out'}")]
    joins = joins_of(*arms, f"a{size}: c{size - 1}", *rest, "out:")
    names = joins.graph.names
    exact = {names[join.block]: join.decisions for here in joins.of_block.values() for join in here}
    assert 0 < len(joins.vague) < size
    for join in joins.vague:
        assert exact.pop(names[join.block]) == joins.alive
    for name, found in exact.items():
        assert found == {joins.graph.numbers["a" + name[1:]]}


def random_lines(random: Random, size: int) -> list[str]:
    """A graph without cycles; some blocks return or end the program."""
    lines = []
    for number in range(size):
        later = [f"b{target}" for target in range(number + 1, size)]
        count = min(random.choice((0, 1, 1, 2, 2, 2, 3)), len(later)) or int(number == 0 and size > 1)
        targets = random.sample(later[:4], min(count, len(later[:4])))
        lines.append(f"b{number}: {' '.join(targets) or random.choice(('', '!'))}")
    return lines


def all_paths(edges: dict[str, list[str]], start: str, goal: str) -> list[list[str]]:
    if start == goal:
        return [[goal]]
    return [[start, *rest] for target in edges[start] for rest in all_paths(edges, target, goal)]


@pytest.mark.parametrize("seed", range(80))
def test_decisions_are_the_starts_of_disjoint_ways(seed: int) -> None:
    random = Random(seed)
    lines = random_lines(random, random.randrange(3, 11))
    joins = joins_of(*lines)
    edges = {name: targets.split() for name, _, targets in (line.partition(":") for line in lines)}
    returning = {name for name, targets in edges.items() if not targets}
    edges = {name: [each for each in targets if each != "!"] for name, targets in edges.items()} | {"end": []}
    for name in returning:
        edges[name] = ["end"]
    came = {path[-1] for goal in edges for path in all_paths(edges, "b0", goal)}
    expected: dict[str, set[str]] = {}
    for start in came:
        for goal in came - {start}:
            if not all_paths(edges, goal, "end"):
                continue
            paths = [set(path[1:-1]) for path in all_paths(edges, start, goal)]
            if any(a.isdisjoint(b) for a, b in combinations(paths, 2)):
                expected.setdefault(goal, set()).add(start)
    assert decisions(joins) == expected
