"""``clew reach``: which inputs lead to a line, a label or a call?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clew.base.errors import UserError
from clew.cli.display import Display
from clew.cli.flags import CompilerCommand, compiler_flags
from clew.cli.options import (
    budget_options,
    compiler_options,
    engine_options,
    output_options,
    program_options,
    verdict_fields,
    verdict_options,
)

if TYPE_CHECKING:
    from clew.base.options import ReachRequest
    from clew.report.listener import Listener
    from clew.report.records import Summary

_EPILOG = """-I, -D, -U, -std=, -f..., -m..., -W... and everything after -- go to the compiler.

Exit code: 0 REACHED; 1 UNREACHABLE; 2 wrong usage or input; 3 UNKNOWN."""


@click.command("reach", cls=CompilerCommand, epilog=_EPILOG,
               short_help="Find inputs that lead to a line, a label or a call.")  # fmt: skip
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--line", metavar="[FILE:]N", help="The target: code of this line.")
@click.option("--label", metavar="NAME", help="The target: a label of C.")
@click.option("--call", metavar="NAME", help="The target: a function, or the calls of one that is not defined.")
@program_options
@click.option("--strategy", type=click.Choice(["auto", "chains", "plain"]), default="auto", show_default=True,
              help="chains: navigate loops by counters; plain: run paths, closest to the target first.")  # fmt: skip
@verdict_options
@engine_options
@budget_options
@compiler_options
@output_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:
    """Find inputs of FILE... (.c, .ll or .bc) that lead to a target, or show that there are none."""
    display = Display(options["as_json"], options["quiet"], options["verbose"])
    request = make_request(options, compiler_flags(ctx))

    from clew.cli.exits import exit_of_reach
    from clew.cli.session import run_session

    out = Path(options["out"]) if options["out"] is not None else None
    summary = run_session(_job, request, out, display, "reach", ctx.obj)
    display.result(summary)
    return exit_of_reach(summary)


def _job(request: ReachRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.reach import run_reach

    return run_reach(request, listener)


def make_request(options: dict[str, Any], flags: tuple[str, ...]) -> ReachRequest:
    """The typed request for what the user typed; UserError when that makes no sense."""
    from clew.base.options import ReachRequest

    file, line = _line(options["line"])
    return ReachRequest(
        **verdict_fields(options, flags),
        line=line,
        file=file,
        label=options["label"],
        call=options["call"],
        strategy=options["strategy"],
    )


def _line(text: str | None) -> tuple[str | None, int | None]:
    """``p.c:12`` or ``12``."""
    if text is None:
        return None, None
    file, _, number = text.rpartition(":")
    if not (number.isascii() and number.isdecimal()) or len(number) > 9:
        raise UserError(f"--line must be N or FILE:N with N above 0, not {text!r}")
    return file or None, int(number)
