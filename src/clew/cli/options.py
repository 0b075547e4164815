"""Options that several commands share, declared once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from clew.base.errors import UserError

F = TypeVar("F", bound=Callable[..., object])

_PROGRAM = (
    click.option("--function", metavar="NAME", help="Run this function with symbolic parameters instead of main."),
    click.option("--array-length", type=int, metavar="N", help="Elements behind a pointer of --function (1)."),
    click.option("--no-alias", is_flag=True, help="Pointers of --function never point to the same object."),
    click.option("--no-null", is_flag=True, help="Pointers of --function are never null."),
    click.option("--depth", type=int, metavar="N", help="Pointers of --function behind more than N pointers are null."),
    click.option(
        "--stdin", type=int, metavar="N", help="Up to N symbolic bytes of standard input (default: it is empty)."
    ),
    click.option(
        "--malloc-may-fail", is_flag=True, help="malloc and its relatives may return null (default: they never do)."
    ),
    click.option(
        "--args", metavar="SPEC", help="Arguments of the program, as -v,@8: words, and @N for up to N symbolic bytes."
    ),
)
_ENGINE = (
    click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of everything random."),
    click.option("--validate", is_flag=True, help="Let the engine re-check its own answers (slow)."),
)
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
_VERDICT = (click.option("--keep-branches", is_flag=True, help="Leave branches that only compute values as they are."),)
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


def program_options(function: F) -> F:
    """--function, --array-length, --no-alias, --no-null, --depth, --stdin, --malloc-may-fail, --args."""
    return _all(_PROGRAM, function)


def engine_options(function: F) -> F:
    """--seed, --validate."""
    return _all(_ENGINE, function)


def verdict_options(function: F) -> F:
    """--keep-branches."""
    return _all(_VERDICT, function)


def compiler_options(function: F) -> F:
    """--target, --data-model, --clang."""
    return _all(_COMPILER, function)


def budget_options(function: F) -> F:
    """--time, --memory, --max-instructions, --jobs."""
    return _all(_BUDGET, function)


def output_options(function: F) -> F:
    """--out, --json, --quiet, --verbose."""
    return _all(_OUTPUT, function)


def common_fields(options: dict[str, Any], flags: tuple[str, ...]) -> dict[str, Any]:
    """The fields that all requests have, from what the user typed; UserError when that makes no sense."""
    from clew.cli.arguments import parse_arguments

    return {
        "files": tuple(Path(file) for file in options["files"]),
        "function": options["function"],
        "seconds": None if options["seconds"] == math.inf else options["seconds"],
        "memory_mb": options["memory_mb"],
        "max_instructions": options["max_instructions"],
        "array_length": options["array_length"],
        "no_alias": options["no_alias"],
        "no_null": options["no_null"],
        "depth": options["depth"],
        "checks": _names(options.get("check")),
        "stdin": options["stdin"],
        "args": parse_arguments(options["args"]),
        "malloc_may_fail": options["malloc_may_fail"],
        "seed": options["seed"],
        "compiler_flags": flags,
        "target": options["target"],
        "data_model": options["data_model"],
        "clang": options["clang"],
        "validate": options["validate"],
        "verbose": options["verbose"],
        "began": time.monotonic(),
    }


def verdict_fields(options: dict[str, Any], flags: tuple[str, ...]) -> dict[str, Any]:
    """The same, with those that only requests for a verdict have."""
    return {**common_fields(options, flags), "keep_branches": options["keep_branches"]}


def _names(check: str | None) -> tuple[str, ...] | None:
    if check is None:
        return None
    require_names("check", check)
    return tuple(name.strip() for name in check.split(",") if name.strip())


def require_names(option: str, value: str | None) -> None:
    """An empty list is no way to ask for the default."""
    if value is not None and not value.strip(", "):
        raise click.UsageError(f"Option '--{option}' names nothing: leave it out for the default")


def number_or(option: str, text: str | None, word: str) -> int | None:
    """A bound: a number, or None for a word that stands for something else."""
    if text is None or text == word:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise UserError(f"{option} must be a number above 0 or {word!r}, not {text!r}")
    return int(text)
