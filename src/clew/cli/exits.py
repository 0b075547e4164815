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


def exit_of_test(summary: Summary) -> int:
    """``clew test``: 1 with a bug, 3 when something ended the search early, else 0; possible bugs do not count."""
    if summary.unwritten:
        return FAILURE
    if summary.certain:
        return FOUND
    return DONE if summary.stopped is None else STOPPED


def exit_of_verify(summary: Summary) -> int:
    """``clew verify``: the verdict."""
    if summary.unwritten:
        return FAILURE
    return {"TRUE": DONE, "FALSE": FOUND}.get(summary.verdict or "", STOPPED)


def exit_of_reach(summary: Summary) -> int:
    """``clew reach``: the verdict."""
    if summary.unwritten:
        return FAILURE
    return {"REACHED": DONE, "UNREACHABLE": FOUND}.get(summary.verdict or "", STOPPED)
