"""A series of generated programs, so many variables by so many loops: what invariants of each domain cost, and where
the analysis falls back to a cheaper domain.

Every loop is bounded by an input of its own and changes all variables: every other one in each pass, the rest in passes
that inputs choose. So the last are between zero and a multiple of the number of passes, all independently: shapes with
as many corners as there are subsets of them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.apart import Died, apart
from benchmarks.columns import add_columns, aligned
from benchmarks.request import BenchRequest
from benchmarks.tables import Say
from clew.base.errors import ClewError
from clew.base.options import DOMAINS, TestRequest
from clew.jobs.compose import Manner, compose
from clew.report.listener import SilentListener
from clew.techniques.invariants.find import find

VARIABLES = (2, 4, 8, 16, 32, 64)
LOOPS = (1, 2, 4, 8)

NONE = "none"

_QUICK = ((2, 1), (2, 4), (8, 1), (8, 4), (32, 1))


@dataclass(frozen=True, slots=True)
class Analysed:
    """One analysis."""

    seconds: float = 0.0
    domain: str = ""
    """The one in which it ended: ``NONE`` if all were too expensive, empty if the time limit came first."""
    notes: tuple[str, ...] = ()
    failed: str = ""
    """Why there are no figures; empty if there are."""

    def to_json(self) -> dict[str, object]:
        return {
            "seconds": round(self.seconds, 3),
            "domain": self.domain or None,
            "notes": list(self.notes),
            "failed": self.failed,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """One program, by domain."""

    variables: int
    loops: int
    runs: Mapping[str, Analysed]

    @property
    def name(self) -> str:
        return f"{self.variables} x {self.loops}"

    def falls_back(self, domain: str) -> bool:
        """Is it another one in the end?"""
        return self.runs[domain].domain not in (domain, "")

    def to_json(self) -> dict[str, object]:
        return {
            "variables": self.variables,
            "loops": self.loops,
            "runs": {domain: run.to_json() for domain, run in self.runs.items()},
        }


@dataclass(frozen=True, slots=True)
class Scaling:
    """The series; empty if it was not measured."""

    points: tuple[Point, ...] = ()

    def complaints(self) -> list[str]:
        return [
            f"FAILED: {point.name}, {domain}: {run.failed}"
            for point in self.points
            for domain, run in point.runs.items()
            if run.failed
        ]

    def findings(self) -> list[str]:
        """Where domains were given up, and for which."""
        found = []
        for domain in DOMAINS:
            given_up = [point for point in self.points if point.falls_back(domain)]
            for used in dict.fromkeys(point.runs[domain].domain for point in given_up):
                points = ", ".join(point.name for point in given_up if point.runs[domain].domain == used)
                found.append(f"{domain}: falls back to {used} at {points} (variables x loops)")
        return found

    def notes(self, repeat: int | None = None) -> tuple[str, ...]:
        if not self.points:
            return ()
        runs = "one analysis" if repeat in (None, 1) else f"median of {repeat} analyses"
        return (f"scaling: {runs} each, in seconds; used: the domain in which it ended, if that is another",)

    def to_json(self) -> dict[str, object]:
        return {"points": [point.to_json() for point in self.points], "summary": self.findings()}

    def lines(self) -> list[str]:
        if not self.points:
            return []
        head = [["", ""], ["variables", "loops"]]
        body = [[str(point.variables), str(point.loops)] for point in self.points]
        for domain in DOMAINS:
            cells = [_cells(point, domain) for point in self.points]
            add_columns(head, body, domain, ("s", "used"), cells)
        return [*aligned([*head, *body]), *self.findings()]


def measure(request: BenchRequest, say: Say) -> Scaling:
    """Every program with every domain, each in a process of its own."""
    sizes = _QUICK if request.quick else [(variables, loops) for variables in VARIABLES for loops in LOOPS]
    points = []
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as place:
        for variables, loops in sizes:
            file = Path(place) / f"v{variables}_l{loops}.c"
            file.write_text(source(variables, loops), encoding="utf-8")
            runs = {domain: _median(file, domain, request) for domain in DOMAINS}
            points.append(Point(variables, loops, runs))
            shown = ", ".join(f"{domain} {_said(run)} s" for domain, run in runs.items())
            say(f"variables x loops {variables} x {loops}: {shown}")
    return Scaling(tuple(points))


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


def analyse(file: Path, domain: str, seconds: float) -> Analysed:
    """The analysis of a program as ``clew test`` has it, in this process; time begins when the program is loaded."""
    request = TestRequest(files=(file,), seconds=seconds)
    budget = request.budget()
    try:
        ready = compose(request, SilentListener(), budget, Manner("branch"))
        begun = time.perf_counter()
        entry = ready.entry.function.name
        found = find(ready.run.machine, entry, domain, stop=lambda: budget.exhausted() is not None)
    except ClewError as problem:
        return Analysed(failed=str(problem))
    taken = time.perf_counter() - begun
    if found is None:
        return Analysed(taken, "" if budget.exhausted() is not None else NONE)
    return Analysed(taken, found.domain, found.notes)


def _median(file: Path, domain: str, request: BenchRequest) -> Analysed:
    """The analysis in the middle, by time; one unless more are asked for."""
    runs = [_apart(file, domain, request.seconds) for _ in range(request.repeat or 1)]
    return sorted(runs, key=lambda run: run.seconds)[len(runs) // 2]


def _apart(file: Path, domain: str, seconds: float) -> Analysed:
    try:
        return apart(analyse, file, domain, seconds)
    except Died as died:
        return Analysed(failed=str(died))


def _said(run: Analysed) -> str:
    return run.failed or _seconds(run)


def _cells(point: Point, domain: str) -> list[str]:
    run = point.runs[domain]
    if run.failed:
        return ["failed", ""]
    return [_seconds(run), run.domain if point.falls_back(domain) else ""]


def _seconds(run: Analysed) -> str:
    return f"{'' if run.domain else '>'}{run.seconds:.2f}"
