"""Runs by several processes: limits, jobs that kill their workers, errors of ours, and runs that are over at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock, patch

import pytest

from clew.base.budget import StopReason, current_memory_mb
from clew.base.errors import InternalError
from clew.base.option import options_of
from clew.base.options import TestRequest
from clew.execute.engine import Engine
from clew.jobs.sharing.coordination import KILLED, Coordination
from clew.jobs.test import run_test
from clew.parallel import coordinator
from clew.parallel.local import LocalWorkers
from clew.parallel.prefix import Prefix
from clew.report.listener import Listener
from clew.report.records import LossKind, Summary, Test
from oracle.jobs_compare import soon as drawn
from unit.execute.support import PRELUDE

BITS = """
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int n = 0;
  for (int i = 0; i < 5; i++) if (c >> i & 1) n += 1 << i;
  return n;
}
"""
ENDLESS = """
int main(void) {
  unsigned n = 0;
  for (;;) n += __VERIFIER_nondet_uchar() > n;
}
"""
LARGE = """
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  for (int i = 0; i < 9; i++) {
    char *p = malloc(1000000);
    memset(p, i, 1000000);
    if (n >> i & 1) p[0] = 1;
  }
  return 0;
}
"""
UNEVEN = """
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int n = 0;
  if (c < 9) return 1;
  for (int i = 0; i < 5; i++)
    switch (__VERIFIER_nondet_uchar() & 3) { case 0: n++; break; case 1: n += 9; break; case 2: n--; }
  return n;
}
"""

BLOCKED = """
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar();
  int n = 0;
  for (int i = 0; i < 5; i++) if (c >> i & 1) { n += 1 << i; if (n > 90) return 1; }
  if (d > 200) { n++; if (d < 90) return 2; }
  while (__VERIFIER_nondet_uchar()) n++;
  return n;
}
"""


@contextmanager
def soon(random: Random) -> Iterator[None]:
    """Workers are forked at once."""
    with drawn(random), patch("clew.jobs.sharing.sharing.PATIENCE", 0.0):
        yield


class Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


def run(folder: Path, code: str, kept: Kept | None = None, **options: Any) -> Summary:
    program = folder / "program.c"
    program.write_text(PRELUDE + code, encoding="utf-8")
    request = TestRequest((program,), compiler_flags=("-w",), **{"jobs": 2, "goal": "path", **options})
    return run_test(request, kept or Kept())


def test_every_path_has_one_test(tmp_path: Path) -> None:
    kept = Kept()
    with soon(Random(1)), patch.object(Coordination, "begin", autospec=True, side_effect=Coordination.begin) as begun:
        summary = run(tmp_path, BITS, kept)
    assert begun.call_count == 1
    assert sorted(test.exit_code or 0 for test in kept.tests) == list(range(32))
    assert summary.stats.value("paths_completed") == 32
    assert summary.reason == "0 bugs found; all paths explored"


def test_a_copy_of_a_worker_goes_on_with_half_of_its_work(tmp_path: Path) -> None:
    copies = 0
    for seed in range(7, 17):  # who has nothing to do when is a matter of luck
        kept = Kept()
        with (
            soon(Random(seed)),
            patch("clew.jobs.sharing.coordination.MANY", 1),
            patch("clew.jobs.sharing.worker.LOOK", 0.0),
            patch.object(LocalWorkers, "copied", autospec=True, side_effect=LocalWorkers.copied) as copied,
        ):
            summary = run(tmp_path, UNEVEN, kept)
        assert summary.reason == "0 bugs found; all paths explored"
        assert summary.stats.value("paths_completed") == len(kept.tests) == 1 + 4**5
        assert len({test.path for test in kept.tests}) == len(kept.tests)
        copies += copied.call_count
        if copies:
            break
    assert copies


def test_a_short_run_has_one_process(tmp_path: Path) -> None:
    with patch.object(Coordination, "begin") as begun:
        run(tmp_path, BITS)
    assert not begun.called


@pytest.mark.sample(4)
@pytest.mark.parametrize("code", [BITS, UNEVEN])
@pytest.mark.parametrize("goal", ["path", "branch"])
def test_a_run_that_is_over_before_others_are_forked_is_that_of_one(code: str, goal: str, tmp_path: Path) -> None:
    """The same tests in the same order, and the same summary, but for times and sizes."""
    found = []
    for jobs in (1, 2):
        kept = Kept()
        with patch("clew.jobs.sharing.sharing.PATIENCE", 3600.0):
            summary = run(tmp_path, code, kept, jobs=jobs, goal=goal)
        figures = {name: value for name, value in summary.stats.to_json().items() if isinstance(value, int)}
        found.append((kept.tests, summary.reason, summary.coverage, summary.losses, summary.bugs, figures))
    assert found[0] == found[1]


def test_on_one_core_there_is_one_process() -> None:
    with patch("clew.base.option_values.available_cores", return_value=1):
        assert TestRequest((Path("p.c"),), **options_of(TestRequest)["jobs"].values("auto")).jobs == 1


def test_a_run_without_others_imports_nothing_for_them(tmp_path: Path) -> None:
    """What a cluster needs takes a while."""
    program = tmp_path / "program.c"
    program.write_text(PRELUDE + BITS, encoding="utf-8")
    script = (
        "import sys; from pathlib import Path; from clew.base.options import TestRequest\n"
        "from clew.jobs.test import run_test; from clew.report.listener import Listener\n"
        f"run_test(TestRequest((Path({str(program)!r}),), jobs=2), Listener())\n"
        "print(sorted({'asyncio', 'ray', 'clew.parallel.cluster', 'clew.parallel.actor'} & sys.modules.keys()))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "[]\n"


def test_a_path_that_kills_its_workers_is_a_loss(tmp_path: Path) -> None:
    parent, end = os.getpid(), Engine._end

    def deadly(self: Engine, state: Any, how: Any, trace: Any) -> None:
        if os.getpid() != parent and state.model.eval(how.code) == 9:
            os.kill(os.getpid(), signal.SIGKILL)
        end(self, state, how, trace)

    kept, deaths = Kept(), coordinator.DEATHS
    with soon(Random(2)), patch("clew.parallel.coordinator.DEATHS", deaths), patch.object(Engine, "_end", deadly):
        summary = run(tmp_path, BITS, kept)
    found = {test.exit_code for test in kept.tests}
    assert 9 not in found
    assert [loss.what for loss in summary.losses] == [KILLED]
    assert len(kept.tests) == len(found) == summary.stats.value("paths_completed")
    assert "but for what the losses name" in summary.reason


def test_workers_say_what_keeps_paths_from_branches(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        with (
            soon(Random(4)),
            patch.object(Coordination, "begin", autospec=True, side_effect=Coordination.begin) as begun,
        ):
            summary = run(tmp_path, BLOCKED, jobs=jobs, goal="branch", merge=False, loop_bound=6)
        assert begun.call_count == jobs - 1 and summary.losses
        found.append({one.id: one.reason for one in summary.coverage.branches})
    for branch, alone in found[0].items():
        shared = found[1][branch]
        assert (alone is None) is (shared is None)
        if alone is not None and shared is not None:
            assert (shared.why, shared.needs) == (alone.why, alone.needs)
    assert "d < 'Z'" in {reason.needs for reason in found[1].values() if reason is not None}


def test_time_ends_a_run_of_several(tmp_path: Path) -> None:
    with soon(Random(3)):
        summary = run(tmp_path, ENDLESS, seconds=0.6)
    assert summary.stopped is StopReason.TIME
    assert summary.losses


@pytest.mark.parametrize(("stopped", "set_aside"), [(None, 1), (StopReason.TIME, 0)])
def test_who_is_killed_at_the_end_was_late_and_at_no_deadly_path(stopped: StopReason | None, set_aside: int) -> None:
    coordination = object.__new__(Coordination)
    coordination._stopped, coordination._coordinator = stopped, coordinator.Coordinator(0)
    coordination._crew = Mock()
    coordination._crew.job_of.return_value = 7
    coordination._coordinator.joined(0, [(7, Prefix(b"", 0, 0))])
    with patch("clew.parallel.coordinator.DEATHS", 1), patch.object(Coordination, "_start", return_value=None):
        coordination._replace(0)
    assert len(coordination._coordinator.set_aside) == set_aside


def test_memory_is_that_of_all_processes(tmp_path: Path) -> None:
    own = current_memory_mb()
    limit = own + 2 * (own + 100)
    peak = 0.0
    looked = LocalWorkers.memory_mb

    def look(crew: LocalWorkers) -> dict[int, float]:
        nonlocal peak
        found = looked(crew)
        peak = max(peak, sum(found.values()) + current_memory_mb())
        return found

    with (
        soon(Random(5)),
        patch("clew.jobs.sharing.coordination.MEMORY_LOOK", 0.0),
        patch.object(LocalWorkers, "memory_mb", look),
    ):
        summary = run(tmp_path, LARGE, seconds=20.0, memory_mb=limit, search="bfs")
    assert peak > 3 * own  # both have grown
    assert peak < 1.1 * limit
    assert any(loss.kind is LossKind.EVICTED for loss in summary.losses)


def test_an_error_of_ours_ends_the_run(tmp_path: Path) -> None:
    parent, end = os.getpid(), Engine._end

    def broken(self: Engine, state: Any, how: Any, trace: Any) -> None:
        if os.getpid() != parent:
            raise ZeroDivisionError("in a worker")
        end(self, state, how, trace)

    with soon(Random(4)), patch.object(Engine, "_end", broken), pytest.raises(InternalError, match="in a worker"):
        run(tmp_path, BITS)
