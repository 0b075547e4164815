"""Budgets: limits, reasons, and what the user is told about a limit that makes no sense."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from clew.base import budget as module
from clew.base.budget import Budget, Interrupt, StopReason, current_memory_mb, peak_memory_mb
from clew.base.errors import UserError


class Clock:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(module, "time", fake)
    return fake


def test_no_limits_never_exhaust() -> None:
    budget = Budget()
    assert budget.exhausted(10**12) is None
    assert budget.time_left() is None
    assert budget.memory_share() == 0.0


def test_time(clock: Clock) -> None:
    budget = Budget(seconds=2.0)
    assert budget.exhausted() is None
    clock.now += 1.5
    assert budget.time_left() == pytest.approx(0.5)
    assert budget.exhausted() is None
    clock.now += 0.5
    assert budget.exhausted() is StopReason.TIME
    clock.now += 5
    assert budget.time_left() == 0.0
    assert budget.elapsed() == pytest.approx(7.0)


def test_instructions() -> None:
    budget = Budget(instructions=100)
    assert budget.exhausted(99) is None
    assert budget.exhausted(100) is StopReason.INSTRUCTIONS


def test_memory_is_looked_up_now_and_then(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([10.0, 60.0])
    monkeypatch.setattr(module, "current_memory_mb", lambda: next(readings))
    budget = Budget(memory_mb=50)
    assert budget.exhausted() is None
    assert budget.exhausted() is None, "the second look comes too soon to read again"
    clock.now += 1
    assert budget.exhausted() is StopReason.MEMORY
    assert budget.memory_share() == pytest.approx(1.2)


def test_interrupt_comes_first() -> None:
    interrupt = Interrupt()
    budget = Budget(instructions=1, interrupt=interrupt)
    assert budget.exhausted(5) is StopReason.INSTRUCTIONS
    interrupt.request()
    assert budget.exhausted(5) is StopReason.INTERRUPTED


@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_senseless_limits(value: float) -> None:
    with pytest.raises(UserError, match="--time must be a number above 0"):
        Budget(seconds=value)
    with pytest.raises(UserError, match="--memory"):
        Budget(memory_mb=value)


def test_senseless_instruction_limit() -> None:
    with pytest.raises(UserError, match="--max-instructions"):
        Budget(instructions=0)


def test_memory_of_this_process() -> None:
    assert 1 < current_memory_mb() < 100_000
    assert peak_memory_mb() > 1


def test_memory_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_STATM", Path("/nonexistent/statm"))
    assert current_memory_mb() == pytest.approx(peak_memory_mb(), rel=0.5)


def test_a_share_has_a_clock_of_its_own(clock: Clock) -> None:
    whole = Budget(seconds=10.0, memory_mb=100.0, instructions=7)
    clock.now += 2.0
    share = whole.share(0.25)
    assert (share.seconds, share.time_left(), share.memory_mb, share.instructions) == (2.0, 2.0, 100.0, None)
    assert share.interrupt is whole.interrupt
    clock.now += 2.0
    assert share.is_out_of_time() and not whole.is_out_of_time()
    whole.interrupt.request()
    assert whole.is_out_of_time()


def test_the_size_of_a_share(clock: Clock) -> None:
    whole = Budget(seconds=10.0)
    assert whole.share(0.5, most=3.0).seconds == 3.0
    assert whole.share(0.001, least=0.1).seconds == 0.1
    assert whole.share(0.25, spent=2.0).seconds == 1.0
    assert whole.share(memory_mb=5.0, instructions=9).memory_mb == 5.0
    assert Budget(memory_mb=3.0).share(memory_mb=5.0).memory_mb == 3.0
    assert Budget().share(0.5).seconds is None and Budget().share(0.5, most=2.0).seconds == 2.0


def test_a_share_of_nothing_has_no_time_at_all(clock: Clock) -> None:
    whole = Budget(seconds=10.0)
    shares = whole.share(0.25, spent=9.0), whole.share(0.0)
    assert all(share.is_out_of_time() for share in shares)
