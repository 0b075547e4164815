"""``clew report``: make ``report.html`` of an output folder again."""

from __future__ import annotations

from pathlib import Path

import click

from clew.cli.command import quiet_option
from clew.cli.exits import DONE
from clew.cli.help import Argument, Command

_EPILOG = "Exit code: 0 done; 2 a folder that holds no results, or cannot be written to."


def _run(outdir: str, quiet: bool) -> int:
    from clew.report.page.render import write_page

    written = write_page(Path(outdir))
    if not quiet:
        click.echo(str(written))
    return DONE


command = Command(
    "report",
    callback=_run,
    params=[Argument(["outdir"]), quiet_option()],
    short_help="Write report.html again.",
    help="Write OUTDIR/report.html again, from what is in OUTDIR (of test, verify, reach or project).",
    epilog=_EPILOG,
)
