"""The table ``combination``: which runs are made, what is said about made-up ones, and a small one in earnest."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import cases, combination
from benchmarks.case import Case
from benchmarks.combination import CombinationTable, Trial, attempt, measure, plot, run_all, trials_of, ways_of
from benchmarks.curve import Curve, Point
from benchmarks.kept import Kept
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.table import Row
from clew.base.errors import UserError


def silent(text: str) -> None:
    pass


def run(cpu: float, branches: int, stopped: str | None = None, covered: int = 0) -> Run:
    """All branches are covered after one second."""
    counts = (0, 0, branches, branches, 0)
    curve = Curve((Point(1.0, 1.0, *counts), Point(cpu, cpu, *counts)))
    return Run(cpu, stopped=stopped, cpu=cpu, covered=covered or branches, curve=curve)


def row(name: str, default: Run, off: Run, command: str = "test", expected: str = "") -> Row:
    return Row(Case(name, (), expected=expected, command=command), {"default, seed 0": default, "off, seed 0": off})


GOOD = row("real/good", run(2.0, 8), run(4.0, 8))
BAD = row("real/bad", run(10.0, 2, "time"), run(10.0, 8, "time"))
SLOW = row("verify/slow", Run(6.0, verdict="TRUE", cpu=6.0), Run(2.0, verdict="TRUE", cpu=2.0), "verify", "TRUE")
TABLE = CombinationTable((GOOD, BAD, SLOW), ("a note",), "here", 10.0)


def test_worst_programs_come_first() -> None:
    assert [one.name for one, _ in TABLE.compared] == ["real/bad", "verify/slow", "real/good"]
    lines = [line.split() for line in TABLE.lines()]
    bad, slow, good = (next(line for line in lines if line[:1] == [name]) for name in TABLE.more_json()["order"])  # type: ignore[attr-defined]
    assert bad == ["real/bad", "test", "2", "8", "0.25", "0.25", "1.00", "off"]
    assert slow[:6] == ["verify/slow", "verify", "6.00", "2.00", "3.00", "3.00"] and slow[-1] == "off"
    assert good[-6:] == ["2.00", "4.00", "0.50", "0.50", "1.00", "off"]
    assert TABLE.complaints() == []


def test_geometric_means() -> None:
    said = "\n".join(TABLE.findings())
    assert "curve over cpu, default / best: geometric mean 0.500 of 2, worst 0.25 (real/bad)" in said
    assert "processor time to the end, default / best: geometric mean 0.500 of 1, worst 0.50 (real/good)" in said
    assert "processor time to the verdict, default / best: geometric mean 3.000 of 1, worst 3.00 (verify/slow)" in said
    assert "bug" not in said and "others / default: off 2.000" in said


def test_as_json_with_all_curves() -> None:
    data = json.loads(json.dumps(TABLE.to_json(), allow_nan=False))
    assert data["order"] == ["real/bad", "verify/slow", "real/good"] and data["limit"] == 10.0
    bad = data["rows"][1]
    assert bad["curve"]["cpu"] == {"default": 1.8, "best": 7.2, "way": "off", "ratio": 0.25, "bound": ""}
    assert bad["badness"] == 4.0 and bad["runs"]["off, seed 0"]["curve"]["points"][0] == [1.0, 1.0, 0, 0, 8, 8, 0]


def test_no_rows() -> None:
    empty = CombinationTable()
    assert empty.lines() == ["combination"] and empty.findings() == [] and "No program" in plot(empty)


def complaints(one: Row) -> list[str]:
    return CombinationTable((one,)).complaints()


def test_what_is_wrong() -> None:
    verdict = replace(SLOW, runs={"default, seed 0": Run(verdict="FALSE"), "plain, seed 0": Run(verdict="UNKNOWN")})
    assert complaints(verdict) == ["WRONG VERDICT: verify/slow, default, seed 0: FALSE, expected TRUE"]
    assert complaints(replace(GOOD, runs={"off, seed 0": Run(failed="why")})) == ["FAILED: real/good, off, seed 0: why"]
    alarm = {"off, seed 0": Run(errors=(("abort", "p.c", 3),))}
    assert complaints(Row(Case("real/p", (), errors_known=True), alarm)) == [
        "FALSE ALARM: real/p, off, seed 0: abort at p.c:3"
    ]
    assert complaints(Row(Case("engine/p", ()), alarm)) == []


def test_verdicts_that_contradict_each_other() -> None:
    yes, no, open_ = Run(verdict="REACHED"), Run(verdict="UNREACHABLE"), Run(verdict="UNKNOWN")
    asked = Case("reach/p", (), command="reach")
    assert complaints(Row(asked, {"default, seed 0": yes, "plain, seed 0": yes, "chains, seed 0": open_})) == []
    assert complaints(Row(asked, {"default, seed 0": yes, "plain, seed 0": no})) == [
        "WRONG VERDICT: reach/p: REACHED (default, seed 0), UNREACHABLE (plain, seed 0)"
    ]


def test_all_that_explore_everything_cover_the_same() -> None:
    runs = {"default, seed 0": run(1.0, 7), "off, seed 0": run(1.0, 8), "no merging, seed 0": run(1.0, 5, "time")}
    assert complaints(Row(Case("p", ()), runs)) == [
        "WRONG COVERAGE: p, default, seed 0: 7 branches, and 8 with off, seed 0"
    ]


def test_configurations_take_turns() -> None:
    trials = trials_of(Case("p", ()), BenchRequest(seeds=(3, 1), ways=("off",), seconds=7.0))
    assert [trial.key for trial in trials] == ["default, seed 3", "off, seed 3", "default, seed 1", "off, seed 1"]
    assert {trial.seconds for trial in trials} == {7.0}
    assert ways_of(Row(Case("p", ()), {trial.key: Run(trial.seed) for trial in trials})) == {
        "default": [Run(3), Run(1)], "off": [Run(3), Run(1)],
    }  # fmt: skip


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    made: list[tuple[str, bool]] = []

    def make(trial: Trial) -> Run:
        made.append((trial.name, trial.compiles))
        return Run(float(len(made)))

    trials = trials_of(Case("p", (file,)), BenchRequest(seeds=(0, 1), ways=("off",)))
    kept = Kept(tmp_path / "kept")
    first = run_all(trials[:1], kept, 1, silent, make)
    found = run_all(trials, kept, 1, silent, make)
    assert made == [
        ("p, default, seed 0", True), ("p, off, seed 0", True), ("p, default, seed 1", True), ("p, off, seed 1", False),
    ]  # fmt: skip
    assert found["p, default, seed 0"] == first["p, default, seed 0"] and len(found) == 4
    assert run_all(trials, kept, 1, silent, make) == found and len(made) == 4


def test_a_run_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, list[str], float]] = []

    def command(name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
        asked.append((name, list(options), seconds))
        return Run()

    monkeypatch.setattr(combination, "command", command)
    attempt(Trial(Case("p", (), options=("-DN=1",)), "off", 4, ("--no-merge",), 9.0, compiles=True))
    options = ["-DN=1", "--no-merge"]
    (compiled, once, limit), run_itself = asked
    assert (compiled, once) == ("test", [*options, "--max-instructions", "1"]) and limit > 9.0, "whatever that takes"
    assert run_itself == ("test", [*options, "--seed", "4"], 9.0)


def test_the_plot() -> None:
    page = plot(TABLE)
    bars, curves, last = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    assert len(bars.findall("rect")) == 3 and "real/bad: 4.00" in page and "a note" in page
    assert len(curves.findall("polyline")) == len(last.findall("polyline")) == 2
    titles = [line.findtext("title") for line in curves.findall("polyline")]
    assert titles == ["off: 8 branches, 10.00 s", "default: 2 branches, 10.00 s"], "the default is drawn last"
    corners = curves.findall("polyline")[0].attrib["points"].split()
    assert corners == ["40.0,192.0", "86.0,192.0", "86.0,12.0", "500.0,12.0", "500.0,12.0"]
    assert "http" not in page


def test_wrong_requests(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--plot"):
        measure(BenchRequest(plot=tmp_path / "none" / "p.html"), silent)
    with pytest.raises(UserError, match="no configuration is called on"):
        measure(BenchRequest(ways=("on",)), silent)


CODE = """int klee_int(const char *name);
int main(void) {
  int x = klee_int("x");
  if (x > 3) return 10 / (x - 5);
  return 1;
}
"""


@pytest.mark.thorough
def test_in_earnest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs at once, then none: all are kept."""
    file, said = tmp_path / "p.c", list[str]()
    file.write_text(CODE, encoding="utf-8")
    errors = frozenset({("division-by-zero", "p.c", 4)})
    found = [Case("real/p", (file,), errors=errors, errors_known=True)]
    monkeypatch.setattr(cases, "chosen", lambda request, place: found)
    asked = BenchRequest(seconds=300.0, ways=("off",), jobs=2, out=tmp_path / "kept", plot=tmp_path / "p.html")
    table = measure(asked, said.append)
    assert table.complaints() == [] and len(said) == 3
    default, off = table.rows[0].runs.values()
    assert default.complete and off.complete and default.covered == off.covered == 2
    assert default.curve.bugs == off.curve.bugs == tuple(errors) and default.curve.most("lines") >= 3
    assert default.curve.points[-1].instructions == default.count("instructions") > 0
    ((_, comparison),) = table.compared
    assert comparison.ends.keys() == comparison.curves.keys() == comparison.bugs.keys() == {"seconds", "cpu", "work"}
    assert comparison.curves["work"].value > 0 and comparison.bugs["cpu"].keys() == errors
    again = measure(asked, said.append)
    assert again.to_json() == table.to_json() and said[3] == "2 of 2 runs are there already"
    assert "real/p" in (tmp_path / "p.html").read_text(encoding="utf-8")
