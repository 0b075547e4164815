"""``clew test --cluster``, some of whose workers are killed, with a real Ray on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from clew.base.options import TestRequest
from clew.base.processes import descendants
from clew.jobs.sharing import crew
from clew.parallel.cluster import ClusterWorkers
from clew.program.module import Program
from oracle.jobs_compare import ALL, WAYS

CLUSTER_WAYS = tuple(replace(way, cluster="auto") for way in WAYS)
MOST = 3
"""Workers that are killed in one run."""


@contextmanager
def ray_here(cores: int) -> Iterator[None]:
    """Within the block, a small Ray of this machine is what runs on a cluster use."""
    import ray

    small = 80 << 20
    ray.init(num_cpus=cores, include_dashboard=False, object_store_memory=small, logging_level="CRITICAL")
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def on_cluster(random: Random, kills: float = 0.0) -> Iterator[Counter[str]]:
    """Within the block, runs begin when a worker is ready, which then talks all the time; whenever the coordinator
    looks for messages, the process of a worker or its actor is killed with the probability ``kills``."""
    values = {
        "clew.jobs.sharing.crew.WORKER": "support.talkative_worker",
        "clew.jobs.sharing.sharing.PATIENCE": 0.0,
        "clew.jobs.sharing.sharing.AGAIN": 0.0,
        "clew.jobs.sharing.sharing.LEAST": 1,
        "clew.parallel.coordinator.DEATHS": ALL,
        "clew.parallel.coordinator.MOST_DEATHS": ALL,
    }
    count: Counter[str] = Counter()
    made, wait, ready = crew.cluster_workers, ClusterWorkers.wait, False

    @contextmanager
    def waiting(address: str, request: TestRequest, program: Program) -> Iterator[ClusterWorkers]:
        nonlocal ready
        with made(address, request, program) as workers:
            while not len(workers):
                list(wait(workers, 0.1))
            ready = True
            yield workers
        count["messages"] += workers.messages

    def wait_or_kill(workers: ClusterWorkers, seconds: float) -> Iterator[tuple[int, Any]]:
        if ready and len(workers) and count["killed"] < MOST and random.random() < kills:
            count["killed"] += 1
            worker = workers.where[random.choice([number for number in range(8) if number in workers])][1]
            _kill(worker if random.random() < 0.5 else _parent(worker))
        return wait(workers, seconds)

    with ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(patch(name, value))
        stack.enter_context(patch("clew.jobs.sharing.crew.cluster_workers", waiting))
        stack.enter_context(patch.object(ClusterWorkers, "wait", wait_or_kill))
        yield count


def run_or_kill(words: list[str], tests: Path, most: int) -> bool:
    """Run Clew until it ends, or has written so many more tests: then all its processes are killed, which is told."""
    before = len(list(tests.glob("*.json")))
    command = [sys.executable, "-m", "clew", *words]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    while process.poll() is None:
        if len(list(tests.glob("*.json"))) >= before + most:
            for one in (process.pid, *descendants(process.pid)):
                os.kill(one, signal.SIGKILL)
            process.wait()
            return True
        time.sleep(0.05)
    return False


def _parent(process: int) -> int:
    """The process that has started another one."""
    try:
        return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])
    except OSError:
        return process


def _kill(process: int) -> None:
    """Unless it has just ended: then its number may be that of anybody."""
    if process in descendants(os.getpid()):
        os.kill(process, signal.SIGKILL)
