"""Rough bounds: they contain all that satisfies the constraints, and see through chains of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.analysis.absint.domain import Bounds, unlimited
from clew.analysis.absint.intervals import Propagation, rows_of
from clew.analysis.absint.linear import Constraint, Linear, Variable, at_least, at_most, equal
from clew.analysis.absint.polyhedra import Polyhedra

X, Y, Z = (Linear.of(name) for name in "xyz")
NUMBERS = st.integers(-9, 9)


def propagated(constraints: list[Constraint], passes: int = 3) -> Propagation | None:
    found = Propagation(unlimited)
    rows = [row for known in constraints for row in rows_of(known.linear, known.equality)]
    return found if found.propagate(rows, passes) else None


@st.composite
def linears(draw: st.DrawFn) -> Linear:
    return Linear({name: draw(NUMBERS) for name in "xyz"}, draw(NUMBERS))


@given(point=st.tuples(NUMBERS, NUMBERS, NUMBERS), data=st.data())
def test_whatever_satisfies_the_constraints_is_within(point: tuple[int, int, int], data: st.DataObject) -> None:
    valuation: dict[Variable, int] = dict(zip("xyz", point, strict=True))
    known: list[Constraint] = []
    for linear in data.draw(st.lists(linears(), max_size=6)):
        value = linear.value(valuation)
        slack = data.draw(st.integers(0, 3))
        known.append(equal(linear, value) if slack == 0 else at_least(linear, value - slack + 1))
    asked = data.draw(linears())
    found = propagated(known)
    assert found is not None
    low, high = found.bounds(asked)
    assert low is None or low <= asked.value(valuation)
    assert high is None or high >= asked.value(valuation)
    exactly: Bounds = Polyhedra().top().assume(known).bounds(asked)
    assert low is None or (exactly[0] is not None and low <= exactly[0])
    assert high is None or (exactly[1] is not None and high >= exactly[1])


def test_bounds_go_from_one_to_the_next() -> None:
    found = propagated([at_least(X, 3), at_least(Y, X + 1), equal(Z, Y + 2), at_most(Z, 10)])
    assert found is not None
    assert (found.of("x"), found.of("y"), found.of("z")) == ((3, 7), (4, 8), (6, 10))
    assert found.bounds(X - Y) == (-5, 3), "what they have to do with each other is not kept"


def test_what_leaves_nothing() -> None:
    assert propagated([at_least(X, 3), at_most(X + Y, 4), at_least(Y, 2)]) is None


def test_it_ends_where_bounds_creep() -> None:
    found = propagated([at_least(X, Y + 1), at_least(Y, X + 1), at_least(X, 0), at_most(X, 1 << 40)], passes=5)
    assert found is not None and found.of("y")[0] is not None
