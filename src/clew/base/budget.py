"""What a run may spend (wall time, memory, instructions), and the flag that asks it to stop.

The engine polls ``Budget.exhausted`` between blocks; polling is cheap because the process's
memory is looked up only now and then. The clock is monotonic, so changes
of the system time neither end nor prolong a run. Limits of 0 or less are the user's mistake.
"""

from __future__ import annotations

import math
import os
import resource
import sys
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from clew.base.errors import UserError

Number = TypeVar("Number", int, float)

_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
_DEFAULT_SHARE = 0.8
"""Part of the memory available at the start that a run takes when no limit is given."""
_MEMORY_INTERVAL = 0.05
"""Seconds between two looks at the process's memory: a look reads a file, a poll must not."""


class StopReason(StrEnum):
    """Why a run ended before its search was exhausted."""

    TIME = "time"
    MEMORY = "memory"
    INSTRUCTIONS = "instructions"
    INTERRUPTED = "interrupted"
    FAILED = "internal error"


class Interrupt:
    """Set once (by a signal, another thread, a test) to ask a run to stop in order."""

    __slots__ = ("reason", "requested")

    def __init__(self) -> None:
        self.requested = False
        self.reason = StopReason.INTERRUPTED

    def request(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """Ask for it; ``reason`` is what the run will say that stopped it, unless it was asked before."""
        if not self.requested:
            self.requested, self.reason = True, reason


class Budget:
    """Limits of one run; the clock starts with the object, or did so at ``started``. None means no limit."""

    __slots__ = ("_checked", "_memory_mb", "instructions", "interrupt", "is_spent", "memory_mb", "seconds", "started")

    def __init__(
        self,
        seconds: float | None = None,
        memory_mb: float | None = None,
        instructions: int | None = None,
        interrupt: Interrupt | None = None,
        started: float | None = None,
    ) -> None:
        self.seconds = positive("--time", seconds)
        self.memory_mb = positive("--memory", memory_mb)
        self.instructions = positive("--max-instructions", instructions)
        self.interrupt = interrupt or Interrupt()
        self.started = time.monotonic() if started is None else started
        self.is_spent: Callable[[], bool] | None = None
        """Says whether something else than time is used up; then none is left either."""
        self._checked = -math.inf
        self._memory_mb = 0.0

    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return time.monotonic() - self.started

    def worked(self) -> float:
        """Seconds of those in which its holder was at work: all, unless something pauses it."""
        return self.elapsed()

    def lets_go(self) -> bool:
        """Whether its holder should let go of a question to a solver, for good or (see ``next_turn``) for now."""
        return self.is_out_of_time()

    def next_turn(self) -> bool:
        """Called where its holder may be paused: whether it was, and had to let go of what it was at, for now."""
        return False

    def give_way(self) -> None:
        """Let others have their turn, if there are any: what comes next takes long, and they may make it needless."""

    def time_left(self) -> float | None:
        """Seconds left, never negative; None without a limit."""
        if self.is_spent is not None and self.is_spent():
            return 0.0
        return None if self.seconds is None else max(0.0, self.seconds - self.elapsed())

    def is_out_of_time(self) -> bool:
        """Whether the time is over, or the run is asked to stop."""
        return self.interrupt.requested or self.time_left() == 0.0

    def share(
        self,
        fraction: float = 1.0,
        most: float | None = None,
        least: float = 0.0,
        spent: float = 0.0,
        memory_mb: float | None = None,
        instructions: int | None = None,
        is_spent: Callable[[], bool] | None = None,
    ) -> Budget:
        """A part of the time that is left, as a budget whose clock starts now: the only way to split a budget.

        It has ``fraction`` of the time, at most ``most`` and at least ``least`` seconds. ``spent`` are the seconds of
        the same part that were used up before; if nothing is left of it, the share has no time from the start. The
        limit of memory is that of the whole, or ``memory_mb`` if that is less; ``instructions`` are counted for each
        run by itself, so the part has a limit of its own, or none. The part is over, too, when ``is_spent`` says so.
        """
        left = self.time_left()
        seconds = most if left is None else (spent + left) * fraction - spent
        if seconds is not None:
            seconds = max(seconds if most is None else min(seconds, most), least)
        limits = [limit for limit in (self.memory_mb, memory_mb) if limit is not None]
        part = Budget(None, min(limits, default=None), instructions, self.interrupt)
        part.seconds = seconds
        part.is_spent = is_spent
        return part

    def memory_used(self) -> float:
        """The process's resident megabytes, at most ``_MEMORY_INTERVAL`` old."""
        now = time.monotonic()
        if now - self._checked >= _MEMORY_INTERVAL:
            self._checked = now
            self._memory_mb = current_memory_mb()
        return self._memory_mb

    def memory_share(self) -> float:
        """Used part of the memory limit (0.0 without one): lets the engine evict before the limit is hit."""
        return 0.0 if self.memory_mb is None else self.memory_used() / self.memory_mb

    def may_be_over(self, instructions: int) -> bool:
        """Whether something else than time or memory may be a reason to stop now."""
        limit = self.instructions
        return self.interrupt.requested or self.is_spent is not None or (limit is not None and instructions >= limit)

    def exhausted(self, instructions: int = 0) -> StopReason | None:
        """The reason to stop now, if there is one; ``instructions`` is how many have been executed."""
        if self.interrupt.requested:
            return self.interrupt.reason
        if self.seconds is not None and time.monotonic() - self.started >= self.seconds:
            return StopReason.TIME
        if self.is_spent is not None and self.is_spent():
            return StopReason.TIME
        if self.instructions is not None and instructions >= self.instructions:
            return StopReason.INSTRUCTIONS
        if self.memory_mb is not None and self.memory_used() >= self.memory_mb:
            return StopReason.MEMORY
        return None


def positive(option: str, value: Number | None) -> Number | None:
    """The limit itself, or a UserError that names the option when it is not above zero (or not a number)."""
    if value is not None and not 0 < value < math.inf:
        raise UserError(f"{option} must be a number above 0, not {value:g}")
    return value


def default_memory_mb() -> float | None:
    """The limit of a run that was given none: most of what the machine (or container) has left; None if unknown."""
    known = []
    try:
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                known.append(int(line.split()[1]) / 2**10)
    except (OSError, ValueError, IndexError):
        pass
    for file in _CGROUP_LIMITS:
        try:
            known.append(int(file.read_text(encoding="ascii")) / 2**20)
        except (OSError, ValueError):
            continue
    return max(64.0, _DEFAULT_SHARE * min(known)) if known else None


def current_memory_mb() -> float:
    """Resident memory of this process now; its peak where the system does not tell."""
    try:
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, ValueError, IndexError):
        return peak_memory_mb()


def peak_memory_mb(whose: int = resource.RUSAGE_SELF) -> float:
    """Largest resident memory of this process, or of its children, so far (Linux counts kilobytes, macOS bytes)."""
    peak = resource.getrusage(whose).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
