"""Each ``NAME.ll`` is read, verified and printed; the result must be ``NAME.out``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.frontend.reader import read_module
from clew.program.ctypes import CTypes
from clew.program.module import Program
from support.printer import print_program
from support.verifier import verify_program

_CASES = sorted(Path(__file__).parent.glob("*.ll"))


def _types(program: Program) -> str:
    """The C types of functions and variables as comments, since the program's text has no place for them."""
    table: CTypes = program.ctypes
    named = [(f.source_name, f.ctype) for f in program.functions.values()]
    named += [(g.source_name, g.ctype) for g in program.globals.values()]
    return "".join(f"; {name}: {table.spell(ctype)}\n" for name, ctype in named if ctype >= 0)


@pytest.mark.parametrize("case", _CASES, ids=lambda path: path.stem)
def test_case(case: Path, check_case: Callable[[str, Path], None]) -> None:
    program = read_module(case.read_text(encoding="utf-8"))
    verify_program(program)
    check_case(_types(program) + print_program(program), case.with_suffix(".out"))
