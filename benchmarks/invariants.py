"""The table ``invariants``: ``clew test`` with and without linear invariants, on six programs with input-bounded loops.

Each program runs until all of its branches are covered, in processes of its own: without any other technique for loops
(``alone``), and with summaries, navigation and merging (``all``). What at most 100 paths cover is noted on the way:
that is where the paper's tool stops. A comment says how many branches can be covered (``// branches: 4``). A series of
generated programs follows, which shows what the domains cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks import covering, scaling
from benchmarks.comments import count
from benchmarks.covering import Covering
from benchmarks.invariants_table import ALL, ALONE, InvariantsTable, Row
from benchmarks.material import folder
from benchmarks.published_invariants import MOST_RUNS, published
from benchmarks.request import BenchRequest
from benchmarks.scaling import Scaling
from benchmarks.tables import RUNS, Say, machine, tables
from clew.base.errors import UserError
from clew.base.options import TestRequest

PROGRAMS = ("listing1", "listing3", "halves", "guards", "records", "twoloops")
"""In the paper's order."""

SERIES = "scaling"
"""Stands for the generated programs, where programs are named."""

_QUICK_PLAIN = 20.0


@dataclass(frozen=True, slots=True)
class Subject:
    """One program."""

    file: Path
    branches: int

    @property
    def name(self) -> str:
        return self.file.stem

    def request(self, kind: str, invariants: bool, seconds: float) -> TestRequest:
        others = kind == ALL
        return TestRequest(
            files=(self.file,),
            seconds=seconds,
            merge=others,
            summarize=others,
            navigate=others,
            invariants=invariants,
        )


@tables.register("invariants", "test generation for branches that depend on loops, with and without invariants")
def measure(request: BenchRequest, say: Say) -> InvariantsTable:
    subjects, known = chosen(request), published()
    rows = []
    for number, subject in enumerate(subjects, 1):
        for kind in (ALONE, ALL):
            runs = _runs(subject, kind, request)
            for invariants, run in runs.items():
                way = "with" if invariants else "without"
                say(f"{number} of {len(subjects)}: {subject.name}, {kind}, {way} invariants: {_said(run)}")
            paper = known.get(subject.name)
            rows.append(Row(subject.name, kind, subject.branches, runs.get(False), runs[True], paper))
    series = scaling.measure(request, say) if request.wants(SERIES) else Scaling()
    return InvariantsTable("invariants", tuple(rows), series, machine(), _notes(request, subjects, series))


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for."""
    names = [name for name in PROGRAMS if request.wants(name)]
    if not names and not request.wants(SERIES):
        raise UserError(f"no program of the table invariants is called {' or '.join(request.only)}")
    return [subject_of(folder("invariants") / f"{name}.c") for name in names]


def subject_of(path: Path) -> Subject:
    return Subject(path, count(path, path.read_text(encoding="utf-8"), "branches"))


def plain_limit(request: BenchRequest) -> float:
    return min(request.seconds, _QUICK_PLAIN) if request.quick else request.seconds


def _runs(subject: Subject, kind: str, request: BenchRequest) -> dict[bool, Covering]:
    """The runs in the middle, without and with invariants, by time; the two take turns. What the time limit has
    stopped once is not run again."""
    ways = (False, True) if request.plain else (True,)
    found: dict[bool, list[Covering]] = {invariants: [] for invariants in ways}
    for _ in range(request.repeat or (1 if request.quick else RUNS)):
        for invariants, runs in found.items():
            if not any(run.stopped for run in runs):
                limit = request.seconds if invariants else plain_limit(request)
                asked = subject.request(kind, invariants, limit)
                runs.append(covering.measure(asked, subject.branches, MOST_RUNS))
    return {way: sorted(runs, key=lambda run: run.end.seconds)[len(runs) // 2] for way, runs in found.items()}


def _said(run: Covering) -> str:
    if run.failed:
        return run.failed
    what = "all branches" if run.covered else f"{run.end.branches} branches"
    return f"{what} after {run.end.runs:,} paths, {run.end.seconds:.3f} s"


def _notes(request: BenchRequest, subjects: list[Subject], series: Scaling) -> tuple[str, ...]:
    repeat = request.repeat or (1 if request.quick else RUNS)
    runs = "one run each" if repeat == 1 else f"median of {repeat} runs"
    plain = f", {plain_limit(request):g} s without invariants" if request.plain and request.quick else ""
    notes = (
        f"{runs}, limit {request.seconds:g} s{plain}",
        f"tests, cover: branches, both after at most {MOST_RUNS} paths; runs, s: paths and seconds until all is "
        "covered (> where stopped), the program being loaded",
        "inv s: seconds for invariants, of s; tried, kept: inputs they proposed, tests made of these",
        "paper: coverage of lines, seconds on its machine; see benchmarks.published_invariants",
    )
    return (*(notes if subjects else ()), *series.notes(request.repeat))
