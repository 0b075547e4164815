"""Convex polyhedra: any linear relations between variables.

A value is a product of factors (``clew.analysis.absint.products``), each with its constraints as plain rows; the Parma
Polyhedra Library is asked for hulls, widenings and bounds. Ranges of variables are not among the rows, since a box over
n variables has 2**n vertices: they come in where questions are asked, which are linear programs.

Hulls are exact as long as they are of a reasonable size. Otherwise, relations between some groups of variables are
given up, which is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from clew.analysis.absint import ppl
from clew.analysis.absint.domain import Abstract, Bounds, Domain, Ranges, unlimited
from clew.analysis.absint.domains import DOMAINS
from clew.analysis.absint.hulls import hull, widened
from clew.analysis.absint.intervals import FALSE
from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.absint.numbering import Numbering
from clew.analysis.absint.products import Product


class Polyhedron(Abstract):
    """A product of factors over the numbers of variables, or none for bottom."""

    __slots__ = ("_names", "_product")

    def __init__(self, names: Numbering, product: Product | None) -> None:
        self._names = names
        self._product = product

    def _new(self, product: Product | None) -> Self:
        return self if product is self._product else type(self)(self._names, product)

    def _inward(self, row: Constraint) -> Constraint:
        return row.about(row.linear.renamed(self._names.number))

    @property
    def is_bottom(self) -> bool:
        return self._product is None

    def join(self, other: Self) -> Self:
        if self._product is None or self._product is other._product:
            return other
        return self if other._product is None else self._new(hull(self._product, other._product))

    def widen(self, newer: Self, thresholds: Sequence[Constraint] = ()) -> Self:
        if self._product is None or self._product is newer._product:
            return newer
        if newer._product is None:
            return self
        return self._new(widened(self._product, newer._product, [self._inward(row) for row in thresholds]))

    def narrow(self, newer: Self) -> Self:
        return self._new(None if newer._product is None else self._assumed(newer._product.rows()))

    def assign(self, values: Mapping[Variable, Linear]) -> Self:
        if self._product is None:
            return self
        number = self._names.number
        inward: dict[Variable, Linear] = {number(v): value.renamed(number) for v, value in values.items()}
        return self._new(self._product.assigned(inward))

    def assume(self, constraints: Iterable[Constraint]) -> Self:
        return self._new(self._assumed(map(self._inward, constraints)))

    def _assumed(self, rows: Iterable[Constraint]) -> Product | None:
        product = self._product
        for row in rows:
            if product is None:
                break
            product = product.assumed(row)
        return product

    def forget(self, variables: Iterable[Variable]) -> Self:
        if self._product is None:
            return self
        return self._new(self._product.forgotten(map(self._names.number, variables)))

    def entails(self, constraint: Constraint) -> bool:
        return self._product is None or self._product.entails(self._inward(constraint))

    def contains(self, other: Self) -> bool:
        if other._product is None or other._product is self._product:
            return True
        return self._product is not None and other._product.entails_all(self._product)

    def bounds(self, linear: Linear) -> Bounds:
        product = self._product
        found = None if product is None else product.bounds(product.simple(linear.renamed(self._names.number)))
        return (0, 0) if found is None else found

    def roughly(self, linear: Linear) -> Bounds:
        product = self._product
        return (0, 0) if product is None else product.roughly(product.simple(linear.renamed(self._names.number)))

    def constraints(self) -> tuple[Constraint, ...]:
        smallest = None if self._product is None else self._product.minimal()
        if smallest is None:
            return (FALSE,)
        rows = sorted(smallest.rows(), key=lambda row: not row.equality)
        return tuple(row.about(row.linear.renamed(self._names.variable)) for row in rows)

    def size(self) -> int:
        return 0 if self._product is None else sum(len(factor.rows) for factor in self._product.factors())


@DOMAINS.register("polyhedra", "all linear inequalities")
class Polyhedra(Domain):
    """Needs the Parma Polyhedra Library: ImportError without it."""

    name = "polyhedra"
    effort = 10_000

    @classmethod
    def available(cls) -> bool:
        return ppl.available()

    def __init__(self, ranges: Ranges = unlimited) -> None:
        super().__init__(ranges)
        ppl.library()
        self._names = Numbering(ranges)

    def top(self) -> Polyhedron:
        return Polyhedron(self._names, Product(self._names.range_of, {}))

    def bottom(self) -> Polyhedron:
        return Polyhedron(self._names, None)
