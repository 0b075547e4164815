"""``clew loops``: what do the loops of a program do?"""

from __future__ import annotations

from clew.base.options import LoopsRequest
from clew.cli.command import describing

command = describing(
    "loops",
    LoopsRequest,
    {},
    short="Describe the loops of C files by counters.",
    help="Describe the loops of FILE... (.c, .ll or .bc): chains, counters, and what variables are in terms of these.",
    what="The description",
)
