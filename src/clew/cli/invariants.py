"""``clew invariants``: what holds at the loops and branches of a program?"""

from __future__ import annotations

from clew.analysis.absint.domains import DOMAINS
from clew.base.options import InvariantsRequest
from clew.cli.command import describing

command = describing(
    "invariants",
    InvariantsRequest,
    {"domain": DOMAINS.names()},
    short="Print linear invariants of loops and branches.",
    help="Print what holds at the loops and branches of FILE... (.c, .ll or .bc), on all inputs and after any number "
    "of iterations: relations between variables, inputs (x@entry) and loop counters (#loop1).",
    what="The invariants",
)
