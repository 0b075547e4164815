"""Starts the compilers and LLVM, and sees to it that none of them outlives the run.

Each gets a process group of its own, because Zig's compiler driver starts further processes: killing
only the first would leave the others at work. A terminal's Ctrl-C therefore does not reach them; whoever
handles it raises in the main thread, and that ends them here.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

_running: set[subprocess.Popen[str]] = set()


def run_tool(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
    meanwhile: Callable[[], object] | None = None,
    directory: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run to the end and give back what it said; OSError if it cannot be started, TimeoutExpired after ``seconds``.

    ``meanwhile`` is called while the tool is at work; ``directory`` is where, if not here.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
        cwd=directory,
        start_new_session=True,
    )
    _running.add(process)
    try:
        if meanwhile is not None:
            meanwhile()
        out, err = process.communicate(timeout=seconds)
    except BaseException:
        _kill(process)
        raise
    finally:
        _running.discard(process)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def kill_tools() -> None:
    """End whatever other threads have started: they then return from ``run_tool``."""
    for process in tuple(_running):
        _kill(process)


def _kill(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
