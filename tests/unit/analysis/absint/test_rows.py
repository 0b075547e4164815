"""Conjunctions as plain lists."""

from __future__ import annotations

from clew.analysis.absint.factors import generators
from clew.analysis.absint.linear import Linear, at_least, at_most, equal
from clew.analysis.absint.rows import components, eliminated, pivots, solved, tidy

X, Y, Z = (Linear.of(name) for name in "xyz")


def test_the_strictest_of_parallel_constraints_stays() -> None:
    assert tidy([at_least(X, 1), at_least(X * 2, 7), at_most(X - Y, 3)]) == [at_least(X, 4), at_most(X - Y, 3)]


def test_opposite_constraints_are_an_equality() -> None:
    assert tidy([at_least(X, Y), at_least(Y, X)]) == [equal(X, Y)]
    assert tidy([at_least(X, 3), at_most(X, 3), at_least(Y, X)]) == [equal(X, 3), at_least(Y, 3)]
    assert tidy([at_least(X, Y + 1), at_least(Y, X)]) is None


def test_values_show_where_equalities_fix_them() -> None:
    assert set(tidy([equal(X + Y, 7), equal(X - Y, 1)]) or ()) == {equal(X, 4), equal(Y, 3)}
    assert tidy([equal(X + Y, 7), equal(X - Y, 2)]) is None


def test_equalities_are_solved_for_variables_that_occur_once() -> None:
    rows = solved([equal(X, Y + 1), equal(Y, Z + 1), at_least(X + Y, 0)])
    assert rows is not None
    assert len(pivots(rows)) == 2
    assert all(len(row.linear.terms) <= 2 for row in rows)


def test_components() -> None:
    first, second, third, link = at_least(X, 0), at_least(Y, 0), at_least(Z, 0), at_least(X, Z)
    assert components([first, second]) == [[first], [second]]
    groups = components([first, second, third, link])
    assert sorted(map(len, groups)) == [1, 3]
    assert [second] in groups


def test_elimination() -> None:
    assert eliminated([equal(X, Y + 1), at_least(X, 5)], "x", 0) == [at_least(Y, 4)]
    assert eliminated([at_least(X, Y), at_most(X, Z)], "x", 0) == [at_least(Z, Y)]
    assert eliminated([at_least(X, Y), at_least(X, Z)], "x", 0) == []
    assert eliminated([at_least(Y, 0)], "x", 0) == [at_least(Y, 0)]
    many = [at_least(X * n, Y) for n in range(1, 5)] + [at_most(X * n, Z) for n in range(1, 5)]
    assert eliminated(many, "x", 4) is None


def test_the_number_of_corners() -> None:
    cube = [row for v in (X, Y, Z) for row in (at_least(v, 0), at_most(v, 1))]
    assert 8 <= generators(cube) <= 20
    assert generators([equal(X, 1)]) == 1
    assert generators([equal(X, Y)]) <= 2
