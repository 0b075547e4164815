"""The programs of the summaries table, run natively: the errors are where they are said to be, the samples are fine."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from benchmarks.subject import PROGRAMS
from benchmarks.summaries import ORDER, subject_of

pytestmark = pytest.mark.native

DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void klee_make_symbolic(void *place, unsigned long size, const char *name) {
  (void)name;
  memset(place, 0, size);
  if (fread(place, 1, size, stdin) != size) clearerr(stdin);
}
int klee_int(const char *name) { int value; klee_make_symbolic(&value, sizeof value, name); return value; }
#define INPUT(name, type) type __VERIFIER_nondet_##name(void) { return (type)klee_int(#name); }
INPUT(uchar, unsigned char)
INPUT(ushort, unsigned short)
INPUT(uint, unsigned)
void reach_error(void) { exit(42); }
"""

ABORTED = -6
REACHED = 42


def ints(*values: int) -> bytes:
    return struct.pack(f"{len(values)}i", *values)


ENDS = [
    ("fig1", ints(51), ABORTED),
    ("fig1", ints(30), ABORTED),
    ("fig1", ints(10), 0),
    ("fig1", ints(50), 0),
    ("fig2", ints(101, 1, 101), ABORTED),
    ("fig2", ints(10, 0, 30), ABORTED),
    ("fig2", ints(10, 20, 30), 1),
    ("hundred_thousand", ints(51_200_000), REACHED),
    ("hundred_thousand", ints(51_199_999), 0),
    ("nest1", ints(54321), REACHED),
    ("nest2", ints(223, 221), REACHED),
    ("nest2", ints(255, 255), 0),
    ("nest3", ints(41, 31, 37), REACHED),
    ("seq1", ints(254), REACHED),
    ("seq2", ints(253, 255), REACHED),
    ("seq3", ints(255, 253, 255), REACHED),
    ("seq4", ints(251, 255, 255, 255), REACHED),
    ("seq4", ints(255, 255, 255, 255), 0),
    ("scanner", b"x=1;", 2),
    ("scanner", b"a b1", 1),
    ("scanner", b"a 1", 1),
    ("scanner", b"(a)", 1),
    ("scanner", b"(a", 3),
    ("concrete", ints(1), 2),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driver")
    (path / "driver.c").write_text(DRIVER, encoding="utf-8")
    return path


def native(name: str, build: Path) -> Path:
    program = build / name
    if not program.exists():
        source = PROGRAMS / "summaries" / f"{name}.c"
        command = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", str(source), str(build / "driver.c"), "-o", str(program)]
        subprocess.run(command, check=True)
    return program


@pytest.mark.sample(3)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(("name", "given", "code"), ENDS)
def test_ends(name: str, given: bytes, code: int, build: Path) -> None:
    assert subprocess.run([native(name, build)], input=given).returncode == code


def icon(**fields: int) -> bytes:
    """The sample of the parser, with other values in its header."""
    (start,) = subject_of(PROGRAMS / "summaries" / "parser.c").settings["start"]
    assert isinstance(start.value, bytes)
    places = {"frames": 24, "steps": 28, "width": 32, "height": 36, "bits": 40, "planes": 44, "rate": 48, "flags": 52}
    data = bytearray(start.value)
    for name, value in fields.items():
        data[places[name] : places[name] + 4] = struct.pack("<I", value)
    return bytes(data)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (icon(), 23),
        (icon(height=2), 22),
        (icon(height=100, steps=3), 24),
        (icon(height=100, steps=7), 25),
        (icon(height=512), 27),
        (icon(height=512, steps=4000), 26),
        (icon(height=512, frames=50), 28),
        (icon(frames=101), 21),
        (icon(frames=200, height=100), 20),
        (icon(rate=2000), 21),
        (icon(frames=200, height=512, width=512), 8),
        (icon(bits=5), 3),
        (icon(frames=2), 6),
        (b"RIFX" + icon()[4:], 1),
        (icon()[:4] + b"\xff" + icon()[5:], 2),
    ],
)
def test_the_parser(data: bytes, code: int, build: Path) -> None:
    assert subprocess.run([native("parser", build)], input=data).returncode == code


def test_every_program_is_in_the_table() -> None:
    assert {path.stem for path in (PROGRAMS / "summaries").glob("*.c")} == set(ORDER)
