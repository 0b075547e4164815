"""Results side by side: rows, columns, and what is wrong in them, as text, Markdown and JSON.

Text has two lines of head, the first with titles of groups of columns, then a line per row:

                plain             KLEE
task  expected  verdict     s        s
door  TRUE         TRUE  1.50     0.25
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from benchmarks.run import Run
from benchmarks.subject import Subject
from clew import __version__


@dataclass(frozen=True, slots=True)
class Row:
    """A subject: its runs, by the way they were made, and what a paper says of it."""

    subject: Subject
    runs: Mapping[str, Run]
    paper: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def kind(self) -> str:
        return self.subject.kind


@dataclass(frozen=True, slots=True)
class Columns:
    """A group of columns: its title, their names, and the cells, line by line."""

    title: str
    names: Sequence[str]
    cells: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Table(ABC):
    """A table of ``clew bench``. Each says what its rows mean; what is here is the same for all."""

    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    machine: str = ""

    name: ClassVar[str]

    @abstractmethod
    def columns(self) -> Iterator[Columns]:
        """The first group holds names; cells of all groups have the same number of lines."""

    @abstractmethod
    def row_json(self, row: Row) -> dict[str, object]: ...

    def judge(self, row: Row) -> Iterator[str]:
        """What is wrong in a row, not merely slow."""
        yield from ()

    def findings(self) -> list[str]:
        """What the table as a whole says."""
        return []

    def more_json(self) -> dict[str, object]:
        """What this table has beside rows."""
        return {}

    def more_lines(self) -> list[str]:
        """The same as text, between findings and notes."""
        return []

    def complaints(self) -> list[str]:
        """What is wrong, a line each; anything here makes the command fail."""
        return [line for row in self.rows for line in self.judge(row)]

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "rows": [self.row_json(row) for row in self.rows],
            **self.more_json(),
            "summary": self.findings(),
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """The table as text, complaints included."""
        head = [self._title(), *aligned(self.columns()), *self.findings()]
        return [*head, *self.more_lines(), *self.notes, *self.complaints()]

    def markdown(self) -> list[str]:
        """The same for a page."""
        below = [*self.findings(), *self.notes, *self.complaints()]
        return [f"## {self._title()}", "", *piped(self.columns()), "", *(f"- {line}" for line in below)]

    def _title(self) -> str:
        return self.name + (f" on {self.machine}" if self.machine else "")


def failures(row: Row) -> Iterator[str]:
    """A line for each run that failed."""
    for way, run in row.runs.items():
        if run.failed:
            yield f"FAILED: {row.subject.title}, {way}: {run.failed}"


def wrong_verdicts(row: Row, excuse: str = "") -> Iterator[str]:
    """A line for each verdict that is wrong."""
    expected = row.subject.expected
    for way, run in row.runs.items():
        if run.wrong(expected):
            yield f"WRONG VERDICT: {row.subject.title}, {way}: {run.verdict}, expected {expected}{excuse}"


def aligned(groups: Iterable[Columns]) -> list[str]:
    """Text: names to the left, figures to the right. Columns that are empty throughout are left out; the title of a
    group reaches over all its columns."""
    names, *figures = groups
    if not names.cells:
        return []
    titles, lines = _grid([names, *map(_used, figures)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    starts = [column for column, title in enumerate(titles) if title]
    for start, end in zip(starts, [*starts, len(titles)][1:], strict=True):
        there = sum(widths[start:end]) + 2 * (end - start - 1)
        widths[start] += max(0, len(titles[start]) - there)
    text = []
    for line in lines:
        padded = [
            cell.ljust(width) if column < len(names.names) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(padded).rstrip())
    return [_title_line(titles, widths), *text] if starts else text


def piped(groups: Iterable[Columns]) -> list[str]:
    """Markdown: the title of a group is part of the names of its columns."""
    names, *figures = groups
    if not names.cells:
        return []
    grid = [
        Columns("", [f"{one.title} {name}".strip() for name in one.names], one.cells) for one in map(_used, figures)
    ]
    _, (head, *body) = _grid([names, *grid])
    rule = ["---"] * len(names.names) + ["--:"] * (len(head) - len(names.names))
    return [f"| {' | '.join(line)} |" for line in (head, rule, *body)]


def _used(group: Columns) -> Columns:
    """Without the columns that are empty."""
    used = [column for column in range(len(group.names)) if any(line[column] for line in group.cells)]
    return Columns(group.title, [group.names[i] for i in used], [[line[i] for i in used] for line in group.cells])


def _grid(groups: Sequence[Columns]) -> tuple[list[str], list[list[str]]]:
    """Titles of all columns, most of them empty; the line of names, and all lines of cells."""
    titles = [title for group in groups for title in [group.title, *[""] * len(group.names)][: len(group.names)]]
    head = [name for group in groups for name in group.names]
    body = [[cell for cells in line for cell in cells] for line in zip(*(group.cells for group in groups), strict=True)]
    return titles, [head, *body]


def _title_line(titles: Sequence[str], widths: Sequence[int]) -> str:
    line, start = "", 0
    for title, width in zip(titles, widths, strict=True):
        line = line.ljust(start) + title if title else line
        start += width + 2
    return line
