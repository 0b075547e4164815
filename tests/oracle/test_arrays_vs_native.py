"""Loops over arrays, replaced, against the same without loops, run natively; ``scripts/array_oracle.py`` takes more."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from oracle.array_compare import compare
from oracle.array_programs import array_function, declarations


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [3, 106])
def test_nothing_is_proved_that_fails_natively(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    head = declarations(random)
    result = compare(head, [array_function(random, number) for number in range(2)], tmp_path)
    assert not result.wrong
    assert result.replaced
    assert result.proved > result.holding // 2
