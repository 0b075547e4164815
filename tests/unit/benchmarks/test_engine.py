"""The engine table with the engine replaced: medians, targets and ratios come out right."""

from __future__ import annotations

import pytest

from benchmarks import engine, peer, queries
from benchmarks.engine import EngineTable, Figure
from benchmarks.request import BenchRequest
from benchmarks.run import Run


def test_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = {"instructions": 6_000_000, "paths_completed": 3000}
    monkeypatch.setattr(engine, "run", lambda *_: Run(2.0, stats=stats))
    seconds = iter([9.0, 1.0, 0.5, 2.0])  # the first run only warms the cache
    monkeypatch.setattr(engine, "command_seconds", lambda _: next(seconds))
    monkeypatch.setattr(queries, "measure", lambda _: 200.0)
    monkeypatch.setattr(peer, "run", lambda *_: Run(2.0, stats={"instructions": 8_000_000, "paths_completed": 1000}))
    said: list[str] = []
    table = engine.measure(BenchRequest(repeat=3), said.append)
    figures = {figure.name: figure for figure in table.figures}
    assert figures["concrete loop"].value == 3.0 and figures["concrete loop"].met
    assert figures["concrete loop"].ratio == 0.75
    assert figures["paths bits_mask"].value == 1500.0 and figures["paths bits_mask"].ratio == 3.0
    assert figures["query"].met is False
    assert figures["start"].value == 1.0 and figures["start"].met
    assert len(said) == 3 * len(table.figures)


def test_queries_are_answered_and_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "WALKS", 2)
    assert queries.measure(1) > 0


def test_targets_and_peers() -> None:
    speed = Figure("instructions", (9.0e6, 3.0e6, 1.0e6), "per s", target=2.5e6, peer=4.0e6)
    delay = Figure("query", (200.0,), "us", target=150.0, higher_is_better=False, peer=100.0)
    plain = Figure("start", (0.5,), "s", target=1.5, higher_is_better=False)
    assert (speed.met, delay.met, plain.met) == (True, False, True)
    assert (speed.ratio, delay.ratio, plain.ratio) == (0.75, 0.5, None)
    table = EngineTable(notes=("a note",), machine="a machine", figures=(speed, delay, plain))
    lines = table.lines()
    assert lines[0] == "engine on a machine"
    assert lines[2].split() == ["instructions", "3,000,000", "per", "s", ">=", "2,500,000", "ok", "KLEE", "4,000,000",
                                "(ratio", "0.75)"]  # fmt: skip
    assert "missed" in lines[3]
    assert lines[-1] == "a note"
    figures = table.to_json()["figures"]
    assert isinstance(figures, list)
    assert figures[1]["met"] is False
