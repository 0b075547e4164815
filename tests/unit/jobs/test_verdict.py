"""One line that says why: from the verdicts on properties."""

from __future__ import annotations

import pytest

from clew.base.location import Location
from clew.jobs.verdict import overall, reason_of
from clew.report.records import Property


def judged(*verdicts: str, reason: str = "time limit", kind: str = "assert") -> list[Property]:
    return [
        Property(kind, Location("p.c", line), "main", verdict, reason if verdict == "UNKNOWN" else "")
        for line, verdict in enumerate(verdicts, 1)
    ]


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], "TRUE"),
        (["TRUE", "TRUE"], "TRUE"),
        (["TRUE", "UNKNOWN"], "UNKNOWN"),
        (["UNKNOWN", "FALSE", "TRUE"], "FALSE"),
    ],
)
def test_overall(verdicts: list[str], expected: str) -> None:
    assert overall(verdicts) == expected


@pytest.mark.parametrize(
    ("items", "held", "text"),
    [
        ([], [], "no property"),
        (judged("TRUE"), [], "the property holds on all paths"),
        (judged("TRUE", "TRUE"), ["memory-leak"], "all 2 properties hold on all paths; no leak error on any path"),
        (judged("TRUE", "FALSE"), [], "assertion p.c:2 violated"),
        (judged("FALSE", kind="shift"), [], "shift at p.c:1"),
        (judged("FALSE", "FALSE"), [], "2 of 2 properties violated (first: assertion p.c:1)"),
        (judged("FALSE", "UNKNOWN"), [], "assertion p.c:1 violated; 1 not decided (time limit)"),
        (judged("UNKNOWN", "UNKNOWN"), [], "time limit"),
        (judged("UNKNOWN", "TRUE"), [], "1 of 2 properties not decided: time limit"),
    ],
)  # fmt: skip
def test_reason(items: list[Property], held: list[str], text: str) -> None:
    assert reason_of(items, held) == text


def test_properties_that_hold_up_to_a_bound() -> None:
    assert reason_of(judged("UNKNOWN"), [], 50) == "1 property holds up to the bound of 50 (bounded)"
    assert reason_of(judged("UNKNOWN", "UNKNOWN"), [], 9) == "2 properties hold up to the bound of 9 (bounded)"
