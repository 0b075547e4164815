"""Functions over pointers: verdicts against all small heaps, tests of violations against native runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from oracle.heaps import generate
from oracle.heaps_compare import compare
from oracle.heaps_native import enumerate_heaps

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")


def test_same_seed_same_batch() -> None:
    assert generate(3) == generate(3)
    assert generate(3).source != generate(4).source


@needs_cc
def test_the_family_has_both_answers(tmp_path: Path) -> None:
    batch = generate(11, 12)
    truths = enumerate_heaps(batch, tmp_path)
    checks = sum(len(lines) for lines in batch.lines.values())
    violated = sum(len(truth.violated) for truth in truths.values())
    assert 0 < violated < checks


@pytest.mark.sample(2)
@needs_cc
@pytest.mark.parametrize("seed", range(4))
def test_no_verdict_is_wrong(seed: int, tmp_path: Path) -> None:
    found = compare(generate(seed, 8), tmp_path, replay=False)
    assert found.wrong == []
    assert found.true and found.false


@needs_cc
def test_violations_show_natively(tmp_path: Path) -> None:
    found = compare(generate(7, 4), tmp_path)
    assert found.wrong == []
    assert found.replayed
