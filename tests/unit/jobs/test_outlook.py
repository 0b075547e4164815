"""Whether an end is in sight, by what became of earlier estimates."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from clew.jobs.outlook import Outlook


def after(seconds: float, estimate: Callable[[float], float], has_end: bool = False) -> float:
    """What seems to be left after so much work, if somebody estimates that all along."""
    outlook, worked = Outlook(), 0.1
    while worked < seconds:
        outlook.look(worked, estimate(worked))
        worked *= 1.1
    return outlook.left(seconds, estimate(seconds), has_end)


@pytest.mark.parametrize("worked", [1.0, 5.0, 25.0])
def test_an_end_that_stays_where_it_is_is_believed(worked: float) -> None:
    assert after(worked, lambda worked: 30.0 - worked) == pytest.approx(30.0 - worked)


@pytest.mark.parametrize("worked", [1.0, 5.0, 25.0])
def test_one_that_recedes_is_not(worked: float) -> None:
    assert after(worked, lambda worked: 10.0 * worked) == math.inf


def test_nor_one_that_always_seems_to_be_near() -> None:
    assert after(0.6, lambda worked: 0.5) < math.inf
    assert after(4.0, lambda worked: 0.5) == math.inf


def test_who_was_mistaken_once_is_believed_again_after_a_while() -> None:
    def estimate(worked: float) -> float:
        return 0.1 if worked < 1.0 else 50.0 - worked

    assert after(2.0, estimate) == math.inf
    assert 40.0 < after(8.0, estimate) < math.inf


def test_an_end_that_there_is_may_recede() -> None:
    assert after(5.0, lambda worked: 10.0 * worked, has_end=True) == pytest.approx(50.0, rel=0.6)
    assert after(5.0, lambda worked: math.inf, has_end=True) == math.inf


def test_one_estimate_that_differs_from_others_does_not_count() -> None:
    def estimate(worked: float) -> float:
        return 500.0 if 4.6 < worked < 4.8 or worked == 5.0 else 30.0

    assert after(5.0, estimate, has_end=True) == pytest.approx(30.0)


def test_an_end_that_should_have_come_long_ago_is_not_in_sight() -> None:
    assert after(4.0, lambda worked: 0.5, has_end=True) == math.inf


def test_one_that_is_late_is_if_there_is_an_end() -> None:
    """After one second it seemed to be another one, and three have gone by."""

    def estimate(worked: float) -> float:
        return 1.0 if worked < 1.4 else 4.5 - worked

    assert after(4.0, estimate) == math.inf
    assert after(4.0, estimate, has_end=True) < 1.5


def test_the_first_estimate_may_come_between_two_looks() -> None:
    outlook = Outlook()
    outlook.look(1.0, math.inf)
    assert outlook.left(1.1, 7.0, has_end=True) == 7.0
