"""The solvers that decide what no layer could, by name, in the order in which they are asked.

The first one is incremental, gives cores, and has most of the work; the others are asked where it gives up, and the
last one re-checks answers for ``--validate``.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.base.registry import Registry
from clew.solver.interface import Backend, SolverOptions
from clew.solver.stats import SolverStats

BACKENDS: Registry[Callable[[SolverOptions, SolverStats], Backend]] = Registry(
    "solver",
    "the solver chain",
    {
        "bitwuzla": "clew.solver.backends.bitwuzla",
        "z3": "clew.solver.backends.z3",
    },
)


def backends_of(options: SolverOptions) -> list[str]:
    """The names of those that are asked, in order."""
    return BACKENDS.names()[: None if options.second_opinion else 1]
