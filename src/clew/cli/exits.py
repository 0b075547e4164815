"""Exit codes, as the command-line contract gives them. Whatever was found, 2 says that it is not all on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.base.options import Request
    from clew.report.judgement import Judgement
    from clew.report.records import Summary

DONE = 0
FOUND = 1
FAILURE = 2
STOPPED = 3
ABORTED = 3


_VERDICTS = {"TRUE": DONE, "FALSE": FOUND, "REACHED": DONE, "UNREACHABLE": FOUND}


def exit_of(summary: Summary, request: Request | None = None) -> int:
    """The verdict, of commands that give one; else 1 with a bug, 3 when something ended the search early, and 0.

    Possible bugs do not count, nor do those that a comment in the source suppresses. With ``--fail-on`` or a baseline
    the bugs decide, of commands with a verdict, too.
    """
    from clew.report.judgement import Judgement

    if summary.unwritten:
        return FAILURE
    judgement = Judgement() if request is None else Judgement.of(request)
    if summary.verdict is not None and not judgement.said:
        return _VERDICTS.get(summary.verdict, STOPPED)
    if any(judgement.fails(bug.kind, bug.baseline, bug.suppressed, bug.is_possible) for bug in summary.bugs):
        return FOUND
    unknown = any(one.verdict == "UNKNOWN" for one in summary.properties)
    open_end = summary.verdict == "UNKNOWN" or (unknown if summary.verdict else summary.stopped is not None)
    return STOPPED if open_end and judgement.unknown else DONE


def project_exit(bugs: Iterable[Mapping[str, Any]], stopped: bool, judgement: Judgement) -> int:
    """The same for the bugs of a project's summary, or of one that is on disk."""
    for bug in bugs:
        known, suppressed = bug.get("baseline", ""), bug.get("suppressed", "")
        if judgement.fails(bug["kind"], known, suppressed, bool(bug.get("rests_on"))):
            return FOUND
    return STOPPED if stopped and judgement.unknown else DONE
