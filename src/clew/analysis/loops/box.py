"""Between what the variables of some constraints lie."""

from __future__ import annotations

from collections.abc import Iterable

from clew.analysis.absint.linear import Constraint, Linear, Variable

Interval = tuple[int, int]
_ROUNDS = 4


class Box:
    """An interval for each variable. All of them are finite."""

    __slots__ = ("_known",)

    def __init__(self, known: dict[Variable, Interval] | None = None) -> None:
        self._known = {} if known is None else dict(known)

    def copy(self) -> Box:
        return Box(self._known)

    def add(self, variable: Variable, least: int, greatest: int) -> None:
        """A variable more, if it is none of those that are known."""
        self._known.setdefault(variable, (least, greatest))

    def of(self, linear: Linear) -> Interval:
        """Between what an expression lies."""
        least = greatest = linear.constant
        for variable, factor in linear.terms.items():
            low, high = self._known[variable]
            least += factor * (low if factor > 0 else high)
            greatest += factor * (high if factor > 0 else low)
        return least, greatest

    def narrow(self, constraints: Iterable[Constraint]) -> bool:
        """Use constraints for better intervals. False if there is no solution, as far as that shows."""
        inequalities = [each.linear for constraint in constraints for each in constraint.inequalities()]
        for _ in range(_ROUNDS):
            changed = False
            for linear in inequalities:
                outcome = self._apply(linear)
                if outcome is None:
                    return False
                changed |= outcome
            if not changed:
                break
        return True

    def _apply(self, linear: Linear) -> bool | None:
        """Whether ``linear >= 0`` made an interval smaller; None if it is false."""
        greatest = self.of(linear)[1]
        if greatest < 0:
            return None
        changed = False
        for variable, factor in linear.terms.items():
            low, high = self._known[variable]
            # factor * variable >= -(the most that all others make of it)
            if factor > 0:
                least = -((greatest - factor * high) // factor)
                if least > low:
                    self._known[variable] = (least, high)
                    changed = True
            else:
                most = (greatest - factor * low) // -factor
                if most < high:
                    self._known[variable] = (low, most)
                    changed = True
            if self._known[variable][0] > self._known[variable][1]:
                return None
            if changed:
                greatest = self.of(linear)[1]
        return changed
