"""Exploration that has lost paths is not the end: native runs go on with the time that is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.jobs import prepare
from clew.jobs.phases import guided_exploration
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import LossKind, Summary

pytestmark = pytest.mark.native

MIXED = """
#include <stdint.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
static uint64_t mix(uint64_t x) {
  for (int i = 0; i < 6; i++) {
    x ^= x >> 31;
    x *= 0x9E3779B97F4A7C15u + 2 * i;
    x ^= x >> 27;
    x *= x | 1;
  }
  return x;
}
int main(void) {
  uint64_t a[2];
  klee_make_symbolic(a, sizeof a, "a");
  uint64_t h = mix(a[0] ^ mix(a[1]));
  if ((h & 0xff) == 9)
    return a[0] % 2 ? 1 : 2;
  return 0;
}
"""
"""One input of some hundred does it, but no solver says which."""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver gives up at once."""
    monkeypatch.setattr(prepare, "QUERY_LIMIT", 0.02)
    monkeypatch.setattr(guided_exploration, "LAST_WORK", 2_000_000)


def _tested(folder: Path, source: str, engine: str = "auto") -> Summary:
    file = folder / "p.c"
    file.write_text(source)
    return run_test(TestRequest((file,), engine=engine, seconds=120.0), Listener())


def _covered(summary: Summary) -> int:
    return sum(branch.covered for branch in summary.coverage.branches)


def test_what_the_solver_does_not_decide_is_found_by_native_runs(tmp_path: Path, impatient: None) -> None:
    found = _tested(tmp_path, MIXED)
    assert LossKind.SOLVER_UNKNOWN in {note.kind for note in found.losses}
    assert found.stats.native_runs > 0 and _covered(found) == len(found.coverage.branches)
    alone = _tested(tmp_path, MIXED, "interpreter")
    assert _covered(alone) < _covered(found) and alone.stats.native_runs == 0


def test_where_nothing_was_lost_the_end_is_the_end(tmp_path: Path) -> None:
    source = MIXED.replace("mix(a[0] ^ mix(a[1]))", "a[0] & 7")
    found = _tested(tmp_path, source)
    assert not found.losses and found.stats.native_runs == 0
    assert _covered(found) < len(found.coverage.branches)
