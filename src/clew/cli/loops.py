"""``clew loops``: what do the loops of a program do?"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import compiler_options

if TYPE_CHECKING:
    from clew.base.options import LoopsRequest
    from clew.cli.description import Report
    from clew.report.listener import Listener

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: 0 done; 2 wrong usage or input; 3 stopped early."""


@click.command("loops", cls=CompilerCommand, epilog=_EPILOG, short_help="Describe the loops of C files by counters.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--function", metavar="NAME", help="Only the loops of this function.")
@click.option("--no-run", is_flag=True, help="Do not run the program to see which loops can be summarized.")
@click.option("--time", "seconds", type=float, default=60.0, show_default=True, metavar="SECONDS",
              help="Stop after this much wall time; inf for no limit.")  # fmt: skip
@compiler_options
@click.option("--json", "as_json", is_flag=True, help="The description on standard output as JSON.")
@click.option("--verbose", is_flag=True, help="Tracebacks of internal errors.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Describe the loops of FILE... (.c, .ll or .bc): chains, counters, and what variables are in terms of these."""
    request = make_request(options, compiler_flags(ctx))

    from clew.cli.description import describe

    return describe(_job, request, options, "loops", ctx.obj)


def _job(request: LoopsRequest, listener: Listener, so_far: Callable[[Callable[[], Report]], None]) -> Report:
    """Imports the analyses only now: that takes a while, and the time is limited already."""
    from clew.jobs.loops import run_loops

    return run_loops(request, listener, so_far)


def make_request(options: dict[str, Any], flags: tuple[str, ...]) -> LoopsRequest:
    """The typed request for what the user typed; UserError when that makes no sense."""
    from clew.base.options import LoopsRequest

    return LoopsRequest(
        files=tuple(Path(file) for file in options["files"]),
        function=options["function"],
        seconds=None if options["seconds"] == math.inf else options["seconds"],
        compiler_flags=flags,
        target=options["target"],
        data_model=options["data_model"],
        clang=options["clang"],
        verbose=options["verbose"],
        began=time.monotonic(),
        run=not options["no_run"],
    )
