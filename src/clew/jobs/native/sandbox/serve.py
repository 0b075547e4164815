"""The server: reads one job per line (JSON) from standard input and answers each with one line.

The first line that it writes says what it can promise. See ``clew.jobs.native.sandbox``.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clew.jobs.native.sandbox.means import NOBODY, Means, find_means
from clew.jobs.native.sandbox.processes import end_all
from clew.jobs.native.sandbox.syscalls import prctl
from clew.jobs.native.sandbox.warden import STREAMS, Warden

KEPT = 64 * 1024
"""Bytes of a test's output that are handed on."""
_DEATH_SIGNAL = 1


def main(arguments: list[str]) -> None:
    """``FOLDER [MECHANISM...]``: serve until standard input ends, without these mechanisms."""
    os.umask(0o022)  # tests may run as another user
    folder, without = Path(arguments[0]), arguments[1:]
    if "root" in without and os.geteuid() == 0:
        os.chown(folder, NOBODY - 1, -1)
        os.setgroups([])
        os.setgid(NOBODY - 1)
        os.setuid(NOBODY - 1)
    prctl(_DEATH_SIGNAL, signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: (end_all(namespace=False), os._exit(1)))
    means = find_means(folder, without)
    print(json.dumps([asdict(promise) for promise in means.promises()]), flush=True)
    for line in sys.stdin:
        print(json.dumps(run(means, folder, json.loads(line))), flush=True)


def run(means: Means, folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    """One test from start to end, and nothing of it left; ``failed`` says why it could not be run."""
    place = folder / f"test{job['number']}"
    work = place / "work"
    for path in (place, work, place / "root"):
        path.mkdir()
        path.chmod(0o711)
    if means.nobody:
        os.chown(work, NOBODY, NOBODY)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        Warden(means, job, place, work).serve(theirs)
    os.close(theirs)
    with os.fdopen(ours, "rb") as stream:
        told = stream.read()
    os.waitpid(child, 0)
    end_all(namespace=False)  # nothing, unless the warden itself was killed
    answer: dict[str, Any] = json.loads(told) if told else {"failed": "its overseer was killed"}
    out, err, events = (_head(place / name) for name in STREAMS)
    size = (place / "out").stat().st_size if (place / "out").exists() else 0
    return {**answer, "out": out, "out_size": size, "err": err, "events": [line for line in events.split("\n") if line]}


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(KEPT).decode("latin-1")
    except OSError:
        return ""
