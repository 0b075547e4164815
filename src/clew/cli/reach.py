"""``clew reach``: which inputs lead to a line, a label or a call?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.base.options import ReachRequest
from clew.cli.command import exploring
from clew.cli.exits import exit_of_reach

if TYPE_CHECKING:
    from clew.report.listener import Listener
    from clew.report.records import Summary


def _job(request: ReachRequest, listener: Listener) -> Summary:
    """Imports the engine only now: that takes a while, and a signal must find the session at work."""
    from clew.jobs.reach import run_reach

    return run_reach(request, listener)


command = exploring(
    "reach",
    ReachRequest,
    _job,
    exit_of_reach,
    short="Find inputs that lead to a line, a label or a call.",
    help="Find inputs of FILE... (.c, .ll or .bc) that lead to a target, or show that there are none.",
    codes="0 REACHED; 1 UNREACHABLE; 2 wrong usage or input; 3 UNKNOWN.",
)
