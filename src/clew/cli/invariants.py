"""``clew invariants``: what holds at the loops and branches of a program?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clew.analysis.absint.domains import DOMAINS
from clew.base.options import InvariantsRequest
from clew.cli.command import describing

if TYPE_CHECKING:
    from clew.cli.description import Report
    from clew.report.listener import Listener


def _job(request: InvariantsRequest, listener: Listener, so_far: Callable[[Callable[[], Report]], None]) -> Report:
    """Imports the analyses only now: that takes a while, and the time is limited already."""
    from clew.jobs.invariants import run_invariants

    return run_invariants(request, listener, so_far)


command = describing(
    "invariants",
    InvariantsRequest,
    _job,
    {"domain": DOMAINS.names()},
    short="Print linear invariants of loops and branches.",
    help="Print what holds at the loops and branches of FILE... (.c, .ll or .bc), on all inputs and after any number "
    "of iterations: relations between variables, inputs (x@entry) and loop counters (#loop1).",
    what="The invariants",
)
