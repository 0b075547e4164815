"""Native mutation beside exploration loses no branch and no error, and makes none up.

``scripts/mutation_oracle.py`` asks for many more programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.mutation_compare import WAYS, differences

pytestmark = pytest.mark.native


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(5))
def test_program(seed: int, tmp_path: Path) -> None:
    wrong, native_runs = differences(seed, WAYS[seed], tmp_path)
    assert not wrong and native_runs
