"""``clew invariants``: what holds at the loops and branches of a program?"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.analysis.absint.domains import DOMAINS
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import compiler_options

if TYPE_CHECKING:
    from clew.base.options import InvariantsRequest
    from clew.cli.description import Report
    from clew.report.listener import Listener

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: 0 done; 2 wrong usage or input; 3 stopped early."""


@click.command(
    "invariants", cls=CompilerCommand, epilog=_EPILOG, short_help="Print linear invariants of loops and branches."
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--domain", type=click.Choice(DOMAINS.names()), default="polyhedra",
              show_default=True, help="What invariants are made of, unless that costs too much.")  # fmt: skip
@click.option("--function", metavar="NAME", help="Start at this function, with any parameters, instead of main.")
@click.option("--time", "seconds", type=float, default=60.0, show_default=True, metavar="SECONDS",
              help="Stop after this much wall time; inf for no limit.")  # fmt: skip
@compiler_options
@click.option("--json", "as_json", is_flag=True, help="The invariants on standard output as JSON.")
@click.option("--verbose", is_flag=True, help="Tracebacks of internal errors.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Print what holds at the loops and branches of FILE... (.c, .ll or .bc), on all inputs and after any number of
    iterations: relations between variables, inputs (x@entry) and loop counters (#loop1)."""
    request = make_request(options, compiler_flags(ctx))

    from clew.cli.description import describe

    return describe(_job, request, options, "invariants", ctx.obj)


def _job(request: InvariantsRequest, listener: Listener, so_far: Callable[[Callable[[], Report]], None]) -> Report:
    """Imports the analyses only now: that takes a while, and the time is limited already."""
    from clew.jobs.invariants import run_invariants

    return run_invariants(request, listener, so_far)


def make_request(options: dict[str, Any], flags: tuple[str, ...]) -> InvariantsRequest:
    """The typed request for what the user typed; UserError when that makes no sense."""
    from clew.base.options import InvariantsRequest

    return InvariantsRequest(
        files=tuple(Path(file) for file in options["files"]),
        function=options["function"],
        seconds=None if options["seconds"] == math.inf else options["seconds"],
        compiler_flags=flags,
        target=options["target"],
        data_model=options["data_model"],
        clang=options["clang"],
        verbose=options["verbose"],
        began=time.monotonic(),
        domain=options["domain"],
    )
