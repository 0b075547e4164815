"""The two shapes of commands: those that explore a program and leave a folder of results, and those that print what
they find out about it. Each command is one of them, given its request and its words; what it does is a job of its name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from clew.base.option import Group
from clew.base.options import Request
from clew.base.recipe import PLAIN
from clew.cli.display import Display
from clew.cli.exits import exit_of
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.help import Argument, Option
from clew.cli.options import Names, command_options, field_values

EPILOG = """Options with one dash (but -p, -h) and everything after -- go to the compiler: CFLAGS can be pasted.

Exit code: """

# Options of the command line alone: a job knows nothing of them.
OUT = Option(["--out"], metavar="DIR", help="A new or empty folder (default: clew-out/N, the next free number).")
_FILES = Argument(["files"], nargs=-1, metavar="FILE...")


def json_option(text: str) -> Option:
    return Option(["--json", "as_json"], is_flag=True, help=text)


def quiet_option() -> Option:
    return Option(["--quiet"], is_flag=True, help="Say nothing but errors.")


def result_options() -> tuple[Option, Option]:
    """Of commands that sum up what they have found."""
    return json_option("The summary on standard output, nothing else there."), quiet_option()


def _job(name: str) -> Callable[..., Any]:
    """``run_<name>`` of ``clew.jobs.<name>``. It is imported when it is called: that takes a while, the time is limited
    already, and a signal must find the session at work."""
    return lambda *asked: getattr(import_module(f"clew.jobs.{name}"), f"run_{name}")(*asked)


def make_request(request: type[Request], ctx: click.Context, given: Mapping[str, Any]) -> Request:
    """The typed request for what the user typed, with the files that stand behind what he names."""
    files, (flags, notes) = named(ctx, given), compiler_flags(ctx)
    fields = field_values(request, given)
    asked = request(files=files, compiler_flags=flags, notes=notes, began=time.monotonic(), **fields)
    if asked.build is None and all(file.suffix in PLAIN for file in files):
        return asked

    from clew.jobs.sources import resolved

    return resolved(asked)


def named(ctx: click.Context, given: Mapping[str, Any]) -> tuple[Path, ...]:
    """What the user names; all of a build where he names nothing else."""
    if given["files"]:
        return tuple(Path(file) for file in given["files"])
    if given.get("build") is None:
        raise click.MissingParameter(ctx=ctx, param=next(one for one in ctx.command.params if one.name == "files"))
    build = Path(given["build"])
    return (build.parent if build.is_file() else build,)


def exploring(name: str, request: type[Request], *, short: str, help: str, codes: str) -> click.Command:
    """A command that runs its job in a session of its own. ``codes`` says what its exit codes mean."""

    @click.pass_context
    def run(ctx: click.Context, /, **given: Any) -> int:
        display = Display(given["as_json"], given["quiet"], given["verbose"])
        asked = make_request(request, ctx, given)

        from clew.cli.session import run_session

        out = Path(given["out"]) if given["out"] is not None else None
        summary = run_session(_job(name), asked, out, display, name, ctx.obj, name == "test")
        display.result(summary)
        return exit_of(summary, asked)

    own = {Group.RESULTS: (OUT, *result_options())}
    return CompilerCommand(
        name,
        callback=run,
        params=[_FILES, *command_options(request, own)],
        short_help=short,
        help=help,
        epilog=EPILOG + codes,
    )


def describing(name: str, request: type[Request], names: Names, *, short: str, help: str, what: str) -> click.Command:
    """A command that prints what its job finds out; ``what`` that is."""

    @click.pass_context
    def run(ctx: click.Context, /, **given: Any) -> int:
        asked = make_request(request, ctx, given)

        from clew.cli.description import describe

        return describe(_job(name), asked, given, name, ctx.obj)

    own = {Group.RESULTS: [json_option(f"{what} on standard output as JSON.")]}
    epilog = f"{EPILOG}0 done; 2 wrong usage or input; 3 stopped early."
    return CompilerCommand(
        name,
        callback=run,
        params=[_FILES, *command_options(request, own, names)],
        short_help=short,
        help=help,
        epilog=epilog,
    )
