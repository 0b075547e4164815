"""``clew test``: inputs that cover the code, and inputs that crash it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.cli.display import Display
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import (
    budget_options,
    common_fields,
    compiler_options,
    engine_options,
    number_or,
    output_options,
    program_options,
    require_names,
)

if TYPE_CHECKING:
    from clew.base.options import TestRequest
    from clew.report.listener import Listener
    from clew.report.records import Summary

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: 0 done, no bug found; 1 bug found; 2 wrong usage or input; 3 stopped early, nothing found."""


@click.command("test", cls=CompilerCommand, epilog=_EPILOG, short_help="Explore C files, write tests, report bugs.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@program_options
@click.option("--goal", type=click.Choice(["branch", "error", "context", "path"]), default="error", show_default=True,
              help="Not to be missed: branches; errors, too; both in every state; paths, a test each.")  # fmt: skip
@click.option("--no-merge", is_flag=True, help="Explore every path: do not cut those that can show nothing new.")
@click.option("--search", metavar="NAME", help="Which pending path to run next: dfs, bfs, random-path, coverage, ...")
@click.option("--start", multiple=True, metavar="NAME=VALUE,...", help="Inputs of the first run, by name or in order.")
@click.option("--loop-bound", metavar="N|auto",
              help="At most N passes through each loop on a path; auto: as many as branches need.")  # fmt: skip
@click.option("--no-summarize", is_flag=True, help="Run loops as they are: do not generalize them to all counts.")
@click.option("--loops", type=click.Choice(["ir", "dynamic"]), default="ir", show_default=True,
              help="What summaries take for a loop: from the code, or from what a run goes through.")  # fmt: skip
@click.option("--no-invariants", is_flag=True, help="Do not derive inputs and dead branches from linear invariants.")
@click.option("--no-navigate", is_flag=True, help="Do not search for branches below loops that stay uncovered.")
@click.option("--check", metavar="LIST", help="Errors to look for: assert, memory, overflow, div, ... (default: all).")
@engine_options
@budget_options
@compiler_options
@output_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Explore FILE... (.c, .ll or .bc), write tests, report bugs."""
    display = Display(options["as_json"], options["quiet"], options["verbose"])
    request = make_request(options, compiler_flags(ctx))

    from clew.cli.exits import exit_of_test
    from clew.cli.session import run_session

    out = Path(options["out"]) if options["out"] is not None else None
    summary = run_session(_job, request, out, display, "test", ctx.obj)
    display.result(summary)
    return exit_of_test(summary)


def _job(request: TestRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.test import run_test

    return run_test(request, listener)


def make_request(options: dict[str, Any], flags: tuple[str, ...]) -> TestRequest:
    """The typed request for what the user typed; UserError when that makes no sense."""
    from clew.base.options import TestRequest
    from clew.cli.start_values import parse_start

    require_names("search", options["search"])
    return TestRequest(
        **common_fields(options, flags),
        goal=options["goal"],
        merge=not options["no_merge"],
        search=options["search"],
        start=tuple(value for text in options["start"] for value in parse_start(text)),
        loop_bound=number_or("--loop-bound", options["loop_bound"], "auto"),
        loop_bounds=options["loop_bound"] == "auto",
        navigate=not options["no_navigate"],
        summarize=not options["no_summarize"],
        loops=options["loops"],
        invariants=not options["no_invariants"],
    )
