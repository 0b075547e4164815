"""Sample results."""

from __future__ import annotations

import pytest

from clew.base.location import Location
from clew.report.records import (
    BranchCoverage,
    Bug,
    Coverage,
    InputValue,
    LossKind,
    LossNote,
    Property,
    StackFrame,
    Summary,
    Unreachable,
)
from clew.report.statistics import RunStatistics

PLACE = Location("p.c", 12, 5, "main")


@pytest.fixture
def bug() -> Bug:
    return Bug(
        "assert",
        "assertion 'x > 0' failed",
        PLACE,
        "check",
        (StackFrame("check", Location("p.c", 12)), StackFrame("main", Location("p.c", 30))),
        (InputValue("x", "int", 32, -5),),
        confirmed=True,
    )


@pytest.fixture
def coverage() -> Coverage:
    branches = [
        BranchCoverage("main", "entry", 0, PLACE, "true"),
        BranchCoverage("main", "entry", 1, PLACE, "false"),
    ]
    return Coverage.measured(branches, {("main", "entry", 0)}, [("p.c", 3), ("p.c", 1), ("p.c", 3)], {("p.c", 1)})


@pytest.fixture
def summary(bug: Bug, coverage: Coverage) -> Summary:
    return Summary(
        command="test",
        files=("p.c",),
        reason="assertion p.c:12 violated",
        properties=(Property("assert", PLACE, "main", "FALSE"),),
        bugs=(bug,),
        tests=3,
        coverage=coverage,
        unreachable=(Unreachable(Location("p.c", 30), "true", "x <= 9"),),
        stats=RunStatistics(paths_completed=3, solver_seconds=0.5, wall_seconds=2.0, peak_memory_mb=80),
        losses=(LossNote(LossKind.UNSUPPORTED, "inline assembly", PLACE, 2),),
        seed=4,
    )
