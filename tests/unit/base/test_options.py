"""Requests check themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.budget import StopReason
from clew.base.errors import UserError
from clew.base.options import TestRequest, VerifyRequest

FILES = (Path("p.c"),)


def test_defaults() -> None:
    request = TestRequest(FILES)
    assert (request.goal, request.merge) == ("error", True)
    assert request.checks is None
    assert request.budget().exhausted() is None


def test_budget_listens_to_the_interrupt() -> None:
    request = TestRequest(FILES, seconds=100)
    budget = request.budget()
    request.interrupt.request()
    assert budget.exhausted() is StopReason.INTERRUPTED


def test_each_request_has_its_own_interrupt() -> None:
    first, second = TestRequest(FILES), TestRequest(FILES)
    first.interrupt.request()
    assert not second.interrupt.requested


def test_no_files() -> None:
    with pytest.raises(UserError, match="no input file"):
        TestRequest(())


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("goal", "everything", "--goal"),
        ("data_model", "LLP64", "--data-model"),
        ("seconds", 0, "--time"),
        ("memory_mb", -1, "--memory"),
        ("max_instructions", 0, "--max-instructions"),
        ("loop_bound", 0, "--loop-bound"),
        ("loop_bound", "many", "--loop-bound must be a number above 0 or 'auto', not 'many'"),
        ("loops", "static", "--loops"),
        ("array_length", -1, "--array-length"),
    ],
)
def test_bad_values(field: str, value: object, text: str) -> None:
    with pytest.raises(UserError, match=text):
        TestRequest(FILES, **{field: value})  # type: ignore[arg-type]


def test_target_and_data_model() -> None:
    with pytest.raises(UserError, match="one of them"):
        TestRequest(FILES, target="x86_64-linux-gnu", data_model="LP64")


@pytest.mark.parametrize("decide", ["blackbox", "guide", "learn", "learn:1", "learn:10"])
def test_ways_to_decide(decide: str) -> None:
    assert VerifyRequest(FILES, decide=decide).decide == decide


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("strategy", "best", "--strategy"),
        ("decide", "luck", "--decide"),
        ("decide", "learn:0", "--decide"),
        ("decide", "learn:x", "--decide"),
        ("unroll", 0, "--unroll"),
        ("seconds", -1, "--time"),
    ],
)
def test_bad_values_for_verify(field: str, value: object, text: str) -> None:
    with pytest.raises(UserError, match=text):
        VerifyRequest(FILES, **{field: value})  # type: ignore[arg-type]
