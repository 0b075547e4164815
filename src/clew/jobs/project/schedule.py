"""Whose turn it is: entries of a project take turns, and those that cover what nothing else did get more of them.

Every entry has a short turn first, the smallest ones before the others. Then the next turn is that of the entry which
covered most per second in its last one; where there is nothing left that an entry could be the first to cover, it waits
for the others. Turns get longer, so that what is hard to come to is come to as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from clew.base.dataclass import dataclass
from clew.jobs.project.entries import Entry
from clew.report.records import BranchId

FIRST, LEAST, MOST = 2.0, 0.5, 30.0
"""Seconds of a first turn, of one where there are many entries, and of any."""
GROWTH = 2.0
"""How much longer each turn of an entry is than the one before."""
_HOPE = 0.5
"""Branches that a turn might cover though the last one has not."""
_FOR_ERRORS = 0.05
"""What a turn is worth, compared with others, that can cover nothing new: it may still show errors."""


@dataclass(slots=True)
class _Standing:
    """An entry that had turns, and may have more."""

    entry: Entry
    turn: float
    """Seconds of the last one."""
    rate: float
    """Branches per second that it was the first to cover."""
    memory_mb: float = 0.0


class Schedule:
    """The entries that are not done, and what all of them have covered."""

    def __init__(
        self, entries: Sequence[Entry], branches: Iterable[BranchId], covered: Iterable[BranchId] = ()
    ) -> None:
        """``branches`` are all that there are; ``covered`` is what earlier runs have covered."""
        self.new = list(entries)
        self._open = set(branches)
        self._left = Counter(branch[0] for branch in self._open)
        self._standing: dict[str, _Standing] = {}
        self._waiting: dict[str, _Standing] = {}

    def _cover(self, branches: Iterable[BranchId]) -> int:
        """Note what is covered; how much of it was not."""
        fresh = self._open.intersection(branches)
        self._open -= fresh
        self._left.subtract(Counter(branch[0] for branch in fresh))
        return len(fresh)

    def left_for(self, entry: Entry) -> int:
        """Branches of what an entry runs that nothing has covered."""
        return sum(self._left[name] for name in entry.runs)

    @property
    def left(self) -> int:
        """Branches that nothing has covered."""
        return len(self._open)

    @property
    def waiting(self) -> int:
        """How many entries wait for another turn."""
        return len(self._waiting)

    @property
    def memory_mb(self) -> float:
        """What those take."""
        return sum(standing.memory_mb for standing in self._waiting.values())

    def first(self, seconds: float, jobs: int) -> tuple[Entry, float] | None:
        """An entry that had no turn yet, with the seconds it gets, of all those that are left."""
        if not self.new:
            return None
        turn = min(FIRST, max(LEAST, seconds * jobs / 2 / len(self.new)))
        entry = self.new.pop(0)
        self._standing[entry.name] = _Standing(entry, turn, 0.0)
        return entry, turn

    def another(self) -> tuple[Entry, float] | None:
        """The waiting entry whose turn it is, with the seconds it gets."""
        if not self._waiting:
            return None
        best = max(self._waiting.values(), key=self._worth)
        del self._waiting[best.entry.name]
        best.turn = min(MOST, best.turn * GROWTH)
        return best.entry, best.turn

    def least(self) -> Entry | None:
        """The waiting entry that is worth least; it waits no more."""
        if not self._waiting:
            return None
        found = min(self._waiting.values(), key=self._worth).entry
        del self._waiting[found.name]
        return found

    def _worth(self, standing: _Standing) -> float:
        left = self.left_for(standing.entry)
        worth = min(left, standing.rate * standing.turn + _HOPE) / standing.turn
        return worth if left else _FOR_ERRORS * _HOPE / standing.turn

    def came(self, entry: Entry, covered: Iterable[BranchId], seconds: float, memory_mb: float, waits: bool) -> int:
        """The turn of an entry is over, which ``waits`` for another one or is done; how much it was the first to
        cover."""
        found = self._cover(covered)
        standing = self._standing[entry.name]
        standing.rate, standing.memory_mb = found / max(seconds, 0.1), memory_mb
        if waits:
            self._waiting[entry.name] = standing
        return found
