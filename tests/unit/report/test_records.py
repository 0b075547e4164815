"""Records: the JSON the command-line contract promises."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from clew import __version__
from clew.base.budget import StopReason
from clew.base.location import Location
from clew.report.kinds import BUG_KINDS
from clew.report.records import (
    BEST_EFFORT,
    NOT_SUMMARIZED,
    SOUND,
    Bug,
    Coverage,
    LoopStatement,
    Summary,
    ranked,
)
from clew.report.statistics import RunStatistics


def test_summary_has_the_fields_of_the_contract_first(summary: Summary) -> None:
    data = summary.to_json()
    assert list(data)[:12] == [
        "clew", "command", "files", "verdict", "reason", "technique", "properties", "bugs", "tests", "coverage",
        "unreachable", "stats",
    ]  # fmt: skip
    assert data["clew"] == __version__
    assert data["verdict"] is None
    assert data["coverage"] == {"branches": {"covered": 1, "total": 2}, "lines": {"covered": 1, "total": 2}}
    assert data["unreachable"] == [{"file": "p.c", "line": 30, "outcome": "true", "reason": "x <= 9"}]
    assert data["properties"] == [
        {"kind": "assert", "file": "p.c", "line": 12, "function": "main", "verdict": "FALSE"}
    ]  # fmt: skip
    json.dumps(data, allow_nan=False)


def test_stats_have_the_fields_of_the_contract(summary: Summary) -> None:
    assert list(summary.stats.to_json())[:12] == [
        "paths_completed", "paths_merged", "paths_pruned", "paths_cut_short", "instructions", "solver_queries",
        "solver_cache_hits", "solver_seconds", "learned_clauses", "loops_summarized", "wall_seconds", "peak_memory_mb",
    ]  # fmt: skip


def test_bug(bug: Bug) -> None:
    data = bug.to_json()
    assert list(data) == [
        "kind", "message", "file", "line", "column", "function", "stack", "inputs", "test", "confirmed",
        "class", "rests_on",
    ]  # fmt: skip
    assert (data["class"], data["rests_on"]) == ("bug", None)
    assert (data["file"], data["line"], data["column"]) == ("p.c", 12, 5)
    assert data["stack"] == ["check p.c:12", "main p.c:30"]
    assert isinstance(data["inputs"], list)
    assert list(data["inputs"][0].items())[:3] == [("name", "x"), ("type", "int"), ("value", -5)]


def test_possible_bugs_come_last_and_give_way_to_certain_ones(bug: Bug) -> None:
    possible = replace(bug, rests_on="depends on what f() returns, which is not defined here")
    elsewhere = replace(possible, kind="shift")
    assert possible.to_json()["class"] == "possible"
    assert possible.to_json()["rests_on"] == "depends on what f() returns, which is not defined here"
    assert ranked([elsewhere, possible, bug]) == (bug, elsewhere)
    assert ranked([elsewhere, possible]) == (elsewhere, possible)


def test_bug_without_location() -> None:
    assert Bug("abort", "", None, "f").to_json()["file"] is None


def test_bug_kinds_are_closed() -> None:
    with pytest.raises(ValueError, match="crash"):
        Bug("crash", "", None, "f")
    assert len(BUG_KINDS) == 16


def test_loops() -> None:
    place = Location("p.c", 12, 5, "main")
    loop = LoopStatement("main", place, BEST_EFFORT, "p is no induction variable", 3)
    assert list(loop.to_json().items()) == [
        ("file", "p.c"), ("line", 12), ("function", "main"), ("status", "best-effort"),
        ("reason", "p is no induction variable"), ("summarized", 3),
    ]  # fmt: skip
    assert Summary("test", ("p.c",), loops=(loop,)).to_json()["loops"] == [loop.to_json()]
    assert Summary("test", ("p.c",)).to_json()["loops"] == []
    assert loop.text == "best effort (p is no induction variable)"
    assert LoopStatement("f", None, SOUND, "").text == "summarized"
    unknown = LoopStatement("f", None, NOT_SUMMARIZED, "entered by goto")
    assert unknown.text == "not summarized (entered by goto)"
    assert (unknown.to_json()["file"], unknown.to_json()["line"]) == (None, 0)
    with pytest.raises(ValueError, match="perhaps"):
        LoopStatement("f", None, "perhaps", "")


def test_stats_of_summaries() -> None:
    figures = {"summaries": 5, "constraints_removed": 40, "symbolic_updates": 9, "divergences": 1, "generations": 2}
    assert figures.items() <= RunStatistics(**figures).to_json().items()


def test_coverage(coverage: Coverage) -> None:
    assert [line.line for line in coverage.lines] == [1, 3], "each line once, in order"
    assert coverage.uncovered_to_json() == [
        {"file": "p.c", "line": 12, "column": 5, "function": "main", "outcome": "false"}
    ]  # fmt: skip


def test_interrupted() -> None:
    data = Summary("test", ("p.c",), stopped=StopReason.INTERRUPTED).to_json()
    assert data["interrupted"] is True
    assert data["stopped"] == "interrupted"
    assert Summary("test", ("p.c",)).to_json()["stopped"] is None


def test_counters_of_techniques_stand_beside_the_fields() -> None:
    one, other = RunStatistics(forks=1), RunStatistics(forks=2)
    one.count("rounds", 3)
    other.count("rounds")
    one.add(other)
    assert {"forks": 3, "rounds": 4}.items() <= one.to_json().items() and "counters" not in one.to_json()
    assert "rounds" not in RunStatistics().to_json()
