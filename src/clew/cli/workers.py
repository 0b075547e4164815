"""Several runs side by side, each a supervised process of its own that leaves a folder of results.

A run is forked from this process, which has the program already. Whatever becomes of it, its supervisor sees to it
that its time and memory are kept and that its summary is written.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from clew.base.options import TestRequest
from clew.base.processes import die_with_parent
from clew.cli.display import Display
from clew.cli.early_signals import SIGNALS
from clew.cli.exits import FAILURE
from clew.cli.session import Job, run_session
from clew.cli.supervision import supervised
from clew.report.journal import Journal


class Workers:
    """The runs that are going on, by what they are for."""

    def __init__(self, job: Job[TestRequest]) -> None:
        self._job = job
        self._running: dict[int, object] = {}

    def __len__(self) -> int:
        return len(self._running)

    def start(self, request: TestRequest, folder: Path, purpose: object) -> None:
        """Begin a run that leaves its results in a new folder."""
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child:
            self._running[child] = purpose
            return
        code = FAILURE
        try:
            die_with_parent()
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            code = supervised(lambda journal: self._session(request, folder, journal))
        finally:
            os._exit(code)

    def _session(self, request: TestRequest, folder: Path, journal: Journal | None) -> int:
        asked = replace(request, began=time.monotonic())
        try:
            run_session(self._job, asked, folder, Display(quiet=True), "test", journal)
        except Exception as error:  # one run that fails is no reason for the others to end
            print(f"clew: {request.function or 'main'}: {error}", file=sys.stderr, flush=True)
            return FAILURE
        return 0

    def wait(self, seconds: float) -> object | None:
        """The purpose of a run that has ended; None if none has within the time."""
        until = time.monotonic() + seconds
        while self._running:
            child, _ = os.waitpid(-1, os.WNOHANG)
            if child in self._running:
                return self._running.pop(child)
            if time.monotonic() >= until:
                return None
            time.sleep(0.02)
        return None

    def interrupt(self) -> None:
        """Ask all runs to end in order."""
        for child in self._running:
            try:
                os.kill(child, signal.SIGINT)
            except ProcessLookupError:
                continue  # it has just ended
