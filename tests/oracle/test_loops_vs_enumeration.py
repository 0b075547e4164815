"""Closures of random loops against all iterations there are; thousands of them with ``scripts/loops_oracle.py``."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.analysis.loops.closure import Place
from oracle.loops_compare import examine
from oracle.loops_native import Asked, compare
from oracle.loops_programs import LoopProgram
from oracle.loops_tables import of_closure, of_relation
from unit.analysis.loops.read import closure, relation

SEEDS = (1, 17, 20, 26, 33, 40015)


@pytest.mark.native
def test_closures_are_what_they_say(tmp_path: Path) -> None:
    batch = examine(SEEDS, tmp_path)
    assert batch.wrong == {}
    assert batch.counts["exact"] >= 4


@pytest.mark.native
def test_the_comparison_sees_what_is_wrong(tmp_path: Path) -> None:
    """With the relations of another loop, pairs are missing, and others are too many."""
    drawn = LoopProgram("f", (("vf", "u8"),), frozenset(), "vf < 100", "vf += 3;", False)
    codes = [f"int f(unsigned char vf) {{ while (vf < {n}) vf += {step}; return vf; }}" for n, step in PAIRS]
    relations = [
        made for code in codes for made in (of_relation(relation(code), _only), of_closure(closure(code), _only))
    ]
    once, many, *wrong = compare([Asked(drawn, tuple(relations), _only)], tmp_path)[0]
    assert once.missing == once.extra == many.missing == many.extra == 0
    assert once.starts == many.starts == many.all_starts == 256
    assert all(verdict.missing and verdict.extra for verdict in wrong)


PAIRS = ((100, 3), (101, 6))


def _only(place: Place) -> int:
    return 0
