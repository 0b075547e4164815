"""The tables of ``clew bench`` by name. A table is a function: runs per figure, a way to say things -> FigureTable."""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Callable

from clew.base.registry import Registry
from clew.report.figures import FigureTable

Say = Callable[[str], None]
Measure = Callable[[int, Say], FigureTable]

tables: Registry[Measure] = Registry("table", "clew bench")

RUNS = 3
"""Runs per figure unless the user asks for another number; the median is reported."""

_MODULES = ("clew.bench.engine",)
"""Each registers its table when it is imported."""


def run_bench(table: str, repeat: int | None, say: Say) -> list[FigureTable]:
    """Measure one table, or every table for ``all``; UserError for a name that is none."""
    for module in _MODULES:
        importlib.import_module(module)
    names = tables.names() if table == "all" else [table]
    return [tables.get(name)(RUNS if repeat is None else repeat, say) for name in names]


def machine() -> str:
    """What the figures were measured on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.machine()}, {os.cpu_count()} cores, {python}"
