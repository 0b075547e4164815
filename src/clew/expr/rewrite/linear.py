"""Constructors of sums: add, sub, neg and multiplication by a constant.

A sum is one n-ary ADD of terms ``c * t`` with distinct ``t``, in key order, its constant last:

    (x + 3) - (y - x)  ->  2*x + -y + 3           ~x + 1  ->  -x

``c * t`` is written as t, NEG(t), SHL(t, k) for 2**k, or MUL(t, c). A sum of more than
``MAX_TERMS`` terms stays one term of a larger sum, so that adding to a long sum has a bounded cost.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from clew.expr.node import BV, Expr, constant, intern
from clew.expr.op import ADD, CONST, MUL, NEG, NOT, SHL
from clew.expr.rewrite.slices import cuttable, extract, narrows
from clew.expr.sort import Sort

MAX_TERMS: Final = 8

_order: Final = attrgetter("key")
_COMPOUND: Final = frozenset((ADD, NEG, MUL, SHL, NOT))


def add(a: BV, b: BV, w: int) -> BV:
    """a + b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return (a + b) & ((1 << w) - 1)
        return _add_constant(b, a)
    if type(b) is not Expr:
        return _add_constant(a, b)
    if a.op not in _COMPOUND and b.op not in _COMPOUND and a is not b:
        return intern(ADD, a.sort, (a, b) if a.key <= b.key else (b, a))
    return _sum(a, b, 1)


def sub(a: BV, b: BV, w: int) -> BV:
    """a - b."""
    if type(b) is not Expr:
        return add(a, -b & ((1 << w) - 1), w)
    if type(a) is not Expr:
        return add(negation(b), a, w)
    if a is b:
        return 0
    return _sum(a, b, b.mask)


def neg(a: BV, w: int) -> BV:
    """-a."""
    return negation(a) if type(a) is Expr else -a & ((1 << w) - 1)


def negation(a: Expr) -> BV:
    """-a, for a node."""
    if a.op not in _COMPOUND:
        return intern(NEG, a.sort, (a,))
    return scaled(a, a.mask)


def scaled(e: Expr, factor: int) -> BV:
    """``factor * e``. Distributes over one term and a constant; a minus, over every sum."""
    terms, rest = decompose(e)
    mask = e.mask
    if len(terms) > 1 and factor != mask:
        return with_factor(e, factor, e.sort)
    products = {term: product for term, c in terms.items() if (product := (c * factor) & mask)}
    return emit(products, (rest * factor) & mask, e.sort)


def decompose(e: Expr) -> tuple[dict[Expr, int], int]:
    """``e`` as {term: coefficient} and a constant; coefficients are never 0."""
    if e.op is not ADD:
        term, factor, rest = term_of(e)
        return {term: factor}, rest
    terms: dict[Expr, int] = {}
    total = 0
    mask = e.mask
    for arg in e.args:
        if arg.op is CONST:
            total += arg.value
        else:
            term, factor, rest = term_of(arg)
            terms[term] = (terms.get(term, 0) + factor) & mask
            total += rest
    if 0 in terms.values():
        terms = {term: c for term, c in terms.items() if c}
    return terms, total & mask


def term_of(e: Expr) -> tuple[Expr, int, int]:
    """(t, c, k) with e = c * t + k."""
    op = e.op
    if op is NEG:
        return e.args[0], e.mask, 0
    if op is NOT:
        return e.args[0], e.mask, e.mask
    if op is MUL and e.args[1].op is CONST:
        return e.args[0], e.args[1].value, 0
    if op is SHL and e.args[1].op is CONST:
        return e.args[0], 1 << e.args[1].value, 0
    return e, 1, 0


def _add_constant(e: Expr, k: int) -> BV:
    k &= e.mask
    if k == 0:
        return e
    op = e.op
    if op is ADD:
        last = e.args[-1]
        if last.op is CONST:
            terms = e.args[:-1]
            k = (last.value + k) & e.mask
            if len(terms) == 1:
                return _oneterm_of(terms[0], k)
            return intern(ADD, e.sort, terms if k == 0 else (*terms, constant(k, e.sort)))
        return intern(ADD, e.sort, (*e.args, constant(k, e.sort)))
    if op is NOT:
        return _oneterm_of(intern(NEG, e.sort, (e.args[0],)), (k - 1) & e.mask)
    return _oneterm_of(e, k)


def _oneterm_of(term: Expr, k: int) -> Expr:
    """``term + k`` for a term that is no sum."""
    if k == 0:
        return term
    if term.op is NEG and k == term.mask:
        return intern(NOT, term.sort, (term.args[0],))
    return intern(ADD, term.sort, (term, constant(k, term.sort)))


def _sum(a: Expr, b: Expr, factor: int) -> BV:
    """``a + factor * b`` for a factor of 1 or -1."""
    if factor == 1 and a.op is not ADD and b.op is not ADD:
        (x, _, k), (y, _, j) = term_of(a), term_of(b)
        if x is not y and not k and not j:
            return intern(ADD, a.sort, (a, b) if a.key <= b.key else (b, a))
    terms, rest = decompose(a)
    more, more_rest = decompose(b)
    mask = a.mask
    merged = dict(terms)
    for term, c in more.items():
        total = (merged.get(term, 0) + c * factor) & mask
        if total:
            merged[term] = total
        else:
            del merged[term]
    rest = (rest + more_rest * factor) & mask
    if len(merged) > MAX_TERMS:
        return _nested(terms, more, factor, rest, a.sort)
    return emit(merged, rest, a.sort)


def _nested(terms: dict[Expr, int], more: dict[Expr, int], factor: int, rest: int, sort: Sort) -> BV:
    """A sum too large to be flat: whichever side is a sum becomes one term."""
    parts: dict[Expr, int] = {}
    for side, sign in ((terms, 1), (more, factor)):
        if len(side) == 1:
            ((part, c),) = side.items()
        else:
            whole = emit(side, 0, sort)
            assert isinstance(whole, Expr)
            part, c = whole, 1
        parts[part] = (parts.get(part, 0) + c * sign) & sort.mask
    return emit({part: c for part, c in parts.items() if c}, rest, sort)


def emit(terms: dict[Expr, int], rest: int, sort: Sort) -> BV:
    """The sum of ``c * t`` and a constant, as a value."""
    if not terms:
        return rest
    nodes = [term if c == 1 else with_factor(term, c, sort) for term, c in terms.items()]
    if len(nodes) == 1:
        # A term that is a sum itself: let its own constant meet ours.
        return _add_constant(nodes[0], rest) if nodes[0].op is ADD else _oneterm_of(nodes[0], rest)
    nodes.sort(key=_order)
    if rest:
        nodes.append(constant(rest, sort))
    return intern(ADD, sort, tuple(nodes))


def with_factor(term: Expr, c: int, sort: Sort) -> Expr:
    """``c * term`` for c other than 0 and 1."""
    if c == sort.mask:
        return intern(NEG, sort, (term,))
    if c & (c - 1) == 0:
        return intern(SHL, sort, (term, constant(c.bit_length() - 1, sort)))
    return intern(MUL, sort, (term, constant(c, sort)))


def _times(a: BV, c: int, w: int) -> BV:
    """``c * a`` at width ``w``, for any c."""
    c &= (1 << w) - 1
    if type(a) is Expr:
        return scaled(a, c) if c else 0
    return (a * c) & ((1 << w) - 1)


@narrows(ADD, NEG, MUL)
def _narrow_sum(e: Expr, hi: int, lo: int) -> BV | None:
    """The low bits of a sum depend on the low bits of its terms only."""
    if lo != 0:
        return None
    terms, rest = decompose(e)
    if not all(map(cuttable, terms)):
        return None
    width = hi + 1
    total: BV = extract(rest, hi, 0)
    for term, c in terms.items():
        total = add(total, _times(extract(term, hi, 0), c, width), width)
    return total
