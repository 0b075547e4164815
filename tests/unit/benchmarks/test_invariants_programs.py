"""The programs of the invariants table, run natively: every branch can be covered, where the comments say so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.invariants import ORDER
from benchmarks.subject import PROGRAMS

pytestmark = pytest.mark.native

DRIVER = """
#include <stdio.h>
#include <stdlib.h>
int klee_int(const char *name) { int value; (void)name; if (scanf("%d", &value) != 1) exit(99); return value; }
"""

ABORTED = -6

ENDS = [
    ("listing1", "0", 0),
    ("listing1", "19", 0),
    ("listing1", "20", ABORTED),
    ("listing3", "1 199", 0),
    ("listing3", "1 200", ABORTED),
    ("listing3", "20 10", ABORTED),
    ("halves", "2234", 0),
    ("halves", "2235", 1),
    ("guards", "29", 1),
    ("guards", "30", ABORTED),
    ("guards", "50", 1),
    ("guards", "51", ABORTED),
    ("guards", "0", 0),
    ("records", "7", 1),
    ("records", "9", 2),
    ("records", "49160", 0),
    ("records", "49172", ABORTED),
    ("records", "50408", ABORTED),
    ("records", "50420", 3),
    ("twoloops", "1050", 0),
    ("twoloops", "1051", ABORTED),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driver")
    (path / "driver.c").write_text(DRIVER, encoding="utf-8")
    return path


def native(name: str, build: Path) -> Path:
    program = build / name
    if not program.exists():
        files = [str(PROGRAMS / "invariants" / f"{name}.c"), str(build / "driver.c")]
        subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", *files, "-o", str(program)], check=True)
    return program


@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(("name", "given", "code"), ENDS)
def test_ends(name: str, given: str, code: int, build: Path) -> None:
    done = subprocess.run([native(name, build)], input=given.encode(), stderr=subprocess.DEVNULL)
    assert done.returncode == code


def test_every_program_is_in_the_table() -> None:
    assert {path.stem for path in (PROGRAMS / "invariants").glob("*.c")} == set(ORDER)
