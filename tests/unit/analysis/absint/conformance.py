"""What every abstract domain has to keep: its operations against the same operations on explicit sets of valuations.

A random script is done twice: by the domain, and on sets of valuations of four variables, as the contract says it. An
abstract value may stand for more, so only those questions are asked: does each valuation satisfy what the value says?
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hypothesis import strategies as st

from clew.analysis.absint.domain import Abstract, Bounds, Domain
from clew.analysis.absint.linear import Constraint, Linear

RANGES: dict[str, Bounds] = {"a": (None, None), "b": (-2, 2), "c": (0, 3), "d": (0, 1)}
NAMES = tuple(RANGES)
Valuation = tuple[int, ...]

WINDOW = (range(-3, 4), range(-2, 3), range(4), range(2))
"""Values to try: all there are, but for the first variable."""


def ranges(variable: object) -> Bounds:
    return RANGES[str(variable)]


def named(valuation: Valuation) -> dict[str, int]:
    return dict(zip(NAMES, valuation, strict=True))


def meaning(value: Abstract) -> frozenset[Valuation]:
    """The valuations of a value, in the window."""
    constraints = value.constraints()
    return frozenset(v for v in itertools.product(*WINDOW) if all(c.holds(named(v)) for c in constraints))


LINEARS = st.builds(
    Linear,
    st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 3), max_size=3),
    st.integers(-6, 6),
)
CONSTRAINTS = st.builds(Constraint, LINEARS, st.sampled_from((False, False, False, True)))
VALUATIONS = st.tuples(*(st.sampled_from(values) for values in WINDOW))
ASSIGNMENTS = st.dictionaries(st.sampled_from(NAMES), LINEARS, min_size=1, max_size=3)


@dataclass
class Both:
    """An abstract value, and valuations that it has to stand for."""

    value: Abstract
    points: set[Valuation] = field(default_factory=set)

    def check(self) -> None:
        constraints = self.value.constraints()
        for point in self.points:
            for constraint in constraints:
                assert constraint.holds(named(point)), f"{point} is lost: {constraint}"
        assert not (self.points and self.value.is_bottom), f"{self.points} are lost"

    def joined(self, other: Both) -> Both:
        return Both(self.value.join(other.value), self.points | other.points)

    def assumed(self, constraints: Iterable[Constraint]) -> Both:
        rows = list(constraints)
        left = {point for point in self.points if all(row.holds(named(point)) for row in rows)}
        return Both(self.value.assume(rows), left)

    def assigned(self, values: dict[str, Linear]) -> Both:
        """Where values are in range: the others are assumed away first, as the analysis does it."""
        guards = []
        for name, value in values.items():
            low, high = RANGES[name]
            guards += [] if low is None else [Constraint(value - low)]
            guards += [] if high is None else [Constraint(Linear.number(high) - value)]
        guarded = self.assumed(guards)
        after = {
            tuple(values[name].value(named(p)) if name in values else p[i] for i, name in enumerate(NAMES))
            for p in guarded.points
        }
        return Both(guarded.value.assign(values), after)

    def forgotten(self, names: Iterable[str]) -> Both:
        gone = set(names)
        choices = (
            itertools.product(*(WINDOW[i] if name in gone else (p[i],) for i, name in enumerate(NAMES)))
            for p in self.points
        )
        return Both(self.value.forget(names), set(itertools.chain.from_iterable(choices)))

    def widened(self, newer: Both, thresholds: Iterable[Constraint]) -> Both:
        return Both(self.value.widen(newer.value, tuple(thresholds)), self.points | newer.points)

    def narrowed(self, newer: Both) -> Both:
        return Both(self.value.narrow(newer.value), self.points & newer.points)


def point(domain: Domain, valuation: Valuation) -> Both:
    """One valuation."""
    return Both(domain.top().assign({n: Linear.number(v) for n, v in named(valuation).items()}), {valuation})


def points(domain: Domain, valuations: Iterable[Valuation]) -> Both:
    result = Both(domain.bottom())
    for valuation in valuations:
        result = result.joined(point(domain, valuation))
    return result


def region(domain: Domain, constraints: Iterable[Constraint]) -> Both:
    """What satisfies some constraints."""
    return Both(domain.top(), set(itertools.product(*WINDOW))).assumed(constraints)


Step = Callable[[list[Both]], Both]
"""Makes one more value from those there are."""

_WHICH = st.integers(0, 7)


def _pick(values: list[Both], which: int) -> Both:
    return values[which % len(values)]


STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(lambda i, j: lambda vs: _pick(vs, i).joined(_pick(vs, j)), _WHICH, _WHICH),
    st.builds(
        lambda i, j, t: lambda vs: _pick(vs, i).widened(_pick(vs, j), t),
        _WHICH,
        _WHICH,
        st.lists(CONSTRAINTS, max_size=2),
    ),
    st.builds(lambda i, j: lambda vs: _pick(vs, i).narrowed(_pick(vs, j)), _WHICH, _WHICH),
    st.builds(lambda i, c: lambda vs: _pick(vs, i).assumed(c), _WHICH, st.lists(CONSTRAINTS, max_size=3)),
    st.builds(lambda i, a: lambda vs: _pick(vs, i).assigned(a), _WHICH, ASSIGNMENTS),
    st.builds(lambda i, n: lambda vs: _pick(vs, i).forgotten(n), _WHICH, st.lists(st.sampled_from(NAMES), max_size=2)),
)
SCRIPTS = st.lists(STEPS, min_size=1, max_size=8)
STARTS = st.lists(st.lists(VALUATIONS, max_size=4), min_size=1, max_size=3)
REGIONS = st.lists(st.lists(CONSTRAINTS, max_size=4), max_size=2)


def run(
    domain: Domain, starts: list[list[Valuation]], regions: list[list[Constraint]], script: list[Step]
) -> list[Both]:
    """All values that a script makes, checked."""
    values = [points(domain, valuations) for valuations in starts]
    values += [region(domain, constraints) for constraints in regions]
    for step in script:
        values.append(step(values))
    for value in values:
        value.check()
    return values
