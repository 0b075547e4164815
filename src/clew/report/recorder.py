"""The listener that puts results on disk the moment they are found.

Owns the numbering of tests and bugs. After any kind of end ``finish`` writes ``summary.json``; when
a run could not give a summary (aborted, internal error), ``partial`` makes one of what was found. With the summary come
the files for other tools: see ``writers``.

A file that cannot be written is missing, and the summary says so: the run goes on, and its result is told.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from clew import __version__
from clew.base.budget import StopReason, peak_memory_mb
from clew.base.options import Request, TestRequest
from clew.report.advice import advice
from clew.report.baseline import Baseline, marked
from clew.report.bugtext import bug_text
from clew.report.corpus import corpus_name, standard_input
from clew.report.excerpt import Sources
from clew.report.folder import OutputFolder, Unwritable
from clew.report.formats import format_of
from clew.report.history import History
from clew.report.ktest import ktest_of
from clew.report.listener import Listener, ProgramInfo, Snapshot
from clew.report.records import TARGET_TEST, BranchId, Bug, LossKind, LossNote, Summary, TargetRecord, Test, ranked
from clew.report.runlog import NAME as LOG
from clew.report.statistics import RunStatistics
from clew.report.suppressions import misspelled
from clew.report.testcomp import SUITE, case_xml, metadata_xml, program_hash, suite_zip
from clew.report.values import given
from clew.report.writers import WRITERS, DriverTest, RunResults

DRIVER_TESTS = 10_000
"""Tests that ``tests.c`` holds; compilers take long over more."""

MOST_DRIVEN = 20_000
"""Inputs of all tests in ``tests.c``: a second's work, and some megabytes."""


class Recorder(Listener):
    """Writes tests, bugs and the summary of one run into its folder."""

    def __init__(
        self,
        folder: OutputFolder,
        request: Request,
        command: str = "test",
        statistics: Callable[[], RunStatistics] = RunStatistics,
        baseline: Baseline | None = None,
    ) -> None:
        """``statistics`` gives those of a run of which little is known; ``baseline`` has the bugs that are known."""
        self.folder = folder
        self.tests = 0
        self.bugs: list[Bug] = []
        self._request = request
        self._command = command
        self._statistics = statistics
        self._baseline = baseline
        self._program = ProgramInfo(request.function or "main", 32 if request.data_model == "ILP32" else 64)
        self._snapshot = Snapshot()
        self._history = History(folder)
        self._warnings: list[str] = []
        self._test_of: list[tuple[Bug, str]] = []
        self._driver: list[DriverTest] = []
        self._kept: list[Test] = []
        """The tests that ``--emit`` is to write."""
        self._taken: Counter[BranchId] = Counter()
        self._sources = Sources()
        self._writers = tuple(WRITERS)  # imported now: when a run has ended, its time is over
        self._hash = ""
        self._arrival = ""
        """The test that leads to a target."""
        self._unwritten = ""
        """Why files are missing."""

    @contextmanager
    def _if_possible(self) -> Iterator[None]:
        """Go on behind the block where something in it cannot be written."""
        try:
            yield
        except Unwritable as problem:
            self._unwritten = self._unwritten or str(problem)

    def loaded(self, program: ProgramInfo) -> None:
        self._program = program

    def progress(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        if self._history.note(snapshot, len(self.bugs)):
            with self._if_possible():
                self._history.write()

    def warning(self, text: str) -> None:
        self._warnings.append(text)

    def test_found(self, test: Test) -> None:
        """Write the test in all formats; the JSON file comes last, so that its presence means all are there."""
        with self._if_possible():
            if self.tests == 0:
                self._write_metadata()
            stem = f"tests/{self.tests + 1:06d}"
            files = [str(file) for file in self._request.files]
            head = {"format": format_of("test"), "clew": __version__, "files": files, "entry": self._program.entry}
            self.folder.write(f"{stem}.ktest", ktest_of(given(test.inputs), files[0]))
            self.folder.write(f"{stem}.xml", case_xml(test))
            data = standard_input(test.inputs)
            if data is not None:
                self.folder.write(f"corpus/{corpus_name(data)}", data, new_folder=True)
            self.folder.write_json(f"{stem}.json", {**head, **test.to_json()})
            self.note_test(test)

    def note_test(self, test: Test) -> None:
        """A test that is on disk."""
        stem = f"tests/{self.tests + 1:06d}"
        self.tests += 1
        self._taken.update(test.covers)
        if len(self._driver) < DRIVER_TESTS:
            self._driver.append(DriverTest(test.inputs, _expected(test), self._request.argv))
            if self._framework is not None:
                self._kept.append(test)
        if test.reason == TARGET_TEST:
            self._arrival = f"{stem}.json"
        if test.error is not None:
            self._test_of.append((test.error, f"{stem}.json"))

    def restore(self, found: Iterable[Test | Bug | str]) -> None:
        """What a run has found that is gone on with: it is on disk, unless it was cut off there."""
        with self._if_possible():
            self._history.restore()
        for one in found:
            if isinstance(one, str):
                self.warning(one)
            elif isinstance(one, Test):
                self._hash = self._hash or program_hash(self._request.files)
                there = (self.folder.path / f"tests/{self.tests + 1:06d}.json").exists()
                (self.note_test if there else self.test_found)(one)
            else:
                there = (self.folder.path / f"bugs/{len(self.bugs) + 1:06d}.json").exists()
                (self.note_bug if there else self.bug_found)(one)

    def bug_found(self, bug: Bug) -> None:
        bug = self._linked(bug)
        stem = f"bugs/{len(self.bugs) + 1:06d}"
        with self._if_possible():
            self.folder.write(f"{stem}.txt", bug_text(bug, self._sources))
            path = [step.to_json() for step in bug.path]
            told = {"format": format_of("bug"), **bug.to_json(), **({"path": path} if path else {})}
            self.folder.write_json(f"{stem}.json", told)
        self.bugs.append(bug)

    def note_bug(self, bug: Bug) -> None:
        """A bug that is on disk."""
        self.bugs.append(self._linked(bug))

    def finish(self, summary: Summary) -> Summary:
        """Complete the summary with the names of the files, and write it."""
        bugs = marked((self._linked(bug) for bug in summary.bugs), self._sources, self._baseline)
        warnings = (*summary.warnings, *(text for text in self._warnings if text not in summary.warnings))
        warnings = (*warnings, *misspelled(bugs, self._sources))
        complete = replace(
            summary,
            bugs=bugs,
            tests=self.tests if self._unwritten else summary.tests,
            warnings=warnings,
            target=self._linked_target(summary.target),
            out=str(self.folder.path),
            build=self._build(),
            budget=self._budget(),
        )
        complete = replace(complete, advice=tuple(advice(complete, (self.folder.path / LOG).exists())))
        driven = self._driven()
        if driven < len(self._driver):
            text = f"tests.c has the first {driven} of {len(self._driver)} tests: it would be very large with all"
            complete = replace(complete, warnings=(*complete.warnings, f"{text}; clew replay runs them all"))
        with self._if_possible():
            self._history.finish(complete.stats, complete.tests, len(self.bugs))
            self._write_reports(complete, driven)
        if self._request.specification is not None and self._request.specification.coverage:
            with self._if_possible():
                self.folder.write(SUITE, suite_zip(self.folder.path / "tests"))
        with self._if_possible():  # a disk that is too full for the others may have room for this one
            self.folder.write_json("summary.json", complete.to_json())
            complete = self._write_page(complete)
        return replace(complete, unwritten=self._unwritten)

    def _write_page(self, complete: Summary) -> Summary:
        """Make ``report.html`` of what is on disk. A page that cannot be made costs nobody the results."""
        try:
            from clew.report.page.render import page_of  # templates and what they need: at the end only

            page = page_of(self.folder.path)
        except Exception as error:
            if self._request.validate:
                raise
            return replace(complete, warnings=(*complete.warnings, f"report.html cannot be made: {error}"))
        self.folder.write("report.html", page)
        return complete

    def partial(self, stopped: StopReason, reason: str) -> Summary:
        """A summary of what was found until the run was cut off; coverage is then not known."""
        last = self._snapshot
        stats = replace(
            self._statistics(),
            paths_completed=last.paths,
            instructions=last.instructions,
            solver_seconds=last.solver_seconds,
            wall_seconds=last.wall_seconds,
            peak_memory_mb=peak_memory_mb(),
        )
        return Summary(
            command=self._command,
            files=tuple(str(file) for file in self._request.files),
            verdict=self._partial_verdict(),
            reason=reason,
            bugs=ranked(self.bugs),
            tests=self.tests,
            stats=stats,
            stopped=stopped,
            losses=(LossNote(LossKind.UNEXPLORED, f"all that was left when the run was cut off ({stopped})"),),
            seed=self._request.seed,
        )

    def _partial_verdict(self) -> str | None:
        """What can be said before the job could; a way to a target ends a job at once, so none was found."""
        asked = self._request.specification
        told = [bug for bug in self.bugs if asked is None or bug.kind in asked.violations]
        if self._command == "verify" and any(bug.confirmed and not bug.is_possible for bug in told):
            return "FALSE"
        return "UNKNOWN" if self._command in ("verify", "reach") else None

    def _linked_target(self, target: TargetRecord | None) -> TargetRecord | None:
        """The target with the name of the test that leads to it."""
        if target is None or target.arrival is None:
            return target
        return replace(target, arrival=replace(target.arrival, test=self._arrival))

    def _linked(self, bug: Bug) -> Bug:
        """The bug with the name of the test that shows it."""
        if bug.test:
            return bug
        for other, test in reversed(self._test_of):
            if other is bug or (other.kind, other.location, other.inputs) == (bug.kind, bug.location, bug.inputs):
                return replace(bug, test=test)
        return bug

    def _driven(self) -> int:
        """How many tests ``tests.c`` has room for: writing it must not take long, as the run's time is over by then."""
        inputs = 0
        for number, test in enumerate(self._driver):
            inputs += 1 + len(test.inputs)
            if inputs > MOST_DRIVEN and number:
                return number
        return len(self._driver)

    def _write_reports(self, summary: Summary, driven: int) -> None:
        """The files for other tools; before the summary, whose presence means all is there."""
        tests = self._driver[:driven]
        results = RunResults(summary, self._request, self._program, tests, self._taken, self._sources)
        for writer in self._writers:
            content = writer.item(results)
            if content is not None:
                self.folder.write(writer.name, content)
        self._write_unit_tests(summary)

    @property
    def _framework(self) -> str | None:
        return self._request.emit if isinstance(self._request, TestRequest) else None

    def _write_unit_tests(self, summary: Summary) -> None:
        program, request = self._program, self._request
        if self._framework is None or program.call is None or program.signature is None or not self._kept:
            return
        from clew.report.unit.cases import Subject  # where it is asked for only: that takes a while
        from clew.report.unit.files import unit_files
        from clew.report.unit.sources import sources_of

        subject = Subject(program.entry, program.signature, program.call)
        made_by = shlex.join(["clew", self._command, *request.inputs_asked_for()])
        sources = sources_of(program.signature, request, self.folder.path)
        files = unit_files(subject, self._kept, summary.coverage.branches, self._framework, sources, made_by)
        for name, content in files:
            self.folder.write(name, content)

    def _build(self) -> dict[str, object]:
        """How to make the same program again."""
        request, program = self._request, self._program
        return {
            "directory": _current_folder(),
            "entry": program.entry,
            "function": request.function,
            "promises": [str(promise) for promise in request.promises],
            "flags": list(request.compiler_flags),
            "named": list(request.named),
            "options": request.input_settings(),
            "checks": None if request.checks is None else list(request.checks),
            "recipes": [
                recipe and {"directory": str(recipe.directory), "flags": list(recipe.flags)}
                for recipe in request.recipes
            ],
            "target": request.target,
            "data_model": request.data_model,
            "argv": [word if isinstance(word, int) else word.hex() for word in request.argv],
            "pointer_bits": program.pointer_bits,
            "program_hash": self._hash or None,
            "call": None if program.call is None else program.call.to_json(),
        }

    def _budget(self) -> dict[str, object]:
        """What the run could spend; null where there is no limit."""
        asked = self._request
        return {"seconds": asked.seconds, "memory_mb": asked.memory_mb, "instructions": asked.max_instructions}

    def _write_metadata(self) -> None:
        """Once, with the first test: by then the program is known."""
        self._hash = program_hash(self._request.files)
        program, now = self._program, datetime.now(UTC)
        asked = self._request.specification
        covers = asked.coverage if asked is not None else ""
        covers = covers or ("branch" if isinstance(self._request, TestRequest) else "error")
        text = metadata_xml(self._request.files, program.entry, program.pointer_bits, covers, now)
        self.folder.write("tests/metadata.xml", text)


def _expected(test: Test) -> str:
    """What the driver says of a test."""
    if test.error is not None:
        return f"{test.error.kind} at {test.error.location}" if test.error.location else test.error.kind
    if test.reason == TARGET_TEST:
        return "leads to the target"
    return "" if test.exit_code is None else f"expected: exit {test.exit_code}"


def _current_folder() -> str | None:
    try:
        return str(Path.cwd())
    except OSError:
        return None  # it was removed meanwhile
