"""Queries as linear constraints over the integers, for the Integer Set Library.

Words are sums of integers, and wrap around by a multiple of ``2**width``, which is an unknown as any other. What is not
linear is any number of its width: whatever has no solution here has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING

from clew.expr.build import zext
from clew.expr.node import Expr
from clew.expr.op import (
    CONCAT,
    CONST,
    EQ,
    EXTRACT,
    ITE,
    LAND,
    LNOT,
    SDIV,
    SEXT,
    SLE,
    SLT,
    SREM,
    UDIV,
    ULE,
    ULT,
    UREM,
    ZEXT,
)
from clew.expr.polynomials import Monomial, Polynomial, plus, polynomial
from clew.expr.sort import SortKind
from clew.solver.interface import Query, ordered

if TYPE_CHECKING:
    import islpy

MOST_WAYS = 48
"""In which the formula of a query may hold, as a disjunction of conjunctions."""
_DIVISIONS = (UDIV, UREM, SDIV, SREM)
_ORDERS = {ULT: (False, 1), ULE: (False, 0), SLT: (True, 1), SLE: (True, 0)}
"""Whether words are signed, and by how much the second one is greater at least."""
_CONSTANT = -1
Sum = dict[int, int]
"""Factors of variables, by number; that of ``_CONSTANT`` is the constant."""
Constraint = tuple[Sum, bool]
"""Something that is not negative; whether it is even zero."""
Way = tuple[Constraint, ...]
"""What holds at once."""
Ways = tuple[Way, ...]
"""Alternatives; none if it cannot be."""


class TooLarge(Exception):
    """A formula has too many parts."""


class LinearQuery:
    """A query as a formula over integers, which has a solution if the query has one."""

    def __init__(self, constraints: Query, operations: int) -> None:
        """``operations``: of the library, at most."""
        import islpy

        self._context = islpy.Context()
        self._context.set_max_operations(operations)
        self._bounds: list[tuple[int, int]] = []
        """Of the variables."""
        self._parts: list[Ways] = []
        """What must hold."""
        self._views: dict[tuple[Expr, bool], Sum] = {}
        self._products: dict[tuple[Monomial, int], Sum] = {}
        self._bits: dict[Expr, Sum] = {}
        self._words: dict[int, tuple[Monomial, int]] = {}
        """Variables that are products of words, modulo two to the power of some width."""
        for constraint in ordered(constraints):
            self._require(*self._truth(constraint, True))

    def has_solution(self) -> bool:
        """Whether there is one: what there is no choice about comes first, then one choice after the other."""
        parts = sorted(self._parts, key=len)
        fixed = [*chain.from_iterable(part[0] for part in parts if len(part) == 1)]
        return all(parts) and self._goes_on(fixed, [part for part in parts if len(part) > 1])

    def _goes_on(self, fixed: Sequence[Constraint], choices: Sequence[Ways]) -> bool:
        """Whether there are solutions of what is chosen so far, whatever there is to choose."""
        if self._set(fixed).is_empty():
            return False
        return not choices or any(self._goes_on([*fixed, *way], choices[1:]) for way in choices[0])

    def solutions(self) -> islpy.Set:
        """The set of all solutions."""
        import islpy

        sets = (self._set([*chain.from_iterable(ways)]) for ways in product(*self._parts))
        return reduce(islpy.Set.union, sets, islpy.Set.empty(self._space()))

    def _space(self) -> islpy.Space:
        import islpy

        return islpy.Space.set_alloc(self._context, 0, len(self._bounds))

    def _set(self, constraints: Iterable[Constraint]) -> islpy.BasicSet:
        """What satisfies constraints, and the ranges of variables: equalities first, which leave fewer of these."""
        import islpy

        ends = (_between(low, {number: 1}, high) for number, (low, high) in enumerate(self._bounds))
        result = islpy.BasicSet.universe(self._space())
        for total, zero in sorted(chain(*ends, constraints), key=lambda constraint: not constraint[1]):
            result = result.add_constraint(self._constraint(total, zero))
        return result

    def _constraint(self, total: Sum, zero: bool) -> islpy.Constraint:
        import islpy
        from islpy import dim_type

        space = islpy.LocalSpace.from_space(self._space())
        result = islpy.Constraint.equality_alloc(space) if zero else islpy.Constraint.inequality_alloc(space)
        for number, factor in total.items():
            value = islpy.Val.read_from_str(self._context, str(factor))
            if number == _CONSTANT:
                result = result.set_constant_val(value)
            else:
                result = result.set_coefficient_val(dim_type.set, number, value)
        return result

    def zeros(self, hull: islpy.BasicSet, width: int) -> Iterator[Polynomial]:
        """What a hull says of words, modulo ``2**width``."""
        from islpy import dim_type

        words = {number: word for number, known in self._words.items() if (word := _of_width(*known, width))}
        for number in reversed(range(len(self._bounds))):
            if number not in words:
                hull = hull.project_out(dim_type.set, number, 1)
        for each in hull.remove_divs().get_constraints():
            if each.is_equality():
                factors = (int(str(each.get_coefficient_val(dim_type.set, n))) for n in range(len(words)))
                total = polynomial(int(str(each.get_constant_val())), width)
                for number, factor in zip(sorted(words), factors, strict=True):
                    total = plus(total, {words[number]: 1}, factor, width)
                yield total

    def _require(self, *ways: Way) -> None:
        self._parts.append(ways)
        if prod(map(len, self._parts)) > MOST_WAYS:
            raise TooLarge

    # Words

    def _view(self, e: Expr, signed: bool) -> Sum:
        """The integer that a word is."""
        if (e, signed) not in self._views:
            least = -(1 << (e.width - 1)) if signed else 0
            total = self._sum(polynomial(e, e.width), e.width)
            self._views[e, signed] = self._in_range(total, least, least + (1 << e.width) - 1, e.width)
        return self._views[e, signed]

    def _in_range(self, total: Sum, least: int, greatest: int, width: int) -> Sum:
        """What a sum is in a range that is not longer than a turn, having wrapped around as often as it takes."""
        low, high = self._range(total)
        if least <= low and high <= greatest:
            return total
        turns = self._new(-((greatest - low) >> width), (high - least) >> width)
        result = self._new(least, greatest)
        self._require(((_added(_added(total, result, -1), turns, -(1 << width)), True),))
        return result

    def _sum(self, terms: Polynomial, width: int) -> Sum:
        """A polynomial, up to full turns."""
        total: Sum = {}
        for monomial, factor in terms.items():
            value = {_CONSTANT: 1} if not monomial else self._product(monomial, width)
            total = _added(total, value, factor - (1 << width if factor >> (width - 1) else 0))
        return total

    def _product(self, monomial: Monomial, width: int) -> Sum:
        if len(monomial) == 1:
            width = monomial[0].width
        if (monomial, width) not in self._products:
            known = self._atom(monomial[0]) if len(monomial) == 1 else None
            if known is None:
                self._words[len(self._bounds)] = (monomial, width)
                known = self._new(0, (1 << width) - 1)
            self._products[monomial, width] = known
        return self._products[monomial, width]

    def _atom(self, e: Expr) -> Sum | None:
        """A word that is no sum, up to full turns; None if nothing is known about it."""
        if e.op is ZEXT or e.op is SEXT:
            return self._view(e.args[0], e.op is SEXT)
        if e.op is EXTRACT:
            return self._quotient(self._view(e.args[0], False), 1 << e.value[1])
        if e.op is CONCAT:
            total: Sum = {}
            for part in e.args:
                total = _added(self._view(part, False), total, 1 << part.width)
            return total
        if e.op in _DIVISIONS and e.args[1].op is CONST:
            return self._divided(e, e.args[1].value)
        return self._chosen(e) if e.op is ITE else None

    def _divided(self, e: Expr, divisor: int) -> Sum | None:
        signed = e.op in (SDIV, SREM)
        if signed and divisor >> (e.width - 1):
            divisor -= 1 << e.width
        if divisor in (0, -1):
            return None
        whole = self._view(e.args[0], signed)
        quotient = self._towards_zero(whole, divisor) if signed else self._quotient(whole, divisor)
        return quotient if e.op in (UDIV, SDIV) else _added(whole, quotient, -divisor)

    def _quotient(self, whole: Sum, divisor: int) -> Sum:
        """Rounded down."""
        low, high = self._range(whole)
        quotient = self._new(low // divisor, high // divisor)
        self._require(_between(0, _added(whole, quotient, -divisor), divisor - 1))
        return quotient

    def _towards_zero(self, whole: Sum, divisor: int) -> Sum:
        """Rounded towards zero: what is left over is negative where the whole is, of which a bit tells."""
        low, high = self._range(whole)
        most = max(abs(low), abs(high)) // abs(divisor)
        quotient, negative = self._new(-most, most), self._new(0 if high >= 0 else 1, 1 if low < 0 else 0)
        rest, least = _added(whole, quotient, -divisor), abs(divisor) - 1
        for part, lowest, highest, less in ((whole, low, high, high + 1), (rest, -least, least, least)):
            smallest, greatest = _added({}, negative, lowest), _added({_CONSTANT: highest}, negative, -less)
            self._require((_order(smallest, part), _order(part, greatest)))
        return quotient

    def _chosen(self, e: Expr) -> Sum:
        """One of two words: whatever the bit is that tells which, the result is not farther from it than words are."""
        condition, *arms = e.args
        result, bit = self._new(0, (1 << e.width) - 1), self._bit(condition)
        for arm, far in zip(arms, (_added({_CONSTANT: 1}, bit, -1), bit), strict=True):
            other, most = self._view(arm, False), 1 << e.width
            self._require((_order(result, _added(other, far, most)), _order(other, _added(result, far, most))))
        return result

    def _bit(self, condition: Expr) -> Sum:
        """One where a condition holds, else zero."""
        if condition not in self._bits:
            bit = self._bits[condition] = self._new(0, 1)
            yes, no = self._truth(condition, True), self._truth(condition, False)
            is_set, is_clear = (_added(bit, {_CONSTANT: 1}, -1), True), (bit, True)
            self._require(*((*way, is_set) for way in yes), *((*way, is_clear) for way in no))
        return self._bits[condition]

    def _new(self, low: int, high: int) -> Sum:
        self._bounds.append((low, high))
        return {len(self._bounds) - 1: 1}

    def _range(self, total: Sum) -> tuple[int, int]:
        low = high = total.get(_CONSTANT, 0)
        for number, factor in total.items():
            if number != _CONSTANT:
                ends = [factor * end for end in self._bounds[number]]
                low, high = low + min(ends), high + max(ends)
        return low, high

    # Conditions

    def _truth(self, e: Expr, wanted: bool) -> Ways:
        """That a condition holds, or does not."""
        if e.op is LNOT:
            return self._truth(e.args[0], not wanted)
        if e.op is LAND:
            return (_all if wanted else _any)([self._truth(arg, wanted) for arg in e.args])
        if e.op in _ORDERS:
            signed, more = _ORDERS[e.op]
            low, high = (self._view(arg, signed) for arg in e.args)
            return ((_order(low, high, more) if wanted else _order(high, low, 1 - more),),)
        if e.op is EQ and e.args[0].sort.kind is SortKind.BV:
            return self._equality(e.args[0], e.args[1], wanted)
        return ((),)

    def _equality(self, left: Expr, right: Expr, wanted: bool) -> Ways:
        """The difference is a number of full turns, or lies between two of these."""
        width = left.width
        terms = plus(polynomial(left, width), polynomial(right, width), -1, width)
        total = self._sum(terms, width)
        low, high = self._range(total)
        first, last = (-(-low >> width), high >> width) if wanted else (low >> width, (high - 1) >> width)
        if first > last:
            return ()
        turns = self._new(first, last) if first < last else {_CONSTANT: first}
        rest = _added(total, turns, -(1 << width))
        return (((rest, True),) if wanted else _between(1, rest, (1 << width) - 1),)


def _all(conditions: Sequence[Ways]) -> Ways:
    """The ways in which all of several conditions hold."""
    if prod(map(len, conditions)) > MOST_WAYS:
        raise TooLarge
    return tuple(tuple(chain.from_iterable(ways)) for ways in product(*conditions))


def _any(conditions: Iterable[Ways]) -> Ways:
    """Those in which one of them does."""
    return tuple(chain.from_iterable(conditions))


def _of_width(product: Monomial, own: int, width: int) -> Monomial | None:
    """A product that is known modulo ``2**own``, modulo ``2**width``."""
    if own >= width:
        return product
    wide = zext(product[0], own, width) if len(product) == 1 else None
    return (wide,) if isinstance(wide, Expr) else None


def _added(left: Sum, right: Sum, factor: int) -> Sum:
    """``left + factor * right``."""
    result = dict(left)
    for number, own in right.items():
        result[number] = result.get(number, 0) + factor * own
    return result


def _order(small: Sum, great: Sum, apart: int = 0) -> Constraint:
    """The second is not less than the first, and ``apart``."""
    return _added(_added(great, small, -1), {_CONSTANT: 1}, -apart), False


def _between(low: int, total: Sum, high: int) -> Way:
    return _order({_CONSTANT: low}, total), _order(total, {_CONSTANT: high})
