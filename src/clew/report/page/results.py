"""An output folder read back for people: everything that ``report.html`` and ``clew explain`` tell comes from here.

The folder alone is looked at, so that a page that is made again says what the first one said. Where the run has kept no
copy of a source file, the file of that name is read, and the page says so.
"""

from __future__ import annotations

import csv
import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.pattern import pattern
from clew.report.branches import NAME as BRANCHES
from clew.report.branches import StoredBranch, out_of_reach, read_branches
from clew.report.history import NAME as HISTORY
from clew.report.kept_sources import read_sources
from clew.report.lcov import FileCoverage, add_lcov
from clew.report.reading import StoredTest, load_summary, read_tests
from clew.report.reasons import NEVER, WhyNot
from clew.report.told_inputs import told, with_files
from clew.report.values import InputValue

MOST_TESTS = 300
"""Tests that a page shows, each with its inputs and lines; others are counted."""
_SURROGATES = pattern("[\ud800-\udfff]")
"""What stands for bytes in names of files that are no text: a page cannot have them."""
_NONE = (*NEVER, WhyNot.OUT_OF_REACH)
"""Reasons that say that there are no inputs which take an outcome, or that the entry does not lead there."""


@dataclass(slots=True)
class FunctionFigures:
    """What is covered of one function, or of one file."""

    name: str
    file: str
    line: int
    run: bool = True
    lines: int = 0
    lines_covered: int = 0
    branches: int = 0
    branches_covered: int = 0
    excluded: int = 0
    """Outcomes of branches of which the run says that no input takes them, or that the entry does not lead there."""
    excluded_lines: int = 0
    """Lines of functions that the entry does not lead to."""
    in_reach: bool = True

    @property
    def reachable(self) -> int:
        """Outcomes of branches that may be taken, as far as the run knows."""
        return self.branches - self.excluded

    def add(self, other: FunctionFigures) -> None:
        """Count what another one has, too."""
        for name in ("lines", "lines_covered", "branches", "branches_covered", "excluded", "excluded_lines"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class StoredBug:
    """A bug of the summary, with its file's path."""

    number: int
    data: Mapping[str, Any]
    path: Sequence[Mapping[str, Any]] = ()

    @property
    def inputs(self) -> list[str]:
        """As C spells them: those that the bug needs, if that is known."""
        needed = self.data.get("decisive")
        if needed is None or any(value.in_heap for value in self._stored):
            return told(self._stored, 60)
        return told(self._stored, 60, needed)

    @property
    def _stored(self) -> list[InputValue]:
        return [InputValue.from_json(value) for value in self.data.get("inputs", ())]

    @property
    def spared(self) -> int:
        """How many inputs it does not need, where that is said."""
        stored, needed = self._stored, self.data.get("decisive")
        if needed is None or any(value.in_heap for value in stored):
            return 0
        return len(stored) - len(with_files(stored, needed))


@dataclass(slots=True)
class Results:
    """All of a folder of ``clew test``, ``verify`` or ``reach``, or of the runs of a project."""

    folder: Path
    summary: Mapping[str, Any]
    branches: list[StoredBranch]
    files: dict[str, FileCoverage]
    sources: dict[str, list[str]]
    """The lines of each file, as they were."""
    stale: list[str]
    """Files that were not kept, and are read as they are now."""
    tests: tuple[StoredTest, ...]
    bugs: list[StoredBug]
    history: list[dict[str, float]] = field(default_factory=list)
    out_of_reach: set[tuple[str, int]] = field(default_factory=set)
    """Where functions begin that the entry cannot get to."""
    runs: Sequence[Results] = ()
    """Those of which these are put together: the runs of a project."""
    _conditions: dict[tuple[object, ...], str] = field(default_factory=dict)
    """What ``condition_of`` says, once somebody has asked."""
    _starts: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """The functions of files that were asked for, with the lines in which they begin."""

    def line(self, file: str, number: int) -> str:
        """The text of a line; empty where it is not known."""
        lines = self.sources.get(file, [])
        return lines[number - 1] if 1 <= number <= len(lines) else ""

    def by_line(self) -> dict[tuple[str, int], list[list[StoredBranch]]]:
        """The conditions of each line, each as its outcomes: in the order of columns, those of a macro in their own."""
        found: dict[tuple[str, int], dict[object, list[StoredBranch]]] = {}
        for branch in sorted(self.branches, key=lambda one: one.column):
            found.setdefault((branch.file, branch.line), {}).setdefault(branch.id[:2], []).append(branch)
        return {place: list(conditions.values()) for place, conditions in found.items()}

    def condition_of(self, branch: StoredBranch) -> str:
        """Which one of the conditions of its line an outcome belongs to; empty where there is one only."""
        if not self._conditions:
            for place, conditions in self.by_line().items():
                for number, outcomes in enumerate(conditions, 1):
                    text = f"condition {number} of {len(conditions)}" if len(conditions) > 1 else ""
                    self._conditions[*place, *outcomes[0].id[:2]] = text
        return self._conditions.get((branch.file, branch.line, *branch.id[:2]), "")

    def outcome_of(self, branch: StoredBranch) -> str:
        """An outcome, told apart from those of other conditions of its line."""
        condition = self.condition_of(branch)
        return f"{condition}: {branch.outcome}" if condition else branch.outcome

    def uncovered(self) -> list[StoredBranch]:
        """The outcomes that no test takes and that have a place, by that."""
        missing = [branch for branch in self.branches if not branch.tests and branch.line]
        return sorted(missing, key=lambda one: (one.file, one.line, one.column))

    def function_at(self, file: str, line: int) -> str:
        """The function that begins last before a line; empty where none does."""
        if file not in self._starts:
            self._starts[file] = sorted(self.files[file].functions) if file in self.files else []
        starts = self._starts[file]
        at = bisect_right(starts, line, key=lambda start: start[0]) - 1
        return starts[at][1] if at >= 0 else ""

    def functions(self) -> list[FunctionFigures]:
        """File by file, in the order of the source."""
        found: list[FunctionFigures] = []
        by_file: dict[str, list[StoredBranch]] = {}
        for branch in self.branches:
            by_file.setdefault(branch.file, []).append(branch)
        for file, coverage in sorted(self.files.items()):
            starts = sorted(coverage.functions)
            far = self.out_of_reach
            own = [
                FunctionFigures(name, file, line, coverage.functions[line, name] > 0, in_reach=(file, line) not in far)
                for line, name in starts
            ] or [FunctionFigures("", file, 0)]
            first_lines = [line for line, _ in starts]

            def of(line: int, own: list[FunctionFigures] = own, first: list[int] = first_lines) -> FunctionFigures:
                return own[max(bisect_right(first, line) - 1, 0)]

            for line, count in coverage.lines.items():
                here = of(line)
                here.lines += 1
                here.lines_covered += count > 0
                here.excluded_lines += not here.in_reach and not count
            for branch in by_file.get(file, ()):
                here = of(branch.line)
                here.branches += 1
                here.branches_covered += branch.tests > 0
                here.excluded += is_excluded(branch)
            found += own
        return found

    def tests_of_line(self, file: str, line: int) -> list[StoredTest]:
        """The tests that run a line, of those that were read."""
        return [test for test in self.tests if any(a <= line <= b for a, b in test.lines.get(file, ()))]

    def tests_of_branch(self, branch: StoredBranch) -> list[StoredTest]:
        """The tests that take an outcome, of those that were read."""
        return [test for test in self.tests if branch.id in test.covers]


def is_excluded(branch: StoredBranch) -> bool:
    """Whether the run says that no input takes an outcome."""
    return not branch.tests and branch.reason is not None and branch.reason.get("why") in _NONE


def read_shown(folder: Path) -> Mapping[str, Any]:
    """The summary of a folder, with texts that can be shown; UserError for a folder that has none."""
    summary: Mapping[str, Any] = _shown(load_summary(folder), (folder / "summary.json").read_bytes())
    return summary


def read_results(folder: Path, most_tests: int = MOST_TESTS, read: Mapping[str, Any] | None = None) -> Results:
    """Everything; UserError for a folder that holds no results, or damaged ones. ``read`` is its summary, if known."""
    summary = read_shown(folder) if read is None else read
    if summary.get("command") not in ("test", "verify", "reach"):
        raise UserError(f"{folder} holds no results of 'clew test', 'verify', 'reach' or 'project'")
    try:
        files: dict[str, FileCoverage] = {}
        add_lcov(files, text_of(folder / "coverage.info"))
        branches, far = _branches(folder, summary)
        tests = tuple(_with_shown_names(test) for test in read_tests(folder, most_tests))
        bugs = list(_bugs(folder, summary))
        sources, stale = _sources(folder, summary, files, bugs)
        return Results(folder, summary, branches, files, sources, stale, tests, bugs, _history(folder), far)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise UserError(f"{folder / 'summary.json'} is damaged, or of another version; run again") from None


def without_surrogates(value: Any) -> Any:
    """Data of a JSON file in which every text can be shown."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(item) for name, item in value.items()}
    return value


def _shown(data: Any, written: bytes) -> Any:
    """Data as it can be shown; ``written`` is its file, which tells whether that takes anything."""
    return without_surrogates(data) if b"\\ud" in written else data


def _with_shown_names(test: StoredTest) -> StoredTest:
    return replace(test, lines={without_surrogates(file): spans for file, spans in test.lines.items()})


def text_of(path: Path) -> str:
    """A file, with nothing in it that a page cannot have; empty where it cannot be read."""
    try:
        return str(without_surrogates(path.read_text(encoding="utf-8", errors="surrogateescape")))
    except OSError:
        return ""


def _branches(folder: Path, summary: Mapping[str, Any]) -> tuple[list[StoredBranch], set[tuple[str, int]]]:
    """As ``coverage.json`` has them, and the functions out of reach. Folders of older versions tell places only."""
    uncovered = summary.get("uncovered", ())
    try:
        written = (folder / BRANCHES).read_bytes()
    except OSError:
        return [
            StoredBranch(("", "", number), str(one["file"] or ""), one["line"], one["column"], one["outcome"], 0, one)
            for number, one in enumerate(uncovered)
        ], set()
    data = _shown(json.loads(written), written)
    return read_branches(data, iter(uncovered)), out_of_reach(data)


def _bugs(folder: Path, summary: Mapping[str, Any]) -> Iterator[StoredBug]:
    """Those of the summary; a bug's own file, which has its path, is the one that tells the same of it."""
    stored: dict[str, list[Mapping[str, Any]]] = {}
    for path in sorted((folder / "bugs").glob("*.json")):
        try:
            written = path.read_bytes()
            data = _shown(json.loads(written), written)
        except (OSError, ValueError):
            continue
        stored[_key(data)] = data.get("path", ())
    for number, bug in enumerate(summary["bugs"], 1):
        yield StoredBug(number, bug, stored.get(_key(bug), ()))


def same_bug(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two files tell of the same failure with the same inputs."""
    return _key(one) == _key(other)


def _key(bug: Mapping[str, Any]) -> str:
    return json.dumps([bug.get(name) for name in ("kind", "file", "line", "column", "function", "inputs")])


def _sources(
    folder: Path, summary: Mapping[str, Any], files: Mapping[str, FileCoverage], bugs: Sequence[StoredBug]
) -> tuple[dict[str, list[str]], list[str]]:
    """The lines of the files, and the names of those that were not kept."""
    kept: dict[str, str] = without_surrogates(read_sources(folder))
    directory = (summary.get("build") or {}).get("directory")
    places = [str(bug.data["file"]) for bug in bugs if bug.data.get("file")]
    stale = []
    for name in dict.fromkeys([*files, *places]):
        if name in kept:
            continue
        path = Path(directory, name) if directory else Path(name)
        text = text_of(path) if path.is_file() else ""
        if text:
            kept[name] = text
            stale.append(name)
    return {name: text.split("\n") for name, text in kept.items()}, stale


def _history(folder: Path) -> list[dict[str, float]]:
    rows = []
    for row in csv.DictReader(text_of(folder / HISTORY).splitlines()):
        try:
            rows.append({name: float(value) for name, value in row.items()})
        except (TypeError, ValueError):
            continue  # cut off
    return rows
