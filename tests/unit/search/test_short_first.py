"""What lies behind iterations that were skipped waits for what is near and new."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from clew.execute.coverage import Coverage, Edge
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.search.short_first import PATIENCE, ShortFirst
from unit.search.test_strategies import drain, searcher

OLD, NEW = ("main", "b", "t1"), ("main", "b", "t2")


def made(name: str = "dfs") -> tuple[ShortFirst, Coverage]:
    strategy, coverage = searcher(name)
    coverage.edges.add(OLD)
    return ShortFirst(strategy, coverage), coverage


def waiting(serial: int, edge: Edge | None = OLD, is_long: bool = False) -> Pending:
    state = cast(State, SimpleNamespace(depth=serial, frame=None, generation=1, is_long=is_long))
    return Pending(state, None, None, edge, serial)


def test_long_paths_wait_for_new_edges() -> None:
    strategy, _ = made()
    for pending in (waiting(0, NEW), waiting(1), waiting(2, is_long=True), waiting(3, NEW, is_long=True)):
        strategy.add(pending)
    assert len(strategy) == 4
    assert drain(strategy) == [1, 0, 3, 2] and len(strategy) == 0


def test_they_do_not_wait_for_what_is_covered() -> None:
    strategy, coverage = made()
    for pending in (waiting(0), waiting(1, NEW), waiting(2, is_long=True)):
        strategy.add(pending)
    coverage.edges.add(NEW)
    assert drain(strategy) == [2, 1, 0]


def test_nor_for_ever() -> None:
    strategy, _ = made()
    strategy.add(waiting(0, NEW))
    strategy.add(waiting(1, is_long=True))
    for serial in range(2, 2 * PATIENCE):
        strategy.add(waiting(serial))
    before = [strategy.select() for _ in range(PATIENCE)]
    assert 1 not in {pending.serial for pending in before if pending is not None}
    strategy.add(waiting(-1))
    chosen = strategy.select()
    assert chosen is not None and chosen.serial == 1


def test_what_is_withdrawn_never_comes() -> None:
    strategy, _ = made()
    strategy.add(waiting(0, NEW))
    far = waiting(1, is_long=True)
    strategy.add(far)
    far.taken = True
    assert len(strategy) == 1
    assert drain(strategy) == [0]


def test_long_paths_are_given_up_first() -> None:
    strategy, _ = made()
    for pending in (waiting(0, NEW), waiting(1), waiting(2, is_long=True), waiting(3, is_long=True)):
        strategy.add(pending)
    victims = strategy.evict(1)
    assert [victim.serial for victim in victims] == [3] and victims[0].taken
    assert len(strategy.evict(2)) == 2 and len(strategy) == 1
