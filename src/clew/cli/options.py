"""The options of a command, made from the fields of its request, and the request made from what the user typed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from clew.base.option import Group, Option, options_of
from clew.base.options import Request

R = TypeVar("R", bound=Request)
Names = Mapping[str, Sequence[str]]
"""For fields whose values are names of plug-ins: those there are."""


def parameters(
    request: type[Request], own: Mapping[Group, Sequence[click.Option]], names: Names
) -> list[click.Parameter]:
    """FILE... and the options, in the order of ``--help``; ``own`` are those of the command line alone."""
    return [click.Argument(["files"], nargs=-1, required=True, metavar="FILE..."), *_options(request, own, names)]


def _options(
    request: type[Request], own: Mapping[Group, Sequence[click.Option]], names: Names
) -> Iterator[click.Option]:
    for group in request.GROUPS:
        for name, declared in options_of(request).items():
            if declared.group is group:
                yield _option(declared, names.get(name, declared.choices))
        yield from own.get(group, ())


def _option(declared: Option, choices: Sequence[str]) -> click.Option:
    spelling = [declared.flag, declared.name]
    if declared.is_flag:
        return click.Option(spelling, is_flag=True, help=declared.help)
    default = declared.default if declared.given is None else declared.given
    shown = {} if default in (None, ()) else {"default": default, "show_default": True}
    kind = click.Choice(choices) if choices else declared.type
    return click.Option(
        spelling, type=kind, metavar=declared.metavar, multiple=declared.multiple, help=declared.help, **shown
    )


def make_request(request: type[R], given: Mapping[str, Any], flags: tuple[str, ...]) -> R:
    """The typed request for what the user typed; UserError when that makes no sense."""
    values: dict[str, Any] = {}
    for name, declared in options_of(request).items():
        if name in given:
            try:
                values.update(declared.values(given[name]))
            except ValueError as wrong:
                raise click.UsageError(f"Option '{declared.flag}' {wrong}") from None
    files = tuple(Path(file) for file in given["files"])
    return request(files=files, compiler_flags=flags, began=time.monotonic(), **values)
