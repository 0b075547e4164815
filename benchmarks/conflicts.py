"""The table ``conflicts``: verdicts and cost of ``clew verify`` without and with learning from conflicts.

Every task runs in a process of its own, once per way to decide. Without ``--tasks`` these are Clew's own programs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks import child
from benchmarks.child import Measured
from benchmarks.comparison import Row, VerdictTable
from benchmarks.material import folder
from benchmarks.published import BOUND, KLEE, KLEE_NOW, kite, published, thesis_instances
from benchmarks.request import BenchRequest
from benchmarks.sources import bounded, visible_errors
from benchmarks.tables import Say, machine, tables
from benchmarks.tasks import SAFE, UNSAFE, Task, find_tasks
from clew.base.errors import UserError

PLAIN = "plain"
THESIS = "thesis"
"""The word for ``--only`` that stands for the tasks of the thesis."""

_PLAIN = ("--strategy", "plain")

SHOWN = (KLEE, kite("learn:10"), KLEE_NOW)
"""Published figures in the text: Kite with the strategy that the thesis found best."""


@tables.register("conflicts", "verdicts and cost of learning from conflicts")
def measure(request: BenchRequest, say: Say) -> VerdictTable:
    tasks, ways, known = chosen(request), ways_of(request), published()
    rows = []
    for number, task in enumerate(tasks, 1):
        runs: dict[str, Measured] = {}
        with prepared(task, request.bound) as (files, options):
            child.verify(files, [*_PLAIN, "--max-instructions", "1", *options], request.seconds)  # fills the cache
            for way, chosen_way in ways.items():
                runs[way] = _median(files, [*chosen_way, *options], request)
                say(f"{number} of {len(tasks)}: {task.name}, {way}: {_said(runs[way])}")
        rows.append(Row(task.name, task.expected, runs, known.get(task.instance, {})))
    cut = request.bound is not None or request.unroll not in (None, "dynamic")
    return VerdictTable("conflicts", tuple(rows), tuple(ways), SHOWN, machine(), _notes(request), cut)


def ways_of(request: BenchRequest) -> dict[str, list[str]]:
    """The options of each way that is compared."""
    unroll = [] if request.unroll is None else ["--unroll", request.unroll]
    ways = {PLAIN: [*_PLAIN, *unroll]} if request.plain else {}
    return ways | {decide: ["--strategy", "conflicts", "--decide", decide, *unroll] for decide in request.decide}


def chosen(request: BenchRequest) -> list[Task]:
    """The tasks that were asked for, safe ones first."""
    own = request.tasks is None
    tasks = find_tasks(folder("conflicts"), None) if request.tasks is None else find_tasks(request.tasks)
    kept = [task for task in tasks if not request.only or any(_matches(task, pattern) for pattern in request.only)]
    if not kept:
        where = "Clew's own programs" if own else str(request.tasks)
        raise UserError(f"no task in {where} is called {' or '.join(request.only)}")
    return kept


def _matches(task: Task, pattern: str) -> bool:
    if pattern == THESIS:
        return task.instance in thesis_instances()
    return fnmatchcase(task.name, pattern) or fnmatchcase(task.instance, pattern)


@contextmanager
def prepared(task: Task, bound: int | None) -> Iterator[tuple[list[Path], list[str]]]:
    """The files to verify, rewritten in a temporary folder where that is needed, and the options they need."""
    options = [] if task.data_model is None else ["--data-model", task.data_model]
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


def _median(files: Sequence[Path], options: Sequence[str], request: BenchRequest) -> Measured:
    """The run in the middle, by time; one run unless more are asked for."""
    runs = [child.verify(files, options, request.seconds) for _ in range(request.repeat or 1)]
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]


def _said(run: Measured) -> str:
    why = "" if run.verdict in (SAFE, UNSAFE) or not run.reason else f" ({run.reason})"
    return f"{run.verdict} in {run.seconds:.2f} s{why}"


def _notes(request: BenchRequest) -> tuple[str, ...]:
    count = "one run each" if (request.repeat or 1) == 1 else f"median of {request.repeat} runs"
    limit = f"limit {request.seconds:g} s"
    notes = [f"{count}, {limit}; s: the whole command, warm compile cache; verdict in totals: correct ones"]
    if request.tasks is not None:
        form = "as they are" if request.bound is None else f"every while (1) bounded to {request.bound} passes"
        notes.append(f"tasks {form}; published figures: bounded to {BOUND}, other machines, see benchmarks.published")
    return tuple(notes)
