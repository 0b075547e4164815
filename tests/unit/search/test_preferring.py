"""Siblings that enter certain blocks come first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from clew.execute.coverage import Edge
from clew.execute.pending import Pending
from clew.execute.state import State
from clew.search.preferring import Preferring
from clew.search.registry import SearchContext, make_searcher


def pending(serial: int, edge: Edge | None) -> Pending:
    return Pending(cast(State, SimpleNamespace(depth=serial)), None, None, edge, serial)


def filled() -> Preferring:
    made = Preferring(make_searcher("dfs", cast(SearchContext, None)), {("f", "bad")})
    edges: list[Edge | None] = [("f", "a", "b"), ("f", "a", "bad"), None, ("g", "a", "bad"), ("f", "b", "bad")]
    for serial, edge in enumerate(edges):
        made.add(pending(serial, edge))
    return made


def test_those_come_first_in_order() -> None:
    strategy = filled()
    assert len(strategy) == 5
    order = []
    while (chosen := strategy.select()) is not None:
        assert chosen.taken
        order.append(chosen.serial)
    assert order == [1, 4, 3, 2, 0]


def test_others_are_given_up_first() -> None:
    strategy = filled()
    assert {item.serial for item in strategy.evict(3)} == {0, 2, 3}
    victims = strategy.evict(5)
    assert all(item.taken for item in victims)
    assert ({item.serial for item in victims}, len(strategy)) == ({1, 4}, 0)
