"""What intervals find out by themselves."""

from __future__ import annotations

from clew.analysis.absint.intervals import Intervals
from clew.analysis.absint.linear import Linear, at_least, at_most, equal

X, Y, Z = (Linear.of(name) for name in "xyz")
TOP = Intervals(lambda variable: (0, 255) if variable == "z" else (None, None)).top()


def test_constraints_give_bounds_to_all_their_variables() -> None:
    value = TOP.assume([equal(X, Y + Z), at_least(Y, 1), at_most(X, 7)])
    assert value.bounds(X) == (1, 7)
    assert value.bounds(Y) == (1, 7)
    assert value.bounds(Z) == (0, 6)


def test_divisions_are_rounded_inwards() -> None:
    assert TOP.assume([at_least(X * 2, Z), equal(Z, 5)]).bounds(X) == (3, None)
    assert TOP.assume([at_most(X * -3, -Z), equal(Z, 5)]).bounds(X) == (2, None)


def test_ranges_are_not_told() -> None:
    assert TOP.assume([at_least(Z, 0), at_most(Z, 255)]).constraints() == ()
    assert TOP.assume([at_most(Z, 9)]).constraints() == (at_most(Z, 9),)
    assert TOP.assume([at_most(Z, 0)]).constraints() == (equal(Z, 0),)


def test_right_sides_are_about_the_variables_before() -> None:
    value = TOP.assume([equal(X, 1), equal(Y, 2)]).assign({"x": Y, "y": X})
    assert value.constraints() == (equal(X, 2), equal(Y, 1))


def test_widening_goes_to_the_range() -> None:
    value = TOP.assume([at_most(Z, 3)])
    assert value.widen(TOP.assume([at_most(Z, 4)])).bounds(Z) == (0, 255)
    kept = value.widen(TOP.assume([at_most(Z, 4)]), [at_most(Z, 10), at_most(Z, 3)])
    assert kept.bounds(Z) == (0, 10)
