"""The table ``workers``: how exploration by many processes or machines scales, by simulation.

The scheduler is the real one (``clew.parallel.coordinator``); clock, network and workers are simulated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.request import BenchRequest
from benchmarks.run import Say
from benchmarks.table import Columns, Row, Table
from benchmarks.tables import machine, tables
from benchmarks.worker_simulation import Costs, Simulated, Simulation

WORKERS = (2, 10, 100, 1000)
PATHS = 10_000_000

NOTES = (
    "simulated: the scheduler is the real one; efficiency: seconds of all paths / (seconds until the end x workers)",
    "coordinator: the part of the time that it is at work; idle: the part of the workers' time in which they wait",
)


@dataclass(frozen=True)
class WorkersTable(Table):
    """A simulation for each number of workers."""

    simulated: tuple[Simulated, ...] = ()

    name = "workers"

    def columns(self) -> Iterator[Columns]:
        head = (
            "workers",
            "seconds",
            "efficiency",
            "idle",
            "coordinator",
            "messages/s",
            "MB/s",
            "jobs moved",
            "bytes/job",
        )
        yield Columns("", head, [_cells(one) for one in self.simulated])

    def row_json(self, row: Row) -> dict[str, object]:
        return {"name": row.name}

    def more_json(self) -> dict[str, object]:
        return {"simulated": [{**vars(one), "efficiency": one.efficiency} for one in self.simulated]}


@tables.register("workers", "exploration by many workers, simulated")
def measure(request: BenchRequest, say: Say) -> WorkersTable:
    costs, found = Costs(), []
    for workers in WORKERS:
        found.append(Simulation(PATHS, workers, costs).run())
        say(f"{workers} workers: efficiency {found[-1].efficiency:.2f}")
    about = f"a tree of {PATHS:,} paths of {1000 * costs.path:g} ms"
    return WorkersTable((), (about, *NOTES), machine(), tuple(found))


def _cells(one: Simulated) -> list[str]:
    return [
        f"{one.workers:,}",
        f"{one.seconds:,.1f}",
        f"{one.efficiency:.2f}",
        f"{one.idle / (one.seconds * one.workers):.3f}",
        f"{one.busy / one.seconds:.3f}",
        f"{one.messages / one.seconds:,.0f}",
        f"{one.bytes / one.seconds / 1e6:.2f}",
        f"{one.jobs:,}",
        f"{one.bytes / max(1, one.jobs):,.0f}",
    ]
