"""``clew bench``: which options are for which table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

import benchmarks
from benchmarks.combination import CombinationTable
from benchmarks.conflicts import ConflictsTable
from benchmarks.engine import EngineTable, Figure
from benchmarks.invariants import InvariantsTable
from benchmarks.merging import MergingTable
from benchmarks.navigation import NavigationTable
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.subject import Subject
from benchmarks.summaries import SummariesTable
from benchmarks.table import Row
from clew.base.errors import UserError
from support.command_line import Clew


def test_options_of_combination(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[CombinationTable]:
        asked.append(request)
        return [CombinationTable()]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    words = ["--targets", "libraries", "--seeds", "3,1,3", "--ways", "off, * alone", "--jobs", "2", "--out", "kept"]
    assert clew("bench", "combination", *words, "--only", "real/*").code == 0
    assert clew("bench", "combination").code == 0
    assert asked == [
        BenchRequest(
            only=("real/*",), targets=Path("libraries"), seeds=(3, 1), ways=("off", "* alone"), jobs=2, out=Path("kept")
        ),
        BenchRequest(),
    ]
    for given in (["--seeds", "one"], ["--jobs", "0"], ["--no-plain"], ["--seeds", ""]):
        assert clew("bench", "combination", *given).code == 2
    wrong = clew("bench", "merging", "--seeds", "1")
    assert wrong.code == 2 and "Option '--seeds' is for the table combination" in wrong.err
    assert len(asked) == 2


def test_options_of_invariants(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[InvariantsTable]:
        asked.append(request)
        return [InvariantsTable()]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    assert clew("bench", "invariants", "--only", "scaling", "--time", "9", "--quick", "--no-plain").code == 0
    assert asked == [BenchRequest(only=("scaling",), seconds=9.0, plain=False, quick=True)]
    wrong = clew("bench", "invariants", "--plain-time", "3")
    assert wrong.code == 2 and "Option '--plain-time' is for the tables navigation and summaries" in wrong.err


def test_options_of_merging(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[MergingTable]:
        asked.append(request)
        return [MergingTable()]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    assert clew("bench", "merging", "--juliet", "suite", "--plot", "p.html", "--quick", "--no-plain").code == 0
    assert asked == [BenchRequest(juliet=Path("suite"), plot=Path("p.html"), plain=False, quick=True)]
    wrong = clew("bench", "summaries", "--plot", "p.html")
    assert wrong.code == 2 and "Option '--plot' is for the tables combination and merging" in wrong.err


def test_options_of_navigation(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[NavigationTable]:
        asked.append(request)
        return [NavigationTable()]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    assert clew("bench", "navigation", "--only", "fig1*", "--time", "9", "--plain-time", "30", "--quick").code == 0
    assert asked == [BenchRequest(only=("fig1*",), seconds=9.0, plain_seconds=30.0, quick=True)]
    assert clew("bench", "navigation", "--no-plain").code == 0
    assert asked[1] == BenchRequest(plain=False)
    wrong = clew("bench", "navigation", "--bound", "3")
    assert wrong.code == 2 and "Option '--bound' is for the table conflicts" in wrong.err
    wrong = clew("bench", "engine", "--time", "3")
    assert wrong.code == 2
    tables = "combination, conflicts, invariants, loops, merging, navigation and summaries"
    assert f"'--time' is for the tables {tables}" in wrong.err
    assert clew("bench", "loops", "--ways", "plain").code == 0
    assert asked[2] == BenchRequest(ways=("plain",), seconds=15.0)
    assert clew("bench", "conflicts", "--plain-time", "3").code == 2


def test_options_of_summaries(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[SummariesTable]:
        asked.append(request)
        return [SummariesTable()]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    assert clew("bench", "summaries", "--only", "nest*", "--plain-time", "30", "--repeat", "2").code == 0
    assert asked == [BenchRequest(2, only=("nest*",), plain_seconds=30.0)]
    wrong = clew("bench", "summaries", "--decide", "guide")
    assert wrong.code == 2 and "Option '--decide' is for the table conflicts" in wrong.err


def test_bench(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[EngineTable]:
        asked.append((table, request.repeat))
        if table == "none":
            raise UserError("unknown table 'none'")
        say("measuring")
        return [EngineTable(figures=(Figure("speed", (5.0,), "per s", 2.0),))]

    module = types.ModuleType("benchmarks.tables")
    module.run_bench = run_bench  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "benchmarks.tables", module)
    text = clew("bench", "engine")
    assert (text.code, text.err) == (0, "clew: measuring\n")
    assert "speed" in text.out
    assert "| speed | 5 per s |" in clew("bench", "engine", "--markdown").out
    data = json.loads(clew("bench", "engine", "--json", "--repeat", "3", "--quiet").out)
    assert data[0]["figures"][0]["value"] == 5.0
    assert asked == [("engine", None), ("engine", None), ("engine", 3)]
    assert clew("bench", "none").code == 2
    assert clew("bench").code == 2


def test_bench_of_verdicts(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options become a request; a wrong verdict makes the command fail, with --json on standard error, too."""
    asked: list[BenchRequest] = []
    runs = {"plain": Run(1.0, verdict="FALSE")}

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[ConflictsTable]:
        asked.append(request)
        return [ConflictsTable((Row(Subject("door", (), expected="TRUE"), runs),))]

    monkeypatch.setattr("benchmarks.tables.run_bench", run_bench)
    text = clew(
        "bench", "conflicts", "--tasks", "folder", "--only", "a*", "--only", "b", "--bound", "50", "--time", "9"
    )
    assert text.code == 1 and "WRONG VERDICT: door" in text.out
    assert asked[0] == BenchRequest(tasks=Path("folder"), only=("a*", "b"), bound=50, seconds=9.0)
    data = clew("bench", "conflicts", "--json", "--decide", "guide, learn:5", "--no-plain", "--unroll", "4")
    assert data.code == 1 and "WRONG VERDICT: door" in data.err
    assert json.loads(data.out)[0]["complaints"]
    assert asked[1] == BenchRequest(decide=("guide", "learn:5"), plain=False, unroll="4")
    runs["plain"] = Run(1.0, verdict="TRUE")
    assert clew("bench", "conflicts", "--decide", "none").code == 0
    assert asked[2] == BenchRequest(decide=())
    assert clew("bench", "conflicts", "--decide", "none", "--no-plain").code == 2
    assert clew("bench", "engine", "--bound", "3").code == 2
    assert len(asked) == 3


def test_without_the_source_tree(clew: Clew, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installed Clew has no benchmarks: it says so in one line, and lists the command all the same."""
    monkeypatch.setattr("clew.cli.bench.ROOT", tmp_path)
    monkeypatch.setattr("clew.cli.bench.MODULE", "benchmarks_of_nobody.command")
    outcome = clew("bench", "engine")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "source tree" in outcome.err and "pip install --editable" in outcome.err
    assert "bench" in clew("--help").out


def test_benchmarks_of_somebody_else_are_not_taken(tmp_path: Path) -> None:
    """Those of the source tree come first, wherever the command is run."""
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").write_text("raise SystemExit('not these')\n", encoding="utf-8")
    path = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(benchmarks.__file__).parents[1] / 'src'}"}
    command = [sys.executable, "-m", "clew", "bench", "--help"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--juliet" in done.stdout
