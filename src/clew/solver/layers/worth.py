"""Whether a layer is asked that may look in vain: counted in nodes that are looked at, so that no clock decides."""

from __future__ import annotations

from typing import Final

CREDIT: Final = 4
"""Nodes that may be looked at in vain, for each that was not."""
SELDOM: Final = 16
"""Queries that are passed by, where looking is of no use, before the next one is looked at."""


class Worth:
    """Of one layer. ``patience``: nodes that may be looked at in vain."""

    def __init__(self, patience: int) -> None:
        self._most = self._left = patience
        self._passed = 0
        """Queries that were not looked at, since the last one that was."""

    def is_time(self) -> bool:
        """Whether to look at the next query."""
        self._passed = 0 if self._left or self._passed == SELDOM else self._passed + 1
        return not self._passed

    def looked(self, nodes: int, was_of_use: bool) -> None:
        """So many nodes of a query were looked at."""
        gain = CREDIT * nodes if was_of_use else -nodes
        self._left = min(self._most, max(0, self._left + gain))
