"""Between what the variables of some constraints lie."""

from __future__ import annotations

from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.intervals import Propagation
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.loops.closure import After, Before, Fixed

Interval = tuple[int, int]
_HUGE = 1 << 400


def range_of(variable: Variable) -> Interval:
    """What goes without saying of a variable: an unknown may be any number."""
    match variable:
        case Before(of=known) | After(of=known) | (Fixed() as known):
            return known.least, known.greatest
    return -_HUGE, _HUGE


class Box(Propagation):
    """An interval for each variable, at first what goes without saying. All of them are finite."""

    __slots__ = ()

    def __init__(self, ranges: Ranges = range_of, table: dict[Variable, Bounds] | None = None) -> None:
        super().__init__(ranges, table)

    def bounds(self, linear: Linear) -> Interval:
        """Between what an expression lies."""
        least, greatest = super().bounds(linear)
        assert least is not None and greatest is not None
        return least, greatest
