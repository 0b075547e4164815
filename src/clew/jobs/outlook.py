"""Whether an end is in sight for somebody who estimates now and then how long the rest takes.

An estimate is worth what becomes of it: depth first in a loop without an end, the end is always as far away again as
one has come. So what the whole seems to take is looked at as work goes on, and is supposed to grow as it did of late:
with the time to some power. Where that is nearly 1, there is no end in sight; where it is known for another reason that
there is one, the median of the last estimates is taken instead. Nor is an end in sight for somebody who has worked on
for much longer than was expected not long ago.
"""

from __future__ import annotations

import math
from itertools import combinations

FINER = 1.2
"""By how much longer one must have worked for another look."""
ENOUGH, LATELY = 3, math.log(8.0)
"""How many looks tell something, and the logarithm of how much earlier they may have been, if there are more."""
REMEMBERED = math.log(4.0)
"""The same of looks that must not have been all too hopeful."""
HOPEFUL, PATIENT = 2.0, 4.0
"""How many times as long as was expected somebody may go on; and who is known to come to an end."""
LAST = 3
"""Estimates of which the median is taken."""
FASTEST = 0.7
"""The power of the time with which an end may recede to be in sight."""
SURELY, LARGEST = 0.05, 600.0
"""The least that is left of what is not over, as a part of what was worked; the logarithm of the most."""


class Outlook:
    """What the whole seemed to take, after how much work."""

    def __init__(self) -> None:
        self._looks: list[tuple[float, float]] = []
        """Logarithms."""
        self.next_look = 0.0
        """After more work than that it pays to look again."""

    def look(self, worked: float, estimate: float) -> None:
        """Somebody has worked for so many seconds, and expects to go on for so many more."""
        if worked > self.next_look:
            self.next_look = FINER * worked
            if estimate < math.inf:
                self._looks.append((math.log(worked), math.log(worked + estimate)))

    def left(self, worked: float, estimate: float, has_end: bool = False) -> float:
        """Seconds that are likely to be left; infinite if nobody knows. ``has_end``: there is one, near or far."""
        self.look(worked, estimate)
        if estimate == math.inf or self._is_overdue(worked, PATIENT if has_end else HOPEFUL):
            return math.inf
        if has_end:
            return max(SURELY * worked, self._usual(estimate))
        recedes = self._recedes()
        if recedes > FASTEST:
            return math.inf
        return worked * max(SURELY, math.expm1(min(LARGEST, math.log1p(estimate / worked) / (1.0 - recedes))))

    def _usual(self, estimate: float) -> float:
        """What seemed to be left at the last looks; before the first of them, an estimate."""
        last = sorted(math.exp(end) - math.exp(at) for at, end in self._looks[-LAST:])
        return last[len(last) // 2] if last else estimate

    def _is_overdue(self, worked: float, times: float) -> bool:
        """Whether the end should have come long ago: it took so many times as long as was expected."""
        late = [look for look in self._looks if look[0] > math.log(worked) - REMEMBERED]
        return any(worked > math.exp(at) + times * (math.exp(end) - math.exp(at)) for at, end in late)

    def _recedes(self) -> float:
        """With which power of the time the end has receded of late: the median for any two looks (Theil, Sen)."""
        late = sum(look[0] > self._looks[-1][0] - LATELY for look in self._looks)
        looks = self._looks[-max(ENOUGH, late) :]
        if len(looks) < ENOUGH:
            return math.inf
        slopes = sorted((later[1] - look[1]) / (later[0] - look[0]) for look, later in combinations(looks, 2))
        return max(0.0, slopes[len(slopes) // 2])
