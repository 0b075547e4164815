"""Machine integers as mathematical ones, and what conditions say about them. A path may have to split for either.

Every function gives the paths that go on, none if the condition cannot hold: the first of them may be the given one.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.path import Junction, Number, Open, Opposite, Outside, Path, Test, Truth
from clew.base.bits import range_of_width
from clew.program.instructions import NEGATED

_ORDERED = {"gt": (1, False), "ge": (0, False), "lt": (1, True), "le": (0, True)}
"""Of predicates: how much the larger side is larger at least, and whether that is the right one."""


def in_view(path: Path, number: Number, signed: bool, limits: Limits) -> Iterator[tuple[Path, Linear]]:
    """The number that the bits are, read as signed or not; a path for each way to wrap around."""
    least, greatest = range_of_width(number.width, signed)
    for way, turns in _turns(path, number.linear, least, number.width, limits):
        linear = number.linear.plus(turns, -(1 << number.width))
        if way.assume((at_least(linear, least), at_most(linear, greatest))):
            yield way, linear


def _turns(path: Path, linear: Linear, least: int, width: int, limits: Limits) -> Iterator[tuple[Path, Linear]]:
    """How often an expression may have to wrap around to be at least a number, and less than a turn above."""
    low, high = path.range_of(linear)
    first, last = (low - least) >> width, (high - least) >> width
    if last - first >= limits.splits:
        key = (linear, least, 1 << width)
        if key not in path.parts:
            path.parts[key] = path.unknown(first, last)
        yield path, path.parts[key]
        return
    for turns in range(first, last + 1):
        yield (path if turns == last else path.copy()), Linear.number(turns)


def assume(path: Path, truth: Truth, wanted: bool, limits: Limits) -> Iterator[Path]:
    """The paths on which a condition holds, or does not."""
    match truth:
        case Opposite(of=other):
            yield from assume(path, other, not wanted, limits)
        case Open(reason=reason):
            path.doubt(reason)
            yield path
        case Junction(left=left, right=right, either=either):
            if either != wanted:  # both as wanted
                for way in assume(path, left, wanted, limits):
                    yield from assume(way, right, wanted, limits)
                return
            for way in assume(path.copy(), left, wanted, limits):
                yield way
            for way in assume(path, left, not wanted, limits):
                yield from assume(way, right, wanted, limits)
        case Outside(linear=linear, least=least, greatest=greatest):
            inside = (at_least(linear, least), at_most(linear, greatest))
            if wanted:
                yield from _one_of(path, (at_most(linear, least - 1),), (at_least(linear, greatest + 1),))
            elif path.assume(inside):
                yield path
        case Test(predicate=predicate, left=left, right=right):
            yield from _compare(path, predicate if wanted else NEGATED[predicate], left, right, limits)


def _one_of(path: Path, *choices: tuple[Constraint, ...]) -> Iterator[Path]:
    for place, choice in enumerate(choices):
        way = path if place == len(choices) - 1 else path.copy()
        if way.assume(choice):
            yield way


def _compare(path: Path, predicate: str, left: Number, right: Number, limits: Limits) -> Iterator[Path]:
    if predicate in ("eq", "ne"):
        yield from _equality(path, left.linear - right.linear, left.width, predicate == "eq", limits)
        return
    more, swapped = _ORDERED[predicate[1:]]
    signed = predicate[0] == "s"
    for way, low in in_view(path, right if not swapped else left, signed, limits):
        for end, high in in_view(way, left if not swapped else right, signed, limits):
            if end.assume((at_least(high, low + more),)):
                yield end


def _equality(path: Path, difference: Linear, width: int, wanted: bool, limits: Limits) -> Iterator[Path]:
    """Whether a difference is a multiple of a full turn."""
    if wanted:
        low, high = path.range_of(difference)
        first, last = -(-low >> width), high >> width
        if last - first >= limits.splits:
            rest = difference.plus(path.unknown(first, last), -(1 << width))
            if path.assume((equal(rest, 0),)):
                yield path
            return
        yield from _one_of(path, *((equal(difference, turns << width),) for turns in range(first, last + 1)))
        return
    for way, turns in _turns(path, difference, 0, width, limits):
        rest = difference.plus(turns, -(1 << width))
        if way.assume((at_least(rest, 1), at_most(rest, (1 << width) - 1))):
            yield way
