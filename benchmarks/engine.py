"""The table ``engine``: concrete speed, paths per second, cost of a cheap query, start-up of the command."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from benchmarks import peer, queries, runs
from benchmarks.figures import Figure, FigureTable
from benchmarks.material import program
from benchmarks.request import BenchRequest
from benchmarks.tables import RUNS, Say, machine, tables

CONCRETE = ("loop", "calls", "matrix")
SYMBOLIC = ("bits_calls", "bits_mask", "bits_bytes")
PATH_SECONDS = 5.0
"""Long enough to be past the start-up effects; the programs have 65,536 paths and are not run to their end."""

NOTES = (
    "concrete: million IR instructions per second; paths: per second of exploration, compilation left out",
    "query: microseconds of a branch query answered without the solver; start: `clew test` with a warm compile cache",
)


@tables.register("engine", "speed of the engine itself")
def measure(request: BenchRequest, say: Say) -> FigureTable:
    count = RUNS if request.repeat is None else request.repeat
    figures = [_concrete(name, count, say) for name in CONCRETE]
    figures += [_paths(name, count, say) for name in SYMBOLIC]
    figures.append(_query(count, say))
    figures.append(_start(count, say))
    return FigureTable("engine", tuple(figures), machine(), (f"median of {count} runs", *NOTES))


def _concrete(name: str, count: int, say: Say) -> Figure:
    source = program(name)
    values = _repeat(lambda: runs.explore(source).instructions_per_second / 1e6, count, say, f"concrete {name}")
    rival = peer.run(source)
    speed = rival.instructions / rival.seconds / 1e6 if rival else None
    return _figure(f"concrete {name}", values, "M/s", 2.5, rival=speed)


def _paths(name: str, count: int, say: Say) -> Figure:
    source = program(name)
    values = _repeat(lambda: runs.explore(source, PATH_SECONDS).paths_per_second, count, say, f"paths {name}")
    rival = peer.run(source, PATH_SECONDS)
    return _figure(f"paths {name}", values, "/s", 1000.0, rival=rival.paths / rival.seconds if rival else None)


def _query(count: int, say: Say) -> Figure:
    values = _repeat(lambda: queries.measure(0), count, say, "query")
    return _figure("query", values, "us", 150.0, higher=False)


def _start(count: int, say: Say) -> Figure:
    source = program("small")
    runs.command_seconds(source)  # fills the compile cache
    values = _repeat(lambda: runs.command_seconds(source), count, say, "start")
    rival = peer.run(source)
    return _figure("start", values, "s", 1.5, higher=False, rival=rival.seconds if rival else None)


def _repeat(once: Callable[[], float], count: int, say: Say, name: str) -> tuple[float, ...]:
    values = []
    for number in range(1, count + 1):
        values.append(once())
        say(f"{name}: run {number} of {count}: {values[-1]:,.3f}")
    return tuple(values)


def _figure(
    name: str,
    values: tuple[float, ...],
    unit: str,
    target: float,
    *,
    higher: bool = True,
    rival: float | None = None,
) -> Figure:
    known = peer.NAME if rival is not None else ""
    return Figure(name, median(values), unit, target, higher, known, rival, values)
