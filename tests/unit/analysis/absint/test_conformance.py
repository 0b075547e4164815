"""Every domain against explicit sets of valuations, and the laws of lattices."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.analysis.absint.domain import Abstract, Domain
from clew.analysis.absint.domains import DOMAINS
from clew.analysis.absint.linear import Constraint, Linear
from depth import examples
from examples.signs import Signs

from .conformance import (
    ASSIGNMENTS,
    CONSTRAINTS,
    LINEARS,
    NAMES,
    REGIONS,
    SCRIPTS,
    STARTS,
    Both,
    Step,
    Valuation,
    meaning,
    named,
    ranges,
    run,
)

ALL: dict[str, Domain] = {entry.name: entry.item(ranges) for entry in DOMAINS} | {"signs": Signs(ranges)}
every_domain = pytest.mark.parametrize("domain", ALL.values(), ids=list(ALL))
Starts = list[list[Valuation]]
Regions = list[list[Constraint]]


@pytest.mark.slow
@every_domain
@settings(max_examples=examples(150))
@given(STARTS, REGIONS, SCRIPTS)
def test_no_valuation_is_lost(domain: Domain, starts: Starts, regions: Regions, script: list[Step]) -> None:
    run(domain, starts, regions, script)


@every_domain
@settings(max_examples=examples(60))
@given(STARTS, REGIONS, SCRIPTS, st.lists(CONSTRAINTS, min_size=1, max_size=3), LINEARS)
def test_answers_are_true(
    domain: Domain, starts: Starts, regions: Regions, script: list[Step], rows: list[Constraint], linear: Linear
) -> None:
    for both in run(domain, starts, regions, script):
        low, high = both.value.bounds(linear)
        rough = both.value.roughly(linear)
        entailed = [row for row in (*rows, *both.value.constraints()) if both.value.entails(row)]
        for point in both.points:
            assert low is None or low <= linear.value(named(point))
            assert high is None or linear.value(named(point)) <= high
            assert rough[0] is None or rough[0] <= linear.value(named(point))
            assert rough[1] is None or linear.value(named(point)) <= rough[1]
            for row in entailed:
                assert row.holds(named(point))


def _laws(domain: Domain, one: Abstract, other: Abstract) -> None:
    mine, those = meaning(one), meaning(other)
    join, narrowed, wide = one.join(other), one.narrow(other), one.widen(other)
    assert mine | those <= meaning(join)
    assert mine & those <= meaning(narrowed)
    assert mine | those <= meaning(wide)
    assert meaning(other.join(one)) == meaning(join)
    assert meaning(one.join(one)) == mine
    assert meaning(one.narrow(one)) == mine
    assert meaning(one.widen(one)) == mine
    if one.contains(other):
        assert those <= mine
    assert one.contains(one)
    assert one.contains(domain.bottom())
    assert domain.top().contains(one)
    assert meaning(one.join(domain.bottom())) == meaning(domain.bottom().join(one)) == mine
    assert meaning(one.join(domain.top())) == meaning(domain.top())
    assert domain.bottom().is_bottom
    assert domain.bottom().contains(one) == one.is_bottom
    assert not meaning(domain.bottom())


@pytest.mark.slow
@every_domain
@settings(max_examples=examples(40))
@given(STARTS, REGIONS, SCRIPTS)
def test_laws_of_lattices(domain: Domain, starts: Starts, regions: Regions, script: list[Step]) -> None:
    values = run(domain, starts, regions, script)
    _laws(domain, values[-1].value, values[0].value)
    _laws(domain, values[0].value, values[-1].value)


@every_domain
@settings(max_examples=examples(60))
@given(STARTS, REGIONS, SCRIPTS)
def test_constraints_are_all_there_is(domain: Domain, starts: Starts, regions: Regions, script: list[Step]) -> None:
    for both in run(domain, starts, regions, script):
        constraints = both.value.constraints()
        again = domain.top().assume(constraints)
        assert again.contains(both.value) or (again.is_bottom and not meaning(both.value))
        assert both.value.contains(again), constraints
        kinds = [row.equality for row in constraints]
        assert kinds == sorted(kinds, reverse=True)
        assert both.value.is_bottom <= any(row.is_false for row in constraints)


@every_domain
@settings(max_examples=examples(60))
@given(STARTS, st.lists(CONSTRAINTS, max_size=2), ASSIGNMENTS, st.lists(CONSTRAINTS, max_size=3))
def test_widening_ends(
    domain: Domain, starts: Starts, guard: list[Constraint], body: dict[str, Linear], thresholds: list[Constraint]
) -> None:
    """A loop is analysed to its fixpoint, which is one."""
    first, *others = run(domain, starts, [], [lambda values: values[0]])
    head = first
    for _ in range(40):
        following = head.assumed(guard).assigned(body)
        for other in others:
            following = following.joined(other.assumed(guard))
        wider = head.widened(following, thresholds)
        wider.check()
        if head.value.contains(wider.value):
            break
        head = wider
    else:
        raise AssertionError("widening does not end")
    Both(head.value, following.points).check()
    assert meaning(following.value) <= meaning(head.value)


@every_domain
@settings(max_examples=examples(60))
@given(STARTS, REGIONS, SCRIPTS, st.lists(CONSTRAINTS, min_size=1, max_size=4))
def test_thresholds_stay(
    domain: Domain, starts: Starts, regions: Regions, script: list[Step], thresholds: list[Constraint]
) -> None:
    """Those about one variable at least: all domains can say them, but for signs, which have the own ones only."""
    values = run(domain, starts, regions, script)
    one, other = values[-1].value, values[0].value
    if domain.name == "signs":
        thresholds = [Constraint(Linear.of(name)) for name in NAMES]
    wide = one.widen(other, thresholds)
    for row in thresholds:
        if len(row.linear.terms) == 1 and one.entails(row) and other.entails(row):
            assert wide.entails(row)


@every_domain
def test_a_loop_over_numbers(domain: Domain) -> None:
    """Zero up to something: no domain may miss that it does not get negative."""
    a = Linear.of("a")
    head = Both(domain.top().assign({"a": Linear.number(0)}), {(0, 0, 0, 0)})
    for _ in range(10):
        following = head.joined(head.assigned({"a": a + 1}))
        if head.value.contains(following.value):
            break
        head = head.widened(following, ())
    assert head.value.entails(Constraint(a))
    assert not head.value.entails(Constraint(-a + 1000))
