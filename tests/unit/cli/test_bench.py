"""``clew bench``: which options are for which table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.bench.invariants_table import InvariantsTable
from clew.bench.merging_table import MergingTable
from clew.bench.navigation_table import NavigationTable
from clew.bench.request import BenchRequest
from clew.bench.summaries_table import SummariesTable

from .conftest import Outcome

Clew = Callable[..., Outcome]


def test_options_of_invariants(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[InvariantsTable]:
        asked.append(request)
        return [InvariantsTable(table, ())]

    monkeypatch.setattr("clew.bench.tables.run_bench", run_bench)
    assert clew("bench", "invariants", "--only", "scaling", "--time", "9", "--quick", "--no-plain").code == 0
    assert asked == [BenchRequest(only=("scaling",), seconds=9.0, plain=False, quick=True)]
    wrong = clew("bench", "invariants", "--plain-time", "3")
    assert wrong.code == 2 and "Option '--plain-time' is for the tables navigation and summaries" in wrong.err


def test_options_of_merging(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[MergingTable]:
        asked.append(request)
        return [MergingTable(table, ())]

    monkeypatch.setattr("clew.bench.tables.run_bench", run_bench)
    assert clew("bench", "merging", "--juliet", "suite", "--plot", "p.html", "--quick", "--no-plain").code == 0
    assert asked == [BenchRequest(juliet=Path("suite"), plot=Path("p.html"), plain=False, quick=True)]
    wrong = clew("bench", "summaries", "--plot", "p.html")
    assert wrong.code == 2 and "Option '--plot' is for the table merging" in wrong.err


def test_options_of_navigation(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[NavigationTable]:
        asked.append(request)
        return [NavigationTable(table, (), ("hwm", "hwm5"))]

    monkeypatch.setattr("clew.bench.tables.run_bench", run_bench)
    assert clew("bench", "navigation", "--only", "fig1*", "--time", "9", "--plain-time", "30", "--quick").code == 0
    assert asked == [BenchRequest(only=("fig1*",), seconds=9.0, plain_seconds=30.0, quick=True)]
    assert clew("bench", "navigation", "--no-plain").code == 0
    assert asked[1] == BenchRequest(plain=False)
    wrong = clew("bench", "navigation", "--bound", "3")
    assert wrong.code == 2 and "Option '--bound' is for the table conflicts" in wrong.err
    wrong = clew("bench", "engine", "--time", "3")
    assert wrong.code == 2
    assert "'--time' is for the tables conflicts, invariants, merging, navigation and summaries" in wrong.err
    assert clew("bench", "conflicts", "--plain-time", "3").code == 2


def test_options_of_summaries(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[SummariesTable]:
        asked.append(request)
        return [SummariesTable(table, ())]

    monkeypatch.setattr("clew.bench.tables.run_bench", run_bench)
    assert clew("bench", "summaries", "--only", "nest*", "--plain-time", "30", "--repeat", "2").code == 0
    assert asked == [BenchRequest(2, only=("nest*",), plain_seconds=30.0)]
    wrong = clew("bench", "summaries", "--decide", "guide")
    assert wrong.code == 2 and "Option '--decide' is for the table conflicts" in wrong.err
