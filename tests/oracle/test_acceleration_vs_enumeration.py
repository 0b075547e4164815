"""A sample of what ``scripts/acceleration_oracle.py`` does with thousands of functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.execute import engine
from clew.techniques.acceleration import jumping, loop_jumps
from oracle.acceleration_compare import compare, compare_jumps
from oracle.acceleration_programs import draw


def test_verdicts_are_those_of_enumeration(tmp_path: Path) -> None:
    functions = [function for seed in (1, 2, 3, 13, 21) if (function := draw(seed)) is not None]
    found = compare(functions, tmp_path)
    assert not found.wrong
    assert found.proved and found.violated and found.exact


def test_jumps_show_all_that_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SLICE", 120)
    monkeypatch.setattr(jumping, "PATIENCE", 0)
    monkeypatch.setattr(loop_jumps, "AHEAD", 3)
    functions = [function for seed in (2, 4, 9) if (function := draw(seed, inputs=False)) is not None]
    jumps, wrong = compare_jumps(functions, tmp_path)
    assert not wrong and jumps
