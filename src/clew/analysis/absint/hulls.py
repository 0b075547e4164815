"""Hulls and widenings of products of polyhedra.

Factors that are the same on both sides stay as they are; only what differs is given to the library. Where that would
be too large, it is done in groups, and relations between different groups other than equalities are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.analysis.absint import ppl
from clew.analysis.absint.domain import Ranges
from clew.analysis.absint.factors import LARGE, Factor, generators, is_tractable, small_ends, taken_apart
from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.absint.products import Product
from clew.analysis.absint.rows import Rows, variables_of

SMALL = 1
"""Ends of ranges that are at most so far from zero can be part of a hull; others would make ugly relations."""

Pair = tuple[Rows, Rows]
"""What the one and the other side say about the same variables."""


def hull(left: Product, right: Product) -> Product | None:
    """The smallest product that contains both, or a larger one. Exactly one side if the other is empty."""
    minimal_left, minimal_right = left.minimal(), right.minimal()
    if minimal_left is None or minimal_right is None:
        return minimal_left or minimal_right
    left, right = minimal_left, minimal_right
    same, pairs = _blocks(left, right)
    if not pairs:
        return Product.of(left.ranges, same)
    ours = [row for mine, _ in pairs for row in mine]
    theirs = [row for _, those in pairs for row in those]
    rows: Rows = []
    groups = _grouped([_with_ends(pair, left, right) for pair in pairs])
    for mine, those in groups:
        rows += _hull_of_rows(mine, those, left.ranges)
    if len(groups) > 1:  # equalities are cheap, and kept between groups as well
        equalities = [[row for row in side if row.equality] for side in (ours, theirs)]
        rows += _hull_of_rows(equalities[0], equalities[1], left.ranges)
    rows += [row for row in _halves(ours) if right.entails(row)]
    rows += [row for row in _halves(theirs) if left.entails(row)]
    differing = taken_apart(rows, left.ranges)
    if differing is None:  # no integers in either
        return None
    result = Product.of(left.ranges, [*same, *differing])
    return result.minimal()


def widened(older: Product, newer: Product, thresholds: Sequence[Constraint]) -> Product | None:
    """More than both contain, so that chains of widenings end."""
    if newer.entails_all(older):
        return older
    joined = hull(older, newer)
    smallest = older.minimal()
    if joined is None or smallest is None:
        return joined
    same, pairs = _blocks(smallest, joined)
    rows = [row for factor in same for row in factor.rows]
    for mine, those in pairs:
        if min(generators(mine), generators(those)) <= LARGE:
            rows += _widening_of_rows(mine, those)
        rows += [row for row in _halves(mine) if joined.entails(row)]
        rows += [row for row in _bounds_of(variables_of(mine), smallest) if joined.entails(row)]
    rows += [row for row in thresholds if older.entails(row) and newer.entails(row)]
    factors = taken_apart(rows, older.ranges)
    result = None if factors is None else Product.of(older.ranges, factors).minimal()
    return older if result is None or result.entails_all(older) else result


def _bounds_of(variables: Iterable[Variable], product: Product) -> Rows:
    """What single variables lie between: a bound may be stable where the facets that it follows from are not."""
    bounds = ((variable, product.bounds(Linear.of(variable))) for variable in variables)
    return [row for variable, found in bounds if found is not None for row in within(variable, *found)]


def _halves(rows: Iterable[Constraint]) -> list[Constraint]:
    """Equalities as two inequalities."""
    return [half for row in rows for half in row.inequalities()]


def _blocks(left: Product, right: Product) -> tuple[list[Factor], list[Pair]]:
    """Factors that are the same, and what differs, in the smallest pieces that neither side connects."""
    same: list[Factor] = []
    pairs: list[Pair] = []
    seen: set[Variable] = set()
    for start in [*left.factor_of, *right.factor_of]:
        if start in seen:
            continue
        mine: dict[int, Factor] = {}
        those: dict[int, Factor] = {}
        pending = [start]
        seen.add(start)
        while pending:
            variable = pending.pop()
            for product, found in ((left, mine), (right, those)):
                factor = product.factor_of.get(variable)
                if factor is not None and id(factor) not in found:
                    found[id(factor)] = factor
                    fresh = [v for v in factor.variables if v not in seen]
                    seen.update(fresh)
                    pending += fresh
        if len(mine) == len(those) == 1:
            (one,), (other,) = mine.values(), those.values()
            if one is other or _equal(one, other):
                same.append(one)
                continue
        pairs.append(([r for f in mine.values() for r in f.rows], [r for f in those.values() for r in f.rows]))
    return same, pairs


def _equal(one: Factor, other: Factor) -> bool:
    """Whether two factors are seen to say the same."""
    if len(one.rows) != len(other.rows) or len(one.variables) != len(other.variables):
        return False
    return set(one.rows) == set(other.rows)


def _with_ends(pair: Pair, left: Product, right: Product) -> Pair:
    """With small ends of ranges, for variables that only the other side bounds more.

    Without them, ``i == 0`` and ``i == 1, n >= 1`` would lose ``i <= n``, which an unsigned ``n`` satisfies.
    """
    mine, those = pair
    more_mine: Rows = []
    more_those: Rows = []
    for variable in variables_of([*mine, *those]):
        low, high = left.ranges(variable)
        for end, sign in ((low, 1), (high, -1)):
            if end is None or abs(end) > SMALL:
                continue
            row = Constraint(Linear({variable: sign}, -sign * end))
            stricter = Constraint(row.linear - 1)
            in_mine, in_those = left.entails(stricter), right.entails(stricter)
            if in_those and not in_mine:
                more_mine.append(row)
            elif in_mine and not in_those:
                more_those.append(row)
    return mine + more_mine, those + more_those


def _grouped(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs put together as far as their hulls stay of a reasonable size."""
    result: list[Pair] = []
    sizes = (1, 1)
    for mine, those in sorted(pairs, key=lambda pair: generators(pair[0]) * generators(pair[1])):
        own = generators(mine), generators(those)
        if result and max(sizes[0] * own[0], sizes[1] * own[1]) <= LARGE:
            result[-1][0].extend(mine)
            result[-1][1].extend(those)
            sizes = sizes[0] * own[0], sizes[1] * own[1]
        else:
            result.append((list(mine), list(those)))
            sizes = own
    return result


def _hull_of_rows(mine: Rows, those: Rows, ranges: Ranges) -> Rows:
    ours, others = variables_of(mine), set(variables_of(those))
    common = [variable for variable in ours if variable in others]
    if not common or not is_tractable(mine, those, len(common)):
        return []
    sides = []
    for rows, variables in ((mine, ours), (those, variables_of(those))):
        gone = [variable for variable in variables if variable not in set(common)]
        if gone:
            ends = [row for variable in gone for row in small_ends(variable, ranges)]
            known = [*rows, *ends]
            projected = ppl.without(known if generators(known) <= LARGE else rows, variables, gone)
            if projected is None:
                return []
            rows = projected
        sides.append(ppl.polyhedron(rows, common))
    one, other = sides
    one.upper_bound_assign(other)
    return ppl.rows_of(one, common) or []


def _widening_of_rows(mine: Rows, those: Rows) -> Rows:
    """Rows of the standard widening. Those contain mine, apart from ranges: the hull makes sure of it."""
    variables = variables_of([*mine, *those])
    older, newer = ppl.polyhedron(mine, variables), ppl.polyhedron(those, variables)
    newer.upper_bound_assign(older)
    newer.widening_assign(older)
    return ppl.rows_of(newer, variables) or []
