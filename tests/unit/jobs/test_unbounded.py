"""``clew verify`` and loops without a bound: proofs for every number of iterations, and what is no proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.records import Summary
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard

COUNTS = """
  int n = __VERIFIER_nondet_int(), x = 0, y = n;
  if (n < 0) return 0;
  while (x < n) { x++; y--; }
"""
PAIRS = """
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 5;
  while (i != n) { i++; j += 3; }
"""
HALVES = """
  int y = __VERIFIER_nondet_int(), start = y, x = 0;
  if (y < 0) return 0;
  while (y > 0) { x = x + 1; y = y - 2; }
"""
TRIANGLE = """
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned i, s = 0;
  for (i = 1; i <= n; i++) s += i;
"""
PRODUCT = """
  unsigned char rows = __VERIFIER_nondet_uchar(), columns = __VERIFIER_nondet_uchar();
  unsigned cells = 0;
  for (unsigned r = 0; r < rows; r++)
    for (unsigned c = 0; c < columns; c++) cells++;
"""
STEP = """
  unsigned char step = __VERIFIER_nondet_uchar(), bound = __VERIFIER_nondet_uchar();
  if (step == 0) return 0;
  unsigned i = 0;
  while (i < bound) i += step;
"""
MEMORY = """
  static struct { long used, free; } pool;
  unsigned size = __VERIFIER_nondet_uint(), taken = 0;
  pool.used = 0; pool.free = size;
  while (taken < size) { pool.used++; pool.free--; taken++; }
"""
MEETING = """
  int low = 0, high = __VERIFIER_nondet_int();
  if (high < 0 || high > 1000000000) return 0;
  int sum = high;
  while (low < high) { low++; high--; }
"""
SEQUENCE = """
  unsigned short n = __VERIFIER_nondet_ushort();
  unsigned up = 0, down;
  for (unsigned i = 0; i < n; i++) up += 2;
  for (down = up; down > n; down--) ;
"""
LATE = """
  int n = __VERIFIER_nondet_int(), c = 0;
  while (n > 0) { if (c == 50) break; c++; n--; }
"""


def verify(folder: Path, code: str, assertion: str, strategy: str = "auto") -> Summary:
    path = folder / "p.c"
    text = f"{PRELUDE}\nint main(void) {{ {code}\n  if (!({assertion})) reach_error();\n  return 0; }}\n"
    path.write_text(text, encoding="utf-8")
    request = VerifyRequest((path,), seconds=600, compiler_flags=("-w",), invariants=False, strategy=strategy)
    return run_verify(request, Heard())


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("code", "holds", "fails"),
    [
        (COUNTS, "x + y == n && y == 0", "x != 70"),
        (PAIRS, "j == 5 + 3 * n", "j != 305"),
        (HALVES, "2 * x == start - y && y > -2", "x < 1117"),
        (TRIANGLE, "s == (unsigned)n * (n + 1u) / 2", "s != 5050"),
        (PRODUCT, "cells == (unsigned)rows * columns", "cells != 77"),
        (STEP, "i >= bound && i - bound < step", "i != 44"),
        (MEMORY, "pool.used == size && pool.free == 0", "pool.used < 12"),
        (MEETING, "low + high == sum && low - high <= 1", "low != 99"),
        (SEQUENCE, "up == 2u * n && down == n", "down != 31"),
        (LATE, "c <= 50", "c < 50"),
    ],
)
def test_whatever_the_number_of_iterations(tmp_path: Path, code: str, holds: str, fails: str) -> None:
    proved = verify(tmp_path, code, holds, "summaries")
    assert (proved.verdict, proved.technique) == ("TRUE", "summaries"), proved.reason
    refuted = verify(tmp_path, code, fails)
    assert refuted.verdict == "FALSE", refuted.reason
    assert refuted.bugs[0].confirmed


@pytest.mark.parametrize(
    ("code", "assertion"),
    [
        # What holds for numbers does not hold where they wrap around.
        ("unsigned char n = __VERIFIER_nondet_uchar(), d = 0; for (unsigned char i = 0; i < n; i++) d += 2;", "d >= n"),
        (
            "unsigned short i = 0, n = __VERIFIER_nondet_ushort(); unsigned char c = 0; while (i < n) { i++; c++; }",
            "c == n",
        ),
    ],
)
def test_what_wraps_around_is_not_proved(tmp_path: Path, code: str, assertion: str) -> None:
    summary = verify(tmp_path, code, assertion)
    assert summary.verdict == "FALSE" and summary.bugs[0].confirmed


def test_a_violation_too_far_away_to_be_run_is_confirmed_by_jumps(tmp_path: Path) -> None:
    summary = verify(
        tmp_path, "unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0; while (i < n) { i++; j += 2; }", "j >= i"
    )
    assert summary.verdict == "FALSE" and summary.bugs[0].confirmed
