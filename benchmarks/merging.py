"""The table ``merging``: ``clew test`` with and without merging of paths, on programs with many ways to the same place.

Every program runs in processes of its own in three ways: a test for each path (``--goal path``); every path, but only
the tests that show something (``--no-merge``); merged (``--goal error``). The first two differ in what it takes to keep
tests, the last two in merging alone. Flow variants run three times: the good half, which must give no alarm, the bad
half, whose error must be found, and both in a row, as in the suite. Other techniques are off: they would hide the
difference.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import exploring
from benchmarks.exploring import Error, Exploration, expected_errors
from benchmarks.juliet import find_cases
from benchmarks.material import folder
from benchmarks.merging_flows import VARIANTS, write
from benchmarks.merging_plot import plot
from benchmarks.merging_table import BAD, ERROR, EVERY, GOOD, PATH, WHOLE, MergingTable, Row
from benchmarks.request import BenchRequest
from benchmarks.tables import Say, machine, tables
from clew.base.errors import UserError
from clew.base.options import TestRequest

QUICK = ("fig1*", "twenty*", "01*", "12*", "21*", "54*")
"""With --quick, whole programs only."""

STDIN = 8
"""Bytes of standard input: several lines of digits."""

_QUICK_PLAIN = 20.0
_OMIT = {GOOD: ("-DOMITBAD",), BAD: ("-DOMITGOOD",), WHOLE: ()}


@dataclass(frozen=True, slots=True)
class Subject:
    """One program, or one half of it, and the errors in it."""

    name: str
    files: tuple[Path, ...]
    expected: frozenset[Error]
    half: str = ""
    flags: tuple[str, ...] = ()

    def request(self, way: str, seconds: float) -> TestRequest:
        return TestRequest(
            files=self.files,
            seconds=seconds,
            stdin=STDIN,
            compiler_flags=self.flags,
            goal="path" if way == PATH else "error",
            merge=way == ERROR,
            summarize=False,
            navigate=False,
            invariants=False,
        )


@tables.register("merging", "test generation with paths merged that can show nothing new, and path by path")
def measure(request: BenchRequest, say: Say) -> MergingTable:
    if request.plot is not None and not request.plot.resolve().parent.is_dir():
        raise UserError(f"--plot {request.plot}: there is no such folder")
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        subjects = chosen(request, Path(place))
        rows = []
        for number, subject in enumerate(subjects, 1):
            row = Row(subject.name, subject.half, subject.expected, _runs(subject, request))
            for way in row.runs:
                say(f"{number} of {len(subjects)}: {row.title}, {way}: {_said(row, way)}")
            rows.append(row)
    table = MergingTable("merging", tuple(rows), machine(), _notes(request))
    if request.plot is not None:
        request.plot.write_text(plot(table), encoding="utf-8")
        say(f"plotted in {request.plot}")
    return table


def chosen(request: BenchRequest, place: Path) -> list[Subject]:
    """What was asked for: the programs of the Juliet suite, or our own, which are written to ``place``."""
    subjects = [
        subject
        for subject in (_suite(request.juliet) if request.juliet is not None else _own(place))
        if request.wants(subject.name) and (not request.quick or _is_quick(subject))
    ]
    if not subjects:
        raise UserError(f"no program of the table merging is called {' or '.join(request.only)}")
    return subjects


def _is_quick(subject: Subject) -> bool:
    return subject.half in ("", WHOLE) and BenchRequest(only=QUICK).wants(subject.name)


def _own(place: Path) -> Iterator[Subject]:
    for name, flags in (("fig1", ()), ("fig1_twice", ("-DTWICE",)), ("twenty", ()), ("twenty_sum", ())):
        file = folder("merging") / f"{name.removesuffix('_twice')}.c"
        yield Subject(name, (file,), expected_errors([file]), flags=flags)
    for variant in VARIANTS:
        files = write(variant, place)
        yield from _halves(variant.name, files, expected_errors(files))


def _suite(directory: Path) -> Iterator[Subject]:
    for case in find_cases(directory):
        flags = (f"-I{case.include}", "-DINCLUDEMAIN")
        yield from _halves(case.number, case.files, case.errors, flags)


def _halves(
    name: str, files: tuple[Path, ...], errors: frozenset[Error], flags: tuple[str, ...] = ()
) -> Iterator[Subject]:
    for half, omit in _OMIT.items():
        yield Subject(name, files, frozenset() if half == GOOD else errors, half, (*flags, *omit))


def _runs(subject: Subject, request: BenchRequest) -> dict[str, Exploration]:
    """The runs in the middle, by time; the ways take turns. What the time limit has stopped is not run again."""
    ways = (PATH, EVERY, ERROR) if request.plain else (ERROR,)
    found: dict[str, list[Exploration]] = {way: [] for way in ways}
    for _ in range(request.repeat or 1):
        for way, runs in found.items():
            if not any(run.stopped or run.failed for run in runs):
                limit = request.seconds if way == ERROR else plain_limit(request)
                runs.append(exploring.measure(subject.request(way, limit)))
    return {way: sorted(runs, key=lambda run: run.seconds)[len(runs) // 2] for way, runs in found.items()}


def plain_limit(request: BenchRequest) -> float:
    return min(request.seconds, _QUICK_PLAIN) if request.quick else request.seconds


def _said(row: Row, way: str) -> str:
    run = row.runs[way]
    return run.failed or f"{run.explored:,} paths, {run.merged:,} merged, {run.seconds:.3f} s, {row.verdict(way)}"


def _notes(request: BenchRequest) -> tuple[str, ...]:
    repeat = request.repeat or 1
    runs = "one run each" if repeat == 1 else f"median of {repeat} runs"
    plain = f", {plain_limit(request):g} s without merging" if request.plain and request.quick else ""
    return (
        f"{runs}, limit {request.seconds:g} s{plain}, {STDIN} bytes of standard input",
        "paths: completed and merged (> where stopped); s: seconds, the program being loaded",
        "faster: how many times, goal error than goal path and than no merging",
        "the paper explores fig1 with 8 paths, 3 of them merged; it gives its other figures as plots only",
    )
