"""What octagons find out: sums and differences of two."""

from __future__ import annotations

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.octagons import Octagons

X, Y, Z = (Linear.of(name) for name in "xyz")
DOMAIN = Octagons(lambda variable: (0, 255) if variable == "z" else (None, None))
TOP: Abstract = DOMAIN.top()


def test_differences_follow_each_other() -> None:
    value = TOP.assume([at_most(X, Y), at_most(Y, Z - 1)])
    assert value.entails(at_most(X, Z - 1))
    assert value.bounds(X) == (None, 254)
    assert set(value.constraints()) == {at_most(X, Y), at_most(Y, Z - 1)}
    assert value.assume([at_least(X, Z)]).is_bottom


def test_halves_are_rounded() -> None:
    """``x + y <= 3`` and ``x - y <= 0``: twice ``x`` is at most 3."""
    value = TOP.assume([at_most(X + Y, 3), at_most(X, Y)])
    assert value.bounds(X) == (None, 1)


def test_a_join_finds_what_is_common() -> None:
    value = TOP.assign({"x": Linear.number(0), "y": Linear.number(1)})
    other = TOP.assign({"x": Linear.number(4), "y": Linear.number(5)})
    joined = value.join(other)
    assert joined.entails(equal(X, Y - 1))
    assert len(joined.constraints()) == 3
    assert joined.bounds(X + Y) == (1, 9)


def test_a_shift_keeps_relations() -> None:
    value = TOP.assume([equal(X, Y), at_least(X, 3)]).assign({"x": X + 2})
    assert value.entails(equal(X, Y + 2))
    assert value.assign({"x": -X}).entails(equal(-X, Y + 2))
    assert value.assign({"x": -X + 1}).bounds(X) == (None, -4)


def test_more_than_two_variables_give_bounds() -> None:
    value = TOP.assume([at_least(X, 1), at_most(X, 2), at_most(X + Y + Z, 10)])
    assert value.bounds(Y) == (None, 9)
    assert value.entails(at_most(Y + Z, 9))
    assert TOP.assume([equal(X * 3, Y), at_least(Y, 4)]).bounds(X) == (2, None)


def test_sums_of_terms_are_taken_together() -> None:
    value = TOP.assume([at_most(X, Y)])
    assert value.bounds(X * 2 - Y * 2 + Z) == (None, 255)


def test_what_follows_is_not_told_twice() -> None:
    value = TOP.assume([equal(X, Y), at_most(X, 5), at_most(Z, X)])
    rows = value.constraints()
    assert rows[0] in (equal(X, Y), equal(Y, X))
    assert len(rows) == 3
    assert Constraint(Linear({"y": 1})) not in rows


def test_widening_is_not_undone_by_closing() -> None:
    """A bound that grows is given up, even though another relation gives it back for a while."""
    head = TOP.assign({"x": Linear.number(0), "y": Linear.number(0)})
    for _ in range(20):
        wider = head.widen(head.assign({"x": Y + 1, "y": X + 1}))
        if head.contains(wider):
            break
        head = wider
    else:
        raise AssertionError("it does not end")
    assert head.bounds(X) == (0, None)


def test_old_values_do_not_pile_up() -> None:
    value = TOP.assume([equal(X, 1), equal(Y, 2)])
    for _ in range(5):
        value = value.assign({"x": Y, "y": X})
    assert value.constraints() == (equal(X, 2), equal(Y, 1))
    assert value.size() == 4
