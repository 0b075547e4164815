"""For the table ``loops``: what engines know about the loops of its programs, and how the newest one grows.

``relations`` reads one iteration of a loop as a relation and closes it; ``chains`` gives variables as functions of
counters; ``summaries`` generalizes an execution. A loop is ``exact`` for an engine that says all about it, ``part`` if
it says something, else ``none``. For ``chains`` all is that all variables are functions of counters, whatever values
these can have. Times are seconds of the processor, from when a program is loaded.

The series is generated: so many ways through a body by so many variables. In ``phases`` the ways follow each other, in
``choices`` inputs choose among them, so that all combinations of their counts are reached.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.loop_tasks import LoopTask
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, apart, by_turns
from benchmarks.subject import Subject
from benchmarks.table import Columns, Row, Table, aligned, failures
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import Refusal
from clew.analysis.loops.reading import Loops
from clew.analysis.mod_ref import ModRef
from clew.base.errors import ClewError
from clew.base.options import LoopsRequest
from clew.execute.context import RunOptions
from clew.jobs.loops import run_loops
from clew.jobs.prepare import load_program, make_machine
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.loop_report import LoopNote
from clew.report.records import NOT_SUMMARIZED, SOUND

EXACT, PART, NONE = "exact", "part", "none"
WAYS = RELATIONS, CHAINS, SUMMARIES = "relations", "chains", "summaries"
SHAPES = PHASES, CHOICES = "phases", "choices"
SIZES = tuple((pieces, variables) for pieces in (1, 2, 4, 8, 16) for variables in (1, 2, 4, 8))

_QUICK = ((1, 1), (2, 2), (4, 4))

Engine = Callable[[Sequence[Path]], Run]


def relate(files: Sequence[Path]) -> Run:
    """Every loop of these programs as a relation, closed."""
    return _watched(files, _related)


def count_chains(files: Sequence[Path]) -> Run:
    """Every loop of these programs by chains and counters."""
    return _watched(files, lambda file: _noted(file, run=False, status=_by_chains))


def summarize(files: Sequence[Path]) -> Run:
    """Every loop of these programs that a short run comes to, by summaries."""
    return _watched(files, lambda file: _noted(file, run=True, status=_by_summaries))


ENGINES: dict[str, Engine] = {RELATIONS: relate, CHAINS: count_chains, SUMMARIES: summarize}


def _watched(files: Sequence[Path], engine: Callable[[Path], Iterable[tuple[str, float]]]) -> Run:
    """Counts of what is known of the loops of all files, and seconds. The first file is for warming up, too."""
    try:
        for file in files[:1]:
            list(engine(file))
        found = [one for file in files for one in engine(file)]
    except ClewError as problem:
        return Run(failed=str(problem))
    times = [seconds for _, seconds in found]
    stats = {"loops": len(found), **Counter(status for status, _ in found), "slowest": max(times, default=0.0)}
    return Run(sum(times), verdict="TRUE", stats=stats)


def _related(file: Path) -> Iterator[tuple[str, float]]:
    program = load_program(LoopsRequest(files=(file,)), Listener())
    machine = make_machine(program, RunOptions())
    loops = Loops(ModRef(program, machine.callees))
    begun = time.process_time()
    for function, header in _headers(program):
        closure = loops.closure(function, header)
        status = NONE if isinstance(closure, Refusal) else EXACT if closure.exact else PART
        yield status, time.process_time() - begun
        begun = time.process_time()


def _headers(program: Program) -> Iterator[tuple[str, str]]:
    for function in program.functions.values():
        if not function.is_declaration and function.name not in program.runtime:
            graph = control_flow(function)
            yield from ((function.name, graph.names[loop.header]) for loop in reversed(loop_forest(graph).loops))


def _noted(file: Path, run: bool, status: Callable[[LoopNote], str]) -> Iterator[tuple[str, float]]:
    begun = time.process_time()
    report = run_loops(LoopsRequest(files=(file,), run=run), Listener())
    notes = [note for function in report.functions for loop in function.loops for note in _all(loop)]
    unsupported = sum(bool(function.unsupported) for function in report.functions)
    found = [status(note) for note in notes] + [NONE] * unsupported
    taken = time.process_time() - begun
    yield from ((one, taken / len(found)) for one in found)


def _all(note: LoopNote) -> Iterator[LoopNote]:
    yield note
    for inner in note.loops:
        yield from _all(inner)


def _by_chains(note: LoopNote) -> str:
    known = [variable.kind != "unknown" for variable in note.variables]
    return EXACT if all(known) else PART if any(known) else NONE


def _by_summaries(note: LoopNote) -> str:
    statement = None if note.summary is None else note.summary.statement
    if statement is None or statement.status == NOT_SUMMARIZED:
        return NONE
    return EXACT if statement.status == SOUND else PART


def source(shape: str, pieces: int, variables: int) -> str:
    """A program of the series."""
    names = [f"v{number}" for number in range(variables)]
    lines = ["extern unsigned __VERIFIER_nondet_uint(void);", "", "int main(void) {"]
    lines += [f"  int {name} = 0;" for name in names]
    lines += ["  int i = 0, n = (int)(__VERIFIER_nondet_uint() % 100000);", "  while (i < n) {"]
    if shape == CHOICES:
        lines += ["    unsigned c = __VERIFIER_nondet_uint();"]
    for piece in range(pieces):
        condition = f"c == {piece}" if shape == CHOICES else f"i < {1000 * (piece + 1)}"
        last = "" if piece == pieces - 1 else f"if ({condition}) "
        steps = " ".join(f"{name} += {1 + (piece + number) % 3};" for number, name in enumerate(names))
        lines += [f"    {'else ' if piece else ''}{last}{{ {steps} }}"]
    total = " + ".join(names)
    return "\n".join([*lines, "    i++;", "  }", f"  return {total} > 1000;", "}", ""])


def _engine_on(files: Sequence[Path]) -> Callable[[str], Run]:
    """What runs an engine, by its name, on some files."""
    return lambda way: apart(ENGINES[way], files)


def measure_engines(tasks: Sequence[LoopTask], request: BenchRequest, say: Say) -> EnginesTable:
    """All programs of a kind in one process, for each engine."""
    groups: dict[str, list[Path]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).extend(task.files if not task.kind else ())
    ways = WAYS if request.plain else (RELATIONS,)
    rows = []
    for group, files in groups.items():
        runs = by_turns(f"engines: {group}", ways, _engine_on(files), request.times(), say)
        rows.append(Row(Subject(group, tuple(files)), runs))
    return EnginesTable(tuple(rows))


def measure_series(request: BenchRequest, say: Say) -> SeriesTable:
    """Both shapes of every size, each in a process of its own."""
    rows = []
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        for pieces, variables in _QUICK if request.quick else SIZES:

            def run(shape: str, pieces: int = pieces, variables: int = variables) -> Run:
                file = Path(place) / f"{shape}_{pieces}_{variables}.c"
                file.write_text(source(shape, pieces, variables), encoding="utf-8")
                return apart(relate, (file,))

            name = f"{pieces} x {variables}"
            rows.append(
                Row(Subject(name, ()), by_turns(f"pieces x variables {name}", SHAPES, run, request.times(), say))
            )
    return SeriesTable(tuple(rows))


class _Part(Table):
    """Part of another table."""

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)

    def lines(self) -> list[str]:
        return [*aligned(self.columns()), *self.findings()]

    def row_json(self, row: Row) -> dict[str, object]:
        return {"name": row.name, "runs": {way: _run_json(run) for way, run in row.runs.items()}}

    def to_json(self) -> dict[str, object]:
        return {"rows": [self.row_json(row) for row in self.rows], "summary": self.findings()}


@dataclass(frozen=True)
class EnginesTable(_Part):
    """A row per kind of loops, a way per engine."""

    name = "engines"

    def columns(self) -> Iterator[Columns]:
        yield Columns("", ("loops of",), [[row.name] for row in self.rows])
        for way in self.rows[0].runs if self.rows else ():
            cells = [_engine_cells(row.runs[way]) for row in self.rows]
            yield Columns(way, (EXACT, PART, NONE, "ms each", "slowest"), cells)

    def findings(self) -> list[str]:
        ways = self.rows[0].runs if self.rows else ()
        return [_sums(way, [row.runs[way] for row in self.rows]) for way in ways]


@dataclass(frozen=True)
class SeriesTable(_Part):
    """A row per size, a way per shape."""

    name = "series"

    def columns(self) -> Iterator[Columns]:
        yield Columns("", ("pieces", "variables"), [row.name.split(" x ") for row in self.rows])
        for shape in SHAPES:
            yield Columns(shape, ("known", "ms"), [_series_cells(row.runs[shape]) for row in self.rows])


def _sums(way: str, runs: Sequence[Run]) -> str:
    count = {name: sum(run.count(name) for run in runs) for name in (EXACT, PART, NONE)}
    seconds = sum(run.seconds for run in runs)
    loops = sum(count.values())
    return f"{way}: {count[EXACT]} of {loops} loops exact, {count[PART]} in part, {count[NONE]} not; {seconds:.1f} s"


def _engine_cells(run: Run) -> list[str]:
    if run.failed:
        return ["failed", "", "", "", ""]
    each = 1000 * run.seconds / max(1, run.count("loops"))
    counts = [str(run.count(name)) for name in (EXACT, PART, NONE)]
    return [*counts, f"{each:.1f}", f"{1000 * run.stats['slowest']:.0f}"]


def _series_cells(run: Run) -> list[str]:
    if run.failed:
        return ["failed", ""]
    return [next(name for name in (EXACT, PART, NONE) if run.count(name)), f"{1000 * run.seconds:.1f}"]


def _run_json(run: Run) -> dict[str, object]:
    return {**run.stats, "seconds": round(run.seconds, 4), "failed": run.failed}
