"""Records: the JSON the command-line contract promises."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import ClassVar

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
from clew.report.statistics import RunStatistics, Statistics
from clew.techniques.statistics import no_statistics


def test_summary_has_the_fields_of_the_contract_first(summary: Summary) -> None:
    data = summary.to_json()
    assert list(data)[:13] == [
        "format", "clew", "command", "files", "verdict", "reason", "technique", "properties", "bugs", "tests",
        "coverage", "unreachable", "stats",
    ]  # fmt: skip
    assert data["clew"] == __version__
    assert data["verdict"] is None
    assert data["coverage"] == {"branches": {"covered": 1, "total": 2}, "lines": {"covered": 1, "total": 2}}
    assert data["unreachable"] == [{"file": "p.c", "line": 30, "outcome": "true", "reason": "x <= 9"}]
    assert data["properties"] == [
        {"kind": "assert", "file": "p.c", "line": 12, "function": "main", "verdict": "FALSE"}
    ]  # fmt: skip
    json.dumps(data, allow_nan=False)


def test_bug(bug: Bug) -> None:
    data = bug.to_json()
    assert set(data) == {
        "kind", "message", "file", "line", "column", "function", "stack", "inputs", "test", "confirmed",
        "class", "rests_on", "decisive",
    }  # fmt: skip
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
    assert len(BUG_KINDS) == 17


def test_loops() -> None:
    place = Location("p.c", 12, 5, "main")
    loop = LoopStatement("main", place, BEST_EFFORT, "p is no induction variable", 3)
    assert loop.to_json() == {"file": "p.c", "line": 12, "function": "main", "status": "best-effort",
        "reason": "p is no induction variable", "summarized": 3,}  # fmt: skip
    assert Summary("test", ("p.c",), loops=(loop,)).to_json()["loops"] == [loop.to_json()]
    assert Summary("test", ("p.c",)).to_json()["loops"] == []
    assert loop.text == "best effort (p is no induction variable)"
    assert LoopStatement("f", None, SOUND, "").text == "summarized"
    unknown = LoopStatement("f", None, NOT_SUMMARIZED, "entered by goto")
    assert unknown.text == "not summarized (entered by goto)"
    assert (unknown.to_json()["file"], unknown.to_json()["line"]) == (None, 0)
    with pytest.raises(ValueError, match="perhaps"):
        LoopStatement("f", None, "perhaps", "")


def test_stats_have_the_fields_of_every_technique() -> None:
    assert set(no_statistics().to_json()) == {
        *("paths_completed", "paths_merged", "paths_pruned", "paths_cut_short", "paths_explored", "paths_failed"),
        *("solver_queries", "solver_cache_hits", "solver_seconds", "solver_unknowns", "wall_seconds", "peak_memory_mb"),
        *("instructions", "forks", "states_evicted", "states_pruned", "generations", "native_runs", "paths_repeated"),
        *("conflicts", "clauses_from_others", "learned_clauses", "learned_literals", "learned_largest"),
        *("instructions_repeated", "chains", "systems_solved", "systems_open"),
        *("summaries", "loops_summarized", "constraints_removed", "symbolic_updates", "divergences"),
        *("invariant_seconds", "invariant_candidates", "invariant_tests"),
        *("jumps", "merge_formulas", "merge_checks", "merge_hits"),
    }  # fmt: skip


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


@dataclass(slots=True)
class Rounds(Statistics):
    LARGEST: ClassVar[frozenset[str]] = frozenset(("longest",))

    rounds: int = 0
    longest: int = 0
    seconds: float = 0.0


def test_counters_of_techniques_stand_beside_the_fields() -> None:
    one = RunStatistics(forks=1, generations=2, parts=[Rounds(3, 5, 0.123456)])
    other = RunStatistics(forks=2, paths_completed=7, generations=1, parts=[Rounds(1, 4)])
    one.add(other.work())
    figures = {"forks": 3, "generations": 2, "paths_completed": 0, "rounds": 4, "longest": 5, "seconds": 0.1235}
    assert figures.items() <= one.to_json().items() and "parts" not in one.to_json()
    assert (one.of(Rounds).rounds, one.value("rounds"), RunStatistics().value("rounds")) == (4, 4, 0)
    assert "rounds" not in RunStatistics().to_json()
