"""Rows of coefficients as conditions, without those that follow from simpler ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.base.residues import Row, relations, simplest, twos
from clew.expr.build import add, eq, extract, mul
from clew.expr.node import BV, Expr
from clew.techniques.invariants.candidates.equalities import Equalities, Product, is_true
from clew.techniques.invariants.candidates.heads import Point

MOST_VECTORS = 80
"""With more, it is not looked for what follows from what."""


def conditions_of(group: Equalities, head: Point) -> Iterator[Expr]:
    """What the rows of a group say, the simplest first."""
    for row in _needed(group):
        condition = condition_of(row, group.products, group.width, head)
        if isinstance(condition, Expr):
            yield condition


def condition_of(row: Row, products: Iterable[Product], width: int, head: Point) -> object:
    """A row as a comparison of what matters: factors of two that all coefficients have stand for a smaller modulus."""
    row = simplest(row, width)
    shift = min(twos(factor) for factor in row if factor)
    bits = width - shift
    total: BV = 0
    for factor, product in zip(row, products, strict=True):
        if not factor:
            continue
        part: BV = factor >> shift
        for place in product:
            term = head.terms[place].symbol
            part = mul(part, term if term.width == bits else extract(term, bits - 1, 0), bits)
        total = add(total, part & ((1 << bits) - 1) if isinstance(part, int) else part, bits)
    return eq(total, 0, bits)


def _needed(group: Equalities) -> list[Row]:
    """Rows from which the others follow, those with few and short products first."""
    rows = sorted((row for row in group.rows if not is_true(group, row)), key=lambda row: _size(group, row))
    kept = [row for row in rows if _size(group, row)[0] == 1]
    for row in rows[len(kept) :]:
        vectors = [*(_sparse(group, other) for other in kept), *_multiples(group, kept), *_always(group)]
        own = _sparse(group, row)
        if len(vectors) > MOST_VECTORS or not any(
            relation[0] & 1 for relation in relations([own, *vectors], group.width)
        ):
            kept.append(row)
    return kept


def _size(group: Equalities, row: Row) -> tuple[int, int]:
    used = [product for factor, product in zip(row, group.products, strict=True) if factor]
    return max(map(len, used)), len(used)


def _sparse(group: Equalities, row: Row, times: Product = ()) -> dict[Product, int]:
    return {
        tuple(sorted((*product, *times))): factor for factor, product in zip(row, group.products, strict=True) if factor
    }


def _multiples(group: Equalities, rows: Iterable[Row]) -> Iterator[dict[Product, int]]:
    places = [product[0] for product in group.products if len(product) == 1]
    pairs = [product for product in group.products if len(product) == 2]
    for row in rows:
        for place in places:
            yield _sparse(group, row, (place,))
        for pair in pairs if _size(group, row)[0] == 1 else ():
            yield _sparse(group, row, pair)


def _always(group: Equalities) -> Iterator[dict[Product, int]]:
    """Polynomials that are zero whatever the terms are: a product of two numbers in a row is even."""
    half = 1 << (group.width - 1)
    for product in group.products:
        if len(product) > 1 and len(set(product)) == 1:
            yield {product: half, product[:1]: half}
