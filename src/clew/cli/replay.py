"""``clew replay``: do the tests of a run behave natively as predicted?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from clew.base.option import Group
from clew.base.options import ReplayRequest
from clew.base.printable import LINES, printable
from clew.cli.command import json_option, quiet_option
from clew.cli.exits import DONE, FOUND, STOPPED
from clew.cli.help import Argument, Command, Option
from clew.cli.options import command_options, field_values
from clew.cli.signals import interruptible

_EPILOG = """Exit code: 0 no test disagreed; 1 some did; 2 wrong usage, or a folder that cannot be read; 3 the
program cannot be compiled natively, or the replay was interrupted."""


def _run(outdir: str, as_json: bool, quiet: bool, verbose: bool, **given: Any) -> int:
    from clew.jobs.native.build import NoNativeProgram
    from clew.jobs.replay import run_replay
    from clew.report.screen import ProgressLine

    request = ReplayRequest(Path(outdir), **field_values(ReplayRequest, given))
    line = ProgressLine(sys.stderr, not quiet and not as_json)

    def progress(number: int, total: int) -> None:
        line.say([(0, f"clew: test {number} of {total}")])

    try:
        with interruptible(request.interrupt, quiet):
            report = run_replay(request, progress)
    except NoNativeProgram as error:
        click.echo(f"clew: error: {printable(str(error))}", err=True)
        if error.details:
            click.echo(printable(error.details.rstrip("\n"), LINES), err=True)
        return STOPPED
    finally:
        line.clear()
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


_OWN = {
    Group.RESULTS: (json_option("The report on standard output, nothing else there."), quiet_option()),
    Group.DISPLAY: (Option(["--verbose"], is_flag=True, help="Show every test; tracebacks of internal errors, too."),),
}
command = Command(
    "replay",
    callback=_run,
    params=[Argument(["outdir"]), *command_options(ReplayRequest, _OWN)],
    short_help="Run the tests against the native program.",
    help="Compile the program of OUTDIR natively, run its tests, compare.",
    epilog=_EPILOG,
)
