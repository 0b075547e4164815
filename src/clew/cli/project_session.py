"""The runs of ``clew project``: entries side by side, until all are done or the time is over."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from clew.base.budget import Budget, StopReason, default_memory_mb
from clew.base.errors import UserError
from clew.base.options import ProjectRequest
from clew.base.watchdog import Stopped, watched
from clew.cli.display import Display
from clew.cli.project_screen import ProjectScreen
from clew.cli.signals import interruptible
from clew.cli.workers import Workers
from clew.jobs.project.entries import Entry
from clew.jobs.project.plan import Plan, plan_of
from clew.jobs.project.results import FunctionRun, ProjectResult
from clew.jobs.project.schedule import Schedule
from clew.report.baseline import Baseline, read_baseline, restated
from clew.report.folder import OutputFolder
from clew.report.reading import read_object, read_summary
from clew.report.sarif import NAME as SARIF
from clew.report.sarif import merged

LAST, FINISH = 0.5, 0.3
"""Seconds before the end when no more turns are given, and those at least that each run needs to write down what it
has."""
MOST_LAST = 0.25
"""The part of the time, at most, that is left for that."""
NOTE = 1.0
"""Seconds between two notes of what is done."""
_STATE = "project.json"


def run_project(
    request: ProjectRequest,
    out: Path | None,
    jobs: int,
    resume: bool,
    display: Display,
    screen: ProjectScreen | None = None,
) -> tuple[ProjectResult, Mapping[str, Any]]:
    """All that was found, and the summary, which is on disk by then."""
    if resume and out is None:
        raise UserError("--resume goes on in a folder: name it with --out")
    screen, budget = screen or ProjectScreen(display), request.budget()
    try:
        with interruptible(request.interrupt, display.quiet):
            baseline = read_baseline(request.baseline)
            try:
                with watched(budget):
                    plan = plan_of(request, screen)
            except Stopped as stop:
                return _not_begun(request, _folder(out, resume)[0], budget, stop.reason, screen)
            folder, earlier = _folder(out, resume)
            return _Session(plan, jobs, screen, folder, budget.started, baseline).run(earlier)
    finally:
        screen.close()


def _not_begun(
    request: ProjectRequest, folder: OutputFolder, budget: Budget, reason: StopReason, screen: ProjectScreen
) -> tuple[ProjectResult, Mapping[str, Any]]:
    """The result of a project that could not be read within its budget."""
    screen.warning(f"stopped by {reason} while the project was compiled and read: nothing was run")
    result = ProjectResult({}, stopped=str(reason), seconds=budget.elapsed())
    data = result.to_json([str(file) for file in request.files])
    folder.write_json("summary.json", data)
    return result, data | {"out": str(folder.path)}


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
    def __init__(
        self,
        plan: Plan,
        jobs: int,
        screen: ProjectScreen,
        folder: OutputFolder,
        began: float,
        baseline: Baseline | None = None,
    ) -> None:
        self._baseline = baseline
        self._plan = plan
        self._request = plan.request
        self._jobs = jobs
        self._screen = screen
        self._folder = folder
        self._began = began
        self._noted = began
        self._finishing = FINISH
        self._memory = plan.request.memory_mb or default_memory_mb()
        self._workers = Workers(plan.run_entry, plan.entries)
        self._result = ProjectResult(plan.places())

    def run(self, earlier: Mapping[str, str]) -> tuple[ProjectResult, Mapping[str, Any]]:
        """Run all entries, as far as the time goes."""
        result, workers, interrupt = self._result, self._workers, self._request.interrupt
        self._digests = dict(earlier)
        branches = self._plan.branches()
        schedule, total = Schedule(self._keep(earlier), branches), len(branches)
        asked_to_end = False
        while (schedule.new and not interrupt.requested) or workers.any:
            if interrupt.requested:
                if not asked_to_end:
                    workers.interrupt()
                    asked_to_end = True
                self._result.left, schedule.new = [*self._result.left, *schedule.new], []
            elif not self._is_over(schedule):
                self._give_turns(schedule)
            heard = workers.wait(0.5)
            if heard is not None:
                entry, report = heard
                if report.finishing:
                    self._finishing = max(FINISH, (self._finishing + report.finishing) / 2)
                found = schedule.came(entry, report.covered, report.seconds, report.memory_mb, report.waits)
                if not report.ended:
                    self._screen.turn(entry.shown, report.seconds, found, schedule.left)
                else:
                    self._file(entry)
            self._show(schedule, total)
        if interrupt.requested:
            result.stopped = "interrupted"
        elif not result.stopped and any(run.state == "time" for run in result.runs):
            result.stopped = "time"
        self._note_digests()
        result.seconds = time.monotonic() - self._began
        data = result.to_json([str(file) for file in self._request.files])
        bugs = [restated(cause.to_json(), self._baseline) for cause in result.causes()]  # kept ones may be older
        data |= {"bugs": bugs}
        self._folder.write("coverage.info", result.coverage.lcov())
        self._folder.write_json(SARIF, merged("project", self._logs(), self._baseline))
        self._folder.write_json("summary.json", data)
        self._write_page()
        return result, data | {"out": str(self._folder.path)}

    def _logs(self) -> Iterator[Mapping[str, Any]]:
        """The logs of the functions' own runs; one that a run left unfinished is not there."""
        for run in self._result.runs:
            log = read_object(self._folder.path / run.folder / SARIF)
            if log is not None:
                yield log

    def _write_page(self) -> None:
        """Make ``report.html``. One that cannot be made costs nobody the results."""
        try:
            from clew.report.page.render import write_page

            write_page(self._folder.path)
        except Exception as error:
            self._screen.warning(f"report.html cannot be made: {error}")

    def _keep(self, earlier: Mapping[str, str]) -> list[Entry]:
        """Keep the results of functions that have not changed since; the entries that are left."""
        waiting: list[Entry] = []
        for entry in self._plan.entries:
            at = self._folder.path / entry.folder
            summary = read_summary(at) if earlier.get(entry.name) == entry.digest else None
            if summary is not None and summary.get("stopped") is None:
                self._result.add(FunctionRun(entry, entry.folder, summary, kept=True), at)
            else:
                waiting.append(entry)
        # What has changed comes before what there was no time for.
        return sorted(waiting, key=lambda entry: earlier.get(entry.name) == entry.digest)

    def _is_over(self, schedule: Schedule) -> bool:
        """Whether the time is over, but for what runs need to end in order: then they are told to."""
        needed = self._finishing * (schedule.waiting + len(self._workers)) / self._jobs
        if self._left() > LAST + min(needed, MOST_LAST * (self._request.seconds or 0.0)):
            return False
        if schedule.new:
            self._result.left, self._result.stopped = schedule.new, "time"
            schedule.new = []
        while entry := schedule.least():
            self._workers.end(entry)
        return True

    def _give_turns(self, schedule: Schedule) -> None:
        """Let as many entries work as there are to work at the same time."""
        left = self._left()
        while self._memory is not None and schedule.memory_mb > self._memory / 2 and (entry := schedule.least()):
            self._workers.end(entry)
        while len(self._workers) < self._jobs:
            if turn := schedule.first(left, self._jobs):
                self._start(*turn)
            elif turn := schedule.another():
                self._workers.go_on(*turn)
            else:
                return

    def _left(self) -> float:
        seconds = self._request.seconds
        return 1e9 if seconds is None else seconds - (time.monotonic() - self._began)

    def _start(self, entry: Entry, seconds: float) -> None:
        memory = None if self._memory is None else self._memory / (self._jobs + 1)
        asked = self._plan.request_for(entry, self._left(), memory)
        at = self._folder.path / entry.folder
        shutil.rmtree(at, ignore_errors=True)  # of an earlier run, when the function was another
        at.parent.mkdir(exist_ok=True)
        self._workers.start(asked, at, entry, seconds)

    def _file(self, entry: Entry) -> None:
        """A run has ended."""
        at = self._folder.path / entry.folder
        run = FunctionRun(entry, entry.folder, read_summary(at))
        self._result.add(run, at)
        self._digests[entry.name] = entry.digest
        if time.monotonic() - self._noted > NOTE:
            self._note_digests()
        self._screen.ended(run, len(self._result.runs), len(self._plan.entries))

    def _note_digests(self) -> None:
        """Write down what is done, for ``--resume``; not for each of thousands of functions."""
        self._folder.write_json(_STATE, {"digests": self._digests})
        self._noted = time.monotonic()

    def _show(self, schedule: Schedule, total: int) -> None:
        """Tell how things stand."""
        seconds = time.monotonic() - self._began
        left = None if self._request.seconds is None else self._left()
        functions = len(self._result.runs), len(self._plan.entries)
        self._screen.standing(seconds, left, functions, (total - schedule.left, total))
