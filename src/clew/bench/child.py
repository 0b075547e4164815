"""``clew verify`` and ``clew reach`` as processes of their own: the command a user types, its whole time, and no
influence on other runs."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.frontend.process import run_tool

FAILED = "failed"
"""The verdict of a run that gave none: a crash, a usage error, a process that had to be killed."""

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


def verify(files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
    """One run with a time limit; never raises for what the run does."""
    return _run("verify", files, options, seconds)


def reach(files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
    """As ``verify``; the options name the target."""
    return _run("reach", files, options, seconds)


def _run(name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Measured:
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        command = [sys.executable, "-m", "clew", name, *map(str, files), "--json", "--time", f"{seconds:g}"]
        command += ["--out", str(Path(folder) / "out"), *options]
        begun = time.perf_counter()
        try:
            done = run_tool(command, seconds=None if math.isinf(seconds) else seconds + _GRACE + seconds / 2)
        except subprocess.TimeoutExpired:
            return Measured(FAILED, time.perf_counter() - begun, reason="killed: it did not keep to its time limit")
        return read(done.stdout, done.stderr, time.perf_counter() - begun)


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
        said = [line for line in err.splitlines() if line.strip()]
        return Measured(FAILED, seconds, reason=said[-1] if said else "no summary")
