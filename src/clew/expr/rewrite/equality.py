"""Constructors of ``a == b`` on bit-vectors, and of truncations: one to a single bit is a comparison.

    x + 3 == 5           ->  x == 2                 ite(c, 1, 0) == 1   ->  c
    zext(b) == 300       ->  false                  concat(a, b) == k   ->  a == k1 and b == k2
    3 * x == 6           ->  x == 2 (3 is a unit)   x + y == x + 1      ->  y == 1

A comparison with a constant is peeled operator by operator in a loop; each step strips one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from clew.expr.node import BV, Bool, Expr, constant, intern
from clew.expr.op import ADD, AND, CONCAT, CONST, EQ, ITE, MUL, NEG, NOT, SEXT, SHL, XOR, ZEXT, Op
from clew.expr.ranges import facts
from clew.expr.rewrite.boolean import conjunction, iff, land, lnot
from clew.expr.rewrite.linear import decompose, emit
from clew.expr.rewrite.slices import extract, sign_extended
from clew.expr.sort import BOOL

Step: TypeAlias = "tuple[BV, int] | bool | Expr | None"
"""What a peeling rule says of ``e == k``: an equivalent ``e' == k'``, the answer, or nothing."""


def eq(a: BV, b: BV, w: int) -> Bool:
    """a == b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return a == b
        return eq_constant(b, a)
    if type(b) is not Expr:
        return eq_constant(a, b)
    if a is b:
        return True
    if a.sort is BOOL:
        return iff(a, b)
    if _apart(a, b):
        return False
    return _eq_nodes(a, b)


def ne(a: BV, b: BV, w: int) -> Bool:
    """a != b."""
    return lnot(eq(a, b, w))


def _apart(a: Expr, b: Expr) -> bool:
    """Do the known facts exclude equality?"""
    low_a, high_a, zeros_a, ones_a = facts(a)
    low_b, high_b, zeros_b, ones_b = facts(b)
    return high_a < low_b or high_b < low_a or bool((zeros_a & ones_b) | (ones_a & zeros_b))


def _eq_nodes(a: Expr, b: Expr) -> Bool:
    a, b = _without_shared_flips(a, b)
    if a is b:
        return True
    op_a, op_b = a.op, b.op
    if op_a is CONST or op_b is CONST:
        return _eq_parts(a, b)
    if op_a is ADD or op_b is ADD or op_a is NEG or op_b is NEG:
        return _eq_sums(a, b)
    if op_a is op_b:
        if op_a is ZEXT or op_a is SEXT:
            return _eq_extended(a, b)
        if op_a is CONCAT and [x.width for x in a.args] == [y.width for y in b.args]:
            return conjunction([_eq_parts(x, y) for x, y in zip(a.args, b.args, strict=True)])
    return _node(a, b)


def _without_shared_flips(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Strip NOT from both, and an operand that both XORs share, as long as there is one."""
    while a.op is b.op:
        if a.op is NOT:
            a, b = a.args[0], b.args[0]
        elif a.op is XOR and a.args[0] in b.args:
            a, b = a.args[1], b.args[1 - b.args.index(a.args[0])]
        elif a.op is XOR and a.args[1] in b.args:
            a, b = a.args[0], b.args[1 - b.args.index(a.args[1])]
        else:
            break
    return a, b


def _node(a: Expr, b: Expr) -> Expr:
    return intern(EQ, BOOL, (a, b) if a.key <= b.key else (b, a))


def _eq_parts(a: Expr, b: Expr) -> Bool:
    if a.op is CONST:
        return eq(a.value, b if b.op is not CONST else b.value, a.width)
    return eq(a, b if b.op is not CONST else b.value, a.width)


def _eq_extended(a: Expr, b: Expr) -> Bool:
    """Two extensions of one kind: compare at the wider of the inner widths."""
    x, y = a.args[0], b.args[0]
    if x.width == y.width:
        return eq(x, y, x.width)
    width = max(x.width, y.width)
    return eq(extract(a, width - 1, 0), extract(b, width - 1, 0), width)


def _eq_sums(a: Expr, b: Expr) -> Bool:
    """Cancel what both sides share; positive terms left, negative ones right, constant right."""
    terms, rest = decompose(a)
    more, more_rest = decompose(b)
    mask = a.mask
    for term, c in more.items():
        terms[term] = (terms.get(term, 0) - c) & mask
    terms = {term: c for term, c in terms.items() if c}
    rest = (rest - more_rest) & mask
    if not terms:
        return rest == 0
    sign = (mask >> 1) + 1
    first = min(terms, key=lambda term: term.key)
    if terms[first] > sign:  # of d == 0 and -d == 0 take the one that begins with a plus
        terms = {term: -c & mask for term, c in terms.items()}
        rest = -rest & mask
    left = emit({term: c for term, c in terms.items() if c <= sign}, 0, a.sort)
    right = emit({term: -c & mask for term, c in terms.items() if c > sign}, -rest & mask, a.sort)
    assert type(left) is Expr
    if type(right) is not Expr:
        return eq_constant(left, right)
    if left.op is not ADD and right.op is not ADD:
        return False if _apart(left, right) else _eq_plain(left, right)
    return _node(left, right)


def _eq_plain(a: Expr, b: Expr) -> Bool:
    """Neither side is a sum any more, though one may be a NEG, which ``_eq_nodes`` sends back here."""
    return _node(a, b) if a.op is NEG or b.op is NEG else _eq_nodes(a, b)


def eq_constant(e: Expr, k: int) -> Bool:
    """``e == k``."""
    if e.sort is BOOL:
        return iff(e, bool(k))
    while True:
        low, high, zeros, ones = facts(e)
        if not low <= k <= high or k & zeros or ~k & ones:
            return False
        if low == high:
            return True
        rule = _PEEL.get(e.op)
        step = rule(e, k) if rule is not None else None
        if step is None:
            return _eq_leaf(e, k)
        if not isinstance(step, tuple):
            return step
        inner, k = step
        if type(inner) is not Expr:
            return inner == k
        e = inner


def _eq_leaf(e: Expr, k: int) -> Bool:
    if e.width == 1 and k == 0:  # of the two ways to test one bit, one
        return lnot(intern(EQ, BOOL, (e, constant(1, e.sort))))
    return intern(EQ, BOOL, (e, constant(k, e.sort)))


def _peel_add(e: Expr, k: int) -> Step:
    last = e.args[-1]
    if last.op is CONST:
        rest = (k - last.value) & e.mask
        if len(e.args) == 2:
            return e.args[0], rest
        return intern(ADD, e.sort, e.args[:-1]), rest
    return _two_terms(e, k)


def _two_terms(e: Expr, k: int) -> Step:
    """``x - y == k`` is ``x == y + k``; for k = 0 that is the plainer form."""
    if k != 0:
        return None
    terms, _ = decompose(e)
    if len(terms) == 2 and e.mask in terms.values():
        (x, c), (y, d) = terms.items()
        if c == 1 and d == e.mask or d == 1 and c == e.mask:
            return eq(x, y, e.width)
    return None


def _peel_neg(e: Expr, k: int) -> Step:
    return e.args[0], -k & e.mask


def _peel_not(e: Expr, k: int) -> Step:
    return e.args[0], k ^ e.mask


def _peel_mul(e: Expr, k: int) -> Step:
    """An odd factor has an inverse; an even one loses bits of x at the top."""
    factor = e.args[1]
    if factor.op is not CONST:
        return None
    value = factor.value
    assert isinstance(value, int)
    zeros = (value & -value).bit_length() - 1
    if k & ((1 << zeros) - 1):
        return False
    width = e.width - zeros
    inverse = pow(value >> zeros, -1, 1 << width)
    return extract(e.args[0], width - 1, 0), ((k >> zeros) * inverse) & ((1 << width) - 1)


def _peel_shl(e: Expr, k: int) -> Step:
    amount = e.args[1].value
    if e.args[1].op is not CONST:
        return None
    assert isinstance(amount, int)
    if k & ((1 << amount) - 1):
        return False
    return extract(e.args[0], e.width - 1 - amount, 0), k >> amount


def _peel_xor(e: Expr, k: int) -> Step:
    if e.args[1].op is CONST:
        return e.args[0], k ^ e.args[1].value
    return eq(e.args[0], e.args[1], e.width) if k == 0 else None


def _peel_and(e: Expr, k: int) -> Step:
    """A single bit is tested against 0."""
    bit = e.args[1].value
    if e.args[1].op is CONST and bit == k and k & (k - 1) == 0:
        return lnot(eq_constant(e, 0))
    return None


def _peel_zext(e: Expr, k: int) -> Step:
    return e.args[0], k  # a k too large was excluded by the interval


def _peel_sext(e: Expr, k: int) -> Step:
    arg = e.args[0]
    low = k & arg.mask
    return (arg, low) if sign_extended(low, arg.width, e.mask) == k else False


def _peel_concat(e: Expr, k: int) -> Step:
    parts: list[Bool] = []
    position = e.width
    for arg in e.args:
        position -= arg.width
        part = (k >> position) & arg.mask
        parts.append(arg.value == part if arg.op is CONST else eq_constant(arg, part))
    return conjunction(parts)


def _peel_ite(e: Expr, k: int) -> Step:
    """A constant arm decides which way the condition must go."""
    c, then, other = e.args
    if then.op is CONST and other.op is CONST:
        return c if then.value == k else lnot(c) if other.value == k else False
    for arm, rest, when in ((then, other, lnot(c)), (other, then, c)):
        # Only into what peels no further: a nest of choices must not become a nest of calls.
        if arm.op is CONST and (rest.op not in _PEEL or _excludes(rest, k)):
            inner = eq_constant(rest, k)
            return land(when, inner) if arm.value != k else lnot(land(when, lnot(inner)))
    return None


def _excludes(e: Expr, k: int) -> bool:
    """Whether what is known of ``e`` rules out the value ``k``."""
    low, high, zeros, ones = facts(e)
    return not low <= k <= high or bool(k & zeros) or bool(ones & ~k)


_PEEL: Final[dict[Op, Callable[[Expr, int], Step]]] = {
    ADD: _peel_add,
    NEG: _peel_neg,
    NOT: _peel_not,
    MUL: _peel_mul,
    SHL: _peel_shl,
    XOR: _peel_xor,
    AND: _peel_and,
    ZEXT: _peel_zext,
    SEXT: _peel_sext,
    CONCAT: _peel_concat,
    ITE: _peel_ite,
}


def trunc(a: BV, to_w: int) -> BV:
    """The low bits. To one bit means to a boolean, the form every i1 has."""
    if to_w == 1:
        bit = extract(a, 0, 0)
        if type(bit) is not Expr:
            return bit == 1
        return eq(bit, 1, 1)
    return extract(a, to_w - 1, 0)
