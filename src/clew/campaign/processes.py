"""Runs as processes of this machine."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Protocol

from clew.base.budget import default_memory_mb
from clew.base.dataclass import dataclass
from clew.base.processes import die_with_parent
from clew.campaign.listing import Run
from clew.report.reading import read_summary

GRACE = 30.0
"""Seconds beyond its time after which a run that still goes on is ended."""
_MOST_SAID = 100_000
_ERROR = "clew: error: "


@dataclass(frozen=True, slots=True)
class Ended:
    """A run's process has ended."""

    run: Run
    code: int
    """Of its exit; below 0: the signal that ended it."""
    summary: Mapping[str, Any] | None
    said: str
    """What it says of its error; else its last words."""


class Runner(Protocol):
    """Runs commands somewhere, and leaves the results in folders of this machine."""

    slots: int
    """How many at the same time."""

    def start(self, run: Run, seconds: float, out: Path) -> None: ...

    def wait(self, seconds: float) -> Ended | None:
        """A run that has ended; None if none has within the time."""

    def interrupt(self) -> None:
        """Ask all runs to end in order."""

    def close(self) -> None:
        """End whatever still goes on."""


@dataclass(slots=True)
class _Going:
    run: Run
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    out: Path
    until: float


class LocalRunner:
    """Commands as processes beside each other."""

    def __init__(self, slots: int, folder: Path) -> None:
        self.slots = slots
        self._folder = folder
        self._going: list[_Going] = []

    def start(self, run: Run, seconds: float, out: Path) -> None:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the process is there
        command = [sys.executable, "-m", "clew", *run.arguments(seconds, str(out), self._memory())]
        process = subprocess.Popen(
            command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            preexec_fn=die_with_parent, start_new_session=True,
        )  # fmt: skip
        self._going.append(_Going(run, process, errors, out, time.monotonic() + seconds + GRACE))

    def _memory(self) -> float | None:
        """What a run may take, so that all together take what one would by itself."""
        memory = default_memory_mb()
        return None if memory is None else memory / self.slots

    def wait(self, seconds: float) -> Ended | None:
        until = time.monotonic() + seconds
        while self._going:
            for going in self._going:
                if going.process.poll() is not None:
                    self._going.remove(going)
                    return _ended(going)
                if time.monotonic() > going.until:
                    going.process.kill()
            if time.monotonic() >= until:
                return None
            time.sleep(0.02)
        return None

    def interrupt(self) -> None:
        for going in self._going:
            going.process.send_signal(signal.SIGINT)

    def close(self) -> None:
        for going in self._going:
            going.process.kill()
            going.process.wait()
            going.errors.close()
        self._going.clear()


def _ended(going: _Going) -> Ended:
    with going.errors as errors:
        return Ended(going.run, going.process.returncode, read_summary(going.out), last_words(errors))


def last_words(errors: IO[bytes]) -> str:
    """What a process says of its error; else the last line that it wrote."""
    errors.seek(0)
    said = errors.read(_MOST_SAID).decode("utf-8", "replace").strip().splitlines()
    told = next((line for line in said if line.startswith(_ERROR)), said[-1] if said else "")
    return told.removeprefix(_ERROR)
