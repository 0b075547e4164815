"""Traces of native runs say what the interpreter does, and flips go where they should.

``scripts/trace_oracle.py`` asks for many more programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.checks.check import chosen_kinds, sanitizers
from oracle.generator import generate
from oracle.native_runs import with_wide_inputs
from oracle.traces import check

pytestmark = pytest.mark.native


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(8))
def test_generated_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / "p.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    assert not check(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ()).problems
