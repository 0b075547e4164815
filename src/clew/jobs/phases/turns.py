"""Whose turn it is among the arms of a command, and how long that is.

Next is always the one that has worked least, and its turns grow with what it has worked so far.

Arms that run all paths, in whatever way, can tell how long that is likely to take (``clew.jobs.phases.tree_size``). The
others are tried for a small part of that. If they have no answer by then, most of the time goes to the arm that is
closest to its end, and they get a floor: so a program that takes long, but comes to an end, is not held up by what does
not help there. Where no end is in sight (``clew.jobs.outlook``), or it lies beyond the time there is, all get their
shares, which are others if some arm works on something that has an end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from clew.jobs.arms import FIRST_TURN, Arm, Standing

GROWTH = 0.5
"""The length of later turns than the first of an arm, as a part of what it has worked so far."""
TRIAL = 1 / 12
"""What an arm with the share 1 may work before it has to stand back, others as their shares are: as a part of what the
one is likely to take that is closest to its end."""
BEGINNING = 0.15
"""Seconds that an arm takes to begin, about: what those count as having worked that have not begun, if another works on
something that has an end."""
FARTHEST = 1000.0
"""How many times as far away as an arm has come an end may seem to be, for others to stand back for it."""
STEEP = 3
"""The power of how much longer it is likely to take, by which it gets less then."""

NOTHING: Mapping[Arm[Any], float] = MappingProxyType({})


def next_of(
    waiting: Sequence[Arm[Any]], live: Sequence[Arm[Any]], granted: Mapping[Arm[Any], float] = NOTHING
) -> Arm[Any]:
    """Of those that wait for a turn, the one that has had least of what it should have beside all that are ``live``.

    ``granted``: seconds of turns that are under way in other processes.
    """
    standing = {arm: arm.standing() for arm in live}
    first, time = min(standing.values(), key=lambda each: each.left), waiting[0].budget.time_left()
    likely = _likely(first)
    trial = TRIAL * likely if likely < (math.inf if time is None else time) else math.inf
    has_end = any(each.has_end and not _is_out_of_sight(each) for each in standing.values())
    beginning = BEGINNING if has_end else FIRST_TURN

    def weight(arm: Arm[Any]) -> float:
        share = arm.share(has_end)
        if standing[arm].worked + FIRST_TURN < share * trial:
            return share
        return max(arm.floor, math.pow(first.left / standing[arm].left, STEEP))

    def due(arm: Arm[Any]) -> float:
        worked = standing[arm].worked + granted.get(arm, 0.0)
        if not worked and arm.at_once and not has_end:
            return 0.0
        return max(worked, beginning) / (weight(arm) * standing[arm].promise)

    return min(waiting, key=due)


def _likely(standing: Standing) -> float:
    """Seconds that an arm is likely to take from here on.

    An end that seems to be many times as far away as one has come is most often nearer than that: the geometric mean of
    both is closer to what becomes of it.
    """
    return min(standing.left, math.sqrt(standing.worked * standing.left))


def _is_out_of_sight(standing: Standing) -> bool:
    """Whether an end is known to be too far away to wait for."""
    return FARTHEST * standing.worked < standing.left < math.inf


def length_of(arm: Arm[Any], arms: Sequence[Arm[Any]]) -> float:
    """Seconds of the next turn of an arm; no end if there are no others any more."""
    if all(other.is_over for other in arms if other is not arm):
        return math.inf
    worked = arm.standing().worked
    return max(FIRST_TURN, GROWTH * worked) if worked else arm.first_turn
