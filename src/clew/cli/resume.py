"""``clew resume``: go on where a run of ``clew test`` was stopped, by a limit or in any other way."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from clew.base.errors import UserError
from clew.base.option import Group
from clew.base.options import ResumeRequest, TestRequest
from clew.cli.command import result_options
from clew.cli.display import Display
from clew.cli.exits import exit_of, project_exit
from clew.cli.help import Argument, Command
from clew.cli.options import command_options, field_values

_EPILOG = """Exit code, of both runs together: 0 done, no bug found; 1 bug found; 2 wrong usage, or a folder that cannot
be gone on with; 3 stopped early, nothing found."""


@click.pass_context
def _run(ctx: click.Context, /, outdir: str, **given: Any) -> int:
    began = time.monotonic()
    display = Display(given["as_json"], given["quiet"], given["verbose"])
    asked = ResumeRequest(Path(outdir), **field_values(ResumeRequest, given))

    from clew.report.runlog import NAME, RunLog, is_over, reopened

    summary = is_over(asked.folder)
    if summary is not None:
        return _nothing_left(asked.folder, summary, display)
    stored, lock = reopened(asked.folder)
    folder = _entered(asked.folder, stored.head.directory)
    request = stored.head.request
    if not isinstance(request, TestRequest):
        raise UserError(f"{asked.folder} is not of a run of 'clew test'")
    request = asked.applied(request, began)

    from clew.cli.session import run_session
    from clew.jobs.test import run_test

    if stored.damaged and not display.quiet:
        click.echo(f"clew: warning: {folder / NAME} is damaged: going on from what is whole of it", err=True)
    log = RunLog(folder, request, stored, lock)
    complete = run_session(partial(run_test, earlier=stored), request, log, display, "test", ctx.obj)
    display.result(complete)
    return exit_of(complete, request)


def _entered(folder: Path, directory: str) -> Path:
    """The output folder, as seen from the folder that names of files are relative to, which is entered."""
    if Path.cwd() == Path(directory):
        return folder
    folder = folder.resolve()
    try:
        os.chdir(directory)
    except OSError as error:
        raise UserError(f"cannot enter {directory}, where the run began: {error.strerror or error}") from None
    return folder


def _nothing_left(folder: Path, summary: Mapping[str, Any], display: Display) -> int:
    from clew.report.judgement import Judgement

    if display.json:
        click.echo(json.dumps(summary))
    elif not display.quiet:
        click.echo(f"{folder}: nothing left to do, the run came to its end", err=True)
    return project_exit(summary.get("bugs") or (), False, Judgement(only_new=True))


command = Command(
    "resume",
    callback=_run,
    params=[Argument(["outdir"]), *command_options(ResumeRequest, {Group.RESULTS: result_options()})],
    short_help="Go on where a run was stopped.",
    help="Go on where a run of 'clew test' was stopped: by time, memory, Ctrl-C, or from outside.",
    epilog=_EPILOG,
)
