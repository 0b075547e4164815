"""The table ``loops``: verdicts of ``clew verify`` on the tasks about loops, and what engines know about these loops.

Every task runs in a process of its own, start-up included, with 15 s for each unless ``--time`` says otherwise. Every
task has a twin with the other verdict, so that an answer that is always the same is right on half of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.configurations import DEFAULT, VERIFY, check, configurations
from benchmarks.loop_engines import EnginesTable, SeriesTable, measure_engines, measure_series
from benchmarks.loop_tasks import LoopTask, loop_tasks
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, by_turns, command
from benchmarks.subject import nothing
from benchmarks.table import Columns, Row, Table, failures, wrong_verdicts
from benchmarks.tables import machine, tables

SECONDS = 15.0
"""The time limit of one run, unless the user names another."""

ENGINES, SERIES = "engines", "series"
"""Stand for the parts without verdicts, where tasks are named."""

_FIGURES = ("verdict", "s", "cpu s")


@tables.register("loops", "verdicts on tasks about loops of all kinds, safe and unsafe")
def measure(request: BenchRequest, say: Say) -> LoopsTable:
    check(request.ways)
    tasks = chosen(request)
    engines = measure_engines(tasks or loop_tasks(), request, say) if request.wants(ENGINES) else EnginesTable()
    series = measure_series(request, say) if request.wants(SERIES) else SeriesTable()
    ways = configurations(VERIFY, request.ways or (DEFAULT,))
    rows = []
    for number, task in enumerate(tasks, 1):

        def verify(way: str, task: LoopTask = task) -> Run:
            return command(VERIFY, task.files, [*task.options, *ways[way]], request.seconds)

        rows.append(Row(task, by_turns(f"{number} of {len(tasks)}: {task.title}", ways, verify, request.times(), say)))
    note = f"{request.times_text()}, limit {request.seconds:g} s; s: the whole command; verdict in totals: right ones"
    return LoopsTable(tuple(rows), (note,) if rows else (), machine(), engines, series)


def chosen(request: BenchRequest) -> list[LoopTask]:
    """The tasks that were asked for, twins with their originals; with --quick the first file of each kind."""
    tasks = [task for task in loop_tasks() if request.wants(task.name) or request.wants(task.group)]
    if request.quick:
        first = {task.group: task.name for task in reversed(tasks)}
        tasks = [task for task in tasks if task.name == first[task.group]]
    if not tasks and not request.wants(ENGINES) and not request.wants(SERIES):
        raise nothing("loops", request)
    return tasks


@dataclass(frozen=True)
class LoopsTable(Table):
    """A line per task, then one per kind of loop, and one for all; engines and the series, where they were measured."""

    engines: EnginesTable = field(default_factory=EnginesTable)
    series: SeriesTable = field(default_factory=SeriesTable)

    name = "loops"

    def complaints(self) -> list[str]:
        return [*super().complaints(), *self.engines.complaints(), *self.series.complaints()]

    def more_lines(self) -> list[str]:
        return [*self.engines.lines(), *self.series.lines()]

    def markdown(self) -> list[str]:
        parts = [part for part in (self.engines, self.series) if part.rows]
        return [*super().markdown(), *(line for part in parts for line in ("", *part.markdown()))]

    def judge(self, row: Row) -> Iterator[str]:
        yield from wrong_verdicts(row)
        yield from failures(row)

    def ways(self) -> list[str]:
        return list(self.rows[0].runs) if self.rows else []

    def columns(self) -> Iterator[Columns]:
        parts = self.parts()
        names = [[row.name, row.kind, row.subject.expected] for row in self.rows]
        yield Columns("", ("task", "", "expected"), [*names, *([title, "", ""] for title in parts)])
        for way in self.ways():
            cells = [_cells(row, way) for row in self.rows] + [_total_cells(rows, way) for rows in parts.values()]
            yield Columns(way, _FIGURES, cells)

    def parts(self) -> dict[str, list[Row]]:
        """What there are totals of."""
        if not self.rows:
            return {}
        groups: dict[str, list[Row]] = {}
        for row in self.rows:
            groups.setdefault(row.name.partition("/")[0], []).append(row)
        return {f"total of {len(rows)} {name}": rows for name, rows in groups.items()} | {
            f"total of {len(self.rows)}": list(self.rows)
        }

    def findings(self) -> list[str]:
        """A line per way."""
        return [_finding(way, total(self.rows, way)) for way in self.ways()]

    def row_json(self, row: Row) -> dict[str, object]:
        expected = row.subject.expected
        runs = {
            way: {**run.verdict_json(), "cpu": round(run.cpu, 3), "wrong": run.wrong(expected)}
            for way, run in row.runs.items()
        }
        return {"name": row.name, "kind": row.kind, "expected": expected, "runs": runs}

    def more_json(self) -> dict[str, object]:
        totals = {title: {way: total(rows, way) for way in self.ways()} for title, rows in self.parts().items()}
        return {"totals": totals, "engines": self.engines.to_json(), "series": self.series.to_json()}


def total(rows: Sequence[Row], way: str) -> dict[str, float]:
    """How many tasks are right, wrong and unknown, and what all took."""
    runs = [(row.runs[way], row.subject.expected) for row in rows]
    right, wrong = (
        sum(run.decided and run.wrong(expected) is which for run, expected in runs) for which in (False, True)
    )
    return {
        "tasks": len(rows),
        "right": right,
        "wrong": wrong,
        "unknown": len(rows) - right - wrong,
        "seconds": round(sum(run.seconds for run, _ in runs), 3),
        "cpu": round(sum(run.cpu for run, _ in runs), 3),
    }


def _finding(way: str, all_of: dict[str, float]) -> str:
    share = 100 * all_of["right"] / all_of["tasks"]
    return (
        f"{way}: {share:.1f} % right, {all_of['wrong']} wrong, {all_of['unknown']} unknown of {all_of['tasks']} tasks"
    )


def _cells(row: Row, way: str) -> list[str]:
    run = row.runs[way]
    return [run.shown(row.subject.expected), f"{run.seconds:.2f}", f"{run.cpu:.2f}"]


def _total_cells(rows: Sequence[Row], way: str) -> list[str]:
    sums = total(rows, way)
    return [f"{sums['right']}/{sums['tasks']}", f"{sums['seconds']:.1f}", f"{sums['cpu']:.1f}"]
