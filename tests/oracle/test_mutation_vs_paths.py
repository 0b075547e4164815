"""Native mutation beside exploration loses no branch and no error, and makes none up.

``scripts/mutation_oracle.py`` asks for many more programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.merging_compare import Way
from oracle.mutation_compare import WAYS, differences

pytestmark = pytest.mark.native


@pytest.mark.sample(4)
@pytest.mark.parametrize(("seed", "way"), list(zip((0, 1, 2, 3, 5), WAYS, strict=True)))
def test_program(seed: int, way: Way, tmp_path: Path) -> None:
    """Programs that are not over before anything runs natively."""
    wrong, native_runs = differences(seed, way, tmp_path)
    assert not wrong and native_runs
