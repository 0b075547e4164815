"""Pieces of relations made simpler: without unknowns that others determine, or that are there in any case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.analysis.absint.intervals import FALSE
from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.absint.rows import merged
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import LoopVariable, Unknown
from clew.analysis.loops.relation import Piece
from clew.base.dataclass import dataclass


def tidied(
    guards: Iterable[Constraint], updates: Mapping[LoopVariable, Linear], free: frozenset[LoopVariable]
) -> Piece:
    """A piece with these guards and updates, or an equal one; ``free``: variables that wrap around by themselves."""
    draft = _Draft(_sharpest(guards), dict(updates))
    draft.substitute()
    draft.drop_turns(free)
    draft.drop_free()
    ranges = draft.ranges()
    kept = [
        g
        for g in draft.guards
        if g.equality or any(isinstance(v, Unknown) for v in g.variables) or not _holds(g, ranges)
    ]
    return _numbered(kept, draft.updates)


@dataclass(slots=True)
class _Draft:
    guards: list[Constraint]
    updates: dict[LoopVariable, Linear]

    def substitute(self) -> None:
        """Put in the values of unknowns that equations give."""
        while True:
            found = next(((g, v) for g in self.guards if g.equality for v in _determined(g)), None)
            if found is None:
                return
            equation, unknown = found
            factor = equation.linear.terms[unknown]
            value = Linear.of(unknown) - equation.linear * factor
            rest = [guard for guard in self.guards if guard != equation]
            self.guards = _sharpest(guard.about(guard.linear.substituted(unknown, value)) for guard in rest)
            self.updates = {v: linear.substituted(unknown, value) for v, linear in self.updates.items()}

    def drop_turns(self, free: frozenset[LoopVariable]) -> None:
        """Full turns make no difference to a variable that wraps around by itself."""
        for variable, linear in self.updates.items():
            if variable not in free:
                continue
            terms = {v: c for v, c in linear.terms.items() if not isinstance(v, Unknown) or c % (1 << variable.width)}
            self.updates[variable] = Linear(terms, linear.constant)

    def drop_free(self) -> None:
        """Unknowns that no update needs, and that exist whatever the other variables are."""
        while True:
            needed = {v for linear in self.updates.values() for v in linear.terms}
            unknowns = dict.fromkeys(v for g in self.guards for v in g.variables if isinstance(v, Unknown))
            free = next((v for v in unknowns if v not in needed and self._always_exists(v)), None)
            if free is None:
                return
            self.guards = [guard for guard in self.guards if free not in guard.variables]

    def _always_exists(self, unknown: Unknown) -> bool:
        """Whether guards leave a value for an unknown in any case: a window that is wide enough, within wide bounds."""
        about = [g for g in self.guards if unknown in g.variables]
        if any(g.equality for g in about):
            return False
        bounds = [g for g in about if len(g.linear.terms) == 1]
        window = [g for g in about if len(g.linear.terms) > 1]
        if not window:
            return True
        if len(window) != 2:
            return False
        first, second = (g.linear for g in window)
        factor = abs(first.terms[unknown])
        if (first + second).terms or (first + second).constant < factor - 1:
            return False
        ranges = self.ranges()
        below, above = (first, second) if first.terms[unknown] > 0 else (second, first)
        # factor * u >= -rest(below), factor * u <= rest(above)
        lower = ranges.bounds(-below.substituted(unknown, Linear()))[0]
        upper = ranges.bounds(above.substituted(unknown, Linear()))[1]
        least, greatest = -(-lower // factor), upper // factor
        return all(g.linear.terms[unknown] * u + g.linear.constant >= 0 for g in bounds for u in (least, greatest))

    def ranges(self) -> Box:
        """Of all variables, as far as they go without saying, or a guard says nothing else."""
        box = Box()
        box.narrow(
            [g for g in self.guards if len(g.linear.terms) == 1 and any(isinstance(v, Unknown) for v in g.variables)]
        )
        return box


def _sharpest(guards: Iterable[Constraint]) -> list[Constraint]:
    """Without guards that one of the same terms includes; what holds both ways is an equation."""
    found = merged(guards)
    return [FALSE] if found is None else [*found[0], *found[1]]


def _determined(equation: Constraint) -> list[Unknown]:
    """The unknowns that an equation determines, as whole numbers."""
    return [v for v, factor in equation.linear.terms.items() if isinstance(v, Unknown) and abs(factor) == 1]


def _holds(guard: Constraint, ranges: Box) -> bool:
    return ranges.bounds(guard.linear)[0] >= 0


def _numbered(guards: list[Constraint], updates: dict[LoopVariable, Linear]) -> Piece:
    """With unknowns numbered anew."""
    names: dict[Variable, Variable] = {}

    def renamed(v: Variable) -> Variable:
        return names.setdefault(v, Unknown(len(names))) if isinstance(v, Unknown) else v

    return Piece(
        tuple(guard.about(guard.linear.renamed(renamed)) for guard in guards),
        tuple((v, linear.renamed(renamed)) for v, linear in updates.items()),
    )
