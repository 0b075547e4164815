"""The options of a command, made from the fields of its request, and the values of these from what the user typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from clew.base.option import Group, Option, options_of
from clew.base.options import ReplayRequest, Request, ResumeRequest
from clew.cli.help import TITLES
from clew.cli.help import Option as ShownOption

Names = Mapping[str, Sequence[str]]
"""For fields whose values are names of plug-ins: those there are."""


def command_options(
    request: type[Request] | type[ReplayRequest] | type[ResumeRequest],
    own: Mapping[Group, Sequence[ShownOption]],
    names: Names | None = None,
) -> Iterator[ShownOption]:
    """The options of a command, in the order of ``--help``; ``own`` are those of the command line alone."""
    for group in request.GROUPS:
        known = [(name, one) for name, one in options_of(request).items() if one.group is group]
        listed = [_option(declared, (names or {}).get(name, declared.choices)) for name, declared in known]
        for option in (*listed, *own.get(group, ())):
            option.section = TITLES[group]
            yield option


def _option(declared: Option, choices: Sequence[str]) -> ShownOption:
    spelling = [declared.flag, declared.name]
    if declared.is_flag:
        return ShownOption(spelling, is_flag=True, help=declared.help)
    default = declared.default if declared.given is None else declared.given
    shown = {} if default in (None, ()) else {"default": default, "show_default": True}
    kind = click.Choice(choices) if choices else declared.type
    return ShownOption(
        spelling, type=kind, metavar=declared.metavar, multiple=declared.multiple, help=declared.help, **shown
    )


def field_values(request: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the request's fields for what the user typed; UserError when that makes no sense."""
    values: dict[str, Any] = {}
    for name, declared in options_of(request).items():
        if name in given:
            try:
                values.update(declared.values(given[name]))
            except ValueError as wrong:
                raise click.UsageError(f"Option '{declared.flag}' {wrong}") from None
    return values
