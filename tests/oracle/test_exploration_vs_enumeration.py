"""Exploring every path of a small program reaches exactly what trying every input reaches.

Each path's prediction is also checked against concrete re-execution (``validate``), and each test's result against
the native program's.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import Test
from oracle import engine, native
from oracle.enumerable import CHECKPOINTS, ENTRY, HARNESS, generate

SEEDS = (0, 3, 4, 7, 10, 11, 12, 15, 16, 19, 20, 21, 24, 27, 30, 33)
LIMIT = 600_000


class _Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


@pytest.mark.sample(16)
@pytest.mark.parametrize("seed", SEEDS)
def test_enumerable_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    everything = tmp_path / "native.c"
    everything.write_text(drawn.source + HARNESS)
    outcome = native.run(native.build(everything, (), tmp_path))
    reached = {k for k in drawn.lines if outcome.stdout[k]}
    results = outcome.stdout[CHECKPOINTS:]

    source = tmp_path / "explored.c"
    source.write_text(drawn.source.replace("void hit(int k);", "void hit(int k) {}") + ENTRY)
    kept = _Kept()
    summary = run_test(TestRequest((source,), goal="path", validate=True, max_instructions=LIMIT), kept)
    covered = {line.line for line in summary.coverage.lines if line.covered}
    found = {k for k, line in drawn.lines.items() if line in covered}

    assert not summary.bugs and not summary.warnings
    if summary.stopped is None:
        assert not summary.losses
        assert found == reached
    else:
        assert found <= reached
    for test in kept.tests[:10]:
        a, b = (int(value.value) for value in test.inputs)
        assert engine.run(source, [a, b]).exit_code == results[256 * a + b], f"seed {seed}, inputs {a}, {b}"
