"""The navigation table with the runs replaced: what is run, what is shown, and that a wrong verdict is loud."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import child, navigation
from benchmarks.child import FAILED, Measured
from benchmarks.navigation import DEFAULT, KEPT, PROGRAMS, Subject
from benchmarks.navigation_table import NavigationTable, Row
from benchmarks.published_navigation import Paper, Reported
from benchmarks.request import BenchRequest
from clew.base.errors import UserError


class Runs:
    """Stands for ``child.reach``: notes what it is asked for, and always answers rightly."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], float]] = []
        self.seconds = iter([5.0, 1.0, 3.0] * 100)

    def __call__(self, files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
        if "--max-instructions" in options:
            return Measured("UNKNOWN", 0.1)  # only fills the cache
        assert options[:2] == ["--call", "reach_error"]
        self.asked.append((files[0].stem, list(options[2:]), seconds))
        return Measured(navigation.expected(files[0]), next(self.seconds))


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> NavigationTable:
    monkeypatch.setattr(child, "reach", runs)
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
    assert all(row.paper is not None and row.paper.chains == "1/5" for row in table.rows)
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
    assert [(row.name, row.kind, row.plain) for row in table.rows] == [
        ("hwm5", DEFAULT, None), ("doif_body", DEFAULT, None), ("doif_body", KEPT, None),
    ]  # fmt: skip


def test_the_run_in_the_middle_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = measure(BenchRequest(3, only=("hello",), plain=False), Runs(), monkeypatch)
    assert table.rows[0].chains is not None and table.rows[0].chains.seconds == 3.0


def test_quick() -> None:
    request = BenchRequest(quick=True)
    assert [subject.name for subject in navigation.chosen(request)] == list(PROGRAMS)
    assert navigation.plain_limit(request) == 20.0
    assert navigation.plain_limit(BenchRequest(quick=True, plain_seconds=5.0)) == 5.0
    assert navigation.plain_limit(BenchRequest()) == 300.0


def test_names() -> None:
    assert [one.name for one in navigation.chosen(BenchRequest(only=("eq*_store", "hw")))] == ["hw", "eqcnt_store"]
    with pytest.raises(UserError, match="no program of the table navigation is called window"):
        navigation.chosen(BenchRequest(only=("window",)))
    with pytest.raises(UserError, match="--plain-time"):
        BenchRequest(plain_seconds=0.0)


def test_variants() -> None:
    one = Subject(Path("fig1_17_store.c"), "UNREACHABLE")
    assert (one.name, one.base, one.variant, one.kinds, one.plain) == (
        "fig1_17_store", "fig1_17", "store", (DEFAULT,), True,
    )  # fmt: skip
    other = Subject(Path("fig1_17.c"), "UNREACHABLE")
    assert (other.base, other.variant, other.kinds) == ("fig1_17", "", (DEFAULT, KEPT))


def test_a_program_must_say_what_is_right(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    with pytest.raises(UserError, match="first line"):
        navigation.expected(tmp_path / "p.c")


def stats(**counts: int) -> dict[str, object]:
    return {"forks": 6, "solver_queries": 1234, "chains_root": 1, "chains_all": 5, "systems_solved": 3, **counts}


def run(verdict: str, seconds: float, instructions: int = 10, **counts: int) -> Measured:
    stopped = "time" if verdict == "UNKNOWN" else None
    return Measured(verdict, seconds, 2, instructions, "", stopped, stats(**counts))


def test_wrong_verdicts_are_loud() -> None:
    rows = (
        Row("a", DEFAULT, "REACHED", run("UNKNOWN", 1.0), run("UNREACHABLE", 1.0)),
        Row("b", KEPT, "UNREACHABLE", None, Measured(FAILED, 1.0, reason="it broke")),
    )
    lines = NavigationTable("navigation", rows, ("a", "b")).lines()
    assert lines[-2:] == [
        "WRONG VERDICT: a, default, chains: UNREACHABLE, expected REACHED",
        "FAILED: b, branches kept, chains: it broke",
    ]
    assert "UNREACHABLE!" in lines[3] and "chains: 0 of 2 answered rightly" in lines[5]


def test_ratios() -> None:
    def ratio(plain: Measured | None, chains: Measured) -> tuple[float, bool] | None:
        return Row("a", DEFAULT, "REACHED", plain, chains).ratio()

    assert ratio(run("REACHED", 8.0), run("REACHED", 2.0)) == (4.0, True)
    assert ratio(run("UNKNOWN", 300.0), run("REACHED", 2.0)) == (150.0, False)
    assert ratio(run("REACHED", 8.0), run("UNKNOWN", 2.0)) is None
    assert ratio(None, run("REACHED", 2.0)) is None


def test_text() -> None:
    paper = Paper({"Pex": Reported(99.0), "KLEE": Reported(1800.0, ended=False)}, "1/2")
    rows = (
        Row("hwm", DEFAULT, "REACHED", run("UNKNOWN", 300.5), run("REACHED", 1.5), paper),
        Row("hwm5", KEPT, "REACHED", None, run("REACHED", 1.8, chains_all=6, solver_queries=1500)),
        Row("one", DEFAULT, "UNREACHABLE", run("UNREACHABLE", 4.0), run("UNREACHABLE", 0.5, 0)),
    )
    table = NavigationTable("navigation", rows, ("hwm", "hwm5"), "here", ("a note",))
    assert table.lines() == [
        "navigation on here",
        "                                     plain                               chains "
        "                                                             paper",
        "program  kind           expected         verdict       s  states  calls      ver"
        "dict     s  states  calls  root/all  systems  early   ratio  Pex   KLEE  root/all",
        "hwm      default        REACHED             time  300.50       7  1,234      REA"
        "CHED  1.50       7  1,234       1/5        3         >= 200   99  >1800       1/2",
        "hwm5     branches kept  REACHED                                              REA"
        "CHED  1.80       7  1,500       1/6        3",
        "one      default        UNREACHABLE  UNREACHABLE    4.00       7  1,234  UNREACH"
        "ABLE  0.50       7  1,234       1/5        3    yes     8.0",
        "chains: 3 of 3 answered rightly, the slowest in 1.80 s",
        "growth, hwm -> hwm5 with chains: 1.50 -> 1.80 s (x 1.20), chains 1/5 -> 1/6, solver calls 1,234 -> 1,500",
        "a note",
    ]


def test_early_means_that_nothing_was_executed() -> None:
    row = Row("one", DEFAULT, "UNREACHABLE", None, run("UNREACHABLE", 0.5, 12))
    line = NavigationTable("navigation", (row,), ("hwm", "hwm5")).lines()[3]
    assert line.split()[-1] == "no"


def test_json() -> None:
    row = Row("one", DEFAULT, "UNREACHABLE", run("UNKNOWN", 4.0), run("UNREACHABLE", 0.5, 0))
    data = json.loads(json.dumps(NavigationTable("navigation", (row,), ("hwm", "hwm5")).to_json(), allow_nan=False))
    first = data["rows"][0]
    assert first["runs"]["chains"]["early"] is True and first["runs"]["plain"]["states"] == 7
    assert first["ratio"] == {"value": 8.0, "exact": False} and first["paper"] is None
    assert data["complaints"] == []


@pytest.mark.slow
def test_a_real_run() -> None:
    subject = next(one for one in navigation.subjects() if one.name == "hello")
    found = child.reach([subject.file], ["--call", "reach_error", "--strategy", "plain"], 60.0)
    assert found.verdict == subject.expected, found.reason
    assert found.stats is not None and found.stats["forks"]
