"""When memory runs short: whether something must be given up now.

What is freed goes back to Python and to malloc, which seldom give it back to the system: resident memory stays about
where it was, although most of it can be used again. So after something was given up, the next time is when as much is
in use as before, in blocks that Python has handed out, or when the process has grown all the same.
"""

from __future__ import annotations

import ctypes
import sys

from clew.base.budget import Budget

HIGH = 0.9
"""Part of the limit from which on memory is short."""
GROWTH = 0.02
"""Part of the limit by which the process may grow after something was given up, before that is done again."""


class Room:
    """Of one run."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._before: tuple[float, int] | None = None
        """Megabytes, and blocks in use, the last time that something was given up."""
        self._looked = -1.0

    def is_short(self) -> bool:
        """Whether it is time to give something up."""
        budget = self._budget
        if budget.memory_mb is None or budget.memory_share() < HIGH:
            return False
        if self._before is None:
            return True
        used = budget.memory_used()
        if used == self._looked:
            return False  # the same look as before
        self._looked = used
        megabytes, blocks = self._before
        return used > megabytes + GROWTH * budget.memory_mb or sys.getallocatedblocks() >= blocks

    def giving_up(self) -> None:
        """Something is about to be given up."""
        self._before = (self._budget.memory_used(), sys.getallocatedblocks())

    def given_up(self) -> None:
        """Something was: what malloc can give back to the system, it should."""
        trim()


def trim() -> None:
    """Ask the C library to give free memory back; not all can."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        pass
