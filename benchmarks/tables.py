"""The tables of ``clew bench`` by name. A table is a function: what was asked for, a way to say things -> results."""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Callable
from typing import Protocol

from benchmarks.request import BenchRequest
from clew.base.registry import Registry


class Table(Protocol):
    """Results that can be shown."""

    def to_json(self) -> dict[str, object]: ...

    def lines(self) -> list[str]:
        """The table as text, complaints included."""

    def complaints(self) -> list[str]:
        """What is wrong in it, not merely slow; anything here makes the command fail."""


Say = Callable[[str], None]
Measure = Callable[[BenchRequest, Say], Table]

tables: Registry[Measure] = Registry("table", "clew bench")

RUNS = 3
"""Runs per figure unless the user asks for another number; the median is reported."""

_MODULES = (
    "benchmarks.conflicts",
    "benchmarks.engine",
    "benchmarks.invariants",
    "benchmarks.merging",
    "benchmarks.navigation",
    "benchmarks.summaries",
)
"""Each registers its table when it is imported."""


def run_bench(table: str, request: BenchRequest, say: Say) -> list[Table]:
    """Measure one table, or every table for ``all``; UserError for a name that is none."""
    for module in _MODULES:
        importlib.import_module(module)
    names = tables.names() if table == "all" else [table]
    return [tables.get(name)(request, say) for name in names]


def machine() -> str:
    """What the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} cores, {python}"
