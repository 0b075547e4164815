"""Runs on a cluster: workers that come, die and are begun again, are refused, or are all gone. Ray is stood in for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from clew.base.errors import UserError
from clew.base.options import StartValue, TestRequest
from clew.base.specification import parse_function
from clew.jobs.sharing import crew
from clew.jobs.test import run_test
from clew.parallel.cluster import ClusterWorkers
from clew.parallel.messages import Take
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.records import Summary, Test
from support.ray_stand_in import RayStandIn
from unit.execute.support import PRELUDE

BITS = """
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int n = 0;
  for (int i = 0; i < 5; i++) if (c >> i & 1) n += 1 << i;
  return n;
}
"""


class Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


@contextmanager
def cluster(ray: RayStandIn, ready: bool = True) -> Iterator[None]:
    """Within the block, runs on a cluster have this one, and begin to explore when all workers are there."""
    made = crew.cluster_workers

    @contextmanager
    def waiting(address: str, request: TestRequest, program: Program) -> Iterator[ClusterWorkers]:
        with made(address, request, program) as workers:
            while ready and len(workers) < workers.count:
                list(workers.wait(0.1))
            for file in request.files:
                file.unlink()  # no worker needs it
            yield workers

    @contextmanager
    def connected(address: str) -> Iterator[Any]:
        yield ray

    with (
        patch("clew.jobs.sharing.crew.connected", connected),
        patch("clew.jobs.sharing.crew.cluster_workers", waiting),
        patch("clew.jobs.sharing.crew.WORKER", "support.talkative_worker"),
        patch("clew.jobs.sharing.sharing.PATIENCE", 0.0),
        patch("clew.jobs.sharing.sharing.AGAIN", 0.0),
        patch("clew.jobs.sharing.sharing.LEAST", 1),
    ):
        yield


def run(folder: Path, kept: Kept, code: str = BITS, cluster: str | None = "auto", **options: Any) -> Summary:
    program = folder / "program.c"
    program.write_text(PRELUDE + code, encoding="utf-8")
    workers = None if cluster is None else 1
    request = TestRequest((program,), compiler_flags=("-w",), goal="path", cluster=cluster, workers=workers, **options)
    return run_test(request, kept)


@contextmanager
def when_jobs_are_sent(*accidents: Callable[[], None]) -> Iterator[None]:
    """Each of them happens when jobs were sent once more."""
    send, left = ClusterWorkers.send, list(accidents)

    def send_and(workers: ClusterWorkers, number: int, message: object) -> None:
        send(workers, number, message)
        if isinstance(message, Take) and left:
            left.pop(0)()

    with patch.object(ClusterWorkers, "send", send_and):
        yield
    assert not left


@pytest.mark.slow
def test_a_worker_that_dies_is_begun_again(tmp_path: Path) -> None:
    """Once its actor, once its process; what it had not told is done again, and only that."""
    ray, kept = RayStandIn(), Kept()
    with (
        cluster(ray),
        when_jobs_are_sent(lambda: ray.actors[0].die(), lambda: ray.actors[0].instance._process.kill()),
    ):
        summary = run(tmp_path, kept)
    assert ray.actors[0].begun >= 3
    assert sorted(test.exit_code or 0 for test in kept.tests) == list(range(32))
    assert summary.stats.value("paths_completed") == 32
    assert summary.reason == "0 bugs found; all paths explored"


@pytest.mark.slow
def test_without_its_cluster_a_run_goes_on_alone(tmp_path: Path) -> None:
    ray, kept = RayStandIn(), Kept()
    with cluster(ray), when_jobs_are_sent(lambda: ray.actors[0].die(for_good=True)):
        summary = run(tmp_path, kept)
    assert sorted(test.exit_code or 0 for test in kept.tests) == list(range(32))
    assert summary.reason == "0 bugs found; all paths explored"
    assert ["the cluster cannot be used any more" in text for text in summary.warnings] == [True]


SUMMED = """
int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  for (int i = 0; i < n; i++) s += 2;
  if (s == 90000) return 1;
  return 0;
}
"""


def test_techniques_do_not_wait_for_a_cluster_that_gets_nothing(tmp_path: Path) -> None:
    with (
        cluster(RayStandIn()),
        patch("clew.jobs.sharing.sharing.LEAST", 1 << 30),
        patch("clew.jobs.sharing.sharing.HOPE", 0),
    ):
        program = tmp_path / "program.c"
        program.write_text(PRELUDE + SUMMED, encoding="utf-8")
        request = TestRequest((program,), compiler_flags=("-w",), cluster="auto", workers=1, engine="interpreter")
        summary = run_test(request, Kept())
    assert summary.stats.value("loops_summarized") == 1
    assert [bug.kind for bug in summary.bugs] == ["signed-overflow"]


PROMISED = """
int count(const char *s, unsigned n, int *found) {
  for (unsigned i = 0; i < n; i++) if (s[i] == 'x') ++*found;
  return *found > 2;
}
"""
READING = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int a = 0, c = getchar();
  char *p = malloc(3);
  if (!p) return 9;
  if (c == 'a') a = getchar() == 'b' ? 1 : 2;
  p[a + 1] = 1;
  return p[a + 1] + a;
}
"""


def _promised() -> dict[str, Any]:
    function, promises = parse_function("count(s: string[3], n: 0..len(s), found: array[1] or null)")
    return {"function": function, "promises": promises}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "options"),
    [
        pytest.param(PROMISED, _promised(), id="promises"),
        pytest.param(READING, {"stdin": 3, "malloc_may_fail": True, "checks": ("memory",)}, id="libc"),
        pytest.param(BITS, {"start": (StartValue(None, 21),), "seed": 7, "search": "bfs"}, id="start"),
    ],
)
def test_workers_explore_what_one_process_does(code: str, options: dict[str, Any], tmp_path: Path) -> None:
    alone, shared, ray = Kept(), Kept(), RayStandIn()
    once = run(tmp_path, alone, code, None, **options)
    with cluster(ray), when_jobs_are_sent(lambda: None):
        summary = run(tmp_path, shared, code, **options)
    assert sorted(map(_shown, shared.tests)) == sorted(map(_shown, alone.tests))
    assert summary.stats.value("paths_completed") == once.stats.value("paths_completed")
    assert (summary.reason, summary.losses, summary.warnings) == (once.reason, once.losses, once.warnings)


def _shown(test: Test) -> tuple[object, ...]:
    return (test.ends, test.exit_code or 0, sorted(test.covers), "" if test.error is None else test.error.message)


def test_a_worker_of_another_version_is_refused(tmp_path: Path) -> None:
    with cluster(RayStandIn(), ready=False), patch("clew.parallel.cluster.__version__", "0.0.0.other"):
        summary = run(tmp_path, Kept())
    assert summary.stats.value("paths_completed") == 32
    assert "has Clew" in summary.warnings[0]
    assert "this is 0.0.0.other: install the same everywhere" in summary.warnings[0]


def test_a_full_object_store(tmp_path: Path) -> None:
    ray = RayStandIn()
    ray.room = False
    with (
        cluster(ray),
        pytest.raises(UserError, match="does not fit into the cluster's object store: the object store is full; start"),
    ):
        run(tmp_path, Kept())


def test_options_that_do_not_go_together() -> None:
    for wrong, options in {
        "--workers are those of a cluster": {"workers": 2},
        "--max-instructions is for one process": {"cluster": "auto", "max_instructions": 5},
        "--cluster is 'auto' or HOST:PORT, not 'x'": {"cluster": "x"},
        "--workers must be": {"cluster": "auto", "workers": 0},
    }.items():
        with pytest.raises(UserError, match=wrong):
            TestRequest((Path("p.c"),), **options)  # type: ignore[arg-type]
