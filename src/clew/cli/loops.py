"""``clew loops``: what do the loops of a program do?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clew.base.options import LoopsRequest
from clew.cli.command import describing

if TYPE_CHECKING:
    from clew.cli.description import Report
    from clew.report.listener import Listener


def _job(request: LoopsRequest, listener: Listener, so_far: Callable[[Callable[[], Report]], None]) -> Report:
    """Imports the analyses only now: that takes a while, and the time is limited already."""
    from clew.jobs.loops import run_loops

    return run_loops(request, listener, so_far)


command = describing(
    "loops",
    LoopsRequest,
    _job,
    {},
    short="Describe the loops of C files by counters.",
    help="Describe the loops of FILE... (.c, .ll or .bc): chains, counters, and what variables are in terms of these.",
    what="The description",
)
