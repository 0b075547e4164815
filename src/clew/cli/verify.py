"""``clew verify``: do the program's assertions hold, whatever the inputs?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.cli.display import Display
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import (
    budget_options,
    compiler_options,
    engine_options,
    number_or,
    output_options,
    program_options,
    verdict_fields,
    verdict_options,
)

if TYPE_CHECKING:
    from clew.base.options import VerifyRequest
    from clew.report.listener import Listener
    from clew.report.records import Summary

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: 0 TRUE; 1 FALSE; 2 wrong usage or input; 3 UNKNOWN."""


@click.command(
    "verify", cls=CompilerCommand, epilog=_EPILOG, short_help="Prove the assertions of C files, or show how they fail."
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@program_options
@click.option("--strategy", type=click.Choice(["auto", "conflicts", "plain"]), default="auto", show_default=True,
              help="plain: run every path; conflicts: learn from paths that cannot fail.")  # fmt: skip
@click.option("--decide", metavar="HOW", default="learn:10", show_default=True,
              help="How conflicts decides: blackbox, guide, learn, or learn:K (clauses up to K literals).")  # fmt: skip
@click.option("--unroll", metavar="N|dynamic", default="dynamic", show_default=True,
              help="At most N passes through each loop, or as many as it takes.")  # fmt: skip
@click.option("--no-invariants", is_flag=True, help="Do not let linear invariants of loops prove anything.")
@click.option("--check", metavar="LIST",
              help="Errors to look for: assert, memory, overflow, div, ..., all (default: assert).")  # fmt: skip
@verdict_options
@engine_options
@budget_options
@compiler_options
@output_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Prove that no input makes an assertion of FILE... (.c, .ll or .bc) fail, or find one that does."""
    display = Display(options["as_json"], options["quiet"], options["verbose"])
    request = make_request(options, compiler_flags(ctx))

    from clew.cli.exits import exit_of_verify
    from clew.cli.session import run_session

    out = Path(options["out"]) if options["out"] is not None else None
    summary = run_session(_job, request, out, display, "verify", ctx.obj)
    display.result(summary)
    return exit_of_verify(summary)


def _job(request: VerifyRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.verify import run_verify

    return run_verify(request, listener)


def make_request(options: dict[str, Any], flags: tuple[str, ...]) -> VerifyRequest:
    """The typed request for what the user typed; UserError when that makes no sense."""
    from clew.base.options import VerifyRequest

    return VerifyRequest(
        **verdict_fields(options, flags),
        strategy=options["strategy"],
        decide=options["decide"],
        unroll=number_or("--unroll", options["unroll"], "dynamic"),
        invariants=not options["no_invariants"],
    )
