"""The tables of ``clew bench`` by name. A table is a function: what was asked for, a way to say things -> results."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable

from benchmarks.request import BenchRequest
from benchmarks.run import Say
from benchmarks.table import Table
from clew.base.registry import Registry

Measure = Callable[[BenchRequest, Say], Table]

_NAMES = ("combination", "conflicts", "engine", "invariants", "loops", "merging", "navigation", "summaries", "workers")

tables: Registry[Measure] = Registry("table", "clew bench", {name: f"benchmarks.{name}" for name in _NAMES})

APART = "combination"
"""It runs the programs of all the others, in ten ways: that takes days, and is not part of ``all``."""


def run_bench(table: str, request: BenchRequest, say: Say) -> list[Table]:
    """Measure one table, or every table but ``APART`` for ``all``; UserError for a name that is none."""
    names = [name for name in tables.names() if name != APART] if table == "all" else [table]
    return [tables.get(name)(request, say) for name in names]


def machine() -> str:
    """What the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} cores, {python}"
