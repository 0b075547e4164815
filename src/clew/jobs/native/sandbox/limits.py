"""The kernel's limits for one process (``setrlimit``), as far as they go; sums are watched by ``warden``."""

from __future__ import annotations

import contextlib
import math
import resource
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DESCRIPTORS = 128
_MEGABYTE = 1 << 20


def limit(job: Mapping[str, Any], tasks: int) -> None:
    """In the child: at most this much, of everything that the kernel counts. ``tasks`` are the user's before."""
    limits = {
        resource.RLIMIT_CPU: math.ceil(float(job["seconds"])) + 1,
        resource.RLIMIT_FSIZE: int(job["file_mb"]) * _MEGABYTE,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_NPROC: tasks + int(job["processes"]),
        resource.RLIMIT_MEMLOCK: 0,
        **({resource.RLIMIT_MSGQUEUE: 0} if hasattr(resource, "RLIMIT_MSGQUEUE") else {}),
    }
    if job["addresses"]:
        limits[resource.RLIMIT_AS] = int(job["memory_mb"]) * _MEGABYTE
    for kind, value in limits.items():
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (most, most))


def offer_to_be_killed() -> None:
    """Should the machine's memory run out all the same, the kernel takes this process, or one below it, first."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_bytes(b"1000")
