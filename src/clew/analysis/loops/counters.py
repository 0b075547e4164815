"""Closures by counters: pieces that add constants, each some number of times, in an order that does not matter.

With ``k[i]`` the number of times that piece ``i`` is taken, the state after them is ``x + k[0]*step[0] + ...``. What a
guard asks for is guessed: where all steps that change its value lower it, it has to hold before the last time that its
piece is taken; where all raise it, before the first. The guess is then proved by the Integer Set Library, by induction
on the number of iterations: nothing is claimed otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from clew.analysis.absint.domain import Bounds
from clew.analysis.absint.linear import Constraint, Linear, Variable, at_least, equal
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import After, Before, LoopVariable, Unknown
from clew.analysis.loops.relation import Piece
from clew.analysis.loops.sets import LENGTH, Sets

if TYPE_CHECKING:
    import islpy

_SPLITS = 3
"""Pieces that may have to be looked at by themselves, whether they are taken at all or not."""
_MANY = 1 << 70
"""More than any counter needs."""

Step = dict[LoopVariable, int]


def by_counters(sets: Sets, pieces: Sequence[Piece], step: islpy.Map) -> islpy.Map | None:
    """The exact closure of pieces, if it can be had in this way; ``step`` is one iteration of any of them."""
    steps = [_step(piece) for piece in pieces]
    known = [step for step in steps if step is not None]
    guards = [_guards(piece) for piece in pieces]
    if len(known) < len(pieces) or any(each is None for each in guards):
        return None
    wishes = _wishes(known, [each for each in guards if each is not None])
    if wishes is None:
        return None
    guess = _Guess(sets, known, *wishes)
    if guess.splits > _SPLITS:
        return None
    length = Linear.of(LENGTH)
    some = guess.after(length)
    first = sets.without_length(guess.after(Linear.number(1)))
    if not first.is_equal(step) or not step.apply_range(some).is_equal(guess.after(length + 1)):
        return None
    return sets.without_length(some)


def _step(piece: Piece) -> Step | None:
    """The constants that a piece adds; None if it does anything else."""
    steps = {v: linear - Linear.of(Before(v)) for v, linear in piece.updates}
    return {v: each.constant for v, each in steps.items()} if all(s.is_number for s in steps.values()) else None


def _guards(piece: Piece) -> list[Linear] | None:
    """What has to be at least zero; unknowns of their own are there in every iteration anew."""
    found = []
    for guard in piece.guards:
        unknown = [v for v in guard.variables if isinstance(v, Unknown)]
        if unknown and len(unknown) < len(guard.linear.terms):
            return None
        if not unknown:
            found += [each.linear for each in guard.inequalities()]
    return found


Wish = tuple[int, Linear]
"""If the piece of a number is taken at all, an expression is at least zero; of the states before, and counters."""


def _wishes(steps: list[Step], guards: list[list[Linear]]) -> tuple[list[Linear], list[Wish]] | None:
    """What guards ask for: of any number of iterations, and of those that take certain pieces."""
    always: list[Linear] = []
    wishes: list[Wish] = []
    counters = [Linear.of(Unknown(n)) for n in range(len(steps))]
    everywhere = [g for g in guards[0] if all(g in other for other in guards)]
    for guard in everywhere:
        moves = {_move(guard, step) for step in steps}
        if len(moves) == 1 and min(moves) <= 0:
            total = Linear.number(-1)
            for counter in counters:
                total = total + counter
            always.append(guard.plus(total, moves.pop()))
    for number, listed in enumerate(guards):
        for guard in listed:
            moves_of = [_move(guard, step) for step in steps]
            if guard in everywhere and len(set(moves_of)) == 1 and moves_of[0] <= 0:
                continue
            if min(moves_of) >= 0:
                before = [(n, move) for n, move in enumerate(moves_of) if n != number]
                for other, move in before:
                    guard = guard.plus(counters[other], move)
                wishes.append((number, guard))
            elif max(moves_of) <= 0:
                wishes.append((number, guard.plus(counters[number] - 1, moves_of[number])))
            else:
                return None
    return always, wishes


def _move(guard: Linear, step: Step) -> int:
    """By how much a step changes the value of a guard."""
    return sum(factor * step.get(v.of, 0) for v, factor in guard.terms.items() if isinstance(v, Before))


class _Guess:
    """The states after so many iterations, if the guess is right."""

    def __init__(self, sets: Sets, steps: list[Step], always: list[Linear], wishes: list[Wish]) -> None:
        self._sets = sets
        self._counters = [Linear.of(Unknown(n)) for n in range(len(steps))]
        self._base = [Constraint(linear) for linear in always]
        self._base += [at_least(counter, 0) for counter in self._counters]
        for variable in sets.variables:
            after = Linear.of(Before(variable))
            for counter, step in zip(self._counters, steps, strict=True):
                after = after.plus(counter, step.get(variable, 0))
            self._base.append(equal(Linear.of(After(variable)), after))
        self._wishes: dict[int, list[Constraint]] = {}
        for number, linear in wishes:
            if self._goes_without_saying(number, linear):
                self._base.append(Constraint(linear))
            else:
                self._wishes.setdefault(number, []).append(Constraint(linear))

    @property
    def splits(self) -> int:
        return len(self._wishes)

    def _goes_without_saying(self, number: int, linear: Linear) -> bool:
        """Whether a wish holds anyway where its piece is not taken."""
        if any(isinstance(v, Before) and v.of in self._sets.modular for v in linear.terms):
            return False
        counters: dict[Variable, Bounds] = {
            v: (0, 0 if v == Unknown(number) else _MANY) for v in linear.terms if isinstance(v, Unknown)
        }
        return Box(table=counters).bounds(linear)[0] >= 0

    def after(self, length: Linear) -> islpy.Map:
        """The states after a number of iterations, which is at least one."""
        total = Linear()
        for counter in self._counters:
            total = total + counter
        common = [*self._base, equal(total, length), at_least(Linear.of(LENGTH), 1), *self._sets.before()]
        result = None
        for taken in product((False, True), repeat=len(self._wishes)):
            constraints = list(common)
            for (number, wishes), is_taken in zip(self._wishes.items(), taken, strict=True):
                counter = self._counters[number]
                constraints += [at_least(counter, 1), *wishes] if is_taken else [equal(counter, 0)]
            part = self._sets.map(constraints, counted=True)
            result = part if result is None else result.union(part)
        assert result is not None
        return result
