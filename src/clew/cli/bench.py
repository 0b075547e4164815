"""``clew bench``: the project's own figures, measured by the package ``benchmarks`` of the source tree.

A wheel does not contain it. The package is looked for when the command is run, so that listing the commands is cheap.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import click

from clew.base.errors import UserError

MODULE = "benchmarks.command"
ROOT = Path(__file__).resolve().parents[3]
"""The root of the source tree, if this file is in one."""


class _Bench(click.Command):
    """Stands for the command of the package ``benchmarks``."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        return benchmarks_command().make_context(info_name, args, parent, **extra)


command = _Bench(
    "bench",
    short_help="Measure Clew on this machine (needs a checkout).",
    help="Measure TABLE (engine, conflicts, invariants, merging, ..., or all).",
)


def benchmarks_command() -> click.Command:
    """The command of the package beside this source tree, or of one that can be imported; UserError without either."""
    if ROOT.joinpath(*MODULE.split(".")).with_suffix(".py").is_file():
        sys.path.insert(0, str(ROOT))
    try:
        found = importlib.import_module(MODULE).command
    except ModuleNotFoundError as missing:
        if missing.name not in (MODULE, MODULE.partition(".")[0]):
            raise
        raise UserError(
            "the benchmarks are part of Clew's source tree, and are not installed with it: "
            "run 'pip install --editable .' in a checkout, then 'clew bench'"
        ) from None
    assert isinstance(found, click.Command)
    return found
