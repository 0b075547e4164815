"""The engine, given concrete inputs, does what the native program does: same output, same exit code.

The family of programs comes from our own generator; ``scripts/csmith_oracle.py`` runs csmith's programs the same way.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle import engine, native
from oracle.generator import generate

SEEDS = range(40)


@pytest.mark.sample(20)
@pytest.mark.parametrize("seed", SEEDS)
def test_generated_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / f"seed{seed}.c"
    source.write_text(drawn.source, encoding="utf-8")
    expected = native.run(native.build(source, drawn.inputs, tmp_path))
    assert expected.exit_code is not None and expected.exit_code >= 0, f"seed {seed}: the native program failed"
    actual = engine.run(source, drawn.inputs)
    assert (actual.end, actual.exit_code) == ("exit", expected.exit_code), f"seed {seed}: {actual.end} {actual.detail}"
    assert actual.stdout == expected.stdout, f"seed {seed} printed something else"
