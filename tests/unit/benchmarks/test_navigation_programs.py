"""The programs of the navigation table, run natively: their targets are reached with these inputs, as they say.

Why the others are out of reach: 15 elements are not more than 17 ones; of pairs of equal elements ``test_equal_pairs``
tries all cases there are; steps of 4 or 2 from 0 stay even.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from benchmarks.navigation import parts, subjects
from benchmarks.subject import Subject

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
int __VERIFIER_nondet_int(void) {
  int value;
  klee_make_symbolic(&value, sizeof value, "value");
  return value;
}
void reach_error(void) { exit(42); }
"""


def ints(*values: int) -> bytes:
    return struct.pack(f"{len(values)}i", *values)


def squares(size: int, equal: int) -> bytes:
    """Two squares of 20 by 20 that agree in so many of the first size by size places."""
    right = [1] * 400
    for place in [(i, j) for i in range(size) for j in range(size)][:equal]:
        right[20 * place[0] + place[1]] = 0
    return ints(*[0] * 400, *right, size)


INPUTS = {
    "hello": b"xxHello".ljust(30, b"y"),
    "hw": b"World..Hello".ljust(30, b"y"),
    "hwm": b".AtMicrosoft!WorldHello".ljust(30, b"z"),
    "hwm5": b".AtMicrosoft!WorldHelloAgain".ljust(30, b"z"),
    "doif": ints(*[1] * 15, *[2] * 2, *[3] * 13, *[7] * 10),
    "doifex": ints(*[1] * 15, *[2] * 2, *[3] * 13, *[7] * 10, *[5] * 18, *[15] * 11, *[25] * 7, *[35] * 4),
    "eqcnt": squares(15, 211),
    "fig1": ints(0, *[1] * 14, *[2] * 9, *[0] * 6),
}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driver") / "driver.c"
    path.write_text(DRIVER, encoding="utf-8")
    return path


@pytest.mark.sample(3)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize("subject", [one for one in subjects() if one.expected == "REACHED"], ids=lambda one: one.name)
def test_reachable(subject: Subject, driver: Path, tmp_path: Path) -> None:
    program = tmp_path / "p"
    subprocess.run(["cc", "-Wall", "-Werror", str(subject.files[0]), str(driver), "-o", str(program)], check=True)
    assert subprocess.run([program], input=INPUTS[parts(subject.name)[0]]).returncode == 42
    assert subprocess.run([program], input=b"").returncode == 0


@pytest.mark.slow
def test_equal_pairs() -> None:
    """Five elements on each side: 24 of 25 pairs are never equal, so that 49 in eqcntex is out of reach."""
    counts = {sum(a == b for a, b in product(values[:5], values[5:])) for values in partitions(10)}
    assert 24 not in counts and max(counts) == 25
    assert 49 not in {first + second for first in counts for second in counts}


def partitions(size: int, used: int = 0) -> Iterator[tuple[int, ...]]:
    """All ways in which so many elements can be equal to each other, as the numbers of their classes."""
    if size == 0:
        yield ()
        return
    for value in range(used + 1):
        for rest in partitions(size - 1, max(used, value + 1)):
            yield value, *rest


def test_every_program_says_what_is_right() -> None:
    found = {one.name: one.expected for one in subjects()}
    unreachable = {name for name, verdict in found.items() if verdict == "UNREACHABLE"}
    assert {name.split("_")[0] for name in unreachable} == {"eqcntex", "fig1", "oneloop", "twoloops"}
    assert all("_17" in name for name in unreachable if name.startswith("fig1"))
