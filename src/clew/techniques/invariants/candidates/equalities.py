"""Polynomial equalities modulo powers of two that every loop keeps: what wrap-around never breaks.

``x + y == n``, ``2*s == i*(i - 1)``, ``x % 4 == 1`` (which is ``2**30 * x == 2**30``): each is a row of coefficients
of products of a head's terms. All rows that the samples permit are a module. A way to the head of a loop takes a row to
a polynomial over what the way began with, and that must be a combination of rows which hold there: what is not is taken
out, until nothing more has to be. No solver is needed; of conditions on the way, only equalities count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from clew.base.residues import Row, echelon, relations, vanishing
from clew.expr.node import Expr
from clew.expr.op import EQ
from clew.expr.polynomials import ONE, Polynomial, eliminate, plus, polynomial, times
from clew.expr.sort import SortKind
from clew.techniques.invariants.candidates.heads import Point
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.runs import Values
from clew.techniques.invariants.candidates.segments import Segment

Product = tuple[int, ...]
"""Of terms, by their positions; () is one."""
_NARROW = 16
"""Widths up to which there are no products, and no wider terms."""


@dataclass(slots=True)
class Equalities:
    """Those of one head modulo ``2**width``."""

    head: int
    width: int
    products: tuple[Product, ...]
    """What the coefficients of a row belong to: products of many terms first, one last."""
    rows: list[Row] = field(default_factory=list)

    def polynomials(self, values: Sequence[Polynomial], rows: Iterable[Row]) -> list[Polynomial]:
        """Rows with polynomials in the place of terms."""
        parts: list[Polynomial] = []
        for product in self.products:
            part: Polynomial = {ONE: 1}
            for place in product:
                part = times(part, values[place], self.width)
            parts.append(part)
        found = []
        for row in rows:
            total: Polynomial = {}
            for factor, part in zip(row, parts, strict=True):
                if factor:
                    total = plus(total, part, factor, self.width)
            found.append(total)
        return found

    def restrict(self, states: Iterable[Values]) -> None:
        """Keep the rows that hold in all of some states."""
        for state in states:
            column = [self._value(product, state) for product in self.products]
            mask = (1 << self.width) - 1
            values = [sum(a * b for a, b in zip(row, column, strict=True)) & mask for row in self.rows]
            self.rows = vanishing(self.rows, values, self.width)

    def _value(self, product: Product, state: Values) -> int:
        result = 1
        for place in product:
            result = result * int(state[place]) & ((1 << self.width) - 1)
        return result


def equalities(
    heads: Sequence[Point],
    segments: Sequence[Segment],
    samples: Sequence[Sequence[Values]],
    implied: Sequence[Sequence[Expr]],
    limits: Limits,
) -> list[Equalities]:
    """All that hold at the heads, as far as products go; none if it takes too many rounds to find out.

    ``implied``: for each segment, equalities that follow from what is known on its way.
    """
    groups = [group for number, head in enumerate(heads) for group in _groups(number, head, limits)]
    for group in groups:
        count = len(group.products)
        group.rows = [[int(place == other) for other in range(count)] for place in range(count)]
        group.restrict(samples[group.head])
    checker = _Checker(heads, groups, limits)
    for _ in range(limits.rounds):
        shrunk = False
        for segment, equal in zip(segments, implied, strict=True):
            for group in groups:
                if group.head == segment.head and group.rows and checker.shrink(group, segment, equal):
                    shrunk = True
        if not shrunk:
            for group in groups:
                group.rows = echelon(group.rows, group.width)
            return groups
    return []


def _groups(number: int, head: Point, limits: Limits) -> Iterator[Equalities]:
    for width in sorted({term.width for term in head.terms if term.changed}, reverse=True):
        narrow = width <= _NARROW
        own = [place for place, term in enumerate(head.terms) if term.width == width or (term.width > width > _NARROW)]
        changed = [place for place in own if head.terms[place].changed]
        products: list[Product] = []
        if not narrow:
            varied = changed[: limits.factors]
            fixed = [place for place in own if place not in changed]
            products += [(place,) * 3 for place in varied[:2]]
            products += combinations_with_replacement(varied, 2)
            products += [(place, other) for place in varied for other in fixed[: limits.factors - 1]]
        room = max(0, limits.monomials - len(own) - 1)
        yield Equalities(
            number, width, (*products[:room], *((place,) for place in (*changed, *_rest(own, changed))), ())
        )


def _rest(places: Iterable[int], but: Iterable[int]) -> list[int]:
    without = set(but)
    return [place for place in places if place not in without]


class _Checker:
    """Takes out what a way to a head does not keep."""

    def __init__(self, heads: Sequence[Point], groups: Sequence[Equalities], limits: Limits) -> None:
        self._heads = heads
        self._groups = groups
        self._limits = limits

    def shrink(self, group: Equalities, segment: Segment, implied: Sequence[Expr]) -> bool:
        """Keep the combinations of a group's rows that hold at the end of a segment; whether any row went."""
        values = [polynomial(value, group.width) if self._is_wide(group, place) else {} for place, value in
                  enumerate(segment.values)]  # fmt: skip
        wanted = group.polynomials(values, group.rows)
        equal = self._equal(segment, implied, group.width)
        known = self._rows(segment, group.width)
        equal, others = eliminate(equal, [*wanted, *known], group.width)
        wanted, known = others[: len(wanted)], [*equal, *(zero for zero in others[len(wanted) :] if zero)]
        kept = _combinations(group.rows, wanted, known, group.width)
        if len(kept) < len(group.rows) or not _is_same(kept, group.rows, group.width):
            more = self._multiples(known, values, group.width)
            if more:
                kept = _combinations(group.rows, wanted, [*known, *more], group.width)
        if _is_same(kept, group.rows, group.width):
            return False
        group.rows = kept
        return True

    def _is_wide(self, group: Equalities, place: int) -> bool:
        return self._heads[group.head].terms[place].width >= group.width

    def _equal(self, segment: Segment, implied: Sequence[Expr], width: int) -> list[Polynomial]:
        """Differences of what is equal on a segment."""
        found = []
        for condition in (*segment.path, *implied):
            if condition.op is EQ and condition.args[0].sort.kind is SortKind.BV and condition.args[0].width >= width:
                left, right = (polynomial(arg, width) for arg in condition.args)
                found.append(plus(left, right, -1, width))
        return [zero for zero in found if zero]

    def _rows(self, segment: Segment, width: int) -> list[Polynomial]:
        """What is zero on a segment by the rows of the heads that it went through."""
        found = []
        for head, values in segment.through:
            for group in self._groups:
                if group.head == head and group.width >= width:
                    there = [
                        polynomial(value, width) if self._is_wide(group, place) else {}
                        for place, value in enumerate(values)
                    ]
                    at_width = Equalities(head, width, group.products)
                    found += at_width.polynomials(there, ([a % (1 << width) for a in row] for row in group.rows))
        return [zero for zero in found if zero]

    def _multiples(self, known: Sequence[Polynomial], values: Sequence[Polynomial], width: int) -> list[Polynomial]:
        atoms = dict.fromkeys(atom for value in values for monomial in value for atom in monomial)
        if len(atoms) * len(known) > self._limits.multiples:
            return []
        return [times(zero, {(atom,): 1}, width) for zero in known for atom in atoms]


def _combinations(
    rows: Sequence[Row], images: Sequence[Polynomial], known: Sequence[Polynomial], width: int
) -> list[Row]:
    """The combinations of rows whose images are combinations of what is known to be zero."""
    mask = (1 << width) - 1
    found = []
    for relation in relations([*images, *known], width):
        combined = [0] * len(rows[0])
        for factor, row in zip(relation, rows, strict=False):
            if factor:
                combined = [(a + factor * b) & mask for a, b in zip(combined, row, strict=True)]
        if any(combined):
            found.append(combined)
    return echelon(found, width)


def _is_same(rows: Sequence[Row], others: Sequence[Row], width: int) -> bool:
    return sorted(echelon(rows, width)) == sorted(echelon(others, width))


def is_true(group: Equalities, row: Row) -> bool:
    """Whether a row says nothing: some polynomials are always zero, such as ``2**31 * x*(x + 1)``."""
    places = {place for product in group.products for place in product}
    count = max(places, default=-1) + 1
    trial = Equalities(group.head, group.width, group.products, [row])
    for number in range(1, 9):
        seed = number * 0x9E3779B97F4A7C15
        trial.restrict([tuple((seed * (place + 3) + number) >> (place % 7) for place in range(count))])
    return trial.rows == [row]
