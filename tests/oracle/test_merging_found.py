"""Programs on which merging once was wrong, found by drawing them and made small."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.merging_claims import HEAD
from oracle.merging_compare import Way, alone, contradictions, every_path, explore

SECONDS = 600.0
DEPTH_FIRST = alone("error", "dfs")
BY_COVERAGE = Way("error", "coverage", seed=1)

ALLOCATED_ELSEWHERE = """\
static unsigned char grich[4];
int main(void) {
  grich[2] = __VERIFIER_nondet_int();
  int *h = 0;
  if (grich[2]) {
    h = malloc(4);
  } else {
    h = calloc(1, 4);
  }
  if (!h) return 0;
  *h = 0;
}
"""
"""Two leaks: the objects are alike but for the place where they were made."""

KNOWN_ERROR = """\
int main(void) {
  int n = 2;
  if (__VERIFIER_nondet_int()) n = 3;
  char a[1];
  memset(a, 1, n);
}
"""
"""Only a path that ends in a known error covers the other branch, and a test has to show that."""

DOUBLES = """\
static int sink = 0;
static double number = 1;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
  IN(x, int, int, 0, 7);
  int *h = malloc(0);
  if (x) number = -0.0;
  sink = table[((number == 0)) - -6];
}
"""

STREAMS = """\
static int cells[4] = {0, 1, 2, 3};
int main(void) {
  WIDE(x, unsigned char, uchar);
  IN(y, long, long, 0, 7);
  if (x) {
    cells[3] = 0;
  }
  int *h = 0;
  if (y != 3) h = malloc(8);
  if (h) *h = cells[3];
  FILE *f = 0;
  if (1) f = fopen("kept", "w");
}
"""
"""What lies at an address differs: an object of the program, or a stream."""

OVERLAPPING_BYTES = """\
int main(void) {
  IN(x, int, int, -2, 2);
  WIDE(y, unsigned, uint);
  char s[8] = "a";
  if (x) strcpy(s, "abc");
  if (y) s[(x & 1) & 3] = 49;
  if (((int)strlen(s)) == 0) exit(1);
  int v = 0;
  if (y) v = rand() % 2;
}
"""
"""Bytes and words of one array differ, on different ways."""

OVERLAPPING_PARTS = """\
union both { unsigned whole; unsigned char parts[4]; };
static int cells[4] = {0, 1, 2, 3};
static int matrix[2][3] = {{0, 1, 2}, {2, 1, 0}};
static union both shared = {0};
int main(void) {
  IN(a, int, int, 0, 1);
  WIDE(b, long, long);
  IN(c, int, int, 1, 4);
  IN(d, int, int, 0, 5);
  if (a < 1) {
  } else if (1) {
    shared.parts[1] = 1;
  }
  int u[3];
  if (a == d && u[0] > 0) reach_error();
  long v[3];
  if (c < 2 && b > 2) v[0] = matrix[1][2] + 1;
  if (b) {
    cells[1] = 2;
  }
  if (d != 5) {
  }
  if (shared.parts[1]) {
    shared.parts[1] = 5;
  }
  if (d) reach_error();
  cells[(shared.parts[1]) - 2] = 2;
}
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("source", "way"),
    [
        (ALLOCATED_ELSEWHERE, DEPTH_FIRST),
        (KNOWN_ERROR, DEPTH_FIRST),
        (DOUBLES, DEPTH_FIRST),
        (STREAMS, DEPTH_FIRST),
        (OVERLAPPING_BYTES, DEPTH_FIRST),
        (OVERLAPPING_PARTS, BY_COVERAGE),
    ],
)
def test_what_was_wrong_once(source: str, way: Way, tmp_path: Path) -> None:
    program = tmp_path / "found.c"
    program.write_text(HEAD + source, encoding="utf-8")
    every = explore(program, every_path(way), SECONDS)
    run = explore(program, way, SECONDS)
    assert run.ended
    assert list(contradictions(every, run)) == []
