"""``clew reach``: which inputs lead to a line, a label or a call?"""

from __future__ import annotations

from clew.base.options import ReachRequest
from clew.cli.command import exploring

command = exploring(
    "reach",
    ReachRequest,
    short="Find inputs that lead to a line, a label or a call.",
    help="Find inputs of FILE... (.c, .ll or .bc) that lead to a target, or show that there are none.",
    codes="0 REACHED; 1 UNREACHABLE; 2 wrong usage or input; 3 UNKNOWN.",
)
