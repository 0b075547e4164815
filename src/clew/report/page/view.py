"""Results as a page needs them: numbered files, lines with what is known about each, groups, sentences.

Nothing here is computed that the results do not say; the template decides how it looks.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.option import options_of
from clew.base.options import ReachRequest, Request, TestRequest, VerifyRequest
from clew.report.branches import StoredBranch
from clew.report.lines import counted
from clew.report.page.extent import is_whole, shown_lines
from clew.report.page.results import FunctionFigures, Results, StoredBug
from clew.report.page.timeline import Timeline, timeline_of
from clew.report.reading import StoredTest
from clew.report.reasons import WhyNot
from clew.report.told_inputs import told
from clew.report.verdict import END_TEXTS

_REQUESTS: Mapping[str, type[Request]] = {"test": TestRequest, "verify": VerifyRequest, "reach": ReachRequest}
_MANY_INPUTS = 12
"""Lines of inputs that are shown of a test."""
_MOST_IDLE = 500
"""Functions that were never entered which the page of a very large program lists."""
_OF_FUNCTIONS = (WhyNot.NOT_CALLED, WhyNot.OUT_OF_REACH)
"""Reasons that are the same for all outcomes of a function."""

WHY_TITLES: dict[str, tuple[str, str]] = {
    WhyNot.PROVED: ("Proved unreachable", "No input leads there: an analysis has proved it."),
    WhyNot.NO_PATH: ("No path", "All paths were explored, and none of them takes it."),
    WhyNot.ALLOCATION: (
        "Allocations are taken to succeed",
        "It is for one that fails: --malloc-may-fail looks at these, too.",
    ),
    WhyNot.WAITING: ("Paths were waiting", "The run ended before these were looked at: more time would help."),
    WhyNot.REFUTED: (
        "Contradicts the paths so far",
        "The solver showed for each path that came here that it cannot go this way. Other paths may.",
    ),
    WhyNot.OTHER_WAY: ("Always the other way", "Control came here, and went another way on every path that was run."),
    WhyNot.BEHIND: ("Behind something else", "Control never came here: an earlier branch or place was in the way."),
    WhyNot.OUT_OF_REACH: (
        "The entry does not lead there",
        "Nothing that the entry calls, or names, leads to the function.",
    ),
    WhyNot.NOT_CALLED: ("Function never entered", "No path that was run calls the function."),
    "": ("Not looked at", "The run does not say why."),
}
"""For each kind of reason: its name, and what it means; in the order of the page."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person is to know first."""

    tone: str
    """``bad``, ``good``, ``open``."""
    headline: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of a branch, on its line."""

    text: str
    tests: int
    title: str
    number: int = 0
    """Among those that are not covered, from 1; 0 if it is covered."""
    why: str = ""
    is_first: bool = False
    """Of those of its condition, where a line has several."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands behind a line of source."""

    outcomes: tuple[Outcome, ...] = ()
    bugs: tuple[int, ...] = ()


GAP = "gap"
SourceLine = tuple[int, str, str, Marks | None]
"""Number and text of a line, and its state: ``run``, ``part`` (some outcome is not taken), ``not``, or nothing, where
there is no code. With the state ``GAP`` the number is that of lines which are left out. There are thousands of lines,
and the template gets at parts of a tuple quickly."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file."""

    number: int
    name: str
    figures: FunctionFigures
    functions: tuple[FunctionFigures, ...]
    lines: tuple[SourceLine, ...]
    is_stale: bool

    @property
    def short(self) -> str:
        return PurePath(self.name).name


@dataclass(frozen=True, slots=True)
class Group:
    """Outcomes that are not covered for the same kind of reason."""

    why: str
    title: str
    meaning: str
    count: int
    rows: tuple[Row, ...]
    more: int = 0
    """Rows of functions that were never entered which the page of a very large program leaves out."""


Row = tuple[int, int, str, int, str, str, str, str, Mapping[str, Any] | None]
"""Of an outcome that is not covered: its number, how many outcomes it stands for, file, line, function, the line of
source, the outcome (and of which condition, where the line has several), why, and what is in its way, if that is
known."""


class RunView:
    """All that the template of a run asks for."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.summary: Mapping[str, Any] = results.summary
        self.bugs = results.bugs
        self.uncovered = results.uncovered()
        rows: dict[object, int] = {}
        self._numbers = {
            branch.id: rows.setdefault(_row(branch), number) for number, branch in enumerate(self.uncovered, 1)
        }
        """The rows of outcomes that are not covered."""
        names = [*sorted(results.files), *sorted(name for name in results.sources if name not in results.files)]
        self._file_numbers = {name: number for number, name in enumerate(names)}
        self._shown = shown_lines(results)
        self._most_idle = None if is_whole(results, self._shown) else _MOST_IDLE
        functions = results.functions()
        by_file: dict[str, list[FunctionFigures]] = {}
        for one in functions:
            by_file.setdefault(one.file, []).append(one)
        by_line = results.by_line()
        bugs: dict[tuple[str, int], tuple[int, ...]] = {}
        for bug in results.bugs:
            place = str(bug.data.get("file") or ""), int(bug.data.get("line") or 0)
            bugs[place] = (*bugs.get(place, ()), bug.number)
        self.files = [
            SourceFile(
                number,
                name,
                _sum(name, own := tuple(by_file.get(name, ()))),
                tuple(one for one in own if one.name),
                tuple(self._lines(name, by_line, bugs)),
                name in results.stale,
            )
            for name, number in self._file_numbers.items()
        ]  # fmt: skip
        self.total = _sum("", tuple(functions))

    # What comes first

    @property
    def command_line(self) -> str:
        build = self.summary.get("build") or {}
        words = ["clew", str(self.summary["command"]), *map(str, self.summary["files"])]
        if build.get("function"):
            words += ["--function", str(build["function"])]
        declared = options_of(_REQUESTS[str(self.summary["command"])])
        for name, value in (build.get("options") or {}).items():
            option = declared.get(name)
            if option is not None and value != option.default:
                words += [option.flag] if option.is_flag else [option.flag, str(value)]
        return shlex.join(words)

    @property
    def certain(self) -> list[StoredBug]:
        return [bug for bug in self.bugs if bug.data.get("class") != "possible"]

    @property
    def possible(self) -> list[StoredBug]:
        return [bug for bug in self.bugs if bug.data.get("class") == "possible"]

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left out."""
        return self.summary.get("stopped") is None and not self.summary.get("losses")

    @property
    def verdict(self) -> Verdict:
        summary, said = self.summary, str(self.summary.get("reason") or "")
        match summary.get("verdict"):
            case "TRUE":
                return Verdict("good", "TRUE: the properties hold", said)
            case "FALSE":
                return Verdict("bad", "FALSE: a property is violated", said)
            case "REACHED":
                return Verdict("good", f"REACHED: {self._target}", said)
            case "UNREACHABLE":
                return Verdict("good", f"UNREACHABLE: {self._target}", said)
            case "UNKNOWN":
                return Verdict("open", "UNKNOWN", said)
        if self.certain:  # the reason says how many, too
            return Verdict("bad", f"{counted(len(self.certain), 'bug')} found", said.partition("; ")[2] or said)
        headline = "No bug found" if self.is_complete else "No bug found in what was explored"
        return Verdict("good" if self.is_complete else "open", headline, said)

    @property
    def _target(self) -> str:
        return str((self.summary.get("target") or {}).get("text", ""))

    @property
    def ending(self) -> str:
        """Why the run ended early; empty if it did not."""
        return next((text for reason, text in END_TEXTS.items() if reason == self.summary.get("stopped")), "")

    def idle(self) -> list[FunctionFigures]:
        """The functions that were never entered, those first that could be."""
        never = [one for file in self.files for one in file.functions if not one.run]
        return sorted(never, key=lambda one: (not one.in_reach, one.file, one.line))

    def listed(self, functions: list[FunctionFigures]) -> list[FunctionFigures]:
        """Those that the page has room for."""
        return functions[: self._most_idle]

    @property
    def timeline(self) -> Timeline | None:
        return timeline_of(self.results.history)

    # Bugs

    def replay_of(self, bug: StoredBug) -> list[str]:
        """Commands that show it again."""
        out = str(self.results.folder)
        lines = [shlex.join(["clew", "replay", out])]
        test = str(bug.data.get("test") or "")
        if test and (self.results.folder / "tests.c").is_file():
            files = [str(self.results.folder / "tests.c"), *map(str, self.summary["files"])]
            flags = list(map(str, (self.summary.get("build") or {}).get("flags", ())))
            number = int("".join(filter(str.isdigit, PurePath(test).stem)) or 0)
            lines.append(f"{shlex.join(['cc', *flags, *files, '-o', 't'])} && ./t {number}")
        return lines

    def excerpt(self, file: str, line: int, around: int = 2) -> list[tuple[int, str]]:
        lines = self.results.sources.get(file, [])
        first, last = max(1, line - around), min(len(lines), line + around)
        return [(number, lines[number - 1]) for number in range(first, last + 1)] if line <= len(lines) else []

    def anchor(self, file: str | None, line: int) -> str:
        """The name of a line on the page; empty where the page does not have it."""
        name = file or ""
        number = self._file_numbers.get(name)
        if number is None or not any(line in span for span in self._shown.get(name, ())):
            return ""
        return f"f{number}L{line}"

    def left_out(self) -> list[str]:
        """The files whose source the page does not show, since none of their functions was entered."""
        return [file.name for file in self.files if not file.lines and self.results.sources.get(file.name)]

    # The source

    def _lines(
        self,
        name: str,
        by_line: Mapping[tuple[str, int], list[list[StoredBranch]]],
        bugs: Mapping[tuple[str, int], tuple[int, ...]],
    ) -> Iterator[SourceLine]:
        spans, source = self._shown.get(name, []), self.results.sources.get(name, [])
        for before, span in pairwise([range(1), *spans]):
            yield from _gap(before.stop, span.start)
            yield from self._span(name, span, by_line, bugs)
        if spans:
            yield from _gap(spans[-1].stop, len(source) + 1)

    def _span(
        self,
        name: str,
        span: range,
        by_line: Mapping[tuple[str, int], list[list[StoredBranch]]],
        bugs: Mapping[tuple[str, int], tuple[int, ...]],
    ) -> Iterator[SourceLine]:
        known = self.results.files.get(name)
        counts = known.lines if known is not None else {}
        states = {number: "run" if count else "not" for number, count in counts.items()}
        marked = {line for file, line in (*by_line, *bugs) if file == name}
        source = self.results.sources[name]
        for number in span:
            text = source[number - 1]
            if "\t" in text or text.endswith("\r"):
                text = text.rstrip("\r").expandtabs(4)
            if number not in marked:
                yield number, text, states.get(number, ""), None
                continue
            conditions = by_line.get((name, number), [])
            is_part = counts.get(number) and any(not branch.tests for own in conditions for branch in own)
            outcomes = tuple(
                self._outcome(branch, at > 0 and branch is own[0])
                for at, own in enumerate(conditions)
                for branch in own
            )
            marks = Marks(outcomes, bugs.get((name, number), ()))
            yield number, text, "part" if is_part else states.get(number, ""), marks

    def _outcome(self, branch: StoredBranch, is_first: bool) -> Outcome:
        where = f"column {branch.column}, {self.results.outcome_of(branch)}"
        if branch.tests:
            title = f"{where}: taken by {counted(branch.tests, 'test')}"
            return Outcome(branch.outcome, branch.tests, title, is_first=is_first)
        reason = branch.reason or {}
        why = str(reason.get("why", ""))
        title = f"{where}: not taken. {WHY_TITLES[why][0]}: {reason.get('because', '')}"
        return Outcome(branch.outcome, 0, title, self._numbers.get(branch.id, 0), why, is_first)

    # What is not covered

    def groups(self) -> list[Group]:
        """By kind of reason; functions that were never entered are a row each."""
        found: dict[str, list[tuple[StoredBranch, int]]] = {why: [] for why in WHY_TITLES}
        for number, branch in enumerate(self.uncovered, 1):
            found[str((branch.reason or {}).get("why", ""))].append((branch, number))
        groups = []
        for why, branches in found.items():
            if not branches:
                continue
            first: dict[object, tuple[StoredBranch, int]] = {}
            stands_for: Counter[object] = Counter()
            for branch, number in branches:
                first.setdefault(_row(branch), (branch, number))
                stands_for[_row(branch)] += 1
            kept = list(first.items())[: self._most_idle if why in _OF_FUNCTIONS else None]
            rows = [self._row_of(branch, number, stands_for[row]) for row, (branch, number) in kept]
            groups.append(Group(why, *WHY_TITLES[why], len(branches), tuple(rows), len(first) - len(kept)))
        return groups

    def _row_of(self, branch: StoredBranch, number: int, stands_for: int) -> Row:
        results, file, line, reason = self.results, branch.file, branch.line, branch.reason or {}
        function, text, because = results.function_at(file, line), results.line(file, line), reason.get("because", "")
        outcome = results.outcome_of(branch)
        return number, stands_for, file, line, function, text.strip(), outcome, because, reason.get("behind")

    # Tests and the rest

    def inputs_of(self, test: StoredTest) -> list[str]:
        return told(test.inputs, _MANY_INPUTS)

    def lines_of(self, test: StoredTest) -> int:
        """How many lines a test runs."""
        return sum(last - first + 1 for spans in test.lines.values() for first, last in spans)

    def test_data(self) -> dict[str, dict[str, list[list[int]]]]:
        """The lines of each test, by the numbers of files: for the page's script."""
        return {
            str(number): {
                str(self._file_numbers[file]): spans for file, spans in test.lines.items() if file in self._file_numbers
            }
            for number, test in enumerate(self.results.tests, 1)
        }

    def bug_at(self, file: str | None, line: int) -> int:
        """The number of a bug at a place; 0 if there is none."""
        return next(
            (bug.number for bug in self.bugs if bug.data.get("file") == file and bug.data.get("line") == line), 0
        )  # fmt: skip


def _row(branch: StoredBranch) -> object:
    """What outcomes have in common that share a row: the function, where that was never entered."""
    why = (branch.reason or {}).get("why")
    return branch.id[0] if why in _OF_FUNCTIONS else branch.id


def _gap(first: int, after: int) -> Iterator[SourceLine]:
    """What stands for the lines from one to before another."""
    if first < after:
        yield after - first, "", GAP, None


def _sum(name: str, functions: tuple[FunctionFigures, ...]) -> FunctionFigures:
    total = FunctionFigures(name, name, 0)
    for one in functions:
        total.add(one)
    return total
