"""A few of the programs of ``scripts/lemmas_oracle.py``: lemmas hold whenever control is at the head of their loop."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from oracle.invariants_programs import generate as generate_hostile
from oracle.lemmas_compare import compare
from oracle.lemmas_programs import generate

RUNS = [few * 20 for few in product((0, 1, 255), repeat=2)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [0, 3, 13, 19, 29])
def test_lemmas_hold(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "p.c"
    file.write_text(generate(seed), encoding="utf-8")
    found = compare(file, RUNS, 100)
    assert found.wrong == () and found.lemmas and found.visits


def test_lemmas_of_odd_programs_hold(tmp_path: Path) -> None:
    drawn = generate_hostile(0, 8)
    file = tmp_path / "p.c"
    file.write_text(drawn.source, encoding="utf-8")
    assert compare(file, drawn.runs, 100).wrong == ()
