"""The workers of a run on a cluster, from the request and the program."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager

from clew.base.options import TestRequest
from clew.base.ray_cluster import connected
from clew.jobs.sharing.package import pack
from clew.parallel.cluster import ClusterWorkers
from clew.program.module import Program

WORKER = "clew.jobs.sharing.process"
"""What a worker runs."""


@contextmanager
def cluster_workers(address: str, request: TestRequest, program: Program) -> Iterator[ClusterWorkers]:
    """As many workers as the request says, or the cluster has cores; they are ended with the block."""
    with connected(address) as ray:
        count = request.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        memory_mb = None if request.memory_mb is None else request.memory_mb / count
        package = pack(request, program, count, memory_mb)
        workers = ClusterWorkers(ray, count, WORKER, pickle.dumps(package), package.digest)
        try:
            yield workers
        finally:
            workers.close()
