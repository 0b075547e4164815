"""When memory is short, and when it is not any more: with what the process takes made up."""

from __future__ import annotations

import sys

import pytest

from clew.base.budget import Budget
from clew.execute.memory_pressure import Room
from unit.execute.support import explore


class Fake(Budget):
    """Memory as told."""

    __slots__ = ("used",)

    def __init__(self, limit: float) -> None:
        super().__init__(memory_mb=limit)
        self.used = 0.0

    def memory_used(self) -> float:
        return self.used


def test_again_only_when_as_much_is_in_use_or_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = 1000
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: blocks)
    budget = Fake(100.0)
    room = Room(budget)
    assert not room.is_short()
    budget.used = 91.0
    assert room.is_short()
    room.giving_up()
    blocks = 500  # given back to Python, not to the system
    for used in (91.0, 91.5, 92.0):
        budget.used = used
        assert not room.is_short()
    blocks = 1000
    budget.used = 92.1
    assert room.is_short()
    room.giving_up()
    blocks = 500
    budget.used = 95.0  # something else has taken memory
    assert room.is_short()


def test_no_limit_is_never_short() -> None:
    assert not Room(Budget()).is_short()


class Rising(Budget):
    """Takes more with every look, up to a plateau."""

    __slots__ = ("looks",)

    def __init__(self) -> None:
        super().__init__(memory_mb=100.0, instructions=20_000)
        self.looks = 0

    def memory_used(self) -> float:
        self.looks += 1
        return min(95.0, 80.0 + self.looks / 10)


CODE = """
int main(void) { unsigned s = 0; for (int i = 0; i < 60; i++) if (__VERIFIER_nondet_int() > i) s++; return s > 5; }
"""


@pytest.mark.slow
def test_a_run_that_gives_paths_up_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays at its plateau: paths are given up now and then, not one after the other until none is left."""
    blocks = iter(range(10**9))
    monkeypatch.setattr(sys, "getallocatedblocks", lambda: next(blocks) % 4)
    found = explore(CODE, budget=Rising(), search="bfs")
    statistics = found.run.statistics
    given_up = sum(count for (kind, _, _), count in found.run.losses.items() if kind == "evicted")
    assert statistics.states_evicted == given_up > 0
    assert statistics.instructions >= 20_000
    assert str(found.engine.stopped) == "instructions"
    assert given_up < statistics.forks
