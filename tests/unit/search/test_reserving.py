"""A strategy with a reserve."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from clew.execute.pending import Pending, Searcher
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL
from clew.expr.sort import BOOL
from clew.search.reserving import Reserve
from unit.search.test_strategies import ALL, pending, searcher


def reserve(name: str = "bfs") -> Reserve:
    strategy, _ = searcher(name)
    return Reserve(strategy)


def filled(count: int, name: str = "bfs") -> tuple[Reserve, list[Pending]]:
    made, items = reserve(name), [pending(n, n % 5, ("main", "b", f"t{n % 6}")) for n in range(count)]
    for item in items:
        made.add(item)
    return made, items


def drain(strategy: Searcher) -> list[int]:
    order = []
    while (chosen := strategy.select()) is not None:
        assert chosen.taken and not chosen.released
        order.append(chosen.serial)
    return order


def test_without_a_reserve_it_is_the_strategy() -> None:
    made, _ = filled(5)
    assert len(made) == 5
    assert drain(made) == [0, 1, 2, 3, 4] and len(made) == 0


def test_what_is_withdrawn_never_comes() -> None:
    made, items = filled(5)
    made.withdraw(items[1])
    made.withdraw(items[4])
    assert items[1].released and items[1].taken and len(made) == 3
    made.withdraw(items[1])  # for good
    assert len(made) == 3
    assert drain(made) == [0, 2, 3] and len(made) == 0


def test_what_was_taken_is_not_withdrawn() -> None:
    made, items = filled(2)
    assert made.select() is items[0]
    made.withdraw(items[0])
    made.defer(items[0])
    assert not items[0].released and len(made) == 1
    assert drain(made) == [1]


def test_what_is_deferred_comes_last_and_is_what_it_was() -> None:
    made, _ = filled(3)
    constraint = build.symbol("p", BOOL)
    state = cast(State, SimpleNamespace(depth=1, frame=None))
    late = Pending(state, constraint, EMPTY_MODEL, ("main", "b", "t1"), 77)
    made.add(late)
    made.defer(late)
    assert late.released and len(made) == 4
    assert [made.select() is not None for _ in range(3)] == [True] * 3
    twin = made.select()
    assert twin is not None and twin.state is state and twin.constraint is constraint
    assert (twin.model, twin.edge, twin.serial) == (EMPTY_MODEL, ("main", "b", "t1"), 77)
    assert made.select() is None and len(made) == 0


def test_what_is_kept_back_comes_when_nothing_else_waits() -> None:
    made = reserve()
    made.keep_back(pending(50, 0))
    for serial in (1, 2):
        made.add(pending(serial, 0))
    made.keep_back(pending(51, 0))
    assert len(made) == 4
    assert drain(made) == [1, 2, 50, 51]


def test_news_come_before_a_reserve_that_was_filled_meanwhile() -> None:
    made, items = filled(3)
    made.defer(items[0])
    made.defer(items[1])
    first = made.select()
    assert first is items[2]
    made.add(pending(9, 0))
    assert drain(made) == [9, 0, 1]


def test_the_reserve_is_given_up_first() -> None:
    made, items = filled(4)
    made.defer(items[3])
    made.keep_back(pending(60, 0))
    victims = made.evict(3)
    assert {victim.serial for victim in victims[:2]} == {3, 60} and len(victims) == 3
    assert all(victim.taken and not victim.released for victim in victims)
    assert len(made) == 2 and len(drain(made)) == 2


def test_eviction_passes_over_what_is_withdrawn() -> None:
    made, items = filled(6)
    for item in items[:3]:
        made.withdraw(item)
    victims = made.evict(len(made))
    assert sorted(victim.serial for victim in victims) == [3, 4, 5] and len(made) == 0
    assert made.select() is None


@pytest.mark.parametrize("name", ALL)
def test_any_order_of_things(name: str) -> None:
    """Everything that is neither withdrawn nor evicted comes out once; the reserve only when nothing else waits."""
    for seed in range(8):
        random, made = Random(seed), reserve(name)
        waiting: dict[int, Pending] = {}
        late: set[int] = set()
        for serial in range(120):
            item = pending(serial, random.randrange(6), ("main", "b", f"t{random.randrange(6)}"))
            if random.random() < 0.1:
                made.keep_back(item)
                late.add(serial)
            else:
                made.add(item)
                waiting[serial] = item
            match random.randrange(8):
                case 0 if waiting:
                    made.withdraw(waiting.pop(random.choice(list(waiting))))
                case 1 if waiting:
                    chosen = random.choice(list(waiting))
                    made.defer(waiting.pop(chosen))
                    late.add(chosen)
                case 2 | 3 | 4 if waiting:
                    taken = made.select()
                    assert taken is not None and waiting.pop(taken.serial) is taken
                case 5 if random.random() < 0.3:
                    for victim in made.evict(3):
                        waiting.pop(victim.serial, None)
                        late.discard(victim.serial)
            assert len(made) == len(waiting) + len(late)
        order = drain(made)
        assert set(order[: len(waiting)]) == waiting.keys() and sorted(order[len(waiting) :]) == sorted(late)
        assert len(made) == 0
