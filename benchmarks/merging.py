"""The table ``merging``: ``clew test`` with and without merging of paths, on programs with many ways to the same place.

Every program runs in processes of its own in three ways: a test for each path (``--goal path``); every path, but only
the tests that show something (``--no-merge``); merged (``--goal error``). The first two differ in what it takes to keep
tests, the last two in merging alone. Flow variants run three times: the good half, which must give no alarm, the bad
half, whose error must be found, and both in a row, as in the suite. Other techniques are off: they would hide the
difference.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.flows import VARIANTS, write
from benchmarks.juliet import find_cases
from benchmarks.plot import ERROR, EVERY, PATH, WHOLE, plot
from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, apart, by_turns, explore
from benchmarks.subject import PROGRAMS, Error, Subject, expected_errors, nothing
from benchmarks.table import Columns, Row, Table, failures
from benchmarks.tables import machine, tables
from clew.base.errors import UserError
from clew.base.options import TestRequest

GOOD, BAD = "good", "bad"

QUICK = ("fig1*", "twenty*", "01*", "12*", "21*", "54*")
"""With --quick, whole programs only."""

STDIN = 8
"""Bytes of standard input: several lines of digits."""

_OMIT = {GOOD: ("-DOMITBAD",), BAD: ("-DOMITGOOD",), WHOLE: ()}
_WAYS = {
    PATH: {"goal": "path", "merge": False},
    EVERY: {"goal": "error", "merge": False},
    ERROR: {"goal": "error", "merge": True},
}
_OTHERS_OFF = {"stdin": STDIN, "summarize": False, "navigate": False, "invariants": False}


@tables.register("merging", "test generation with paths merged that can show nothing new, and path by path")
def measure(request: BenchRequest, say: Say) -> MergingTable:
    if request.plot is not None and not request.plot.resolve().parent.is_dir():
        raise UserError(f"--plot {request.plot}: there is no such folder")
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        subjects = chosen(request, Path(place))
        rows = []
        for number, subject in enumerate(subjects, 1):

            def run(way: str, subject: Subject = subject) -> Run:
                limit = request.seconds if way == ERROR else request.plain_limit(request.seconds)
                return apart(explore, request_of(subject, way, limit))

            title = f"{number} of {len(subjects)}: {subject.title}"
            rows.append(Row(subject, by_turns(title, _WAYS if request.plain else (ERROR,), run, request.times(), say)))
    table = MergingTable(tuple(rows), _notes(request), machine())
    if request.plot is not None:
        request.plot.write_text(plot(table), encoding="utf-8")
        say(f"plotted in {request.plot}")
    return table


def request_of(subject: Subject, way: str, seconds: float) -> TestRequest:
    """One run."""
    return subject.request(seconds, **_WAYS[way], **_OTHERS_OFF)


def chosen(request: BenchRequest, place: Path) -> list[Subject]:
    """What was asked for: the programs of the Juliet suite, or our own, which are written to ``place``."""
    found = _halves_of(find_cases(request.juliet)) if request.juliet is not None else programs(place)
    subjects = [
        subject for subject in found if request.wants(subject.name) and (not request.quick or _is_quick(subject))
    ]
    if not subjects:
        raise nothing("merging", request)
    return subjects


def _is_quick(subject: Subject) -> bool:
    return subject.kind in ("", WHOLE) and BenchRequest(only=QUICK).wants(subject.name)


def programs(place: Path) -> Iterator[Subject]:
    """Our own, in all halves; some of them are written to ``place``."""
    for name, flags in (("fig1", ()), ("fig1_twice", ("-DTWICE",)), ("twenty", ()), ("twenty_sum", ())):
        file = PROGRAMS / "merging" / f"{name.removesuffix('_twice')}.c"
        yield Subject(name, (file,), errors=expected_errors([file]), settings={"compiler_flags": flags})
    for variant in VARIANTS:
        files = write(variant, place)
        yield from _halves_of([Subject(variant.name, files, errors=expected_errors(files))])


def _halves_of(subjects: Sequence[Subject]) -> Iterator[Subject]:
    for subject in subjects:
        flags = subject.settings.get("compiler_flags", ())
        for half, omit in _OMIT.items():
            errors = frozenset() if half == GOOD else subject.errors
            yield replace(subject, kind=half, errors=errors, settings={"compiler_flags": (*flags, *omit)})


def _notes(request: BenchRequest) -> tuple[str, ...]:
    plain = f", {request.plain_limit(request.seconds):g} s without merging" if request.plain and request.quick else ""
    return (
        f"{request.times_text()}, limit {request.seconds:g} s{plain}, {STDIN} bytes of standard input",
        "paths: completed and merged (> where stopped); s: seconds, the program being loaded",
        "faster: how many times, goal error than goal path and than no merging",
        "the paper explores fig1 with 8 paths, 3 of them merged; it gives its other figures as plots only",
    )


@dataclass(frozen=True)
class MergingTable(Table):
    """Programs explored path by path, and with paths merged."""

    name = "merging"

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)
        for way, run in row.runs.items():
            if verdict(row, way) == "false alarm":
                yield f"FALSE ALARM: {row.subject.title}, {way}: {_places(set(run.errors) - row.subject.errors)}"
            elif verdict(row, way) == "missed":
                yield f"MISSED: {row.subject.title}, {way}: {_places(row.subject.errors - set(run.errors))}"
        merged = row.runs[ERROR]
        for way, run in row.runs.items():
            if way == ERROR or not (run.complete and merged.complete):
                continue
            if merged.explored > run.explored:
                yield f"MORE PATHS: {row.subject.title}: {merged.explored:,}, {way}: {run.explored:,}"
            if merged.covered != run.covered:
                yield f"WRONG COVERAGE: {row.subject.title}: {merged.covered} branches, {way}: {run.covered}"

    def findings(self) -> list[str]:
        """What merging gains: where most, and over all."""
        flows = [row for row in self.rows if row.kind]
        whole = [row for row in flows if row.kind == WHOLE] or flows
        if not whole or EVERY not in whole[0].runs:
            return []
        best = max(whole, key=lambda row: _times(row.runs[EVERY], row.runs[ERROR]))
        return [
            f"largest gain: {best.subject.title}: {_gain(best.runs)}",
            *(f"{row.subject.title}: {_gain(row.runs)}" for row in whole if row.name[:2] == "12" and row is not best),
            f"all flow variants: {_gain(_sums(flows))}",
        ]

    def columns(self) -> Iterator[Columns]:
        """A line per program and half, and per total; a group of columns per way."""
        parts = self._parts()
        names = [[row.name, row.kind] for row in self.rows] + [[title, ""] for title, _ in parts]
        yield Columns("", ("program", "half"), names)
        for way in self.rows[0].runs if self.rows else ():
            cells = [_cells(row.runs[way], verdict(row, way), way) for row in self.rows]
            cells += [_cells(_sums(rows)[way], _right(rows, way), way) for _, rows in parts]
            yield Columns(way, ("paths", "merged", "s", "verdict"), cells)
        if self.rows and EVERY in self.rows[0].runs:
            runs = [row.runs for row in self.rows] + [_sums(rows) for _, rows in parts]
            yield Columns("faster", ("path", "none"), [[_ratio(one, PATH), _ratio(one, EVERY)] for one in runs])

    def row_json(self, row: Row) -> dict[str, object]:
        return {
            "name": row.name,
            "half": row.kind,
            "expected": _errors_json(row.subject.errors),
            "runs": {way: {**_run_json(run), "verdict": verdict(row, way)} for way, run in row.runs.items()},
        }

    def more_json(self) -> dict[str, object]:
        parts = {title: _sums(rows) for title, rows in self._parts()}
        return {"totals": {title: {way: _run_json(run) for way, run in sums.items()} for title, sums in parts.items()}}

    def _parts(self) -> list[tuple[str, list[Row]]]:
        """What there are totals of: flow variants, by half."""
        flows = [row for row in self.rows if row.kind]
        halves = [(half, [row for row in flows if row.kind == half]) for half in _OMIT]
        parts = [(f"total of {len(rows)} {half}", rows) for half, rows in halves if rows]
        return [*parts, (f"total of {len(flows)}", flows)] if len(parts) > 1 else parts


def verdict(row: Row, way: str) -> str:
    """``ok`` when every error that is there was found, and no other."""
    run, expected = row.runs[way], row.subject.errors
    if run.failed:
        return "failed"
    if set(run.errors) - expected:
        return "false alarm"
    if expected - set(run.errors):
        return "missed" if run.complete else run.stopped or "lost"
    return "ok"


_COUNTS = ("paths_completed", "paths_merged", "merge_formulas", "merge_checks", "merge_hits", "solver_queries")


def _sums(rows: Sequence[Row]) -> dict[str, Run]:
    """All runs of each way together."""
    sums = {}
    for way in rows[0].runs:
        runs = [row.runs[way] for row in rows]
        sums[way] = Run(
            sum(run.seconds for run in runs),
            stopped=None if all(run.complete for run in runs) else "not all complete",
            tests=sum(run.tests for run in runs),
            covered=sum(run.covered for run in runs),
            stats={name: sum(run.count(name) for run in runs) for name in _COUNTS},
        )
    return sums


def _run_json(run: Run) -> dict[str, object]:
    return {
        "seconds": round(run.seconds, 4),
        **{name: run.count(name) for name in _COUNTS},
        "branches": run.covered,
        "tests": run.tests,
        "errors": _errors_json(run.errors),
        "stopped": run.stopped,
        "losses": list(run.losses),
        "complete": run.complete,
        "failed": run.failed,
    }


def _errors_json(errors: Collection[Error]) -> list[dict[str, object]]:
    return [{"kind": kind, "file": file, "line": line} for kind, file, line in sorted(errors)]


def _cells(run: Run, shown: str, way: str) -> list[str]:
    if run.failed:
        return ["", "", "", shown]
    more = "" if run.complete else ">"
    merged = f"{run.count('paths_merged'):,}" if way == ERROR else ""
    return [f"{more}{run.explored:,}", merged, f"{more}{run.seconds:.3f}", shown]


def _right(rows: Sequence[Row], way: str) -> str:
    return f"{sum(verdict(row, way) == 'ok' for row in rows)}/{len(rows)}"


def _times(other: Run, merged: Run) -> float:
    """How much faster merging is; at least so much, if the other was stopped."""
    return other.seconds / max(merged.seconds, 0.001)


def _ratio(runs: Mapping[str, Run], way: str) -> str:
    other, merged = runs[way], runs[ERROR]
    if other.failed or not merged.complete:
        return ""
    return f"{'' if other.complete else '>'}{_times(other, merged):.1f}"


def _gain(runs: Mapping[str, Run]) -> str:
    merged = runs[ERROR]
    others = [f"{way} {_amount(runs[way])} ({_ratio(runs, way) or '?'} times)" for way in (PATH, EVERY)]
    return f"{_amount(merged)}, {merged.count('paths_merged'):,} of them merged; {', '.join(others)}"


def _amount(run: Run) -> str:
    return f"{'' if run.complete else '>'}{run.explored:,} paths in {run.seconds:.3f} s"


def _places(errors: Collection[Error]) -> str:
    return ", ".join(f"{kind} at {file}:{line}" for kind, file, line in sorted(errors))
