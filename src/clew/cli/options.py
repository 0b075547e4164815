"""Options that several commands share, declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])

_COMPILER = (
    click.option("--target", metavar="TRIPLE", help="Compile for this target (default: the host's)."),
    click.option("--data-model", type=click.Choice(["ILP32", "LP64"]), help="Compile for x86 or x86_64, as SV-COMP."),
    click.option("--clang", metavar="PATH", help="Use this Clang instead of the one that comes with Clew."),
)
_BUDGET = (
    click.option(
        "--time",
        "seconds",
        type=float,
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Stop after this much wall time; inf for no limit.",
    ),
    click.option(
        "--memory",
        "memory_mb",
        type=float,
        metavar="MB",
        help="Keep the process below this size (default: 80% of what is free).",
    ),
    click.option("--max-instructions", type=int, metavar="N", help="Stop after executing N instructions."),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Processes to use; this version explores in one, whatever N is.",
    ),
)
_OUTPUT = (
    click.option("--out", metavar="DIR", help="A new or empty folder (default: clew-out/N, the next free number)."),
    click.option("--json", "as_json", is_flag=True, help="The summary on standard output, nothing else there."),
    click.option("--quiet", is_flag=True, help="Say nothing but errors."),
    click.option("--verbose", is_flag=True, help="Say everything; tracebacks of internal errors, too."),
)


def _all(options: tuple[Callable[[F], F], ...], function: F) -> F:
    for option in reversed(options):
        function = option(function)
    return function


def compiler_options(function: F) -> F:
    """--target, --data-model, --clang."""
    return _all(_COMPILER, function)


def budget_options(function: F) -> F:
    """--time, --memory, --max-instructions, --jobs."""
    return _all(_BUDGET, function)


def output_options(function: F) -> F:
    """--out, --json, --quiet, --verbose."""
    return _all(_OUTPUT, function)
