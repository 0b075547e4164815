"""What an editor shows of one file: bugs, lines and outcomes of branches that no test takes, and figures of functions.

Lines are those of the source as it was when the run read it (see ``moved_lines`` for what has become of them).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from clew.base.dataclass import dataclass
from clew.report.branches import StoredBranch
from clew.report.kinds import BUG_KINDS
from clew.report.lines import counted
from clew.report.page.results import FunctionFigures, Results, StoredBug
from clew.report.page.view import WHY_TITLES

_STEPS = 12
"""Steps of the path to a bug that are told with it: the last ones that decide something or give a value."""


class Severity(StrEnum):
    """How an editor shows a note."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the way to a bug."""

    file: Path
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something to be shown at a place; lines are counted from 1."""

    line: int
    last: int
    column: int
    """In characters, from 1; 0 for whole lines."""
    severity: Severity
    code: str
    text: str
    fades: bool = False
    """Whether the code is to look as if it were not there."""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above a line of source."""

    line: int
    title: str


def notes_of(results: Results, name: str, directory: Path) -> list[Note]:
    """Everything about one file; ``directory`` is what names of files are relative to."""
    found = [_bug(results, bug, directory) for bug in results.bugs if _is_told(bug) and bug.data.get("file") == name]
    found += [_outcome(results, branch) for branch in results.uncovered() if branch.file == name]
    return [*found, *_lines(results, name)]


def _is_told(bug: StoredBug) -> bool:
    return bool(bug.data.get("line")) and not bug.data.get("suppressed")


def _bug(results: Results, bug: StoredBug, directory: Path) -> Note:
    data, kind = bug.data, BUG_KINDS.get(str(bug.data["kind"]))
    severity = Severity.WARNING if kind is not None and kind.level == "warning" else Severity.ERROR
    text = f"{data['kind']}: {data['message']}" if data.get("message") else str(data["kind"])
    if data.get("rests_on"):
        severity, text = Severity.INFORMATION, f"{text} (possible: {data['rests_on']})"
    text = "\n".join([text, *bug.inputs])
    line = int(data["line"])
    column = _characters(results.line(str(data["file"]), line), int(data.get("column") or 0))
    return Note(line, line, column, severity, str(data["kind"]), text, steps=tuple(_steps(bug, directory)))


def _steps(bug: StoredBug, directory: Path) -> Iterator[Step]:
    telling = [step for step in bug.path if step.get("values") or step.get("outcome")]
    for step in telling[-_STEPS:]:
        parts = [f"{name} = {value}" for name, value in step.get("values", {}).items()]
        parts += [f"the condition is {outcome}" for outcome in (step.get("outcome"),) if outcome]
        yield Step(directory / str(step["file"]), int(step["line"]), f"{step['function']}: {', '.join(parts)}")


def _outcome(results: Results, branch: StoredBranch) -> Note:
    reason = branch.reason or {}
    title = WHY_TITLES[str(reason.get("why", ""))][0]
    because = f": {reason['because']}" if reason.get("because") else ""
    column = _characters(results.line(branch.file, branch.line), branch.column)
    condition = results.condition_of(branch)
    text = f"no test takes the outcome '{branch.outcome}'{f' of {condition}' if condition else ''}. {title}{because}"
    return Note(branch.line, branch.line, column, Severity.HINT, "uncovered", text)


def _characters(line: str, column: int) -> int:
    """A column in characters, from one in bytes."""
    return len(line.encode("utf-8", "surrogateescape")[: column - 1].decode("utf-8", "replace")) + 1 if column else 0


def _lines(results: Results, name: str) -> Iterator[Note]:
    """Lines that no test runs, as many as follow one another in one note."""
    counts = results.files[name].lines if name in results.files else {}
    begun: list[int] = []
    for line in [*sorted(counts), 0]:
        if line and not counts[line]:
            begun.append(line)
        elif begun:
            text = "no test runs this"
            yield Note(begun[0], begun[-1], 0, Severity.HINT, "not-run", text, fades=True)
            begun = []


def lenses_of(results: Results, name: str) -> list[Lens]:
    """What is covered of each function, and which inputs show bugs."""
    found = [Lens(one.line, _figures(one)) for one in results.functions() if one.file == name and one.line]
    for bug in results.bugs:
        if _is_told(bug) and bug.data.get("file") == name:
            found.append(Lens(int(bug.data["line"]), f"{bug.data['kind']} with {_inputs(bug.inputs)}"))
    return sorted(found, key=lambda lens: lens.line)


def _figures(function: FunctionFigures) -> str:
    if not function.run:
        return f"{function.name}: no test runs it"
    branches = f"{function.branches_covered} of {counted(function.reachable, 'branch', 'branches')}"
    excluded = f" ({function.excluded} proved out of reach)" if function.excluded else ""
    lines = f"{function.lines_covered} of {counted(function.lines - function.excluded_lines, 'line')}"
    return f"{branches}{excluded} and {lines} covered"


def _inputs(lines: Sequence[str]) -> str:
    shown = " ".join(line.strip() for line in lines[:3])
    return (shown + (" ..." if len(lines) > 3 else "")) or "any input"
