"""When everything is covered: what counts, and that a run stops there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.bench import covering
from clew.bench.covering import Covering, Standing, Watch
from clew.report.listener import Snapshot

PROGRAM = """
extern int klee_int(const char *name);
int main(void) {
  int n = klee_int("n"), passes = 0;
  while (passes < n) passes++;
  if (passes == 5) return 1;
  if (passes < 0) return 2;
  return 0;
}
"""


def request(tmp_path: Path, text: str = PROGRAM, seconds: float = 60.0) -> TestRequest:
    file = tmp_path / "p.c"
    file.write_text(text, encoding="utf-8")
    return TestRequest(files=(file,), seconds=seconds, summarize=False, navigate=False, invariants=False)


def test_the_limit_is_noted_and_the_end_stops_the_run(tmp_path: Path) -> None:
    asked = request(tmp_path)
    watch = Watch(asked, branches=3, runs=2)
    watch.progress(Snapshot(paths=1, tests=1, branches_covered=1))
    assert (watch.limit, watch.end) == (None, None)
    watch.progress(Snapshot(paths=2, tests=1, branches_covered=2))
    watch.progress(Snapshot(paths=4, tests=2, branches_covered=2))
    assert watch.limit is not None and (watch.limit.runs, watch.limit.tests, watch.limit.branches) == (2, 1, 2)
    assert watch.end is None and not asked.interrupt.requested
    watch.progress(Snapshot(paths=5, tests=3, branches_covered=3))
    assert watch.end is not None and (watch.end.runs, watch.end.tests) == (5, 3)
    assert watch.limit.runs == 2 and asked.interrupt.requested


def test_what_a_path_covers_counts_when_it_has_ended(tmp_path: Path) -> None:
    asked = request(tmp_path)
    watch = Watch(asked, branches=3, runs=9)
    watch.progress(Snapshot(paths=1, branches_covered=2))
    watch.progress(Snapshot(paths=1, branches_covered=3))
    assert watch.end is None and watch.standing().branches == 2
    watch.progress(Snapshot(paths=2, branches_covered=3))
    assert watch.end is not None


@pytest.mark.slow
def test_a_program(tmp_path: Path) -> None:
    """Five of six branches can be covered: the last one of them by the sixth path."""
    found = covering.measure(request(tmp_path), branches=5, runs=4)
    assert found.covered and not found.stopped and found.total == 6
    assert found.end.branches == 5 and found.end.runs >= 5
    assert found.limit.runs == 4 and found.limit.branches == 4 and found.limit.seconds <= found.end.seconds


def test_more_than_can_be_covered(tmp_path: Path) -> None:
    bounded = PROGRAM.replace("passes < n", "passes < n && passes < 9")
    found = covering.explore(request(tmp_path, bounded), branches=9, runs=100)
    assert (found.covered, found.stopped) == (False, False)
    assert found.limit == found.end and found.end.branches == 7


@pytest.mark.slow
def test_a_run_that_the_time_limit_ends(tmp_path: Path) -> None:
    found = covering.explore(request(tmp_path, seconds=0.5), branches=6, runs=100)
    assert (found.covered, found.stopped) == (False, True)
    assert found.limit.runs == 100 < found.end.runs


@pytest.mark.slow
def test_a_program_that_does_not_compile(tmp_path: Path) -> None:
    found = covering.measure(request(tmp_path, "int main(void) {"), branches=1, runs=100)
    assert "p.c" in found.failed and not found.covered


def test_json() -> None:
    found = Covering(Standing(1, 2, 3, 0.12345), Standing(4, 5, 6, 7.0), True, invariant_seconds=0.01234)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["limit"] == {"tests": 1, "branches": 2, "runs": 3, "seconds": 0.123}
    assert data["end"]["runs"] == 6 and data["invariant_seconds"] == 0.012 and data["covered"] is True
