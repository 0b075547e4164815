"""Runs on a cluster: Ray places them, notices when a machine is gone, and brings the results.

The folder of the list travels to the machines as Ray's working directory; Clew has to be installed there, in the same
version. What a run leaves comes back as an archive and is unpacked where a local run would have left it.
"""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from clew import __version__
from clew.base.errors import UserError
from clew.base.ray_cluster import connect, one_line
from clew.campaign.listing import Run
from clew.campaign.processes import GRACE, Ended, last_words
from clew.report.reading import read_summary

Returned = tuple[int, str, bytes]
"""Exit code, last words, and the folder of results as an archive."""


class ClusterRunner:
    """Commands as tasks of Ray, as many at a time as the cluster has cores."""

    def __init__(self, address: str, folder: Path) -> None:
        self._ray = connect(address, str(folder))
        self.slots = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._task = self._ray.remote(num_cpus=1, max_retries=0)(run_here)
        self._going: dict[Any, tuple[Run, Path]] = {}

    def start(self, run: Run, seconds: float, out: Path) -> None:
        self._going[self._task.remote(run, seconds, __version__)] = (run, out)

    def wait(self, seconds: float) -> Ended | None:
        if not self._going:
            return None
        ready, _ = self._ray.wait(list(self._going), num_returns=1, timeout=seconds)
        if not ready:
            return None
        run, out = self._going.pop(ready[0])
        try:
            code, said, archive = self._ray.get(ready[0])
        except self._ray.exceptions.RayTaskError as problem:
            raise UserError(one_line(problem.cause or problem)) from None
        except self._ray.exceptions.RayError as problem:  # its worker or its machine is gone
            return Ended(run, -signal.SIGKILL, None, type(problem).__name__)
        unpack(archive, out)
        return Ended(run, code, read_summary(out), said)

    def interrupt(self) -> None:
        for task in self._going:
            self._ray.cancel(task)

    def close(self) -> None:
        self._ray.shutdown()


def run_here(run: Run, seconds: float, version: str) -> Returned:
    """On a machine of the cluster: run a command, in a process of its own."""
    if version != __version__:
        raise UserError(f"a worker has Clew {__version__}, this is {version}: install the same version everywhere")
    with tempfile.TemporaryDirectory(prefix="clew-run-") as name, tempfile.TemporaryFile() as errors:
        out = Path(name) / "out"
        command = [sys.executable, "-m", "clew", *run.arguments(seconds, str(out))]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        )
        try:
            code = process.wait(seconds + GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        except KeyboardInterrupt:  # so Ray cancels
            process.send_signal(signal.SIGINT)
            code = process.wait(GRACE)
        return code, last_words(errors), pack(out)


def pack(folder: Path) -> bytes:
    """A folder as an archive; empty if there is none."""
    if not folder.is_dir():
        return b""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=".")
    return written.getvalue()


def unpack(archive: bytes, folder: Path) -> None:
    """The folder of an archive, and nothing outside of it."""
    if archive:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as packed:
            packed.extractall(folder, filter="data")
