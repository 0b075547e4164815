"""Traces of native runs say what the interpreter does, and flips go where they should.

``scripts/trace_oracle.py`` asks for many more programs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from clew.checks.check import chosen_kinds, sanitizers
from oracle.generator import generate
from oracle.native_library import PROGRAMS
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


LIBRARY = sorted(PROGRAMS.keys() - {"stdin", "asked", "files"})
"""Those that read nothing but numbers."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", LIBRARY)
def test_library(name: str, tmp_path: Path) -> None:
    source, random = tmp_path / "p.c", Random(name)
    source.write_text(PROGRAMS[name], encoding="utf-8")
    letters = b"  0123456789abcxefABCz-+.\0\x7f\t~%"
    texts = [bytes(random.choices(letters, k=8)) for _ in range(4)]
    checked = check(source, [int.from_bytes(text, "little") for text in texts], most_flips=4)
    assert not checked.problems and checked.records
