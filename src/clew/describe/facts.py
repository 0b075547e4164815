"""Linear constraints over named terms -> the facts a person reads: the same knowledge in few and short sentences.

The same knowledge can be written in many ways. Equalities are replaced by combinations of them that have few terms, and
inequalities by what they are in view of the equalities; constraints that only differ in their constants become one
fact. Nothing here knows where the constraints come from: their variables are ``Term``s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

from clew.analysis.absint.domain import Bounds
from clew.analysis.absint.intervals import bounds_of
from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.absint.rows import pivots, reduced, solved, substituted
from clew.report.facts import Fact, FactKind, FactOrder, Term

_MOST_COMBINED = 120
"""Equalities, given ones and combinations of them, that are looked at to find short ones."""
_ROUNDS = 2
"""How often combinations are combined."""


def constraints_of(fact: Fact) -> Iterator[Constraint]:
    """The constraints over terms that say the same as a fact."""
    linear = Linear(dict(fact.terms))
    if fact.is_equality:
        assert fact.low is not None
        yield Constraint(linear - fact.low, equality=True)
        return
    if fact.low is not None:
        yield Constraint(linear - fact.low)
    if fact.high is not None:
        yield Constraint(-linear + fact.high)


def facts_of(constraints: Iterable[Constraint]) -> list[Fact]:
    """All that constraints over terms say, beside the ranges of the terms: equalities first, short ones first."""
    given = list(dict.fromkeys(constraints))
    facts = _grouped(given)
    while True:  # bounds may meet, which makes one more equality
        known = sum(fact.is_equality for fact in facts)
        given = [constraint for fact in facts for constraint in constraints_of(fact)]
        equalities = _short_basis([c for c in given if c.equality])
        facts = _grouped([*equalities, *(_shortened(c, equalities) for c in given if not c.equality)])
        if sum(fact.is_equality for fact in facts) <= known:
            break
    facts = [fact for fact in facts if not _in_range(fact)]
    return sorted((_with_zero(fact) for fact in facts), key=_place)


def _cost(constraint: Constraint) -> FactOrder:
    """What is better to read costs less."""
    terms = constraint.linear.terms
    counters = sum(1 for term in terms if _kind(term) is FactKind.COUNTER)
    weight = sum(abs(factor) for factor in terms.values())
    if not constraint.equality:
        return (len(terms), counters, weight, abs(constraint.linear.constant), _names(terms))
    return (len(terms), weight, counters, abs(constraint.linear.constant), _names(terms))


def _kind(variable: Variable) -> FactKind:
    assert isinstance(variable, Term)
    return variable.kind


def _names(terms: Iterable[Variable]) -> FactOrder:
    return tuple(sorted(term.rank for term in terms if isinstance(term, Term)))


def _short_basis(equalities: list[Constraint]) -> list[Constraint]:
    """Equalities that say the same, with few terms each."""
    known = dict.fromkeys(_signed(equality) for equality in equalities)
    fresh = list(known)
    for _ in range(_ROUNDS):
        fresh = list(islice(_mixed(fresh, known), max(_MOST_COMBINED - len(known), 0)))
        known.update(dict.fromkeys(fresh))
    chosen: list[Constraint] = []
    for equality in sorted(known, key=_cost):
        if reduced(equality, pivots(solved(chosen) or chosen)).linear.terms:
            chosen.append(equality)
    return chosen


def _mixed(fresh: list[Constraint], known: Iterable[Constraint]) -> Iterator[Constraint]:
    """Equalities without a variable that two others have, made of these; each of them once."""
    seen = set(known)
    for one, other in product(sorted(fresh, key=_cost), sorted(known, key=_cost)):
        if one != other:
            for variable in sorted(one.linear.terms.keys() & other.linear.terms.keys(), key=_rank):
                mixed = _signed(substituted(one, other, variable))
                if mixed.linear.terms and mixed not in seen:
                    seen.add(mixed)
                    yield mixed


def _rank(variable: Variable) -> FactOrder:
    assert isinstance(variable, Term)
    return variable.rank


def _signed(equality: Constraint) -> Constraint:
    """With a positive factor of the first term: one form for both signs."""
    if not equality.linear.terms:
        return equality
    first = min(equality.linear.terms, key=_rank)
    return equality if equality.linear.terms[first] > 0 else Constraint(-equality.linear, equality=True)


def _shortened(constraint: Constraint, equalities: list[Constraint]) -> Constraint:
    """An inequality as it reads best, given the equalities."""
    best, fresh = constraint, [constraint]
    seen = {constraint}
    for _ in range(_ROUNDS):
        made = []
        for one in fresh:
            for equality in equalities:
                for variable in sorted(one.linear.terms.keys() & equality.linear.terms.keys(), key=_rank):
                    mixed = substituted(one, equality, variable)
                    if mixed not in seen and mixed.linear.terms and len(seen) < _MOST_COMBINED:
                        seen.add(mixed)
                        made.append(mixed)
        fresh = made
        best = min([best, *fresh], key=_cost)
    return best


def _grouped(constraints: Iterable[Constraint]) -> list[Fact]:
    """Constraints on the same expression become one fact."""
    found: dict[tuple[tuple[Term, int], ...], list[int | None]] = {}
    for constraint in constraints:
        linear = constraint.linear
        if not linear.terms:
            continue
        first = min(linear.terms, key=_rank)
        sign = 1 if linear.terms[first] > 0 else -1
        ordered = sorted(linear.terms.items(), key=lambda item: _rank(item[0]))
        terms = tuple((term, sign * factor) for term, factor in ordered if isinstance(term, Term))
        bounds = found.setdefault(terms, [None, None])
        if constraint.equality or sign > 0:
            low = -sign * linear.constant
            bounds[0] = low if bounds[0] is None else max(bounds[0], low)
        if constraint.equality or sign < 0:
            high = -sign * linear.constant
            bounds[1] = high if bounds[1] is None else min(bounds[1], high)
    return [Fact(terms, low, high) for terms, (low, high) in found.items()]


def _range(variable: Variable) -> Bounds:
    assert isinstance(variable, Term)
    return variable.low, variable.high


def _in_range(fact: Fact) -> bool:
    """Whether a fact goes without saying."""
    low, high = bounds_of(Linear(dict(fact.terms)), _range)
    return (fact.low is None or (low is not None and fact.low <= low)) and (
        fact.high is None or (high is not None and fact.high >= high)
    )


def _with_zero(fact: Fact) -> Fact:
    """``0 <= n <= 9`` rather than ``n <= 9`` for what cannot be negative; no bounds that a type has anyway."""
    if len(fact.terms) != 1:
        return fact
    (term, _), low, high = fact.terms[0], fact.low, fact.high
    if low is not None and term.low is not None and low <= term.low:
        low = None
    if high is not None and term.high is not None and high >= term.high:
        high = None
    if low is None and term.low == 0 and high is not None:
        low = 0
    return Fact(fact.terms, low, high)


def _place(fact: Fact) -> FactOrder:
    """Where a fact comes in a list."""
    return (not fact.is_equality, len(fact.terms), tuple(term.rank for term, _ in fact.terms))
