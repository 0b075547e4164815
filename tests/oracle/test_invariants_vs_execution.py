"""What invariants say holds in every state that random programs come to, in every domain.

``scripts/invariants_oracle.py`` does the same with thousands of programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.invariants_compare import DOMAINS, WAYS, compare
from oracle.invariants_programs import generate

SEEDS = tuple(seed for seed in range(11) if seed != 2)
STEPS = 800
RUNS = 8
LEAST = 200
"""Constraints that are looked at per program: far fewer than there are."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_holds(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed, RUNS)
    file = tmp_path / "drawn.c"
    file.write_text(drawn.source, encoding="utf-8")
    found = compare(file, drawn.runs, WAYS[seed % len(WAYS)], most=STEPS)
    assert [str(violation) for violation in found.violations] == []
    assert found.looked_at >= LEAST


def test_every_domain_has_its_turn() -> None:
    assert {WAYS[seed % len(WAYS)].domain for seed in SEEDS} == set(DOMAINS)
