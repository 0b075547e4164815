"""The navigation table with the runs replaced: what is run, what is shown, and that a wrong verdict is loud."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks import navigation
from benchmarks.navigation import CHAINS, DEFAULT, KEPT, ORDER, PLAIN, NavigationTable, forms, has_plain, parts, ratio
from benchmarks.request import BenchRequest
from benchmarks.run import Run, command
from benchmarks.subject import Subject
from benchmarks.table import Row
from clew.base.errors import UserError


class Runs:
    """Stands for ``command``: notes what it is asked for, and always answers rightly."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], float]] = []
        self.seconds = iter([5.0, 1.0, 3.0] * 100)

    def __call__(self, name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
        assert name == "reach"
        if "--max-instructions" in options:
            return Run(0.1, verdict="UNKNOWN")  # only fills the cache
        assert options[:2] == ["--call", "reach_error"]
        self.asked.append((files[0].stem, list(options[2:]), seconds))
        return Run(next(self.seconds), verdict=navigation.subject_of(files[0]).expected)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> NavigationTable:
    monkeypatch.setattr(navigation, "command", runs)
    return navigation.measure(request, lambda text: None)


def test_both_strategies_on_both_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("fig1",), seconds=9.0, plain_seconds=70.0), runs, monkeypatch)
    assert runs.asked == [
        ("fig1", ["--strategy", "chains"], 9.0),
        ("fig1", ["--strategy", "plain"], 70.0),
        ("fig1", ["--strategy", "chains", "--keep-branches"], 9.0),
        ("fig1", ["--strategy", "plain", "--keep-branches"], 70.0),
    ]
    assert [(row.name, row.kind) for row in table.rows] == [("fig1", DEFAULT), ("fig1", KEPT)]
    assert all(row.paper["chains"] == "1/5" for row in table.rows)
    assert table.complaints() == []


def test_plain_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    measure(BenchRequest(only=("hello", "fig1_store"), plain=False), runs, monkeypatch)
    assert [asked[:2] for asked in runs.asked] == [
        ("hello", ["--strategy", "chains"]),
        ("fig1_store", ["--strategy", "chains"]),
    ]


def test_of_moved_parts_only_chains_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("doif_body", "hwm5")), runs, monkeypatch)
    assert not any("plain" in options for _, options, _ in runs.asked)
    assert [(row.name, row.kind, list(row.runs)) for row in table.rows] == [
        ("hwm5", DEFAULT, [CHAINS]), ("doif_body", DEFAULT, [CHAINS]), ("doif_body", KEPT, [CHAINS]),
    ]  # fmt: skip


def test_the_run_in_the_middle_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = measure(BenchRequest(3, only=("hello",), plain=False), Runs(), monkeypatch)
    assert table.rows[0].runs[CHAINS].seconds == 3.0


def test_quick() -> None:
    request = BenchRequest(quick=True)
    assert [subject.name for subject in navigation.chosen(request)] == list(ORDER)
    assert request.plain_limit(300.0) == 20.0 and request.plain_limit(5.0) == 5.0
    assert BenchRequest().plain_limit(300.0) == 300.0


def test_names() -> None:
    assert [one.name for one in navigation.chosen(BenchRequest(only=("eq*_store", "hw")))] == ["hw", "eqcnt_store"]
    with pytest.raises(UserError, match="no program of the table navigation is called window"):
        navigation.chosen(BenchRequest(only=("window",)))
    with pytest.raises(UserError, match="--plain-time"):
        BenchRequest(plain_seconds=0.0)


def test_variants() -> None:
    assert parts("fig1_17_store") == ("fig1_17", "store") and parts("fig1_17") == ("fig1_17", "")
    assert [one.kind for one in forms(Subject("fig1_17_store", ()))] == [DEFAULT]
    assert [(one.kind, one.options) for one in forms(Subject("fig1_17", ()))] == [
        (DEFAULT, ()), (KEPT, ("--keep-branches",)),
    ]  # fmt: skip
    assert has_plain("fig1_17_store") and not has_plain("hwm5") and not has_plain("fig1_body")


def test_a_program_must_say_what_is_right(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    with pytest.raises(UserError, match="first line"):
        navigation.subject_of(tmp_path / "p.c")


def run(verdict: str, seconds: float, instructions: int = 10, **counts: int) -> Run:
    stats = {"forks": 6, "solver_queries": 1234, "chains": 5, "systems_solved": 3, **counts}
    stopped = "time" if verdict == "UNKNOWN" else None
    return Run(seconds, verdict=verdict, stopped=stopped, stats={**stats, "instructions": instructions})


def row(
    name: str, kind: str, expected: str, plain: Run | None, chains: Run, paper: Mapping[str, object] | None = None
) -> Row:
    runs = {way: one for way, one in ((PLAIN, plain), (CHAINS, chains)) if one is not None}
    return Row(Subject(name, (), kind, expected), runs, paper or {})


def test_wrong_verdicts_are_loud() -> None:
    rows = (
        row("a", DEFAULT, "REACHED", run("UNKNOWN", 1.0), run("UNREACHABLE", 1.0)),
        row("b", KEPT, "UNREACHABLE", None, Run(1.0, "it broke")),
    )
    lines = NavigationTable(rows).lines()
    assert lines[-2:] == [
        "WRONG VERDICT: a, default, chains: UNREACHABLE, expected REACHED",
        "FAILED: b, branches kept, chains: it broke",
    ]
    assert "UNREACHABLE!" in lines[3] and "chains: 0 of 2 answered rightly" in lines[5]


def test_ratios() -> None:
    def of(plain: Run | None, chains: Run) -> tuple[float, bool] | None:
        return ratio(row("a", DEFAULT, "REACHED", plain, chains))

    assert of(run("REACHED", 8.0), run("REACHED", 2.0)) == (4.0, True)
    assert of(run("UNKNOWN", 300.0), run("REACHED", 2.0)) == (150.0, False)
    assert of(run("REACHED", 8.0), run("UNKNOWN", 2.0)) is None
    assert of(None, run("REACHED", 2.0)) is None


def test_text() -> None:
    paper = {"Pex": {"seconds": 99.0, "ended": True}, "KLEE": {"seconds": 1800.0, "ended": False}, "chains": "1/2"}
    rows = (
        row("hwm", DEFAULT, "REACHED", run("UNKNOWN", 300.5), run("REACHED", 1.5), paper),
        row("hwm5", KEPT, "REACHED", None, run("REACHED", 1.8, chains=6, solver_queries=1500)),
        row("one", DEFAULT, "UNREACHABLE", run("UNREACHABLE", 4.0), run("UNREACHABLE", 0.5, 0)),
    )
    assert NavigationTable(rows, ("a note",), "here").lines() == [
        "navigation on here",
        "                                     plain                               chains "
        "                                                           paper",
        "program  kind           expected         verdict       s  states  calls      ver"
        "dict     s  states  calls  chains  systems  early   ratio  Pex   KLEE  root/all",
        "hwm      default        REACHED             time  300.50       7  1,234      REA"
        "CHED  1.50       7  1,234       5        3         >= 200   99  >1800       1/2",
        "hwm5     branches kept  REACHED                                              REA"
        "CHED  1.80       7  1,500       6        3",
        "one      default        UNREACHABLE  UNREACHABLE    4.00       7  1,234  UNREACH"
        "ABLE  0.50       7  1,234       5        3    yes     8.0",
        "chains: 3 of 3 answered rightly, the slowest in 1.80 s",
        "growth, hwm -> hwm5 with chains: 1.50 -> 1.80 s (x 1.20), chains 5 -> 6, solver calls 1,234 -> 1,500",
        "a note",
    ]


def test_times_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fractions of a second as they are, a time limit as such, and a tool that gave up."""
    table = measure(BenchRequest(only=("hwm",), plain=False), Runs(), monkeypatch)
    assert table.lines()[3].split()[-5:] == ["fail", "534", ">3600", "1.997", "81/161"]


def test_early_means_that_nothing_was_executed() -> None:
    one = row("one", DEFAULT, "UNREACHABLE", None, run("UNREACHABLE", 0.5, 12))
    assert NavigationTable((one,)).lines()[3].split()[-1] == "no"


def test_json() -> None:
    one = row("one", DEFAULT, "UNREACHABLE", run("UNKNOWN", 4.0), run("UNREACHABLE", 0.5, 0))
    paper = {"Pex": {"seconds": None, "ended": True}, "chains": "1/2"}
    other = row("two", DEFAULT, "REACHED", None, run("REACHED", 1.0), paper)
    data = json.loads(json.dumps(NavigationTable((one, other)).to_json(), allow_nan=False))
    first, second = data["rows"]
    assert first["runs"]["chains"]["early"] is True and first["runs"]["plain"]["states"] == 7
    assert first["ratio"] == {"value": 8.0, "exact": False} and first["paper"] is None
    assert second["paper"] == {"times": {"Pex": {"seconds": None, "ended": True}}, "chains": "1/2"}
    assert data["complaints"] == []


@pytest.mark.slow
def test_a_real_run() -> None:
    subject = next(one for one in navigation.subjects() if one.name == "hello")
    found = command("reach", subject.files, ["--call", "reach_error", "--strategy", "plain"], 60.0)
    assert found.verdict == subject.expected, found.reason
    assert found.count("forks")
