"""Several ways to verify the same tasks, side by side: the table, its totals, and what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.child import FAILED, Measured
from benchmarks.columns import add_columns, aligned
from benchmarks.published import Published
from benchmarks.tasks import SAFE, UNSAFE
from clew import __version__

_DECIDED = (SAFE, UNSAFE)


@dataclass(frozen=True, slots=True)
class Row:
    """One task: the right verdict, what each way made of it, what others report."""

    name: str
    expected: str
    runs: Mapping[str, Measured]
    others: Mapping[str, Published] = field(default_factory=dict)

    def wrong(self, way: str) -> bool:
        """A verdict that contradicts the right one (no verdict is not wrong)."""
        verdict = self.runs[way].verdict
        return verdict in _DECIDED and verdict != self.expected

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "expected": self.expected,
            "runs": {way: {**run.to_json(), "wrong": self.wrong(way)} for way, run in self.runs.items()},
            "others": {tool: figures.to_json() for tool, figures in self.others.items()},
        }


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """A table of ``clew bench`` whose rows are tasks."""

    name: str
    rows: tuple[Row, ...]
    ways: tuple[str, ...]
    shown: tuple[str, ...] = ()
    """Other tools with columns in the text; JSON has all."""
    machine: str = ""
    notes: tuple[str, ...] = ()
    bounded: bool = False
    """Were the loops cut short, so that a violation may be out of reach?"""

    def complaints(self) -> list[str]:
        """One line per verdict that is wrong and per run that failed."""
        found = []
        for row in self.rows:
            for way, run in row.runs.items():
                if row.wrong(way):
                    excuse = " (or the violation is beyond the bound)" if self._excused(row) else ""
                    found.append(f"WRONG VERDICT: {row.name}, {way}: {run.verdict}, expected {row.expected}{excuse}")
                elif run.verdict == FAILED:
                    found.append(f"FAILED: {row.name}, {way}: {run.reason}")
        return found

    def _excused(self, row: Row) -> bool:
        return self.bounded and row.expected == UNSAFE

    def to_json(self) -> dict[str, object]:
        return {
            "clew": __version__,
            "table": self.name,
            "machine": self.machine,
            "ways": list(self.ways),
            "rows": [row.to_json() for row in self.rows],
            "totals": {title: {way: _sum(rows, way).to_json() for way in self.ways} for title, rows in self._parts()},
            "complaints": self.complaints(),
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """Aligned text: a line per task, a group of columns per way and tool; empty columns are left out."""
        head = [["", ""], ["task", "expected"]]
        body = [[row.name, row.expected] for row in self.rows]
        parts = self._parts()
        body += [[title, ""] for title, _ in parts]
        for way in self.ways:
            cells = [_run_cells(row, way) for row in self.rows] + [_sum(rows, way).cells() for _, rows in parts]
            add_columns(head, body, way, ("verdict", "s", "paths", "instructions"), cells)
        for tool in self.shown:
            others = [row.others.get(tool, Published()) for row in self.rows]
            others += [_sum_published(row.others.get(tool) for row in rows) for _, rows in parts]
            add_columns(head, body, tool, ("s", "paths", "instructions"), [_published_cells(other) for other in others])
        title = self.name + (f" on {self.machine}" if self.machine else "")
        return [title, *aligned([*head, *body]), *self.notes, *self.complaints()]

    def _parts(self) -> list[tuple[str, list[Row]]]:
        """What there are totals of."""
        safe = [row for row in self.rows if row.expected == SAFE]
        unsafe = [row for row in self.rows if row.expected == UNSAFE]
        parts = [(f"total of {len(safe)} safe", safe), (f"total of {len(unsafe)} unsafe", unsafe)]
        parts.append((f"total of {len(self.rows)}", list(self.rows)))
        return [(title, rows) for title, rows in parts if rows]


@dataclass(frozen=True, slots=True)
class _Sum:
    """One way over several tasks."""

    correct: int
    tasks: int
    seconds: float
    paths: int
    instructions: int
    complete: bool
    """False when some run was stopped: the true sums are larger."""

    def cells(self) -> list[str]:
        more = "" if self.complete else ">"
        sums = [f"{self.seconds:.2f}", f"{self.paths:,}", f"{self.instructions:,}"]
        return [f"{self.correct}/{self.tasks}", *(more + cell for cell in sums)]

    def to_json(self) -> dict[str, object]:
        return {
            "correct": self.correct,
            "tasks": self.tasks,
            "seconds": round(self.seconds, 3),
            "paths": self.paths,
            "instructions": self.instructions,
            "complete": self.complete,
        }


def _sum(rows: Sequence[Row], way: str) -> _Sum:
    runs = [row.runs[way] for row in rows]
    return _Sum(
        sum(run.verdict == row.expected for row, run in zip(rows, runs, strict=True)),
        len(rows),
        sum(run.seconds for run in runs),
        sum(run.paths for run in runs),
        sum(run.instructions for run in runs),
        all(run.verdict in _DECIDED for run in runs),
    )


def _sum_published(items: Iterable[Published | None]) -> Published:
    known = [item for item in items if item is not None]
    seconds = [item.seconds for item in known if item.seconds is not None]
    paths = [item.paths for item in known if item.paths is not None]
    instructions = [item.instructions for item in known if item.instructions is not None]
    return Published(
        sum(seconds) if seconds else None, sum(paths) if paths else None, sum(instructions) if instructions else None
    )


def _run_cells(row: Row, way: str) -> list[str]:
    run = row.runs[way]
    verdict = run.verdict + ("!" if row.wrong(way) else "")
    if verdict == "UNKNOWN" and run.stopped:
        verdict = run.stopped
    return [verdict, f"{run.seconds:.2f}", f"{run.paths:,}", f"{run.instructions:,}"]


def _published_cells(item: Published) -> list[str]:
    return [
        "" if item.seconds is None else f"{item.seconds:.2f}",
        "" if item.paths is None else f"{item.paths:,}",
        "" if item.instructions is None else f"{item.instructions:,}",
    ]
