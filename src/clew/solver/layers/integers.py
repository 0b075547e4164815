"""Contradictions between linear constraints over the integers: remainders, and multiples that nobody counts.

    x == y + 100 * k,  y < 100,  y != x % 100     UNSAT

Bit by bit such queries take for ever. Here words are sums of integers, and wrap around by a multiple of ``2**width``,
which is an unknown as any other; the Integer Set Library then says whether there are integers. What is not linear is
any number of its width. Says UNSAT, or passes the query on. The library's operations are counted, not timed, and
where it rarely helps, it is not asked any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from clew.expr.build import zext
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import (
    ADD,
    CONCAT,
    CONST,
    EQ,
    EXTRACT,
    ITE,
    LAND,
    LNOT,
    MUL,
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
from clew.expr.walk import postorder
from clew.solver.interface import Query, Result, Solver, ordered, unsat

if TYPE_CHECKING:
    import islpy

NAME = "integers"
MOST_NODES, MOST_LEVELS = 600, 60
"""Of a query, which is translated recursively."""
MOST_WAYS = 48
"""In which its formula may hold, as a disjunction of conjunctions."""
OPERATIONS, FEWEST = 300_000, 5_000
"""Of the library, for one query; half as many after each that was too hard."""
PATIENCE, CREDIT = 24, 4
"""Queries that may be tried in vain, and how many more for one that was not."""
_DIVISIONS = (UDIV, UREM, SDIV, SREM)
_ORDERS = {ULT: (False, 1), ULE: (False, 0), SLT: (True, 1), SLE: (True, 0)}
"""Whether words are signed, and by how much the second one is greater at least."""
_CONSTANT = -1
Sum = dict[int, int]
"""Factors of variables, by number; that of ``_CONSTANT`` is the constant."""


class Integers:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below
        self._patience = PATIENCE
        self._operations = OPERATIONS

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for a contradiction, else ask below."""
        if self._patience and _is_suitable(constraints):
            answer = is_possible(constraints, self._operations)
            if answer is False:
                self._patience += CREDIT
                self._operations = OPERATIONS
                return unsat(NAME)
            self._patience -= 1
            self._operations = self._operations if answer else max(FEWEST, self._operations // 2)
        return self._below.check(constraints, hint)


def _is_suitable(constraints: Query, least: int = 32) -> bool:
    """Whether words of so many bits at least are divided or multiplied, beside by powers of two, or many are added."""
    found = False
    levels: dict[Expr, int] = {}
    for node in postorder(constraints):
        levels[node] = 1 + max((levels[arg] for arg in node.args), default=0)
        if len(levels) > MOST_NODES or levels[node] > MOST_LEVELS:
            return False
        if node.op in _DIVISIONS or node.op is MUL:
            factor = node.args[1]
            is_hard = factor.op is not CONST or factor.value & (factor.value - 1) != 0
        else:
            is_hard = node.op is ADD and sum(arg.op is not CONST for arg in node.args) > 2
        found = found or (is_hard and node.width >= least)
    return found


def is_possible(constraints: Query, operations: int) -> bool | None:
    """Whether there are integers for a query, as far as it is linear; None if that is too hard."""
    import islpy

    try:
        return not _Translation(constraints).solutions(operations).is_empty()
    except (_TooLarge, islpy.Error):
        return None


def implied(constraints: Query, width: int) -> list[Polynomial]:
    """Sums that are zero modulo ``2**width``, by all that is linear in a query."""
    import islpy

    if not _is_suitable(constraints, 1):
        return []
    try:
        query = _Translation(constraints)
        hull = query.solutions(OPERATIONS).affine_hull()
        return [] if hull.is_empty() else list(query.zeros(hull, width))
    except (_TooLarge, islpy.Error):
        return []


class _TooLarge(Exception):
    """A formula has too many parts."""


class _Translation:
    """A query as a formula over integers, which has a solution if the query has one."""

    def __init__(self, constraints: Query) -> None:
        self._bounds: list[tuple[int, int]] = []
        """Of the variables."""
        self._parts: list[str] = []
        """What must hold."""
        self._views: dict[tuple[Expr, bool], Sum] = {}
        self._products: dict[tuple[Monomial, int], Sum] = {}
        self._bits: dict[Expr, Sum] = {}
        self._words: dict[int, tuple[Monomial, int]] = {}
        """Variables that are products of words, modulo two to the power of some width."""
        self._ways = 1
        for constraint in ordered(constraints):
            self._require(*self._truth(constraint, True))

    def solutions(self, operations: int) -> islpy.Set:
        """The set of all solutions."""
        import islpy

        context = islpy.Context()
        context.set_max_operations(operations)
        bounds = (f"{low} <= v{number} <= {high}" for number, (low, high) in enumerate(self._bounds))
        names = ", ".join(f"v{number}" for number in range(len(self._bounds)))
        return islpy.Set.read_from_str(context, f"{{ [{names}] : {' and '.join([*bounds, *self._parts])} }}")

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

    def _require(self, text: str, ways: int = 1) -> None:
        self._parts.append(text)
        self._ways *= ways
        if self._ways > MOST_WAYS:
            raise _TooLarge

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
        turns = self._new((low - greatest) >> width, -((least - high) >> width))
        result = self._new(least, greatest)
        self._require(f"{_text(total)} = {_text(_added(result, turns, 1 << width))}")
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
        self._require(f"0 <= {_text(_added(whole, quotient, -divisor))} <= {divisor - 1}")
        return quotient

    def _towards_zero(self, whole: Sum, divisor: int) -> Sum:
        """Rounded towards zero: what is left over is negative where the whole is, of which a bit tells."""
        low, high = self._range(whole)
        most = max(abs(low), abs(high)) // abs(divisor)
        quotient, negative = self._new(-most, most), self._new(0 if high >= 0 else 1, 1 if low < 0 else 0)
        rest, bit = _text(_added(whole, quotient, -divisor)), _text(negative)
        least = abs(divisor) - 1
        self._require(f"{_text(whole)} >= {low}*({bit}) and {_text(whole)} <= {high} - {high + 1}*({bit})")
        self._require(f"{rest} >= {-least}*({bit}) and {rest} <= {least} - {least}*({bit})")
        return quotient

    def _chosen(self, e: Expr) -> Sum:
        """One of two words: whatever the bit is that tells which, the result is not farther from it than words are."""
        condition, *arms = e.args
        result, bit = self._new(0, (1 << e.width) - 1), self._bit(condition)
        for arm, far in zip(arms, (_added({_CONSTANT: 1}, bit, -1), bit), strict=True):
            apart, most = _text(_added(result, self._view(arm, False), -1)), _text(_added({}, far, 1 << e.width))
            self._require(f"0 - ({most}) <= {apart} <= {most}")
        return result

    def _bit(self, condition: Expr) -> Sum:
        """One where a condition holds, else zero."""
        if condition not in self._bits:
            bit = self._bits[condition] = self._new(0, 1)
            (yes, more), (no, others) = self._truth(condition, True), self._truth(condition, False)
            self._require(f"({yes} and {_text(bit)} = 1 or {no} and {_text(bit)} = 0)", more + others)
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

    def _truth(self, e: Expr, wanted: bool) -> tuple[str, int]:
        """That a condition holds, or does not, and in how many ways."""
        if e.op is LNOT:
            return self._truth(e.args[0], not wanted)
        if e.op is LAND:
            parts = [self._truth(arg, wanted) for arg in e.args]
            ways = (prod if wanted else sum)(ways for _, ways in parts)
            if ways > MOST_WAYS:
                raise _TooLarge
            return f"({(' and ' if wanted else ' or ').join(text for text, _ in parts)})", ways
        if e.op in _ORDERS:
            signed, more = _ORDERS[e.op]
            low, high = (_text(self._view(arg, signed)) for arg in e.args)
            return f"{low} + {more} <= {high}" if wanted else f"{high} < {low} + {more}", 1
        if e.op is EQ and e.args[0].sort.kind is SortKind.BV:
            return self._equality(e.args[0], e.args[1], wanted), 1
        return "true", 1

    def _equality(self, left: Expr, right: Expr, wanted: bool) -> str:
        width = left.width
        terms = plus(polynomial(left, width), polynomial(right, width), -1, width)
        total = self._sum(terms, width)
        low, high = self._range(total)
        turns = _added({}, self._new(low >> width, -(-high >> width)), 1 << width)
        if wanted:
            return f"{_text(total)} = {_text(turns)}"
        rest = _text(_added(total, turns, -1))
        return f"1 <= {rest} <= {(1 << width) - 1}"


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


def _text(total: Sum) -> str:
    parts: list[Any] = [f"{factor}*v{number}" for number, factor in total.items() if number != _CONSTANT and factor]
    return " + ".join(map(str, [*parts, total.get(_CONSTANT, 0)]))
