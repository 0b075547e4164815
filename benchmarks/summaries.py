"""The table ``summaries``: ``clew test`` with and without loop summaries, on programs with input-bounded loops.

Every program runs in processes of its own, once each way, and once more in this one up to generation 1. Comments of a
program say what it starts with (``// start: x=10``), options it needs, how many bugs there are, and whether it is there
to show what summaries cost where there is nothing to summarize (``// overhead``). Merging, navigation and invariants
are off: they find their way through loops by other means, and would hide the difference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import child, generations
from benchmarks.child import Explored
from benchmarks.comments import comments, count
from benchmarks.generations import Generation
from benchmarks.material import folder
from benchmarks.published_summaries import icon_files, published
from benchmarks.request import BenchRequest
from benchmarks.summaries_table import PLAIN, SUMMARIES, Row, SummariesTable
from benchmarks.tables import RUNS, Say, machine, tables
from clew.base.errors import UserError
from clew.base.options import StartValue, TestRequest

PROGRAMS = (
    "fig1", "fig2", "parser", "hundred_thousand", "nest1", "nest2", "nest3", "seq1", "seq2", "seq3", "seq4",
    "concrete", "scanner",
)  # fmt: skip

QUICK = ("fig1", "fig2", "parser", "hundred_thousand", "nest2", "seq2")

_QUICK_PLAIN = 20.0
_OPTIONS = {PLAIN: ("--no-summarize",), SUMMARIES: ()}
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')


@dataclass(frozen=True, slots=True)
class Subject:
    """One program, and what its comments say."""

    file: Path
    start: tuple[StartValue, ...]
    checks: tuple[str, ...] | None
    bugs: int
    overhead: bool

    @property
    def name(self) -> str:
        return self.file.stem

    def options(self) -> list[str]:
        """For the command."""
        checks = [] if self.checks is None else ["--check", ",".join(self.checks)]
        return [
            "--no-merge",
            "--no-navigate",
            "--no-invariants",
            "--start",
            ",".join(map(_written, self.start)),
            *checks,
        ]

    def request(self, way: str, seconds: float) -> TestRequest:
        """The same, as data, for the first generation only."""
        return TestRequest(
            files=(self.file,),
            seconds=seconds,
            checks=self.checks,
            search=generations.NAME,
            start=self.start,
            merge=False,
            navigate=False,
            invariants=False,
            summarize=way == SUMMARIES,
        )


@tables.register("summaries", "test generation for loops bounded by inputs, with and without summaries")
def measure(request: BenchRequest, say: Say) -> SummariesTable:
    subjects, known = chosen(request), published()
    ways = (PLAIN, SUMMARIES) if request.plain else (SUMMARIES,)
    runs: dict[str, dict[str, Explored]] = {}
    for number, subject in enumerate(subjects, 1):
        runs[subject.name] = _runs(subject, ways, request)
        for way, run in runs[subject.name].items():
            say(f"{number} of {len(subjects)}: {subject.name}, {way}: {_said(run)}")
    rows = []
    for subject in subjects:  # last: a process needs at least the memory of the one that starts it, by its own account
        firsts = {} if subject.overhead else {way: _first(subject, way, request, say) for way in ways}
        paper = known.get(subject.name, {})
        rows.append(Row(subject.name, subject.bugs, subject.overhead, runs[subject.name], firsts, paper))
    return SummariesTable("summaries", tuple(rows), machine(), _notes(request))


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for, in the order of ``PROGRAMS``."""
    names = [name for name in PROGRAMS if request.wants(name) and not (request.quick and name not in QUICK)]
    if not names:
        raise UserError(f"no program of the table summaries is called {' or '.join(request.only)}")
    return [subject_of(folder("summaries") / f"{name}.c") for name in names]


def subject_of(path: Path) -> Subject:
    """A program with what its comments say."""
    text = path.read_text(encoding="utf-8")
    bugs = count(path, text, "bugs")
    checks = tuple(name for line in comments(text, "check") for name in line.split(","))
    start = _start(" ".join(comments(text, "start")))
    return Subject(path, start, checks or None, bugs, re.search(r"^// overhead$", text, re.M) is not None)


def _start(text: str) -> tuple[StartValue, ...]:
    """``x=10,y=20``, ``4,4`` in call order, or ``name="bytes" "and more"``."""
    name, _, value = text.partition("=")
    if '"' in value:
        pieces: list[bytes] = [ast.literal_eval(f'b"{piece}"') for piece in _STRING.findall(value)]
        return (StartValue(name, b"".join(pieces)),)
    items = [item.rpartition("=") for item in text.split(",")]
    return tuple(StartValue(name or None, int(number, 0)) for name, _, number in items)


def _written(value: StartValue) -> str:
    """As ``--start`` takes it."""
    shown = str(value.value)
    if isinstance(value.value, bytes):
        shown = '"' + "".join(f"\\x{byte:02x}" for byte in value.value) + '"'
    return shown if value.name is None else f"{value.name}={shown}"


def plain_limit(request: BenchRequest) -> float:
    return min(request.plain_seconds, _QUICK_PLAIN) if request.quick else request.plain_seconds


def _runs(subject: Subject, ways: Sequence[str], request: BenchRequest) -> dict[str, Explored]:
    """The run in the middle, by processor time; ways take turns, so that a slow minute of the machine hits them all."""
    options = subject.options()
    for way in ways:  # fills the compile cache, which is another one where loops are watched
        child.test([subject.file], [*options, *_OPTIONS[way], "--max-instructions", "1"], request.seconds)
    found: dict[str, list[Explored]] = {way: [] for way in ways}
    for _ in range(request.repeat or (RUNS if subject.overhead else 1)):
        for way in ways:
            limit = request.seconds if way == SUMMARIES or subject.overhead else plain_limit(request)
            found[way].append(child.test([subject.file], [*options, *_OPTIONS[way]], limit))
    return {way: sorted(runs, key=lambda run: run.cpu)[len(runs) // 2] for way, runs in found.items()}


def _first(subject: Subject, way: str, request: BenchRequest, say: Say) -> Generation:
    found = generations.explore(subject.request(way, request.seconds))
    stopped = f", stopped ({found.stopped})" if found.stopped else ""
    say(f"{subject.name}, {way}, generation 1: {found.branches} branches, {_counted(found.bugs, 'bug')}{stopped}")
    return found


def _said(run: Explored) -> str:
    if run.failed:
        return run.failed
    end = f"stopped ({run.stopped})" if run.stopped else "ended"
    covered, total = run.branches
    return f"{end} after {run.seconds:.2f} s, {_counted(run.bugs, 'bug')}, {covered} of {total} branches"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _notes(request: BenchRequest) -> tuple[str, ...]:
    others = icon_files()
    loops, activations = [one.loops_summarized for one in others], [one.summaries for one in others]
    plain = f", {plain_limit(request):g} s for plain" if request.plain else ""
    runs = "one run each" if request.repeat is None else f"median of {request.repeat} runs"
    return (
        f"{runs} (overhead: median of {request.repeat or RUNS}), limit {request.seconds:g} s{plain}; > where stopped; "
        "s: the whole command",
        "gens: latest generation that ran; loops, sums: loops, and executions of them, that were summarized; "
        "removed: constraints; updates: symbolic values of variables; calls: of the solver",
        "generation 1: branches covered by the first run, by it and its siblings, by these for the first time; bugs",
        f"the paper's other {len(others)} files: {min(loops)} to {max(loops)} loops (median {median(loops):g}) and "
        f"{min(activations)} to {max(activations)} executions summarized; see benchmarks.published_summaries",
    )
