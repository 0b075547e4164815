"""``clew replay``: do the tests of a run behave natively as predicted?"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from clew.base.printable import LINES, printable
from clew.cli.exits import DONE, FOUND, STOPPED
from clew.cli.signals import interruptible

_EPILOG = """Exit code: 0 no test disagreed; 1 some did; 2 wrong usage, or a folder that cannot be read; 3 the
program cannot be compiled natively, or the replay was interrupted."""


@click.command("replay", epilog=_EPILOG)
@click.argument("outdir")
@click.option("--time", "seconds", type=float, default=10.0, show_default=True, metavar="SECONDS", help="Per test.")
@click.option("--memory", "memory_mb", type=int, default=1024, show_default=True, metavar="MB", help="Per test.")
@click.option("--cc", metavar="PATH", help="Compile with this C compiler instead of the best one found.")
@click.option("--uncontained", is_flag=True,
              help="Run tests even where this system cannot keep them from doing harm.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The report on standard output, nothing else there.")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--verbose", is_flag=True, help="Show every test; tracebacks of internal errors, too.")
def command(
    outdir: str,
    seconds: float,
    memory_mb: int,
    cc: str | None,
    uncontained: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Compile the program of OUTDIR natively, run its tests, compare."""
    from clew.jobs.native.build import NoNativeProgram
    from clew.jobs.replay import ReplayRequest, run_replay

    request = ReplayRequest(Path(outdir), seconds, memory_mb, compiler=cc, uncontained=uncontained)
    lively = sys.stderr.isatty() and not quiet and not as_json

    def progress(number: int, total: int) -> None:
        if lively:
            click.echo(f"\r\x1b[Kclew: test {number} of {total}", err=True, nl=False)

    try:
        with interruptible(request.interrupt, quiet):
            report = run_replay(request, progress)
    except NoNativeProgram as error:
        click.echo(f"clew: error: {printable(str(error))}", err=True)
        if error.details:
            click.echo(printable(error.details.rstrip("\n"), LINES), err=True)
        return STOPPED
    finally:
        if lively:
            click.echo("\r\x1b[K", err=True, nl=False)
    for text in report.warnings:
        if not quiet:
            click.echo(f"clew: warning: {text}", err=True)
    if as_json:
        click.echo(json.dumps(report.to_json(), allow_nan=False))
    elif not quiet:
        from clew.report.text import print_lines

        print_lines(report.lines(verbose), sys.stdout)
    if not report.agreed:
        return FOUND
    return STOPPED if report.interrupted else DONE
