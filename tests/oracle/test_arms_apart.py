"""``clew verify`` and ``clew reach`` by several processes, some of which are killed: no answer is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle import reach_compare, reach_programs, verify_compare, verify_programs

SECONDS = 600.0
"""For one run; it takes a small fraction of that."""
KILLS = 0.1


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(6))
def test_no_verdict_is_wrong_whoever_dies(seed: int, tmp_path: Path) -> None:
    drawn = verify_programs.generate(seed)
    program = tmp_path / f"verify{seed}.c"
    program.write_text(drawn.source, encoding="utf-8")
    way = verify_compare.Way(("plain", "auto")[seed % 2], jobs=2 + seed % 3, kills=KILLS)
    assert not verify_compare.compare(program, drawn.truth, way, SECONDS).wrong


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(6))
def test_no_target_is_missed_whoever_dies(seed: int, tmp_path: Path) -> None:
    drawn = reach_programs.generate(seed)
    program = tmp_path / f"reach{seed}.c"
    program.write_text(drawn.source, encoding="utf-8")
    way = reach_compare.Way(("plain", "auto")[seed % 2], jobs=2 + seed % 3, kills=KILLS)
    target = min(drawn.reached, default=0)
    answers = reach_compare.compare(program, drawn.reached, (way,), SECONDS, target)
    assert [answer.wrong for answer in answers if answer.wrong] == []
