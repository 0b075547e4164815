"""The table ``conflicts``: verdicts and cost of ``clew verify`` without and with learning from conflicts.

Every task runs in a process of its own, once per way to decide. Without ``--tasks`` these are Clew's own programs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks.papers import paper
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, by_turns, command
from benchmarks.sources import bounded, visible_errors
from benchmarks.subject import PROGRAMS
from benchmarks.table import Columns, Row, Table, failures, wrong_verdicts
from benchmarks.tables import machine, tables
from benchmarks.tasks import SAFE, UNSAFE, Task, find_tasks
from clew.base.errors import UserError

PLAIN = "plain"
THESIS = "thesis"
"""The word for ``--only`` that stands for the tasks of the thesis."""

SHOWN = ("KLEE 2012", "Kite learn:10", "KLEE 3.2")
"""Published figures in the text, JSON has all: Kite with the strategy that the thesis found best."""

_PLAIN = ("--strategy", "plain")
_FIGURES = ("seconds", "paths", "instructions")
_NAMES = ("s", "paths", "instructions")


@tables.register("conflicts", "verdicts and cost of learning from conflicts")
def measure(request: BenchRequest, say: Say) -> ConflictsTable:
    tasks, ways, known = chosen(request), ways_of(request), paper("conflicts")["tasks"]
    rows = []
    for number, task in enumerate(tasks, 1):
        with prepared(task, request.bound) as (files, options):

            def verify(way: str, files: Sequence[Path] = files, options: Sequence[str] = options) -> Run:
                return command("verify", files, [*ways[way], *options], request.seconds)

            command("verify", files, [*_PLAIN, "--max-instructions", "1", *options], request.seconds)  # fills the cache
            runs = by_turns(f"{number} of {len(tasks)}: {task.name}", ways, verify, request.times(), say)
        rows.append(Row(task, runs, known.get(task.instance, {})))
    cut = request.bound is not None or request.unroll not in (None, "dynamic")
    return ConflictsTable(tuple(rows), _notes(request), machine(), cut)


def ways_of(request: BenchRequest) -> dict[str, list[str]]:
    """The options of each way that is compared."""
    unroll = [] if request.unroll is None else ["--unroll", request.unroll]
    ways = {PLAIN: [*_PLAIN, *unroll]} if request.plain else {}
    return ways | {decide: ["--strategy", "conflicts", "--decide", decide, *unroll] for decide in request.decide}


def chosen(request: BenchRequest) -> list[Task]:
    """The tasks that were asked for, safe ones first."""
    own = request.tasks is None
    tasks = find_tasks(PROGRAMS / "conflicts", None) if request.tasks is None else find_tasks(request.tasks)
    kept = [task for task in tasks if not request.only or any(_matches(task, pattern) for pattern in request.only)]
    if not kept:
        where = "Clew's own programs" if own else str(request.tasks)
        raise UserError(f"no task in {where} is called {' or '.join(request.only)}")
    return kept


def _matches(task: Task, pattern: str) -> bool:
    if pattern == THESIS:
        return task.instance in thesis_instances()
    return fnmatchcase(task.name, pattern) or fnmatchcase(task.instance, pattern)


def thesis_instances() -> frozenset[str]:
    """The 35 tasks of the thesis: CBMC ran on these."""
    return frozenset(name for name, tools in paper("conflicts")["tasks"].items() if "CBMC 4.7" in tools)


@contextmanager
def prepared(task: Task, bound: int | None) -> Iterator[tuple[list[Path], list[str]]]:
    """The files to verify, rewritten in a temporary folder where that is needed, and the options they need."""
    options = list(task.options)
    with tempfile.TemporaryDirectory(prefix="clew-task-") as name:
        files = []
        for file in task.files:
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            wanted = visible_errors(text) if task.label else text
            wanted = wanted if bound is None else bounded(wanted, bound)
            if wanted == text:
                files.append(file)
                continue
            copy = Path(name) / file.name
            copy.write_text(wanted, encoding="utf-8", errors="surrogateescape")
            files.append(copy)
            if "-iquote" not in options:
                options += ["-iquote", str(file.parent.resolve())]
        yield files, options


def _notes(request: BenchRequest) -> tuple[str, ...]:
    limit = f"limit {request.seconds:g} s"
    notes = [
        f"{request.times_text()}, {limit}; s: the whole command, warm compile cache; verdict in totals: correct ones"
    ]
    if request.tasks is not None:
        form = "as they are" if request.bound is None else f"every while (1) bounded to {request.bound} passes"
        bound = paper("conflicts")["bound"]
        notes.append(
            f"tasks {form}; published figures: bounded to {bound}, other machines, see benchmarks/papers/conflicts.json"
        )
    return tuple(notes)


@dataclass(frozen=True)
class ConflictsTable(Table):
    """Several ways to verify the same tasks."""

    bounded: bool = False
    """Were the loops cut short, so that a violation may be out of reach?"""

    name = "conflicts"

    def judge(self, row: Row) -> Iterator[str]:
        excused = self.bounded and row.subject.expected == UNSAFE
        yield from wrong_verdicts(row, " (or the violation is beyond the bound)" if excused else "")
        yield from failures(row)

    def ways(self) -> list[str]:
        return list(self.rows[0].runs) if self.rows else []

    def columns(self) -> Iterator[Columns]:
        """A line per task and total, a group of columns per way and tool."""
        parts = self._parts()
        names = [[row.name, row.subject.expected] for row in self.rows] + [[title, ""] for title, _ in parts]
        yield Columns("", ("task", "expected"), names)
        for way in self.ways():
            cells = [_run_cells(row, way) for row in self.rows] + [_sum_cells(rows, way) for _, rows in parts]
            yield Columns(way, ("verdict", *_NAMES), cells)
        for tool in SHOWN:
            others = [row.paper.get(tool, {}) for row in self.rows]
            others += [_sum_published(row.paper.get(tool, {}) for row in rows) for _, rows in parts]
            yield Columns(tool, _NAMES, [_published_cells(other) for other in others])

    def row_json(self, row: Row) -> dict[str, object]:
        expected = row.subject.expected
        return {
            "name": row.name,
            "expected": expected,
            "runs": {way: {**run.verdict_json(), "wrong": run.wrong(expected)} for way, run in row.runs.items()},
            "others": row.paper,
        }

    def more_json(self) -> dict[str, object]:
        totals = {title: {way: _sum(rows, way) for way in self.ways()} for title, rows in self._parts()}
        return {"ways": self.ways(), "totals": totals}

    def _parts(self) -> list[tuple[str, list[Row]]]:
        """What there are totals of."""
        safe = [row for row in self.rows if row.subject.expected == SAFE]
        unsafe = [row for row in self.rows if row.subject.expected == UNSAFE]
        parts = [(f"total of {len(safe)} safe", safe), (f"total of {len(unsafe)} unsafe", unsafe)]
        parts.append((f"total of {len(self.rows)}", list(self.rows)))
        return [(title, rows) for title, rows in parts if rows]


def _sum(rows: Sequence[Row], way: str) -> dict[str, float]:
    """One way over several tasks; not complete when some run was stopped: the true sums are larger."""
    runs = [row.runs[way] for row in rows]
    return {
        "correct": sum(row.runs[way].verdict == row.subject.expected for row in rows),
        "tasks": len(rows),
        "seconds": round(sum(run.seconds for run in runs), 3),
        "paths": sum(run.paths for run in runs),
        "instructions": sum(run.count("instructions") for run in runs),
        "complete": all(run.decided for run in runs),
    }


def _sum_cells(rows: Sequence[Row], way: str) -> list[str]:
    total = _sum(rows, way)
    more = "" if total["complete"] else ">"
    sums = [f"{total['seconds']:.2f}", f"{total['paths']:,}", f"{total['instructions']:,}"]
    return [f"{total['correct']}/{total['tasks']}", *(more + cell for cell in sums)]


def _run_cells(row: Row, way: str) -> list[str]:
    run = row.runs[way]
    return [run.shown(row.subject.expected), f"{run.seconds:.2f}", f"{run.paths:,}", f"{run.count('instructions'):,}"]


Published = Mapping[str, float | None]
"""Seconds, paths and instructions of another tool, as far as they are known."""


def _sum_published(items: Iterable[Published]) -> Published:
    known = list(items)
    values = {name: [value for one in known if (value := one.get(name)) is not None] for name in _FIGURES}
    return {name: sum(found) if found else None for name, found in values.items()}


def _published_cells(item: Published) -> list[str]:
    seconds, paths, instructions = (item.get(name) for name in _FIGURES)
    return [
        "" if seconds is None else f"{seconds:.2f}",
        "" if paths is None else f"{paths:,}",
        "" if instructions is None else f"{instructions:,}",
    ]
