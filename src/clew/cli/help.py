"""Help for people: commands by task, options by what they are about, and what a shell may complete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from clew.base.option import Group

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

TITLES: Mapping[Group, str] = {
    Group.TARGET: "Target",
    Group.ENTRY: "Inputs",
    Group.INPUTS: "Inputs",
    Group.OWN: "How it is done",
    Group.CHECKS: "Errors to look for",
    Group.VERDICT: "How it is done",
    Group.ENGINE: "How it is done",
    Group.TIME: "Budgets",
    Group.BUDGET: "Budgets",
    Group.COMPILER: "Compiler",
    Group.JUDGEMENT: "Results",
    Group.RESULTS: "Results",
    Group.DISPLAY: "Results",
}
"""Where options stand in the help of a command."""
_OTHER = "Other"
_FILES = frozenset(("FILE...", "FILE|DIR...", "FILE", "PATH", "LIST.toml"))
_FOLDERS = frozenset(("DIR", "OUTDIR"))
WIDEST = 110
"""Columns that help takes at most, where the terminal has them."""


def completed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What a shell offers for a value: files or folders, where the name of the value says so."""
    from click.shell_completion import CompletionItem

    name = param.metavar or (param.name or "").upper()
    kind = "file" if name in _FILES else "dir" if name in _FOLDERS else ""
    return [CompletionItem(incomplete, type=kind)] if kind else []


class Option(click.Option):
    """An option with its place in the help."""

    section = _OTHER

    def __init__(self, *names: Any, **more: Any) -> None:
        if "type" not in more or not isinstance(more["type"], click.Choice):
            more.setdefault("shell_complete", completed)
        super().__init__(*names, **more)


class Argument(click.Argument):
    """An argument whose value shells can complete."""

    def __init__(self, *names: Any, **more: Any) -> None:
        super().__init__(*names, shell_complete=completed, **more)


class Command(click.Command):
    """A command whose help lists its options by what they are about."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                title = param.section if isinstance(param, Option) else _OTHER
                sections.setdefault(title, []).append(record)
        titles = [*dict.fromkeys(TITLES.values()), _OTHER]
        for title in sorted(sections, key=titles.index):
            with formatter.section(title if len(sections) > 1 else "Options"):
                formatter.write_dl(sections[title])
