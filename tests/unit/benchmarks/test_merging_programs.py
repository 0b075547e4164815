"""The programs of the merging table: run natively, errors are where they are said to be; and the engine sees them."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from benchmarks.flows import VARIANTS, Variant, write
from benchmarks.merging import chosen, request_of
from benchmarks.plot import ERROR
from benchmarks.request import BenchRequest
from benchmarks.run import explore
from benchmarks.subject import PROGRAMS, Subject, expected_errors

pytestmark = pytest.mark.native

CHANCE = "int rand(void) { return 1; }\n"
FAR = "5000000\n"
"""An index far outside, so that a write there is noticed without a sanitizer."""
CRASHED = (-signal.SIGSEGV, -signal.SIGBUS)

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")


def built(files: tuple[Path, ...], place: Path, *flags: str) -> Path:
    (place / "chance.c").write_text(CHANCE, encoding="utf-8")
    program = place / "program"
    command = ["cc", "-O0", "-Wall", "-Werror", "-Wno-unused-function", *flags, *map(str, files)]
    subprocess.run([*command, str(place / "chance.c"), "-o", str(program)], check=True)
    return program


def ends(program: Path, given: str) -> int:
    return subprocess.run([program], input=given.encode(), stdout=subprocess.DEVNULL).returncode


@pytest.mark.sample(4)
@needs_cc
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_flow_variants(variant: Variant, tmp_path: Path) -> None:
    files = write(variant, tmp_path)
    assert len(expected_errors(files)) == 1
    program = built(files, tmp_path)
    assert ends(program, f"{FAR}5\n") == 0, "the good half reads first, and withstands it"
    assert ends(program, "5\n-1\n") == 0
    assert ends(program, f"5\n{FAR}") in CRASHED


@needs_cc
def test_the_function_of_the_paper(tmp_path: Path) -> None:
    file = PROGRAMS / "merging" / "fig1.c"
    program = built((file,), tmp_path)
    assert (ends(program, "5\n"), ends(program, "")) == (0, 0)
    assert ends(program, FAR) in CRASHED
    twice = built((file,), tmp_path, "-DTWICE")
    assert ends(twice, f"5\n{FAR}") in CRASHED


@needs_cc
@pytest.mark.parametrize("name", ["twenty", "twenty_sum"])
def test_twenty_decisions(name: str, tmp_path: Path) -> None:
    file = PROGRAMS / "merging" / f"{name}.c"
    assert file.read_text(encoding="utf-8").count("if (rand() & 1)") == 20
    assert ends(built((file,), tmp_path), "") == 0


def test_numbers_are_in_order_and_unique() -> None:
    numbers = [variant.number for variant in VARIANTS]
    assert numbers == sorted(set(numbers)) and len(numbers) == 38


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["01*", "12*", "22*", "67*"])
def test_the_engine_finds_what_is_there(name: str, tmp_path: Path) -> None:
    subjects = chosen(BenchRequest(only=(name,)), tmp_path)
    assert len(subjects) == 3
    for subject in subjects[:2]:
        _check(subject)


def _check(subject: Subject) -> None:
    run = explore(request_of(subject, ERROR, 60.0))
    assert run.complete
    assert set(run.errors) == subject.errors
