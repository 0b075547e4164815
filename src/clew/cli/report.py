"""``clew report``: make ``report.html`` of an output folder again."""

from __future__ import annotations

from pathlib import Path

import click

from clew.cli.command import quiet_option
from clew.cli.exits import DONE
from clew.cli.help import Argument, Command, Option

_EPILOG = "Exit code: 0 done; 2 a folder that holds no results, or cannot be written to."


def _run(outdir: str, code_quality: str | None, quiet: bool) -> int:
    from clew.report.page.render import write_page

    written = [write_page(Path(outdir))]
    if code_quality is not None:
        from clew.report.code_quality import code_quality as findings
        from clew.report.folder import write_or_refuse

        written.append(write_or_refuse(Path(code_quality), findings(Path(outdir))))
    if not quiet:
        click.echo("\n".join(map(str, written)))
    return DONE


_CODE_QUALITY = Option(["--code-quality"], metavar="FILE", help="Also write the bugs as GitLab's code quality.")


command = Command(
    "report",
    callback=_run,
    params=[Argument(["outdir"]), _CODE_QUALITY, quiet_option()],
    short_help="Write report.html again.",
    help="Write OUTDIR/report.html again, from what is in OUTDIR (of test, verify, reach or project).",
    epilog=_EPILOG,
)
