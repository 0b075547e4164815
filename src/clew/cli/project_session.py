"""The runs of ``clew project``: entries side by side, until all are done or the time is over."""

from __future__ import annotations

import json
import math
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from clew.base.budget import default_memory_mb
from clew.base.errors import UserError
from clew.base.options import ProjectRequest
from clew.cli.display import Display
from clew.cli.signals import interruptible
from clew.cli.workers import Workers
from clew.jobs.project.entries import Entry
from clew.jobs.project.plan import Plan, plan_of
from clew.jobs.project.results import FunctionRun, ProjectResult
from clew.report.folder import OutputFolder
from clew.report.listener import Listener
from clew.report.reading import read_summary

LEAST = 2.0
"""Seconds that every function gets, as long as there are any."""
_STATE = "project.json"


class _Warnings(Listener):
    def __init__(self, display: Display) -> None:
        self._display = display

    def warning(self, text: str) -> None:
        if not self._display.quiet:
            print(f"clew: {text}", file=sys.stderr)


def run_project(
    request: ProjectRequest, out: Path | None, jobs: int, resume: bool, display: Display
) -> tuple[ProjectResult, Mapping[str, object]]:
    """All that was found, and the summary, which is on disk by then."""
    began = time.monotonic()
    if resume and out is None:
        raise UserError("--resume goes on in a folder: name it with --out")
    with interruptible(request.interrupt, display.quiet):
        plan = plan_of(request, _Warnings(display))
        folder, earlier = _folder(out, resume)
        return _Session(plan, jobs, display).run(folder, earlier, began)


def _folder(out: Path | None, resume: bool) -> tuple[OutputFolder, Mapping[str, str]]:
    """Where results go, and the digests of functions whose results are there."""
    if not resume or out is None or not (out / _STATE).is_file():
        return OutputFolder.claim(out), {}
    try:
        known = json.loads((out / _STATE).read_bytes())["digests"]
        return OutputFolder(out, ()), {str(name): str(digest) for name, digest in known.items()}
    except (OSError, ValueError, KeyError, AttributeError):
        raise UserError(f"{out / _STATE} is broken: begin anew, in another folder") from None


class _Session:
    def __init__(self, plan: Plan, jobs: int, display: Display) -> None:
        self._plan = plan
        self._request = plan.request
        self._jobs = jobs
        self._display = display

    def run(
        self, folder: OutputFolder, earlier: Mapping[str, str], began: float
    ) -> tuple[ProjectResult, Mapping[str, object]]:
        """Run all entries, as far as the time goes."""
        result, workers = ProjectResult(), Workers(self._plan.run_entry)
        digests = dict(earlier)
        waiting: list[Entry] = []
        for entry in self._plan.entries:
            at = folder.path / _name(entry)
            summary = read_summary(at) if earlier.get(entry.name) == entry.digest else None
            if summary is not None and summary.get("stopped") is None:
                result.add(FunctionRun(entry, _name(entry), summary, kept=True), at)
            else:
                waiting.append(entry)
        total, interrupt = len(waiting), self._request.interrupt
        while (waiting and not interrupt.requested) or len(workers):
            if interrupt.requested:
                workers.interrupt()
                waiting.clear()
            left = self._left(began)
            while waiting and len(workers) < self._jobs and left > LEAST / 2:
                part = _weight(waiting[0]) / sum(map(_weight, waiting))
                share = max(LEAST, left * self._jobs * part)
                self._start(workers, waiting.pop(0), folder, min(left, share))
            if waiting and left <= LEAST / 2:
                result.left, result.stopped, waiting = waiting, "time", []
            ended = workers.wait(0.5)
            if isinstance(ended, Entry):
                at = folder.path / _name(ended)
                run = FunctionRun(ended, _name(ended), read_summary(at))
                result.add(run, at)
                digests[ended.name] = ended.digest
                folder.write_json(_STATE, {"digests": digests})
                self._say(run, total - len(waiting) - len(workers), total)
        if interrupt.requested:
            result.stopped = "interrupted"
        elif not result.stopped and any(run.state == "time" for run in result.runs):
            result.stopped = "time"
        result.seconds = time.monotonic() - began
        data = result.to_json([str(file) for file in self._request.files])
        folder.write("coverage.info", result.coverage.lcov())
        folder.write_json("summary.json", data)
        return result, data | {"out": str(folder.path)}

    def _left(self, began: float) -> float:
        seconds = self._request.seconds
        return 1e9 if seconds is None else seconds - (time.monotonic() - began)

    def _start(self, workers: Workers, entry: Entry, folder: OutputFolder, seconds: float) -> None:
        memory = self._request.memory_mb or default_memory_mb()
        asked = self._plan.request_for(entry, seconds, None if memory is None else memory / self._jobs)
        at = folder.path / _name(entry)
        shutil.rmtree(at, ignore_errors=True)  # of an earlier run, when the function was another
        at.parent.mkdir(exist_ok=True)
        workers.start(asked, at, entry)

    def _say(self, run: FunctionRun, number: int, total: int) -> None:
        if self._display.quiet or self._display.json:
            return
        told = run.to_json()
        state = "" if run.state == "done" else f", {run.state}"
        print(
            f"[{number}/{total}] {run.entry.shown}: {told['tests']} tests, {told['bugs']} bugs, "
            f"{told['possible']} possible, {float(str(told['seconds'])):.1f} s{state}",
            file=sys.stderr,
            flush=True,
        )


def _weight(entry: Entry) -> float:
    """How much of the time an entry gets, compared with others: large ones have far more to explore."""
    return math.pow(entry.size, 0.75)


def _name(entry: Entry) -> str:
    return f"functions/{entry.name}"
