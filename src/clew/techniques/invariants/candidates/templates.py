"""Candidates that samples suggest: orders, remainders, constant bits, equalities, and all these within a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import Any

from clew.base.bits import signed
from clew.base.dataclass import dataclass
from clew.base.residues import echelon
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import EQ, SLE, SLT, ULE, ULT
from clew.techniques.invariants.candidates.conditions import condition_of
from clew.techniques.invariants.candidates.equalities import Equalities
from clew.techniques.invariants.candidates.heads import Point, Term
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.runs import Values

_LARGEST_MODULUS = 1 << 16
_SPARSE = 4
"""Terms of an equality that is tried without a proof by algebra."""
_FEW = 3
"""Values that a flag may have."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What the program says beside its runs."""

    inside: Sequence[Expr]
    """Comparisons in the loop, over the head's terms."""
    outside: Sequence[Expr]
    """The same, elsewhere in its function."""
    constants: dict[int, list[int]]
    """Numbers, by width."""
    cells: frozenset[Expr] = frozenset()
    """Terms that are cells of arrays: what holds of them depends on whether a loop has come by."""
    index: Expr | None = None
    """The term that is the index of these cells."""


class Templates:
    """Makes the candidates of one head."""

    def __init__(self, head: Point, samples: Sequence[Values], hints: Hints, limits: Limits) -> None:
        self._head = head
        self._samples = samples
        self._hints = hints
        self._limits = limits
        self._models = [Model({t.symbol: v for t, v in zip(head.terms, state, strict=True)}) for state in samples]

    def candidates(self) -> list[Expr]:
        """All that no sample contradicts; there are none without samples."""
        if not self._samples:
            return []
        everywhere = list(range(len(self._samples)))
        found = dict.fromkeys(self._all(everywhere))
        passings = list(self._passings())
        for phase in (*passings, *(build.land(phase, flag) for phase in passings for flag in self._flags())):
            if isinstance(phase, Expr):
                about = (c for c in self._within(phase) if not self._hints.cells.isdisjoint(c.symbols))
                _add(found, phase, about)
        for phase in self._phases():
            _add(found, phase, (c for c in self._within(phase) if c.op is EQ or c not in found))
        return [c for c in found if isinstance(c, Expr)][: self._limits.candidates]

    def _within(self, phase: Expr) -> Iterator[Expr]:
        """What holds in a phase. Of one that no run has come to, there is only what the program says."""
        within = [place for place, model in enumerate(self._models) if model.eval(phase)]
        return self._all(within) if within else self._said()

    def _all(self, within: list[int]) -> Iterator[Expr]:
        """What holds in some of the samples."""
        yield from (c for c in self._said() if all(self._models[place].eval(c) for place in within))
        states = [self._samples[place] for place in within]
        made = (*self._equalities(states), *self._orders(states), *self._bounds(states), *self._remainders(states))
        yield from (c for c in made if isinstance(c, Expr))

    # What the program says

    def _said(self) -> Iterator[Expr]:
        for condition in (*self._hints.inside, *self._hints.outside):
            for form in (condition, build.lnot(condition)):
                yield from (c for c in (form, *_relaxed(form)) if isinstance(c, Expr))

    def _phases(self) -> list[Expr]:
        """Conditions that tell states of the loop apart: its own comparisons, values of flags."""
        found = dict.fromkeys(self._flags())
        for condition in self._hints.inside if not self._hints.cells else ():
            found[condition] = None
            found[build.lnot(condition)] = None  # type: ignore[index]  # of an expression it is one
        return list(found)[: self._limits.phases]

    def _flags(self) -> Iterator[Expr]:
        """That a variable with few values has one of them."""
        for place, term in enumerate(self._head.terms):
            values = sorted({state[place] for state in self._samples})
            if term.changed and 1 < len(values) <= _FEW and term.symbol not in self._hints.cells:
                made = (build.eq(term.symbol, value, term.width) for value in values)
                yield from (c for c in made if isinstance(c, Expr))

    def _passings(self) -> Iterator[Expr]:
        """That a loop has come by the cell, or not yet, where it compares the index of that with another."""
        index = self._hints.index
        for condition in self._hints.inside:
            if index is not None and condition.op is EQ and index in condition.args:
                other = next(arg for arg in condition.args if arg is not index)
                passed = build.ult(index, other, index.width)
                yield from (c for c in (passed, build.lnot(passed)) if isinstance(c, Expr))

    # What samples show

    def _orders(self, states: Sequence[Values]) -> Iterator[Any]:
        terms = list(enumerate(self._head.terms))
        for a, first in terms:
            for b, second in terms:
                if first.width == second.width and a != b and (first.changed or second.changed):
                    pairs = [(state[a], state[b]) for state in states]
                    if any(x != y for x, y in pairs):
                        yield from _ordered(first, second.symbol, pairs)

    def _bounds(self, states: Sequence[Values]) -> Iterator[Any]:
        """Comparisons with numbers of the program, or the next ones."""
        for place, term in enumerate(self._head.terms):
            if not term.changed:
                continue
            mask = (1 << term.width) - 1
            own = self._hints.constants.get(term.width, [])[: self._limits.constants]
            numbers = sorted({(c + step) & mask for c in own for step in (-1, 0, 1)})
            values = [state[place] for state in states]
            if len(set(values)) > 1:
                yield from _bounded(term, values, numbers)

    def _remainders(self, states: Sequence[Values]) -> Iterator[Any]:
        for place, term in enumerate(self._head.terms):
            values = [state[place] for state in states]
            modulus = gcd(*(value - values[0] for value in values))
            if term.changed and 2 < modulus < _LARGEST_MODULUS and modulus & (modulus - 1):
                yield build.eq(build.urem(term.symbol, modulus, term.width), values[0] % modulus, term.width)

    def _equalities(self, states: Sequence[Values]) -> Iterator[Any]:
        """Sums that are equal; those that algebra proves are known already, and found again."""
        for width in sorted({term.width for term in self._head.terms if term.changed}):
            places = [place for place, term in enumerate(self._head.terms) if term.width == width]
            group = Equalities(0, width, (*((place,) for place in places), ()))
            count = len(group.products)
            group.rows = [[int(place == other) for other in range(count)] for place in range(count)]
            group.restrict(states)
            for row in echelon(group.rows, width):
                if sum(map(bool, row)) <= _SPARSE and any(row[:-1]):
                    yield condition_of(row, group.products, width, self._head)


def _ordered(first: Term, second: Expr, pairs: Sequence[tuple[int, int]]) -> Iterator[Any]:
    width = first.width
    views: tuple[tuple[Callable[..., Any], Callable[..., Any], Callable[[int], int]], ...] = (
        (build.ule, build.ult, int), (build.sle, build.slt, lambda value: signed(value, width)),
    )  # fmt: skip
    for at_most, less, view in views:
        if all(view(x) <= view(y) for x, y in pairs):
            yield at_most(first.symbol, second, width)
            if all(x != y for x, y in pairs):
                yield less(first.symbol, second, width)


def _bounded(term: Term, values: Iterable[int], numbers: Sequence[int]) -> Iterator[Any]:
    width = term.width
    seen = set(values)
    low, high = min(seen), max(seen)
    for number in [number for number in numbers if number >= high][:2]:
        yield build.ule(term.symbol, number, width)
    for number in [number for number in numbers if number <= low][-2:]:
        yield build.uge(term.symbol, number, width)
    views = sorted(numbers, key=lambda number: signed(number, width))
    least, most = (signed(f(seen, key=lambda value: signed(value, width)), width) for f in (min, max))
    for number in [number for number in views if signed(number, width) >= most][:2]:
        yield build.sle(term.symbol, number, width)
    for number in [number for number in views if signed(number, width) <= least][-2:]:
        yield build.sge(term.symbol, number, width)


def _add(found: dict[Expr, None], phase: Expr, held: Iterable[Expr]) -> None:
    """Add what holds in a phase."""
    more = (build.implies(phase, c) for c in held)
    found.update(dict.fromkeys(c for c in more if isinstance(c, Expr)))


def _relaxed(condition: Any) -> Iterator[Any]:
    """Of ``a < b``: ``a <= b``; of ``a <= b``: that they are equal."""
    if isinstance(condition, Expr) and condition.op in (ULT, SLT, ULE, SLE):
        left, right = condition.args
        if condition.op in (ULT, SLT):
            yield (build.ule if condition.op is ULT else build.sle)(left, right, left.width)
        yield build.eq(left, right, left.width)
