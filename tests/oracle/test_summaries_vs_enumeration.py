"""``clew test`` with summaries covers what trying every input covers, finds the same errors, and its tests show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.summaries_compare import WAYS, compare
from oracle.summaries_native import Native
from oracle.summaries_programs import generate

THEORY = (0, 1, 4, 5, 7, 11, 14, 16, 21)
HOSTILE = (0, 4, 8, 10, 12, 13, 15, 16, 18, 19)
COMBINATIONS = 64
SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""
NAMES = ("alone", "dynamic", "summaries")


def explored(seed: int, hostile: bool, way: str, folder: Path) -> tuple[str, int]:
    """What is wrong with a run, and how many loops it summarized."""
    drawn = generate(seed, hostile, COMBINATIONS)
    program = folder / "drawn.c"
    program.write_text(drawn.source, encoding="utf-8")
    answer = compare(program, drawn.truth, Native(drawn.source, folder), WAYS[way], SECONDS)
    assert not answer.stopped
    return answer.wrong, answer.stats["summaries"]


@pytest.mark.sample(9)
@pytest.mark.parametrize("seed", THEORY)
def test_loops_within_the_theory(seed: int, tmp_path: Path) -> None:
    wrong, summaries = explored(seed, False, NAMES[seed % 3], tmp_path)
    assert wrong == ""
    assert summaries


@pytest.mark.sample(10)
@pytest.mark.parametrize("seed", HOSTILE)
def test_loops_outside_of_the_theory(seed: int, tmp_path: Path) -> None:
    assert explored(seed, True, NAMES[seed % 3], tmp_path)[0] == ""
