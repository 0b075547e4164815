"""One cell of all arrays never proves what fails natively; ``scripts/cells_oracle.py`` takes more programs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from oracle.cells_compare import failing, proved
from oracle.cells_programs import generate


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", [1034, 1036])
def test_nothing_is_proved_that_fails_natively(seed: int, tmp_path: Path) -> None:
    head, body = generate(Random(seed))
    found, fails = proved(head, body, tmp_path, 600.0), failing(head, body, tmp_path)
    assert found and fails and not found & fails
