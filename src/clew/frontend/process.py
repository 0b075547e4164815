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


class Tool:
    """A tool that is at work; OSError if it cannot be started.

    ``directory`` is where, if not here.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, directory: Path | None = None
    ) -> None:
        self._command = command
        self._process = subprocess.Popen(
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
        _running.add(self._process)

    def finish(self, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
        """Wait for it, and give back what it said; TimeoutExpired after ``seconds``. It is not at work afterwards."""
        try:
            out, err = self._process.communicate(timeout=seconds)
        except BaseException:
            _kill(self._process)
            raise
        finally:
            _running.discard(self._process)
        return subprocess.CompletedProcess(self._command, self._process.returncode, out, err)

    def stop(self) -> None:
        """End it."""
        _kill(self._process)
        self.finish()


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
    tool = Tool(command, environment, directory)
    if meanwhile is not None:
        try:
            meanwhile()
        except BaseException:
            tool.stop()
            raise
    return tool.finish(seconds)


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
