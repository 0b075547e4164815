"""Which processor a program of the suite is compiled for: never the host's by chance.

Programs that differ between processors name their target. All others take turns, by their name, so that a test has
the same target on every host and both targets have their share; with an odd ``CLEW_TESTS_TURN`` each has the other
one. ``CLEW_TESTS_TARGET=aarch64`` chooses one for all of them; ``make thorough`` runs everything with each. What is
compared with native runs is compiled for the host.
"""

from __future__ import annotations

import os
from zlib import crc32

from depth import TURN

X86_64 = "x86_64-linux-gnu"
AARCH64 = "aarch64-linux-gnu"
BOTH = (X86_64, AARCH64)


def target_for(name: str) -> str:
    """The target of the program, or of the programs, that have this name."""
    chosen = os.environ.get("CLEW_TESTS_TARGET")
    return f"{chosen}-linux-gnu" if chosen else BOTH[(crc32(name.encode()) + TURN) % 2]
