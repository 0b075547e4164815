"""Search strategies: what all of them promise, and what makes each of them special."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from clew.base.errors import UserError
from clew.base.randomness import Randomness
from clew.execute.coverage import Coverage, Edge
from clew.execute.helpers import build_machine
from clew.execute.pending import Pending, Searcher
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.models.registry import all_models
from clew.search.distance import Distances
from clew.search.flow import FAR
from clew.search.registry import SEARCHERS, SearchContext, make_searcher
from unit.execute.support import c_program, explore, main

ALL = ("dfs", "bfs", "random-path", "coverage", "generational", "default")
TARGETS = tuple(f"t{number}" for number in range(8))
PROGRAM = main(
    "%n = call i32 @__VERIFIER_nondet_int()\nbr label %b\nb:\nswitch i32 %n, label %t0 [\n"
    + "\n".join(f"i32 {number}, label %{target}" for number, target in enumerate(TARGETS))
    + "\n]\n"
    + "\n".join(f"{target}:\nret i32 0" for target in TARGETS)
)


def searcher(name: str | None, seed: int = 0) -> tuple[Searcher, Coverage]:
    machine = build_machine(PROGRAM, all_models())
    coverage = Coverage(PROGRAM, machine.compiler)
    return make_searcher(name, SearchContext(PROGRAM, coverage, Randomness(seed))), coverage


def pending(serial: int, depth: int, edge: Edge | None = None, generation: int = 1) -> Pending:
    state = cast(State, SimpleNamespace(depth=depth, frame=None, generation=generation))
    return Pending(state, None, None, edge, serial)


def several(count: int, seed: int = 1) -> list[Pending]:
    random = Random(seed)
    return [pending(n, random.randrange(12), ("main", "b", f"t{random.randrange(6)}")) for n in range(count)]


def drain(strategy: Searcher) -> list[int]:
    order = []
    while (chosen := strategy.select()) is not None:
        assert chosen.taken
        order.append(chosen.serial)
    return order


def test_the_registry_knows_them() -> None:
    searcher(None)
    assert set(ALL) <= set(SEARCHERS.names())
    with pytest.raises(UserError, match="bsf"):
        searcher("bsf")


@pytest.mark.parametrize("name", ALL)
def test_everything_comes_out_once(name: str) -> None:
    strategy, _ = searcher(name)
    for item in several(300):
        strategy.add(item)
    assert len(strategy) == 300
    assert sorted(drain(strategy)) == list(range(300))
    assert len(strategy) == 0
    assert strategy.select() is None


@pytest.mark.parametrize("name", ALL)
def test_adding_and_taking_in_turn(name: str) -> None:
    """Coverage grows meanwhile, as it does in a run."""
    strategy, coverage = searcher(name)
    random = Random(5)
    waiting: set[int] = set()
    seen: list[int] = []
    for serial, item in enumerate(several(400, seed=9)):
        strategy.add(item)
        waiting.add(serial)
        while random.random() < 0.5:
            chosen = strategy.select()
            if chosen is None:
                assert not waiting
                break
            assert chosen.serial in waiting
            waiting.discard(chosen.serial)
            seen.append(chosen.serial)
            if chosen.edge is not None:
                coverage.edge(*chosen.edge)
        assert len(strategy) == len(waiting)
    assert sorted(seen + drain(strategy)) == list(range(400))


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_order(name: str) -> None:
    def order(seed: int) -> list[int]:
        strategy, _ = searcher(name, seed)
        for item in several(100):
            strategy.add(item)
        return drain(strategy)

    assert order(7) == order(7)
    if name in ("random-path", "default"):
        assert order(7) != order(8)


@pytest.mark.parametrize("name", ALL)
def test_eviction_takes_the_deepest_for_good(name: str) -> None:
    strategy, _ = searcher(name)
    items = several(100)
    for item in items:
        strategy.add(item)
    taken = {chosen.serial for chosen in (strategy.select() for _ in range(10)) if chosen is not None}
    victims = strategy.evict(30)
    assert len(victims) == 30
    assert len(strategy) == 60
    assert all(victim.taken for victim in victims)
    rest = drain(strategy)
    assert sorted([*rest, *taken, *(victim.serial for victim in victims)]) == list(range(100))
    assert min(victim.depth for victim in victims) >= max(items[serial].depth for serial in rest)


@pytest.mark.parametrize("name", ALL)
def test_evicting_more_than_there_are(name: str) -> None:
    strategy, _ = searcher(name)
    for item in several(5):
        strategy.add(item)
    assert len(strategy.evict(50)) == 5
    assert len(strategy) == 0
    assert strategy.select() is None
    assert strategy.evict(1) == []


def drained(name: str, items: Sequence[Pending]) -> list[int]:
    strategy, _ = searcher(name)
    for item in items:
        strategy.add(item)
    return drain(strategy)


def test_depth_first_is_a_stack_and_breadth_first_a_queue() -> None:
    assert drained("dfs", several(20)) == list(reversed(range(20)))
    assert drained("bfs", several(20)) == list(range(20))


def test_random_path_prefers_shallow_ones() -> None:
    """One at depth 1 against a thousand at depth 12: nearly always first, whatever the seed."""
    first = 0
    for seed in range(30):
        strategy, _ = searcher("random-path", seed)
        for serial in range(500):
            strategy.add(pending(serial, 12))
        strategy.add(pending(500, 1))
        chosen = strategy.select()
        first += chosen is not None and chosen.serial == 500
    assert first >= 20


def test_random_path_with_very_deep_ones() -> None:
    assert sorted(drained("random-path", [pending(n, 5000 * n) for n in range(200)])) == list(range(200))


def test_coverage_takes_an_untaken_edge_first() -> None:
    strategy, coverage = searcher("coverage")
    coverage.edge("main", "b", "t6")
    for serial in range(50):
        strategy.add(pending(serial, 1, ("main", "b", "t6")))
    strategy.add(pending(50, 40, ("main", "b", "t7")))
    strategy.add(pending(51, 40, ("main", "b", "t7")))
    chosen = strategy.select()
    assert chosen is not None and chosen.serial in (50, 51)
    coverage.edge("main", "b", "t7")
    assert strategy.select() is not None
    assert len(strategy) == 50


class Main:
    """A function that can be suspended at the targets."""

    name = "main"
    plan = SimpleNamespace(points=[SimpleNamespace(block="b", target=target) for target in TARGETS])


MAIN = Main()


def at_place(serial: int, place: int, edge: Edge) -> Pending:
    """A sibling that waits at one of the targets."""
    item = pending(serial, 1, edge)
    item.state.frame = SimpleNamespace(function=MAIN, at=place, parent=None)  # type: ignore[assignment]
    return item


def test_coverage_gives_turns_to_places_not_to_crowds() -> None:
    """One sibling is not kept waiting by a thousand that wait elsewhere, as near to what is not covered."""
    strategy, coverage = searcher("coverage")
    for target in ("t1", "t2"):
        coverage.edge("main", "b", target)
        coverage.blocks.add(("main", target))
    for serial in range(1000):
        strategy.add(at_place(serial, 1, ("main", "b", "t1")))
    strategy.add(at_place(1000, 2, ("main", "b", "t2")))
    first = [chosen.serial for chosen in (strategy.select() for _ in range(4)) if chosen is not None]
    assert 1000 in first


def test_coverage_prefers_near_places() -> None:
    strategy, coverage = searcher("coverage")
    for target in ("t1", "t2"):
        coverage.edge("main", "b", target)
    coverage.blocks.add(("main", "t1"))  # from where no way leads to uncovered code; the block t2 was never run
    for serial in range(200):
        strategy.add(at_place(serial, 1 + serial % 2, ("main", "b", f"t{1 + serial % 2}")))
    near = sum(chosen is not None and chosen.serial % 2 for chosen in (strategy.select() for _ in range(60)))
    assert 40 <= near < 60


def test_the_default_takes_what_is_known_to_be_feasible_first() -> None:
    strategy, _ = searcher("default")
    for item in several(50):
        strategy.add(item)
    for serial in (50, 51):
        known = pending(serial, 9)
        known.model = Model()
        strategy.add(known)
    assert [chosen.serial for chosen in (strategy.select(), strategy.select()) if chosen is not None] == [50, 51]
    assert sorted(drain(strategy)) == list(range(50))


def test_generational_takes_one_generation_after_the_other() -> None:
    generations = [Random(3).randrange(1, 5) for _ in range(40)]
    items = [pending(serial, 7, generation=number) for serial, number in enumerate(generations)]
    assert drained("generational", items) == sorted(range(40), key=lambda serial: (generations[serial], serial))


def test_generational_prefers_untaken_edges_within_a_generation() -> None:
    strategy, coverage = searcher("generational")
    coverage.edge("main", "b", "t1")
    strategy.add(pending(0, 1, ("main", "b", "t2"), generation=2))
    strategy.add(pending(1, 1, ("main", "b", "t1")))
    strategy.add(pending(2, 1))
    strategy.add(pending(3, 1, ("main", "b", "t3")))
    strategy.add(pending(4, 1, ("main", "b", "t3")))
    strategy.add(pending(5, 1, ("main", "b", "t4")))
    first = strategy.select()
    assert first is not None and first.serial == 3
    coverage.edge("main", "b", "t3")
    assert drain(strategy) == [5, 1, 2, 4, 0]


def test_generational_skips_what_was_taken_elsewhere() -> None:
    strategy, _ = searcher("generational")
    items = several(10)
    for item in items:
        strategy.add(item)
    for item in items[::2]:
        item.taken = True
    assert len(strategy) == 5
    assert sorted(drain(strategy)) == [1, 3, 5, 7, 9]


def test_distances_lead_through_calls_and_back() -> None:
    program = c_program(
        """
        int leaf(int x) { if (x == 77) return 1; return 0; }
        int middle(int x) { return leaf(x) + 1; }
        int main(void) { int x = __VERIFIER_nondet_int(); if (x < 5) return middle(x); return 0; }
        """
    )
    machine = build_machine(program, all_models())
    coverage = Coverage(program, machine.compiler)
    for name, function in program.functions.items():
        for block in function.blocks:
            coverage.blocks.add((name, block.name))
    distances = Distances(program, coverage)
    state = cast(State, SimpleNamespace(frame=None))
    assert distances.of(state) == FAR
    entry = {name: distances.at(name, program.functions[name].blocks[0].name) for name in ("leaf", "middle", "main")}
    assert entry["leaf"] == 1
    assert entry["leaf"] < entry["middle"]


@pytest.mark.parametrize("name", ALL)
def test_every_strategy_finds_every_path(name: str) -> None:
    code = """
    int main(void) {
      int r = 0;
      for (int i = 0; i < 5; i++) if (__VERIFIER_nondet_bool()) r |= 1 << i;
      return r;
    }
    """
    assert explore(code, search=name).codes == list(range(32))
