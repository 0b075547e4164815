"""``clew explain``: why a line is covered or not; the shortest way to a bug."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from clew.base.budget import positive
from clew.base.errors import Unsupported, UserError
from clew.cli.exits import DONE
from clew.cli.help import Argument, Command, Option

if TYPE_CHECKING:
    from clew.report.minimal import Minimal
    from clew.report.page.results import Results, StoredBug

SECONDS = 10.0
_EPILOG = "Exit code: 0 done; 2 a folder that holds no results, or a place or bug that is not there."


def _run(outdir: str, what: str, time: float) -> int:
    from clew.report.explanation import explanation
    from clew.report.text import print_lines

    positive("--time", time)

    def minimize(results: Results, bug: StoredBug) -> Minimal | str:
        from clew.jobs.minimizing import minimized

        try:
            return minimized(
                results.folder, results.summary, bug.data, time,
                lambda step: results.line(step.location.file, step.location.line).strip(),
            )  # fmt: skip
        except (UserError, Unsupported) as problem:
            return str(problem)

    print_lines(explanation(Path(outdir), what, minimize), sys.stdout)
    return DONE


command = Command(
    "explain",
    callback=_run,
    params=[
        Argument(["outdir"]),
        Argument(["what"], metavar="FILE:LINE|BUG"),
        Option(
            ["--time"], type=float, default=SECONDS, show_default=True, metavar="SECONDS",
            help="To look for a shorter way to a bug.",
        ),
    ],
    short_help="Why a line is (not) covered; the shortest way to a bug.",
    help="Tell from OUTDIR why FILE:LINE is covered or not, and by which tests; or the shortest way to bug number BUG, "
    "and what each of its inputs is for.",
    epilog=_EPILOG,
)  # fmt: skip
