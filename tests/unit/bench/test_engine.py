"""The engine table with the engine replaced: medians, targets and ratios come out right."""

from __future__ import annotations

import pytest

from clew.base.statistics import RunStatistics
from clew.bench import engine, peer, queries, runs
from clew.bench.request import BenchRequest


def test_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = RunStatistics(instructions=6_000_000, paths_completed=3000)
    monkeypatch.setattr(runs, "explore", lambda *_: runs.Run(stats, 2.0))
    seconds = iter([9.0, 1.0, 0.5, 2.0])  # the first run only warms the cache
    monkeypatch.setattr(runs, "command_seconds", lambda _: next(seconds))
    monkeypatch.setattr(queries, "measure", lambda _: 200.0)
    monkeypatch.setattr(peer, "run", lambda *_: peer.PeerRun(8_000_000, 1000, 2.0))
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
