"""How much of a tree of paths is left: estimates, from what was explored of trees that are known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from clew.execute.pending import Pending
from clew.jobs.phases.tree_size import ExploredPart, TreeSize


@dataclass(eq=False)
class Sibling:
    depth: int
    forks: int
    """That are ahead of it."""
    constraint: object = ()
    edge: tuple[str, str, str] | None = None
    taken: bool = False


class Stack:
    """The last one first."""

    def __init__(self) -> None:
        self.waiting: list[Any] = []

    def add(self, pending: Any) -> None:
        self.waiting.append(pending)

    def select(self) -> Any:
        return self.waiting.pop() if self.waiting else None

    def evict(self, count: int) -> list[Any]:
        return [self.waiting.pop(0) for _ in range(count)]

    def __len__(self) -> int:
        return len(self.waiting)


def explore(forks: int, ahead: Callable[[int], int], most: int = 10**9) -> tuple[TreeSize, int]:
    """Run a tree: a path with ``n`` forks ahead leaves siblings with ``ahead(k)``, where k of these are left."""
    size, taken = TreeSize(Stack()), 0
    running: Any = Sibling(0, forks)
    while running is not None:
        for left in reversed(range(running.forks)):
            running.depth += 1
            size.add(Sibling(running.depth, ahead(left)))  # type: ignore[arg-type]
        if taken == most:
            break
        running, taken = size.select(), taken + 1
    return size, taken


@pytest.mark.parametrize(
    ("forks", "ahead", "part"),
    [
        (14, lambda left: left, 0.2),
        (14, lambda left: left, 0.02),
        (40, lambda left: min(left, 1), 0.3),
        (18, lambda left: left // 2, 0.3),
    ],
)
def test_trees_whose_size_is_known(forks: int, ahead: Callable[[int], int], part: float) -> None:
    whole, total = explore(forks, ahead)
    assert (len(whole), whole.left(), whole.seconds_left(1.0)) == (0, 0.0, math.inf)
    size, taken = explore(forks, ahead, round(part * total))
    left = total - taken
    assert left / 8 <= size.left() <= left * 8
    assert size.seconds_left(3.0) == pytest.approx(3.0 * size.left() / taken)


def characters(left: int, cases: int, most: int = 10**9, edges_tell: bool = True) -> tuple[TreeSize, int]:
    """A tree of paths that look at one character after the other, in a switch of so many cases: every other one ends
    the path, the others go on with the next character."""
    size, taken = TreeSize(Stack(), edges_tell), 0
    running: Any = Sibling(0, left)
    while running is not None:
        for ahead in reversed(range(running.forks)):
            for case in range(cases):
                running.depth += 1
                goes_on = ahead if case % 2 else 0
                size.add(Sibling(running.depth, goes_on, edge=("main", "switch", str(case))))  # type: ignore[arg-type]
        if taken == most:
            break
        running, taken = size.select(), taken + 1
    return size, taken


@pytest.mark.parametrize("part", [0.01, 0.03, 0.1, 0.5])
def test_edges_tell_more_than_depth(part: float) -> None:
    _, total = characters(6, 8)
    by_edges, by_depth = (characters(6, 8, round(part * total), edges_tell) for edges_tell in (True, False))
    left = total - by_edges[1]
    assert left / 5 <= by_edges[0].left() <= left * 5
    assert abs(math.log(by_edges[0].left() / left)) < abs(math.log(by_depth[0].left() / left))


def test_the_first_siblings_take_longer() -> None:
    size = TreeSize(Stack())
    for taken in range(1, 401):
        size.add(Sibling(1, 0))  # type: ignore[arg-type]
        size.add(Sibling(2, 0))  # type: ignore[arg-type]
        assert size.select() is not None
        if taken == 100:
            assert size.seconds_left(1.0) == pytest.approx(0.01 * size.left())
    assert size.seconds_left(1.6) == pytest.approx(0.002 * size.left())


def test_no_end_is_in_sight() -> None:
    size, _ = explore(1000, lambda left: left, 200)
    assert size.left() > 1e30


def deepening(steps: Callable[[int], int], taken: int) -> TreeSize:
    """A tree in which the sibling taken as number k leaves one that lies ``steps(k)`` deeper."""
    size, depth = TreeSize(Stack()), 1
    size.add(Sibling(depth, 0))  # type: ignore[arg-type]
    for number in range(taken):
        assert size.select() is not None
        depth += steps(number)
        size.add(Sibling(depth, 0))  # type: ignore[arg-type]
    return size


@pytest.mark.parametrize("taken", [20, 100, 1000])
def test_a_tree_that_grows_deeper_all_along_does_not_seem_to_have_an_end(taken: int) -> None:
    assert not deepening(lambda number: 1, taken).is_shallow
    assert not deepening(lambda number: number % 2, taken).is_shallow  # every other iteration ends


@pytest.mark.parametrize("taken", [20, 100, 1000])
def test_one_whose_depth_hardly_grows_does(taken: int) -> None:
    assert deepening(lambda number: 5 if number < 4 else 0, taken).is_shallow
    assert deepening(lambda number: number.bit_count() == 1, taken).is_shallow  # as often as their number doubles
    assert explore(14, lambda left: left, taken)[0].is_shallow


def test_a_few_siblings_tell_nothing_about_depth() -> None:
    assert not explore(14, lambda left: left, 15)[0].is_shallow


def test_nothing_is_known_before_something_was_taken() -> None:
    size = TreeSize(Stack())
    assert size.seconds_left(1.0) == math.inf
    size.add(Sibling(1, 0))  # type: ignore[arg-type]
    assert size.seconds_left(1.0) == math.inf


def test_what_is_given_up_or_goes_on_does_not_count() -> None:
    size = TreeSize(Stack())
    for sibling in (Sibling(1, 0), Sibling(2, 0), Sibling(2, 0, constraint=None)):
        size.add(sibling)  # type: ignore[arg-type]
    going_on: Pending | None = size.select()
    assert going_on is not None and size.seconds_left(1.0) == math.inf
    assert size.select() is not None and size.left() == pytest.approx(1.0)
    assert len(size.evict(1)) == 1 and size.left() == 0.0


def test_what_somebody_else_takes_does_not_count() -> None:
    size = TreeSize(Stack())
    withdrawn, last = Sibling(1, 0), Sibling(2, 0)
    for sibling in (withdrawn, last):
        size.add(sibling)  # type: ignore[arg-type]
    assert size.select() is not None and size.left() == pytest.approx(1.0)
    withdrawn.taken = True
    assert size.left() == 0.0


@pytest.mark.parametrize("exponent", [0.5, 1.0, 3.0])
def test_a_part_that_grows_with_a_power_of_the_time(exponent: float) -> None:
    events: Any = SimpleNamespace(path_end=[], infeasible_sibling=[])
    now = [0.0]
    part = ExploredPart(SimpleNamespace(events=events), lambda: now[0])  # type: ignore[arg-type]
    for tick in range(1, 101):
        now[0] = tick / 10
        part._part = (tick / 1000) ** exponent
        events.path_end[0](SimpleNamespace(depth=2000), None)
    assert part.seconds_left(10.0) == pytest.approx(90.0, rel=0.6)


def test_a_part_that_does_not_grow() -> None:
    events: Any = SimpleNamespace(path_end=[], infeasible_sibling=[])
    part = ExploredPart(SimpleNamespace(events=events), lambda: 1.0)  # type: ignore[arg-type]
    events.infeasible_sibling[0](SimpleNamespace(depth=1), None)
    assert part.seconds_left(1.0) == part.seconds_left(4.0) == math.inf
