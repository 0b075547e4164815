"""Exit codes, as the command-line contract gives them. Whatever was found, 2 says that it is not all on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clew.report.records import Summary

DONE = 0
FOUND = 1
FAILURE = 2
STOPPED = 3
ABORTED = 3


_VERDICTS = {"TRUE": DONE, "FALSE": FOUND, "REACHED": DONE, "UNREACHABLE": FOUND}


def exit_of(summary: Summary) -> int:
    """The verdict, of commands that give one; else 1 with a bug, 3 when something ended the search early, and 0.

    Possible bugs do not count.
    """
    if summary.unwritten:
        return FAILURE
    if summary.verdict is not None:
        return _VERDICTS.get(summary.verdict, STOPPED)
    if summary.certain:
        return FOUND
    return DONE if summary.stopped is None else STOPPED
