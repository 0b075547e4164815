"""Other processes: what the system tells about them. Where it has no ``/proc``, nothing."""

from __future__ import annotations

import os
import signal
import time
import warnings
from pathlib import Path

_PROCESSES = Path("/proc")
_CGROUPS = Path("/sys/fs/cgroup")
_LIMITS = ("quota", "period")
_DIE_WITH_PARENT = 1
_ADOPT_ORPHANS = 36
"""PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of Linux."""
_ALL_THREADS = 2
"""In the number of a clock, which Linux makes of that of a process (``clock_getcpuclockid``)."""


def die_with_parent() -> None:
    """Let the system kill this process when the one that has started it ends, if it can."""
    _set(_DIE_WITH_PARENT, signal.SIGKILL)


def fork() -> int:
    """``os.fork``, also where there are other threads: they hold nothing that the copy needs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def send_signal(process: int, number: int) -> None:
    """Send a signal to a process, if it is still there."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass  # it has just ended


def adopt_orphans() -> bool:
    """Be the parent of processes that this one's children start and leave behind; whether the system can do that."""
    return _set(_ADOPT_ORPHANS, 1)


def _set(attribute: int, value: int) -> bool:
    """Whether the system has this attribute of processes, and has set it."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(attribute, value) == 0)
    except (OSError, AttributeError):
        return False


def working_seconds(process: int) -> float:
    """Processor time of a process so far; 0 where the system does not tell."""
    try:
        return time.clock_gettime(~process << 3 | _ALL_THREADS)
    except OSError:
        return 0.0


def available_cores() -> int:
    """How many processes can be at work at once: the cores that this one may run on, or as many as a container is
    granted the time of; at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    granted = _granted_cores()
    return max(1, cores if granted is None else min(cores, int(granted)))


def _granted_cores() -> float | None:
    """Seconds of the processor in each second that the container may take, in either form of control groups."""
    try:
        quota, period = (_CGROUPS / "cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        try:
            quota, period = ((_CGROUPS / f"cpu/cpu.cfs_{name}_us").read_text(encoding="ascii") for name in _LIMITS)
        except (OSError, ValueError):
            return None
    try:
        return int(quota) / int(period) if int(quota) > 0 else None
    except (ValueError, ZeroDivisionError):
        return None  # "max": there is no limit


def age() -> float:
    """Seconds since the system started this process, before Python did anything; 0 where that is not known."""
    try:
        ticks = int((_PROCESSES / "self" / "stat").read_bytes().rpartition(b")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


def resident_mb(process: int) -> float:
    """Resident memory of a process; 0 where that is not known."""
    try:
        pages = int((_PROCESSES / str(process) / "statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def proportional_mb(process: int) -> float:
    """Memory of a process, of which what it shares with others counts in part only; 0 where that is not known."""
    try:
        lines = (_PROCESSES / str(process) / "smaps_rollup").read_bytes().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(b"Pss:")) / 2**10
    except (OSError, ValueError, IndexError, StopIteration):
        return resident_mb(process)


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that these have; empty where that is not known."""
    children: dict[int, list[int]] = {}
    try:
        for entry in _PROCESSES.iterdir():
            parent = _parent_of(entry) if entry.name.isdigit() else None
            if parent is not None:
                children.setdefault(parent, []).append(int(entry.name))
    except OSError:
        return []
    found, open_ = [], [process]
    while open_:
        below = children.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def _parent_of(entry: Path) -> int | None:
    try:
        return int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None  # it has just ended
