"""What would help: each piece of advice comes from what a result has left open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.base.budget import StopReason
from clew.report.advice import OTHER_ERRORS, advice
from clew.report.reasons import Reason, WhyNot
from clew.report.records import BranchCoverage, Bug, Coverage, FunctionCoverage, LossKind, LossNote, Summary
from clew.report.statistics import RunStatistics

RUN = Summary("test", ("p.c",), out="o", budget={"seconds": 30.0})


def test_nothing_open_needs_nothing() -> None:
    assert list(advice(RUN)) == []
    lost = (LossNote(LossKind.BOUNDED, "more than is looked at"), LossNote(LossKind.UNSUPPORTED, "assembly"))
    assert list(advice(replace(RUN, losses=lost))) == [], "and where no option helps, none is named"


def test_what_lies_behind_bugs_that_end_all_paths() -> None:
    stats = RunStatistics(paths_completed=4, paths_pruned=2, paths_failed=6)
    ended = replace(RUN, bugs=(Bug("misaligned", "access", None, "main"),), stats=stats)
    [line] = advice(ended)
    assert line.startswith("--check assert,") and line.endswith(": goes on where every path ends (misaligned)")
    assert "alignment" not in line and "abort" not in line
    [line] = advice(replace(ended, build={"checks": ["memory", "misaligned"]}))
    assert line.startswith("--check memory: ")
    [line] = advice(replace(ended, stats=replace(stats, paths_failed=3)))
    assert line.endswith(": goes on where 3 of 6 paths end (misaligned)")
    assert list(advice(replace(ended, stats=replace(stats, paths_failed=1)))) == [], "most paths have come to their end"
    assert list(advice(replace(ended, stats=RunStatistics()))) == [], "nobody has counted"
    assert list(advice(replace(ended, build={"checks": ["alignment"]}))) == [], "nothing else was asked for"
    assert list(advice(replace(ended, bugs=(Bug("out-of-bounds", "access", None, "main"),)))) == []


def test_more_time() -> None:
    late = replace(RUN, stopped=StopReason.TIME)
    assert list(advice(late, resumable=True)) == [
        "clew resume o: goes on where this run stopped; or --time 60 for a new one"
    ]
    assert list(advice(replace(late, command="verify", verdict="UNKNOWN"))) == ["--time 60: twice the time"]
    assert list(advice(replace(late, command="verify", verdict="FALSE"))) == [], "there is an answer"
    broken_off = replace(late, stopped=StopReason.INTERRUPTED)
    assert list(advice(broken_off, resumable=True)) == ["clew resume o: goes on where this run was interrupted"]
    assert list(advice(broken_off)) == []


@pytest.mark.parametrize(
    ("command", "what", "option"),
    [
        (
            "test",
            "accesses beyond the elements that pointers of the function are given (--array-length)",
            "--array-length",
        ),
        ("test", "main loop at p.c:3 runs more than 4 times", "--loop-bound"),
        ("verify", "main loop at p.c:3 runs more than 4 times", "--unroll"),
        ("test", "standard inputs of more than 16 bytes: --stdin N gives it up to N", "--stdin"),
    ],
)
def test_larger_bounds(command: str, what: str, option: str) -> None:
    bounded = replace(RUN, command=command, losses=(LossNote(LossKind.BOUNDED, what),))
    assert [line.split(" ")[0] for line in advice(bounded)] == [option]


def test_definitions_that_are_missing() -> None:
    notes = (
        LossNote(LossKind.UNDEFINED_FUNCTION, "sensor() is not defined anywhere: what it might do is not explored"),
        LossNote(LossKind.UNDEFINED_VARIABLE, "level is not defined anywhere"),
    )
    [line] = advice(replace(RUN, losses=notes))
    assert line == "name the files, too, that define sensor(), level; or the build, with -p DIR"


def test_what_callers_promise(bug: Bug) -> None:
    possible = replace(bug, rests_on="depends on whether callers pass null for p")
    [line] = advice(replace(RUN, bugs=(possible,), build={"function": "first"}))
    assert line.startswith("--function 'first(...)'")
    guess = "s: string[12] or null, n: 0..len(v), char * in what it is given: string[12] (guessed; --no-guess)"
    [line] = advice(replace(RUN, bugs=(possible,), build={"function": "first"}, assumed=(guess,)))
    assert line.startswith("--function 'first(s: string[12] or null, n: 0..len(v))', or what else")


def test_allocations_that_fail() -> None:
    missing = BranchCoverage("f", "b", 0, None, "true", False, Reason(WhyNot.ALLOCATION, "it is for one"))
    [line] = advice(replace(RUN, coverage=Coverage(branches=(missing,))))
    assert line == "--malloc-may-fail: allocations that fail have 1 outcome of branches for them"


def test_functions_that_nothing_calls() -> None:
    functions = (FunctionCoverage("main", "p.c", 9, True), FunctionCoverage("f", "p.c", 3, in_reach=False))
    [line] = advice(replace(RUN, coverage=Coverage(functions=functions)))
    assert line == "clew project p.c: tests also 1 function that nothing calls from here"
    [line] = advice(replace(RUN, coverage=Coverage(functions=functions), build={"flags": ["-Iinclude"]}))
    assert line.startswith("clew project p.c -Iinclude: ")
    built = {"flags": ["-DN=2"], "named": ["-p", "build", "tool"]}
    [line] = advice(replace(RUN, coverage=Coverage(functions=functions), build=built))
    assert line.startswith("clew project -p build tool -DN=2: "), "with the build's flags"


def test_other_errors() -> None:
    proved = replace(RUN, command="verify", verdict="TRUE", checks=("assert", "error-call"))
    assert list(advice(proved)) == [OTHER_ERRORS]
    assert list(advice(replace(proved, checks=("assert", "shift")))) == []
