"""``clew verify``, ``clew reach`` and ``clew test`` as processes of their own: the command a user types, its whole
time, and no influence on other runs."""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from clew.frontend.process import run_tool

FAILED = "failed"
"""The verdict of a run that gave none: a crash, a usage error, a process that had to be killed."""

T = TypeVar("T")

_GRACE = 30.0
"""Seconds after its own time limit, and half of that limit, in which a run must have ended."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: its answer and what that took."""

    verdict: str
    """That of the summary (TRUE, REACHED, UNKNOWN ...), or ``FAILED``."""
    seconds: float
    """The whole process."""
    paths: int = 0
    instructions: int = 0
    reason: str = ""
    stopped: str | None = None
    stats: dict[str, object] | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "verdict": self.verdict,
            "seconds": round(self.seconds, 3),
            "paths": self.paths,
            "instructions": self.instructions,
            "reason": self.reason,
            "stopped": self.stopped,
            "stats": self.stats,
        }


@dataclass(frozen=True, slots=True)
class Explored:
    """One run of ``clew test``."""

    seconds: float
    """The whole process."""
    failed: str = ""
    """Why there is no summary; empty if there is one."""
    tests: int = 0
    bugs: int = 0
    branches: tuple[int, int] = (0, 0)
    """Covered, and all."""
    stopped: str | None = None
    lost: int = 0
    """Kinds of losses: with none, and not stopped, everything was explored."""
    stats: dict[str, float] | None = None
    cpu: float = 0.0
    """Seconds of processor time: they say more than ``seconds`` when the machine has other things to do."""

    def count(self, name: str) -> int:
        """A counter of the statistics."""
        return int(self.figure(name))

    def figure(self, name: str) -> float:
        return (self.stats or {}).get(name, 0)

    @property
    def complete(self) -> bool:
        return not self.failed and self.stopped is None and not self.lost

    def to_json(self) -> dict[str, object]:
        return {
            "seconds": round(self.seconds, 3),
            "failed": self.failed,
            "tests": self.tests,
            "bugs": self.bugs,
            "branches": {"covered": self.branches[0], "total": self.branches[1]},
            "stopped": self.stopped,
            "complete": self.complete,
            "cpu_seconds": round(self.cpu, 3),
            "stats": self.stats,
        }


def verify(files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
    """One run with a time limit; never raises for what the run does."""
    return _run("verify", files, options, seconds, read)


def reach(files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
    """As ``verify``; the options name the target."""
    return _run("reach", files, options, seconds, read)


def test(files: Sequence[Path], options: Sequence[str], seconds: float) -> Explored:
    """As ``verify``."""
    before = _cpu()
    found = _run("test", files, options, seconds, read_test)
    return replace(found, cpu=_cpu() - before)


def _cpu() -> float:
    """Of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(
    name: str,
    files: Sequence[Path],
    options: Sequence[str],
    seconds: float,
    reader: Callable[[str, str, float], T],
) -> T:
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        command = [sys.executable, "-m", "clew", name, *map(str, files), "--json", "--time", f"{seconds:g}"]
        command += ["--out", str(Path(folder) / "out"), *options]
        begun = time.perf_counter()
        try:
            done = run_tool(command, seconds=None if math.isinf(seconds) else seconds + _GRACE + seconds / 2)
        except subprocess.TimeoutExpired:
            return reader("", "killed: it did not keep to its time limit", time.perf_counter() - begun)
        return reader(done.stdout, done.stderr, time.perf_counter() - begun)


def read(out: str, err: str, seconds: float) -> Measured:
    """What the summary on standard output says; without one, the last line of complaint."""
    try:
        summary = json.loads(out)
        stats = summary["stats"]
        # Paths that were tried, where a technique counts them; else those that ended.
        paths = stats.get("paths_explored") or stats["paths_completed"]
        stopped = summary.get("stopped")
        verdict, reason = summary["verdict"], summary["reason"]
        return Measured(verdict, seconds, paths, stats["instructions"], reason, stopped, stats)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Measured(FAILED, seconds, reason=_complaint(err))


def read_test(out: str, err: str, seconds: float) -> Explored:
    """The same for ``clew test``."""
    try:
        summary = json.loads(out)
        branches = summary["coverage"]["branches"]
        return Explored(
            seconds,
            tests=summary["tests"],
            bugs=len(summary["bugs"]),
            branches=(branches["covered"], branches["total"]),
            stopped=summary["stopped"],
            lost=len(summary["losses"]),
            stats=summary["stats"],
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return Explored(seconds, _complaint(err))


def _complaint(err: str) -> str:
    said = [line for line in err.splitlines() if line.strip()]
    return said[-1] if said else "no summary"
