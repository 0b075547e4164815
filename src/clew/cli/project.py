"""``clew project``: tests and bugs of all functions of a project, under one budget, in one report."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from clew.base.errors import UserError
from clew.base.option import Group
from clew.base.options import ProjectRequest
from clew.base.processes import available_cores
from clew.cli.command import EPILOG, OUT, make_request, named, result_options
from clew.cli.display import Display
from clew.cli.exits import project_exit
from clew.cli.flags import CompilerCommand
from clew.cli.help import Argument, Option
from clew.cli.options import command_options


@click.pass_context
def _run(ctx: click.Context, /, **given: Any) -> int:
    display = Display(given["as_json"], given["quiet"], given["verbose"])
    asked = make_request(ProjectRequest, ctx, given | {"files": of_project(ctx, given)})
    assert isinstance(asked, ProjectRequest)

    from clew.cli.project_session import run_project
    from clew.report.judgement import Judgement

    judgement = Judgement.of(asked)
    jobs = given["jobs"] or available_cores()
    out = Path(given["out"]) if given["out"] is not None else None
    result, data = run_project(asked, out, jobs, given["resume"], display)
    if display.json:
        import json

        print(json.dumps(data))
    elif not display.quiet:
        _print(data, display.verbose)
    return project_exit(data["bugs"], bool(result.stopped), judgement)


def _print(data: Mapping[str, Any], verbose: bool) -> None:
    """The report; what a baseline or a comment sets aside is counted, unless ``verbose``."""
    from clew.report.project_text import is_set_aside, project_lines
    from clew.report.text import aside_lines, print_lines

    aside = 0 if verbose else sum(map(is_set_aside, data["bugs"]))
    print_lines([*project_lines(data, verbose), *aside_lines(aside)], sys.stdout)


def of_project(ctx: click.Context, given: Mapping[str, Any]) -> tuple[Path, ...]:
    """What is to be tested: what the user names, or the whole build."""
    if given["files"] and given["all_of_build"]:
        raise UserError("--all means all files of the build: leave out --all, or the files")
    return named(ctx, given)


JOBS = Option(
    ["--jobs"],
    type=click.IntRange(min=1),
    metavar="N",
    help="Functions to run at the same time (default: one per core).",
)
_RESUME = Option(
    ["--resume"], is_flag=True,
    help="Go on in the folder of --out: results of functions that have not changed since are kept.",
)  # fmt: skip
ALL = Option(["--all", "all_of_build"], is_flag=True, help="All files of the build of -p (also without FILE).")
FILES = Argument(["files"], nargs=-1, metavar="FILE|DIR...")

command = CompilerCommand(
    "project",
    callback=_run,
    params=[
        FILES,
        *command_options(
            ProjectRequest,
            {
                Group.OWN: (ALL,),
                Group.BUDGET: (JOBS,),
                Group.RESULTS: (OUT, _RESUME, *result_options()),
            },
        ),
    ],
    short_help="Test all functions of a project.",
    help="Test every function of FILE... (C files, what was built with clew-cc, targets of -p) that others can call, "
    "small ones first, under one budget. DIR: all that its compile_commands.json names.",
    epilog=EPILOG + "0 done, no bug found; 1 bug found; 2 wrong usage or input; 3 stopped early, nothing found.",
)
