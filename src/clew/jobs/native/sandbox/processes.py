"""The processes below this one: what they use, and how they are ended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.base.processes import proportional_mb

_KILL_SECONDS = 10.0
_PAGE = os.sysconf("SC_PAGE_SIZE")
_PROC = Path("/proc")
_SEGMENTS = _PROC / "sysvipc/shm"


@dataclass(frozen=True, slots=True)
class Process:
    """One line of ``/proc``; numbers are those of the namespace that ``/proc`` shows."""

    number: int
    parent: int
    tasks: int
    memory: int
    """Resident bytes, shared ones included."""


def below() -> list[Process]:
    """Everything below this process that is not a zombie."""
    children: dict[int, list[Process]] = {}
    for process in _all():
        children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    open_ends = [int((_PROC / "self").readlink().name)]
    while open_ends:
        here = children.get(open_ends.pop(), [])
        found += here
        open_ends += [process.number for process in here]
    return found


def _all() -> Iterable[Process]:
    for place in _PROC.iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError, IndexError, ValueError):
                words = (place / "stat").read_bytes().rpartition(b")")[2].split()
                if words[0] != b"Z":
                    yield Process(int(place.name), int(words[1]), int(words[17]), int(words[21]) * _PAGE)


def memory_of(processes: Sequence[Process], limit: int) -> int:
    """Bytes that they hold together; what they share counts once, which is looked up only above ``limit``."""
    rough = sum(process.memory for process in processes)
    return rough if rough <= limit else int(sum(proportional_mb(process.number) for process in processes) * 2**20)


def segments() -> int:
    """Resident bytes of this namespace's System V shared memory, which nobody need have attached."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = _SEGMENTS.read_bytes().splitlines()
        at = lines[0].split().index(b"rss")
        return sum(int(line.split()[at]) for line in lines[1:])
    return 0


def kill_all(namespace: bool) -> None:
    """All below this process; ``namespace``: it is the first of one, and that is all that it can signal."""
    if namespace:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        return
    for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first: what forks on would outrun us
        for process in below():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.number, number)


def end_all(namespace: bool) -> int:
    """Kill until nothing is left; how many processes that was."""
    left, deadline = 0, time.monotonic() + _KILL_SECONDS
    while running := below():
        left = max(left, len(running))
        if time.monotonic() > deadline:
            break
        kill_all(namespace)
        reap()
        time.sleep(0.001)
    reap()
    return left


def reap() -> None:
    """Take note of the ends of children."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def tasks_of(user: int) -> int:
    """How many processes and threads a user has, as far as ``/proc`` shows."""
    count = 0
    for place in _PROC.iterdir():
        if place.name.isdecimal():
            with contextlib.suppress(OSError):
                if place.stat().st_uid == user:
                    count += sum(1 for _ in (place / "task").iterdir())
    return count
