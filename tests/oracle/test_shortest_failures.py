"""The paths of bugs that ``clew explain`` tells, against the shortest of all runs that fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.cli.app import run
from clew.jobs.minimizing import minimized
from oracle.shortest_failures import shortest, source

MOST = 1.2
"""How much longer than the shortest a path may be."""
SEEDS = range(12)


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_failing_run_is_much_shorter(seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "p.c", tmp_path / "o"
    file.write_text(source(seed))
    code = run(["test", str(file), "--out", str(out), "--quiet", "--search", "dfs"])
    least = shortest(file)
    assert code == (0 if least is None else 1), capfd.readouterr().err
    if least is None:
        return
    summary = json.loads((out / "summary.json").read_bytes())
    found = minimized(out, summary, summary["bugs"][0], 60.0, lambda step: "")
    assert least <= found.instructions <= MOST * least
    assert found.is_shortest and found.instructions <= found.instructions_before
    assert found.steps and found.steps[-1].location.line == summary["bugs"][0]["line"]
