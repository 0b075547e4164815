"""The table ``engine``: concrete speed, paths per second, cost of a cheap query, start-up of the command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import peer, queries
from benchmarks.request import RUNS, BenchRequest
from benchmarks.run import Run, Say, explore
from benchmarks.subject import PROGRAMS, Subject
from benchmarks.table import Columns, Row, Table
from benchmarks.tables import machine, tables

CONCRETE = ("loop", "calls", "matrix")
SYMBOLIC = ("bits_calls", "bits_mask", "bits_bytes")
PATH_SECONDS = 5.0
"""Long enough to be past the start-up effects; the programs have 65,536 paths and are not run to their end."""

NOTES = (
    "concrete: million IR instructions per second; paths: per second of exploration, compilation left out",
    "query: microseconds of a branch query answered without the solver; start: `clew test` with a warm compile cache",
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, the median of several runs."""

    name: str
    runs: tuple[float, ...]
    unit: str
    target: float
    higher_is_better: bool = True
    peer: float | None = None
    """What KLEE reaches, where it is."""

    @property
    def value(self) -> float:
        return median(self.runs)

    @property
    def met(self) -> bool:
        """Was the target reached?"""
        return self.value >= self.target if self.higher_is_better else self.value <= self.target

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer (below 1: worse)."""
        if not self.peer or not self.value:
            return None
        return self.value / self.peer if self.higher_is_better else self.peer / self.value

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "target": self.target,
            "met": self.met,
            "peer": peer.NAME if self.peer is not None else None,
            "peer_value": self.peer,
            "ratio": self.ratio,
            "runs": list(self.runs),
        }

    def cells(self) -> list[str]:
        target = f"{'>=' if self.higher_is_better else '<='} {_number(self.target)}"
        ratio = "" if self.ratio is None else f"{peer.NAME} {_number(self.peer or 0.0)} (ratio {self.ratio:.2f})"
        return [self.name, f"{_number(self.value)} {self.unit}", target, "ok" if self.met else "missed", ratio]


@dataclass(frozen=True)
class EngineTable(Table):
    """Figures in place of rows. A missed target is no failure: speed depends on the machine."""

    figures: tuple[Figure, ...] = ()

    name = "engine"

    def columns(self) -> Iterator[Columns]:
        yield Columns("", ("figure", "value", "target", "", "peer"), [figure.cells() for figure in self.figures])

    def row_json(self, row: Row) -> dict[str, object]:
        return {"name": row.name}

    def more_json(self) -> dict[str, object]:
        return {"figures": [figure.to_json() for figure in self.figures]}


Repeat = Callable[[str, Callable[[], float]], tuple[float, ...]]
"""Measures something several times, and says so under a name."""


@tables.register("engine", "speed of the engine itself")
def measure(request: BenchRequest, say: Say) -> EngineTable:
    times = request.times(RUNS)

    def repeat(name: str, once: Callable[[], float]) -> tuple[float, ...]:
        values = []
        for number in range(1, times + 1):
            values.append(once())
            say(f"{name}: run {number} of {times}: {values[-1]:,.3f}")
        return tuple(values)

    figures = [_concrete(name, repeat) for name in CONCRETE]
    figures += [_paths(name, repeat) for name in SYMBOLIC]
    figures.append(Figure("query", repeat("query", lambda: queries.measure(0)), "us", 150.0, higher_is_better=False))
    figures.append(_start(repeat))
    notes = (f"median of {times} runs", *NOTES)
    return EngineTable(notes=notes, machine=machine(), figures=tuple(figures))


def _concrete(program: str, repeat: Repeat) -> Figure:
    name, source = f"concrete {program}", PROGRAMS / f"{program}.c"
    values = repeat(name, lambda: _speed(run(source)))
    rival = peer.run(source)
    return Figure(name, values, "M/s", 2.5, peer=None if rival is None else _speed(rival))


def _paths(program: str, repeat: Repeat) -> Figure:
    name, source = f"paths {program}", PROGRAMS / f"{program}.c"
    values = repeat(name, lambda: _paths_per_second(run(source, PATH_SECONDS)))
    rival = peer.run(source, PATH_SECONDS)
    return Figure(name, values, "/s", 1000.0, peer=None if rival is None else _paths_per_second(rival))


def _start(repeat: Repeat) -> Figure:
    source = PROGRAMS / "small.c"
    command_seconds(source)  # fills the compile cache
    values = repeat("start", lambda: command_seconds(source))
    rival = peer.run(source)
    return Figure("start", values, "s", 1.5, higher_is_better=False, peer=None if rival is None else rival.seconds)


def run(source: Path, seconds: float | None = None) -> Run:
    """``clew test`` on a program, in this process; path by path, since that is measured."""
    return explore(Subject(source.stem, (source,)).request(seconds, merge=False))


def command_seconds(source: Path) -> float:
    """Wall time of the whole command as a user types it, interpreter start included."""
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        command = [sys.executable, "-m", "clew", "test", str(source), "--quiet", "--out", str(Path(folder) / "out")]
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun


def _speed(run: Run) -> float:
    return run.count("instructions") / run.seconds / 1e6


def _paths_per_second(run: Run) -> float:
    return run.count("paths_completed") / run.seconds


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
