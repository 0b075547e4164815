"""``clew test`` on a real Ray, some of whose workers are killed, explores what one process explores."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from oracle.cluster_compare import CLUSTER_WAYS, on_cluster, ray_here, run_or_kill
from oracle.jobs_compare import differences
from oracle.merging_compare import Way, explore
from oracle.merging_programs import generate

SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    pytest.importorskip("ray")
    with ray_here(4):
        yield


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_whoever_dies(seed: int, tmp_path: Path, ray: None) -> None:
    program = tmp_path / "drawn.c"
    program.write_text(generate(seed, 512).source, encoding="utf-8")
    every = explore(program, Way("path"), SECONDS)
    for way in (CLUSTER_WAYS[seed % 2], CLUSTER_WAYS[2 + seed % 3]):
        with on_cluster(Random(f"cluster {seed}"), kills=0.3) as count:
            run = explore(program, way, SECONDS)
        assert count["messages"]
        assert run.ended
        assert list(differences(every, run)) == [], str(way)


COUNTING = """
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int n = 0;
  for (int k = 0; k < 3; k++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 4; i++) if (c >> i & 1) n += 1 << i;
  }
  return n & 63;
}
"""
PATHS = 1 << 12


@pytest.mark.thorough
def test_a_driver_that_dies_is_resumed(tmp_path: Path, ray: None) -> None:
    """It is killed again and again, at moments that are drawn; in the end, each path has its test, once."""
    import ray as package

    program, out, random = tmp_path / "counting.c", tmp_path / "out", Random("a driver")
    program.write_text(COUNTING, encoding="utf-8")
    address = package.get_runtime_context().gcs_address
    words = ["test", str(program), "--goal", "path", "--cluster", address, "--workers", "2", "--out", str(out)]
    kills = 0
    while kills < 20:
        killed = run_or_kill([*words, "--time", "600", "--quiet"], out / "tests", random.randrange(200, 1200))
        if not killed:
            break
        kills += 1
        words = ["resume", str(out)]
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert kills
    assert summary["reason"] == "0 bugs found; all paths explored"
    assert summary["stats"]["paths_completed"] == PATHS
    inputs = [json.loads(test.read_text(encoding="utf-8"))["inputs"] for test in (out / "tests").glob("*.json")]
    bits = {tuple(given["value"] & 15 for given in one) for one in inputs}
    assert len(inputs) == len(bits) == PATHS
