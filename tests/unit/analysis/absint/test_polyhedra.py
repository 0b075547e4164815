"""Relations that polyhedra are there for, and what keeps them affordable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from clew.analysis.absint.domain import Abstract, Bounds
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.polyhedra import Polyhedra

X, Y, START, INDEX, J, N, STEPS = (Linear.of(name) for name in ("x", "y", "start", "i", "j", "n", "steps"))
NUMBER = Linear.number


def ranges(variable: object) -> Bounds:
    """``n`` is unsigned, ``steps`` a counter, all others are signed."""
    return {"n": (0, 2**32 - 1), "steps": (None, None)}.get(str(variable), (-(2**31), 2**31 - 1))


DOMAIN = Polyhedra(ranges)


def fixpoint(entry: Abstract, guard: Iterable[Constraint], body: Mapping[str, Linear]) -> Abstract:
    """What holds at the head of a loop, with one round of narrowing."""
    head, rounds = entry, list(guard)
    while True:
        again = entry.join(head.assume(rounds).assign(body))
        wider = head.widen(again)
        if head.contains(wider):
            return head.narrow(again)
        head = wider


def test_a_loop_in_steps_of_two() -> None:
    entry = DOMAIN.top().assume([at_least(START, 1)]).assign({"x": NUMBER(0), "y": START})
    head = fixpoint(entry, [at_least(Y, 1)], {"x": X + 1, "y": Y - 2})
    assert head.entails(equal(X * 2, START - Y))
    behind = head.assume([at_most(Y, 0)])
    assert behind.bounds(Y) == (-1, 0)
    assert behind.entails(equal(X * 2, START - Y))


def test_the_last_pass_of_a_loop_with_two_exits() -> None:
    body = {"x": X - 1, "i": INDEX + 4, "steps": STEPS + 1}
    entry = DOMAIN.top().assign({"x": START, "i": NUMBER(3), "steps": NUMBER(0)})
    head = fixpoint(entry, [at_least(X, 1), at_most(INDEX + 4, 79)], body)
    out = head.assume([at_least(X, 1)]).assign(body).assume([at_least(INDEX, 80)])
    assert out.entails(equal(STEPS, 20))
    assert out.entails(equal(START, STEPS + X))
    assert equal(STEPS, 20) in out.constraints()


def test_an_unsigned_limit_holds_before_the_first_pass() -> None:
    """``i <= n`` is true at first only because nothing is below zero."""
    head = fixpoint(DOMAIN.top().assign({"i": NUMBER(0)}), [at_most(INDEX, N - 1)], {"i": INDEX + 1})
    assert head.entails(at_most(INDEX, N))
    assert head.assume([at_least(INDEX, N)]).entails(equal(INDEX, N))


def test_a_signed_limit_does_not() -> None:
    head = fixpoint(DOMAIN.top().assign({"i": NUMBER(0)}), [at_most(INDEX, J - 1)], {"i": INDEX + 1})
    assert not head.entails(at_most(INDEX, J))
    assert head.entails(at_least(INDEX, 0))


def test_equalities_without_integers_are_seen() -> None:
    odd = DOMAIN.top().assume([equal(X, Y * 2), equal(X, START * 2 + 1)])
    assert odd.is_bottom
    assert DOMAIN.top().assume([Constraint(X * 2 - 1, equality=True)]).is_bottom


def test_ranges_make_things_impossible() -> None:
    assert DOMAIN.top().assume([at_most(N, -1)]).is_bottom
    assert DOMAIN.top().assume([equal(X, Y + 1)]).assume([equal(Y, 2**31 - 1)]).is_bottom
    assert not DOMAIN.top().assume([equal(STEPS, Y + 1)]).assume([equal(Y, 2**31 - 1)]).is_bottom


@pytest.mark.parametrize("factor", [2, -3])
def test_a_multiple_of_itself(factor: int) -> None:
    value = DOMAIN.top().assume([equal(X, Y + 1)]).assign({"x": X * factor + Y})
    assert value.entails(equal(X, Y * (factor + 1) + factor))


def test_values_that_change_places() -> None:
    value = DOMAIN.top().assume([equal(X, 3), at_least(Y, 5)]).assign({"x": Y, "y": X})
    assert value.constraints() == (equal(Y, 3), at_least(X, 5))


def test_old_values_are_forgotten() -> None:
    value = DOMAIN.top().assume([equal(X, Y)]).assign({"x": Y + 1, "y": X * 2})
    assert {variable for row in value.constraints() for variable in row.variables} <= {"x", "y"}
    assert value.entails(equal(Y, X * 2 - 2))


def test_many_independent_bounds_stay_apart() -> None:
    """A box over sixty variables has more corners than fit anywhere; each of the factors has two."""
    names = [f"v{number}" for number in range(60)]
    one = DOMAIN.top().assume([row for v in names for row in (at_least(Linear.of(v), 0), at_most(Linear.of(v), 9))])
    other = one.assign({"v0": Linear.of("v0") + 1})
    joined = one.join(other)
    assert joined.bounds(Linear.of("v0")) == (0, 10)
    assert joined.bounds(Linear.of("v59")) == (0, 9)
    assert one.widen(other).bounds(Linear.of("v0")) == (0, 2**31 - 1)
    assert len(joined.constraints()) == 120


def test_hulls_that_are_too_large_keep_bounds_and_equalities() -> None:
    names = [f"v{number}" for number in range(40)]
    low = [row for v in names for row in (at_least(Linear.of(v), 0), at_most(Linear.of(v), 9))]
    high = [row for v in names for row in (at_least(Linear.of(v), 1), at_most(Linear.of(v), 10))]
    one = DOMAIN.top().assume(low).assign({"x": NUMBER(0), "y": NUMBER(0)})
    other = DOMAIN.top().assume(high).assign({"x": NUMBER(1), "y": NUMBER(3)})
    joined = one.join(other)
    assert joined.entails(equal(Y, X * 3))
    assert all(joined.bounds(Linear.of(v)) == (0, 10) for v in names)
    assert joined.contains(one)
    assert joined.contains(other)
    assert one.widen(other).contains(joined)


@pytest.mark.slow
def test_a_factor_that_is_too_large_can_be_projected() -> None:
    """All variables depend on each other, and no projection of reasonable size is exact."""
    names = [f"v{number}" for number in range(10)]
    rows = [
        at_most(Linear.of(one) * (2 + place) + Linear.of(two), NUMBER(50) + X)
        for place, one in enumerate(names)
        for two in names[place + 1 :]
    ]
    rows += [at_least(Linear.of(name) + X, 0) for name in names]
    value = DOMAIN.top().assume([*rows, at_least(X, 0), at_most(X, 5)])
    less = value.forget(["x", *names[::2]])
    assert less.contains(value)
    assert less.forget(names).contains(DOMAIN.top())
    joined = value.join(value.assign({"x": X + 1}))
    assert joined.contains(value)
    assert joined.bounds(X) == (0, 6)


def test_long_chains_of_definitions() -> None:
    """Hundreds of variables that are all the same but for a number: no walk is recursive."""
    value: Abstract = DOMAIN.top()
    for number in range(1, 400):
        value = value.assign({f"v{number}": Linear.of(f"v{number - 1}") + 1})
    assert value.bounds(Linear.of("v399") - Linear.of("v0")) == (399, 399)


def test_the_same_value_comes_back_where_nothing_changes() -> None:
    value = DOMAIN.top().assume([at_least(X, Y)])
    assert value.assume([at_least(X + 1, Y)]) is value
    assert value.forget(["i"]) is value
    assert value.widen(value.assume([at_least(X, 0)])) is value
