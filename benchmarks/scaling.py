"""A series of generated programs, so many variables by so many loops: what invariants of each domain cost, and where
the analysis falls back to a cheaper domain.

Every loop is bounded by an input of its own and changes all variables: every other one in each pass, the rest in passes
that inputs choose. So the last are between zero and a multiple of the number of passes, all independently: shapes with
as many corners as there are subsets of them.

The verdict of a run is the domain in which the analysis ended: ``NONE`` if all were too expensive, empty if the time
limit came first.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.request import BenchRequest
from benchmarks.run import Run, Say, apart, by_turns
from benchmarks.subject import Subject
from benchmarks.table import Columns, Row, Table, aligned, failures
from clew.analysis.absint.domains import DOMAINS
from clew.base.errors import ClewError
from clew.base.options import TestRequest
from clew.jobs.prepare import ExploreSettings, prepare_run
from clew.report.listener import Listener
from clew.techniques.invariants.find import find

VARIABLES = (2, 4, 8, 16, 32, 64)
LOOPS = (1, 2, 4, 8)

NONE = "none"

_QUICK = ((2, 1), (2, 4), (8, 1), (8, 4), (32, 1))


@dataclass(frozen=True)
class Scaling(Table):
    """The series, a row per program and a way per domain; without rows if it was not measured."""

    name = "scaling"

    def judge(self, row: Row) -> Iterator[str]:
        yield from failures(row)

    def findings(self) -> list[str]:
        """Where domains were given up, and for which."""
        found = []
        for domain in DOMAINS.names():
            given_up = [row for row in self.rows if _falls_back(row, domain)]
            for used in dict.fromkeys(row.runs[domain].verdict for row in given_up):
                points = ", ".join(row.name for row in given_up if row.runs[domain].verdict == used)
                found.append(f"{domain}: falls back to {used} at {points} (variables x loops)")
        return found

    def said(self, repeat: int | None = None) -> tuple[str, ...]:
        """A note for the table that the series is part of."""
        if not self.rows:
            return ()
        runs = "one analysis" if repeat in (None, 1) else f"median of {repeat} analyses"
        return (f"scaling: {runs} each, in seconds; used: the domain in which it ended, if that is another",)

    def lines(self) -> list[str]:
        return [*aligned(self.columns()), *self.findings()]

    def columns(self) -> Iterator[Columns]:
        yield Columns("", ("variables", "loops"), [row.name.split(" x ") for row in self.rows])
        for domain in DOMAINS.names():
            yield Columns(domain, ("s", "used"), [_cells(row, domain) for row in self.rows])

    def row_json(self, row: Row) -> dict[str, object]:
        variables, loops = map(int, row.name.split(" x "))
        runs = {domain: _run_json(run) for domain, run in row.runs.items()}
        return {"variables": variables, "loops": loops, "runs": runs}

    def to_json(self) -> dict[str, object]:
        return {"points": [self.row_json(row) for row in self.rows], "summary": self.findings()}


def measure(request: BenchRequest, say: Say) -> Scaling:
    """Every program with every domain, each in a process of its own."""
    sizes = _QUICK if request.quick else [(variables, loops) for variables in VARIABLES for loops in LOOPS]
    rows = []
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        for variables, loops in sizes:
            file = Path(place) / f"v{variables}_l{loops}.c"
            file.write_text(source(variables, loops), encoding="utf-8")
            subject = Subject(f"{variables} x {loops}", (file,))

            def run(domain: str, file: Path = file) -> Run:
                return apart(analyse, file, domain, request.seconds)

            rows.append(
                Row(subject, by_turns(f"variables x loops {subject.name}", DOMAINS.names(), run, request.times(), say))
            )
    return Scaling(tuple(rows))


def source(variables: int, loops: int) -> str:
    """The program."""
    lines = ["extern int klee_int(const char *name);", "", "int main(void) {"]
    lines += [f"  int v{variable} = 0;" for variable in range(variables)]
    for loop in range(loops):
        lines += [f'  int n{loop} = klee_int("n{loop}"), i{loop} = 0;', f"  while (i{loop} < n{loop}) {{"]
        lines += [f"    {_step(variable, loop)}" for variable in range(variables)]
        lines += [f"    i{loop}++;", "  }"]
    total = " + ".join(f"v{variable}" for variable in range(variables))
    return "\n".join([*lines, f"  return {total} > 1000;", "}", ""])


def _step(variable: int, loop: int) -> str:
    step = f"v{variable} += {1 + (variable + loop) % 3};"
    return f'if (klee_int("c{variable}") > 0) {step}' if variable % 2 else step


def analyse(file: Path, domain: str, seconds: float) -> Run:
    """The analysis of a program as ``clew test`` has it, in this process; time begins when the program is loaded."""
    request = TestRequest(files=(file,), seconds=seconds)
    budget = request.budget()
    try:
        ready = prepare_run(request, Listener(), budget, ExploreSettings("branch"))
        begun = time.perf_counter()
        entry = ready.entry.function.name
        found = find(ready.run.machine, entry, domain, stop=lambda: budget.exhausted() is not None)
    except ClewError as problem:
        return Run(failed=str(problem))
    taken = time.perf_counter() - begun
    if found is not None:
        return Run(taken, verdict=found.domain, losses=found.notes)
    over = budget.exhausted()
    return Run(taken, verdict=NONE) if over is None else Run(taken, stopped=str(over))


def _falls_back(row: Row, domain: str) -> bool:
    """Is it another domain in the end?"""
    return row.runs[domain].verdict not in (domain, "")


def _run_json(run: Run) -> dict[str, object]:
    return {
        "seconds": round(run.seconds, 3),
        "domain": run.verdict or None,
        "notes": list(run.losses),
        "failed": run.failed,
    }


def _cells(row: Row, domain: str) -> list[str]:
    run = row.runs[domain]
    if run.failed:
        return ["failed", ""]
    return [f"{'' if run.verdict else '>'}{run.seconds:.2f}", run.verdict if _falls_back(row, domain) else ""]
