"""How a command talks: --json, --quiet, --verbose."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from clew.base.dataclass import dataclass

if TYPE_CHECKING:
    from clew.report.records import Summary


@dataclass(frozen=True, slots=True)
class Display:
    """What goes to standard output, and how much is said on standard error."""

    json: bool = False
    quiet: bool = False
    verbose: bool = False

    def __post_init__(self) -> None:
        if self.quiet and self.verbose:
            raise click.UsageError("--quiet and --verbose contradict each other")

    def result(self, summary: Summary) -> None:
        """The end of a run: JSON and nothing else, or the report, or nothing; and why files are missing, if any are."""
        if self.json:
            print(json.dumps(summary.to_json(), allow_nan=False))
        elif not self.quiet:
            from clew.report.text import print_lines, report_lines

            print_lines(report_lines(summary, self.verbose), sys.stdout)
        if summary.unwritten:
            sys.stdout.flush()
            print(f"clew: error: {summary.unwritten}", file=sys.stderr)
