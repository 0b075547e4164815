"""``clew explain``: why a line is covered or not; how a bug comes about."""

from __future__ import annotations

import sys
from pathlib import Path

from clew.cli.exits import DONE
from clew.cli.help import Argument, Command

_EPILOG = "Exit code: 0 done; 2 a folder that holds no results, or a place or bug that is not there."


def _run(outdir: str, what: str) -> int:
    from clew.report.explanation import explanation
    from clew.report.text import print_lines

    print_lines(explanation(Path(outdir), what), sys.stdout)
    return DONE


command = Command(
    "explain",
    callback=_run,
    params=[Argument(["outdir"]), Argument(["what"], metavar="FILE:LINE|BUG")],
    short_help="Why a line is (not) covered; how a bug comes about.",
    help="Tell from OUTDIR why FILE:LINE is covered or not, and by which tests; or the path to bug number BUG.",
    epilog=_EPILOG,
)
