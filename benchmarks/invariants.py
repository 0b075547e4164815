"""The table ``invariants``: ``clew test`` with and without linear invariants, on six programs with input-bounded loops.

Each program runs until all of its branches are covered, in processes of its own: without any other technique for loops
(``alone``), and with summaries, navigation and merging (``all``). What at most 100 paths cover is noted on the way:
that is where the paper's tool stops. A comment says how many branches can be covered (``// branches: 4``). A series of
generated programs follows, which shows what the domains cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks import scaling
from benchmarks.papers import paper
from benchmarks.request import RUNS, BenchRequest
from benchmarks.run import END, LIMIT, Mark, Run, Say, apart, by_turns, watch
from benchmarks.scaling import Scaling
from benchmarks.subject import Subject, count, own
from benchmarks.table import Columns, Row, Table, failures
from benchmarks.tables import machine, tables

ORDER = ("listing1", "listing3", "halves", "guards", "records", "twoloops")
"""In the paper's order."""

SERIES = "scaling"
"""Stands for the generated programs, where programs are named."""

ALONE, ALL = "alone", "all"
"""Kinds of rows: no other technique is on; all are."""

WITHOUT, WITH = "without invariants", "with invariants"

COMPARED = SOONER, SAME, LATER = "sooner", "as soon", "later"

MOST_RUNS: int = paper("invariants")["most_runs"]

_NOISE = 0.1
_CLOCK = 0.002
"""Two times are the same if they differ by less than this part, or by fewer seconds."""
_FIGURES = ("tests", "cover", "runs", "s")


@tables.register("invariants", "test generation for branches that depend on loops, with and without invariants")
def measure(request: BenchRequest, say: Say) -> InvariantsTable:
    subjects, known = chosen(request), paper("invariants")["programs"]
    rows = []
    for number, subject in enumerate(subjects, 1):
        for form in forms(subject):

            def run(way: str, form: Subject = form) -> Run:
                limit = request.seconds if way == WITH else request.plain_limit(request.seconds)
                return apart(watch, form.request(limit, invariants=way == WITH), form.branches, MOST_RUNS)

            ways = (WITHOUT, WITH) if request.plain else (WITH,)
            title = f"{number} of {len(subjects)}: {form.title}"
            runs = by_turns(title, ways, run, _times(request), say, key=lambda one: _end(one).seconds)
            rows.append(Row(form, runs, known.get(form.name, {})))
    series = scaling.measure(request, say) if request.wants(SERIES) else Scaling()
    return InvariantsTable(tuple(rows), _notes(request, subjects, series), machine(), series)


def chosen(request: BenchRequest) -> list[Subject]:
    """The programs that were asked for."""
    if request.wants(SERIES) and not any(map(request.wants, ORDER)):
        return []
    return own("invariants", ORDER, subject_of, request)


def subject_of(path: Path) -> Subject:
    return Subject(path.stem, (path,), branches=count(path, path.read_text(encoding="utf-8"), "branches"))


def forms(subject: Subject) -> list[Subject]:
    """Without help of other techniques, and with it."""
    others = {kind: dict.fromkeys(("merge", "summarize", "navigate"), kind == ALL) for kind in (ALONE, ALL)}
    return [replace(subject, kind=kind, settings=settings) for kind, settings in others.items()]


def _times(request: BenchRequest) -> int:
    return request.times(1 if request.quick else RUNS)


def _notes(request: BenchRequest, subjects: list[Subject], series: Scaling) -> tuple[str, ...]:
    runs = request.times_text(1 if request.quick else RUNS)
    limit = request.plain_limit(request.seconds)
    plain = f", {limit:g} s without invariants" if request.plain and request.quick else ""
    notes = (
        f"{runs}, limit {request.seconds:g} s{plain}",
        f"tests, cover: branches, both after at most {MOST_RUNS} paths; runs, s: paths and seconds until all is "
        "covered (> where stopped), the program being loaded",
        "inv s: seconds for invariants, of s; tried, kept: inputs they proposed, tests made of these",
        "paper: coverage of lines, seconds on its machine; see benchmarks/papers/invariants.json",
    )
    return (*(notes if subjects else ()), *series.said(request.repeat))


@dataclass(frozen=True)
class InvariantsTable(Table):
    """Programs without invariants, with them, and in the paper; then the series."""

    scaling: Scaling = field(default_factory=Scaling)

    name = "invariants"

    def complaints(self) -> list[str]:
        return [*super().complaints(), *self.scaling.complaints()]

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)
        for way, run in row.runs.items():
            of = f"{row.subject.title}, {way}"
            if run.failed:
                continue
            if run.unreachable:
                yield f"WRONG CLAIM: {of}: {run.unreachable} of the branches said to be unreachable, none is"
            elif not covered(row, run) and not run.stopped:
                seen = f"{_end(run).branches} of {row.subject.branches} branches"
                yield f"WRONG COVERAGE: {of}: {seen}, and nothing left to run"

    def findings(self) -> list[str]:
        """A line per kind, and one with the paper's averages."""
        found = [self._finding(kind) for kind in (ALONE, ALL)]
        papers = [row.paper for row in self.rows if row.kind == ALONE and row.paper]
        if papers:
            mean = {
                (way, name): fmean(one[way][name] for one in papers)
                for way in ("plain", "invariants")
                for name in ("coverage", "seconds")
            }
            found.append(
                f"paper, mean: {mean['plain', 'coverage']:.0f} -> {mean['invariants', 'coverage']:.0f} % covered, "
                f"{mean['plain', 'seconds']:.2f} -> {mean['invariants', 'seconds']:.2f} s"
            )
        return [line for line in found if line]

    def _finding(self, kind: str) -> str:
        rows = [row for row in self.rows if row.kind == kind and WITHOUT in row.runs]
        if not rows:
            return ""
        words = [compared(row) for row in rows]
        order = ", ".join(f"{word} on {words.count(word)}" for word in COMPARED if word in words)
        share, whole, time = (
            [function([(row, row.runs[way]) for row in rows]) for way in (WITHOUT, WITH)]
            for function in (_mean, _complete, _seconds)
        )
        return (
            f"{kind}, without -> with: {' -> '.join(share)} % covered within {MOST_RUNS} runs "
            f"(mean), all within them on {' -> '.join(whole)} of {len(rows)}; "
            f"{' -> '.join(time)} s in all: {order}"
        )

    def more_lines(self) -> list[str]:
        return self.scaling.lines()

    def markdown(self) -> list[str]:
        return [*super().markdown(), *(["", *self.scaling.markdown()] if self.scaling.rows else [])]

    def columns(self) -> Iterator[Columns]:
        """A line per program and kind."""
        yield Columns("", ("program", ""), [[row.name, row.kind] for row in self.rows])
        yield Columns("without", _FIGURES, [_cells(row, row.runs.get(WITHOUT)) for row in self.rows])
        both = [[*_cells(row, row.runs[WITH]), *_own_cells(row.runs[WITH])] for row in self.rows]
        yield Columns("with invariants", (*_FIGURES, "inv s", "tried", "kept"), both)
        papers = [row.paper if row.kind == ALONE else {} for row in self.rows]
        yield Columns("paper, without", _FIGURES, [_paper_cells(one.get("plain")) for one in papers])
        more = [
            [*_paper_cells(one.get("invariants")), f"{one['invariant_seconds']:.2f}" if one else ""] for one in papers
        ]
        yield Columns("paper, with", (*_FIGURES, "inv s"), more)

    def row_json(self, row: Row) -> dict[str, object]:
        return {
            "name": row.name,
            "kind": row.kind,
            "branches": row.subject.branches,
            "plain": _run_json(row, row.runs[WITHOUT]) if WITHOUT in row.runs else None,
            "invariants": _run_json(row, row.runs[WITH]),
            "paper": row.paper or None,
        }

    def more_json(self) -> dict[str, object]:
        return {"most_runs": MOST_RUNS, "scaling": self.scaling.to_json()}


def covered(row: Row, run: Run) -> bool:
    """Is everything covered that can be?"""
    return not run.failed and _end(run).branches >= row.subject.branches


def compared(row: Row) -> str:
    """Whether everything is covered sooner with invariants: one of ``COMPARED``, empty if that is not known."""
    plain, invariants = row.runs.get(WITHOUT), row.runs[WITH]
    if plain is None or not (covered(row, plain) or covered(row, invariants)):
        return ""
    if not (covered(row, plain) and covered(row, invariants)):
        return SOONER if covered(row, invariants) else LATER
    difference = _end(invariants).seconds - _end(plain).seconds
    if abs(difference) <= max(_NOISE * _end(plain).seconds, _CLOCK):
        return SAME
    return SOONER if difference < 0 else LATER


_NO_MARK = Mark()


def _end(run: Run) -> Mark:
    """When everything was covered, or the run had ended."""
    return run.marks.get(END, _NO_MARK)


def _limit(run: Run) -> Mark:
    """After ``MOST_RUNS`` paths, or at the end."""
    return run.marks.get(LIMIT, _NO_MARK)


_Runs = Sequence[tuple[Row, Run]]


def _mean(runs: _Runs) -> str:
    return f"{100 * fmean(_limit(run).branches / row.subject.branches for row, run in runs):.0f}"


def _complete(runs: _Runs) -> str:
    return str(sum(covered(row, run) and _end(run).runs <= MOST_RUNS for row, run in runs))


def _seconds(runs: _Runs) -> str:
    more = "" if all(covered(row, run) for row, run in runs) else "> "
    return f"{more}{sum(_end(run).seconds for _, run in runs):.2f}"


def _run_json(row: Row, run: Run) -> dict[str, object]:
    return {
        "limit": _limit(run).to_json(),
        "end": _end(run).to_json(),
        "covered": covered(row, run),
        "stopped": run.stopped is not None,
        "total": run.branches,
        "unreachable": run.unreachable,
        "invariant_seconds": round(run.stats.get("invariant_seconds", 0.0), 3),
        "candidates": run.count("invariant_candidates"),
        "tests": run.count("invariant_tests"),
        "failed": run.failed,
    }


def _cells(row: Row, run: Run | None) -> list[str]:
    """Tests and coverage within the limit; paths and time until everything was covered."""
    if run is None:
        return [""] * 4
    if run.failed:
        return ["failed", "", "", ""]
    more = "" if covered(row, run) else ">"
    limit, end = _limit(run), _end(run)
    seen = f"{limit.branches}/{row.subject.branches}"
    return [f"{limit.tests:,}", seen, f"{more}{end.runs:,}", f"{more}{end.seconds:.3f}"]


def _own_cells(run: Run) -> list[str]:
    if run.failed:
        return [""] * 3
    candidates, tests = run.count("invariant_candidates"), run.count("invariant_tests")
    return [f"{run.stats.get('invariant_seconds', 0.0):.3f}", f"{candidates:,}", f"{tests:,}"]


def _paper_cells(figures: Mapping[str, Any] | None) -> list[str]:
    if figures is None:
        return [""] * 4
    return [str(figures["tests"]), f"{figures['coverage']} %", str(figures["runs"]), f"{figures['seconds']:.2f}"]
