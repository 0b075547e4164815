"""Closures of random loops against all iterations there are; thousands of them with ``scripts/loops_oracle.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.loops_compare import examine
from oracle.loops_native import compare
from oracle.loops_programs import LoopProgram
from unit.analysis.loops.read import closure

SEEDS = (1, 17, 20, 26, 33)


@pytest.mark.native
def test_closures_are_what_they_say(tmp_path: Path) -> None:
    batch = examine(SEEDS, tmp_path)
    assert batch.wrong == {}
    assert batch.counts["exact"] >= 4


@pytest.mark.native
@pytest.mark.thorough
def test_the_comparison_sees_what_is_wrong(tmp_path: Path) -> None:
    """With a closure of another loop, pairs are missing, and others are too many."""
    drawn = LoopProgram("f", (("vf", "u8"),), frozenset(), "vf < 100", "vf += 3;", False)
    right = closure("int f(unsigned char vf) { while (vf < 100) vf += 3; return vf; }")
    wrong = closure("int f(unsigned char vf) { while (vf < 101) vf += 6; return vf; }")
    assert compare([(drawn, right, frozenset())], tmp_path)["f"].missing == 0
    verdict = compare([(drawn, wrong, frozenset())], tmp_path)["f"]
    assert verdict.missing and verdict.extra
