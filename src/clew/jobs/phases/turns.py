"""Whose turn it is among the arms of a command, and how long that is.

Next is always the one that has worked least, and its turns grow with what it has worked so far.

Arms that run all paths, in whatever way, can tell how long that is likely to take (``clew.jobs.phases.tree_size``). The
others are tried for a small part of that. If they have no answer by then, most of the time goes to the arm that is
closest to its end, and they get a floor: so a program that takes long, but comes to an end, is not held up by what does
not help there. Where no end is in sight (``clew.jobs.outlook``), or it lies beyond the time there is, all get their
shares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from clew.jobs.arms import FIRST_TURN, Arm

GROWTH = 0.5
"""The length of later turns than the first of an arm, as a part of what it has worked so far."""
TRIAL = 1 / 80
"""What an arm may work before it has to stand back, as a part of what the one takes that is closest to its end."""
STEEP = 3
"""The power of how much longer it is likely to take, by which it gets less then."""


def next_of(waiting: Sequence[Arm[Any]], live: Sequence[Arm[Any]]) -> Arm[Any]:
    """Of those that wait for a turn, the one that has had least of what it should have beside all that are ``live``."""
    standing = {arm: arm.standing() for arm in live}
    least, time = min(each.left for each in standing.values()), waiting[0].budget.time_left()
    in_sight = least < (math.inf if time is None else time)

    def weight(arm: Arm[Any]) -> float:
        if not in_sight or standing[arm].worked + FIRST_TURN < TRIAL * least:
            return arm.share
        return max(arm.floor, math.pow(least / standing[arm].left, STEEP))

    def due(arm: Arm[Any]) -> float:
        worked = standing[arm].worked
        if not worked and arm.at_once:
            return 0.0
        return max(worked, FIRST_TURN) / (weight(arm) * standing[arm].promise)  # to begin takes a while, too

    return min(waiting, key=due)


def length_of(arm: Arm[Any], arms: Sequence[Arm[Any]]) -> float:
    """Seconds of the next turn of an arm; no end if there are no others any more."""
    if all(other.is_over for other in arms if other is not arm):
        return math.inf
    worked = arm.standing().worked
    return max(FIRST_TURN, GROWTH * worked) if worked else arm.first_turn
