"""Native runs of Clew do what the interpreter does: same end, same output, same branches.

``scripts/native_oracle.py`` asks for many more programs, and asks the program itself, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from clew.checks.check import chosen_kinds, sanitizers
from clew.native.library import native_functions
from oracle.generator import generate
from oracle.native_library import ELSEWHERE, PROGRAMS, SAME, compare_library
from oracle.native_runs import compare, with_wide_inputs

pytestmark = pytest.mark.native


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(8))
def test_generated_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / "p.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    assert not compare(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ()).difference


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_library(name: str, tmp_path: Path) -> None:
    """``scripts/native_oracle.py --library`` asks for many more inputs."""
    compared = compare_library(name, Random(1), tmp_path / "p.c")
    assert not compared.difference and compared.run.stdout


def test_every_function_of_the_library_is_called() -> None:
    words = set(re.findall(r"\w+", "".join(PROGRAMS.values())))
    unlocked = {f"{word}_unlocked" for word in words}
    others = {f"__isoc{year}_{word}" for year in (23, 99) for word in {*words, *SAME}}
    aliases = {"_IO_getc", "_IO_putc", "_Exit"}
    assert native_functions().keys() - words - unlocked - others - aliases - ELSEWHERE - SAME.keys() == set()
    assert words >= set(SAME.values())
