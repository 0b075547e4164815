"""The tables of ``clew bench``: names, and the programs they need. Nothing is measured here."""

from __future__ import annotations

import pytest

from benchmarks.request import BenchRequest
from benchmarks.subject import PROGRAMS
from benchmarks.tables import machine, run_bench
from clew.base.errors import UserError


def test_unknown_table() -> None:
    with pytest.raises(UserError, match="engine"):
        run_bench("engin", BenchRequest(), lambda text: None)


def test_programs_are_there() -> None:
    from benchmarks.engine import CONCRETE, SYMBOLIC

    assert {*CONCRETE, *SYMBOLIC, "small"} == {path.stem for path in PROGRAMS.glob("*.c")}


def test_the_small_program_is_about_twenty_lines() -> None:
    assert 18 <= len((PROGRAMS / "small.c").read_text(encoding="utf-8").splitlines()) <= 22


def test_machine_is_described() -> None:
    assert "cores" in machine()
