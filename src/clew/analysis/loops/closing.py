"""Any number of iterations: closures of relations, exact ones where one of several ways to them can show that they are.

1. The transitive closure of the Integer Set Library, which says whether it is exact.
2. Of some pieces at first, as many as have an exact closure together; then the others, one by one: laps that begin with
   such a piece and go on with any number of the former ones are a relation that can be closed in turn.
3. Several iterations as one, where a single one cannot be closed: what goes in turns comes back to where it was.
4. A few iterations one by one, where there are no more, or more of them lead nowhere new.

If none is exact, the closure is all that they agree on, and that each variable by itself, whatever the others do, says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.loops.closure import Closure, Disjunct, Unknown
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.relation import LoopRelation
from clew.analysis.loops.sets import Sets, TooHard

if TYPE_CHECKING:
    import islpy

Way = tuple["islpy.Map", bool]
"""A closure, and whether it is exact."""

_NOT_CLOSED = "no closure of its iterations was found that is exact"


def close(relation: LoopRelation, limits: Limits = USUAL) -> Closure:
    """The closure of a relation."""
    if not relation.pieces:
        return _closure(relation, (), True)
    sets = Sets(relation.variables, relation.pieces, limits.operations + limits.more_operations * len(relation.pieces))
    step = sets.union(relation.pieces)
    approximate: list[islpy.Map] = []
    for way in (_transitive, _in_laps, _periodic, _unrolled):
        for closed, exact in _tried(way, sets, step, limits):
            disjuncts = _disjuncts(sets, closed, limits) if exact else None
            if disjuncts is not None:
                return _closure(relation, disjuncts, True)
            approximate.append(closed)
    return _closure(relation, _approximate(sets, step, approximate, limits), False)


def _closure(relation: LoopRelation, disjuncts: tuple[Disjunct, ...], exact: bool) -> Closure:
    reason = relation.reason or ("" if exact else _NOT_CLOSED)
    return Closure(
        exact and relation.exact, reason, disjuncts, relation.reads_inputs, relation.variables, relation.havocked
    )


def _tried(
    way: Callable[[Sets, islpy.Map, Limits], Iterator[Way]], sets: Sets, step: islpy.Map, limits: Limits
) -> list[Way]:
    try:
        return sets.bounded(lambda: list(way(sets, step, limits)))
    except TooHard:
        return []


def _disjuncts(sets: Sets, closed: islpy.Map, limits: Limits) -> tuple[Disjunct, ...] | None:
    try:
        found = sets.bounded(lambda: sets.disjuncts(sets.wrapped(closed)))
    except TooHard:
        return None
    return found if len(found) <= limits.disjuncts else None


# Ways to closures


def _transitive(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Way]:
    yield sets.closed(step)


def _in_laps(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Way]:
    """Kleene's way: with S closed, S and W together are S* (W S*)*."""
    pieces = [basic.to_map() for basic in step.get_basic_maps()]
    if not 1 < len(pieces) <= limits.laps:
        return
    closed, rest = _as_many_as_possible(sets, pieces)
    for piece in rest:
        some = closed.union(sets.identity())
        lap = piece.apply_range(some).coalesce()
        laps, exact = sets.closed(lap)
        if not exact:
            return
        closed = closed.union(some.apply_range(laps)).coalesce()
    yield closed, True


def _as_many_as_possible(sets: Sets, pieces: list[islpy.Map]) -> tuple[islpy.Map, list[islpy.Map]]:
    """The closure of the first pieces that have an exact one together, and the others."""
    rest = []
    chosen = closed = None
    for piece in pieces:
        more = piece if chosen is None else chosen.union(piece)
        try:
            tried, exact = sets.closed(more)
        except TooHard:
            exact = False
        if exact:
            chosen, closed = more, tried
        else:
            rest.append(piece)
    if closed is None:
        closed = pieces[0].subtract(pieces[0])
    return closed, rest


def _periodic(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Way]:
    """Of several iterations as one: all there are is a few of these, and then fewer iterations than that."""
    power = few = step
    for _ in range(2, limits.period + 1):
        power = power.apply_range(step).coalesce()
        closed, exact = sets.closed(power)
        if exact:
            yield few.union(closed).union(closed.apply_range(few)).coalesce(), True
            return
        few = few.union(power)


def _unrolled(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Way]:
    """One iteration after the other, until nothing is new."""
    total = last = step
    for _ in range(limits.rounds):
        last = last.apply_range(step).subtract(total).coalesce()
        if last.is_empty():
            yield total, True
            return
        total = total.union(last).coalesce()


# Where no way is exact


def _approximate(sets: Sets, step: islpy.Map, known: list[islpy.Map], limits: Limits) -> tuple[Disjunct, ...]:
    """What all closures agree on, with those of each variable by itself."""
    result: tuple[Disjunct, ...] = ((),)
    for each in known:
        disjuncts = _disjuncts(sets, each, limits)
        result = result if disjuncts is None else _both(result, disjuncts, limits)
    for place in range(len(sets.variables)):
        try:
            alone = sets.bounded(lambda place=place: sets.alone(step, place))  # type: ignore[misc]
        except TooHard:
            continue
        disjuncts = _disjuncts(sets, alone, limits)
        result = result if disjuncts is None else _both(result, disjuncts, limits)
    return result


def _both(left: tuple[Disjunct, ...], right: tuple[Disjunct, ...], limits: Limits) -> tuple[Disjunct, ...]:
    """Both of two disjunctions, as one; just the first if that is too much."""
    if len(left) * len(right) > limits.disjuncts:
        return left
    return tuple(tuple(dict.fromkeys([*one, *_apart(one, other)])) for one in left for other in right)


def _apart(one: Disjunct, other: Disjunct) -> list[Constraint]:
    """The second of two conjunctions, with unknowns of its own."""
    used = [v.number for constraint in one for v in constraint.variables if isinstance(v, Unknown)]
    first = max(used, default=-1) + 1

    def renamed(v: Variable) -> Variable:
        return Unknown(first + v.number) if isinstance(v, Unknown) else v

    return [constraint.about(constraint.linear.renamed(renamed)) for constraint in other]
