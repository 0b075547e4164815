"""The two shapes of commands: those that explore a program and leave a folder of results, and those that print what
they find out about it. Each command is one of them, given its request, its job and its words.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from clew.base.option import Group
from clew.base.options import Request
from clew.cli.display import Display
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import Names, make_request, parameters

if TYPE_CHECKING:
    from clew.cli.description import Job as Describing
    from clew.cli.session import Job as Exploring
    from clew.report.records import Summary

R = TypeVar("R", bound=Request)

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: """


def exploring(
    name: str,
    request: type[R],
    job: Exploring[R],
    exit_of: Callable[[Summary], int],
    *,
    short: str,
    help: str,
    codes: str,
) -> click.Command:
    """A command that runs ``job`` in a session of its own. ``codes`` says what its exit codes mean."""

    @click.pass_context
    def run(ctx: click.Context, /, **given: Any) -> int:
        display = Display(given["as_json"], given["quiet"], given["verbose"])
        asked = make_request(request, given, compiler_flags(ctx))

        from clew.cli.session import run_session

        out = Path(given["out"]) if given["out"] is not None else None
        summary = run_session(job, asked, out, display, name, ctx.obj)
        display.result(summary)
        return exit_of(summary)

    own = {
        Group.BUDGET: [_jobs()],
        Group.RESULTS: [_out(), _json("The summary on standard output, nothing else there."), _quiet()],
    }
    return CompilerCommand(
        name, callback=run, params=parameters(request, own, {}), short_help=short, help=help, epilog=_EPILOG + codes
    )


def describing(
    name: str, request: type[R], job: Describing[R], names: Names, *, short: str, help: str, what: str
) -> click.Command:
    """A command that prints what ``job`` finds out; ``what`` that is."""

    @click.pass_context
    def run(ctx: click.Context, /, **given: Any) -> int:
        asked = make_request(request, given, compiler_flags(ctx))

        from clew.cli.description import describe

        return describe(job, asked, given, name, ctx.obj)

    own = {Group.RESULTS: [_json(f"{what} on standard output as JSON.")]}
    epilog = f"{_EPILOG}0 done; 2 wrong usage or input; 3 stopped early."
    return CompilerCommand(
        name, callback=run, params=parameters(request, own, names), short_help=short, help=help, epilog=epilog
    )


# Options of the command line alone: a job knows nothing of them


def _jobs() -> click.Option:
    text = "Processes to use; this version explores in one, whatever N is."
    return click.Option(["--jobs"], type=click.IntRange(min=1), default=1, metavar="N", help=text)


def _out() -> click.Option:
    return click.Option(
        ["--out"], metavar="DIR", help="A new or empty folder (default: clew-out/N, the next free number)."
    )


def _json(text: str) -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help=text)


def _quiet() -> click.Option:
    return click.Option(["--quiet"], is_flag=True, help="Say nothing but errors.")
