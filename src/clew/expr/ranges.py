"""Cheap facts about bit-vector nodes: an unsigned interval and the bits whose value is known.

    zext(b, 32) + 1     interval (1, 256)     known zeros 0xfffffe00, known ones 0

Computed on demand, once per node, without recursion. Sits below the constructors, so it may only
look at nodes, never build any. Invariant: every value the node can take lies in the interval and
agrees with the known bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from clew.expr.node import BV, Expr
from clew.expr.op import Op
from clew.expr.sort import SortKind

Facts: TypeAlias = tuple[int, int, int, int]
"""(lowest, highest, known zeros, known ones)"""


def facts(e: Expr) -> Facts:
    """Interval and known bits of a bit-vector node."""
    known: Facts | None = e._facts
    return _compute(e) if known is None else known


def interval(e: BV) -> tuple[int, int]:
    """The unsigned interval (lowest, highest) of a bit-vector."""
    if type(e) is Expr:
        return facts(e)[:2]
    assert isinstance(e, int)
    return e, e


def known_bits(e: Expr) -> tuple[int, int]:
    """Masks of the bits that are always 0 and always 1."""
    return facts(e)[2:]


def signed_interval(e: Expr) -> tuple[int, int]:
    """The interval in two's complement."""
    shift = 0
    while e.op is Op.SEXT:  # a sign extension's unsigned interval says little
        e = e.args[0]
    low, high, _, _ = facts(e)
    sign = 1 << (e.width - 1)
    if high < sign:
        return low, high
    if low >= sign:
        shift = sign << 1
        return low - shift, high - shift
    return -sign, sign - 1


def facts_of(value: BV) -> Facts:
    """Facts of a node or of a plain constant (whose unknown width makes all high bits zero)."""
    if type(value) is Expr:
        return facts(value)
    assert isinstance(value, int)
    return value, value, ~value, value


def _compute(root: Expr) -> Facts:
    stack = [root]
    while stack:
        node = stack[-1]
        if node._facts is not None:
            stack.pop()
            continue
        handler = _HANDLERS.get(node.op)
        if handler is None:
            stack.pop()
            node._facts = (0, node.mask, 0, 0)
            continue
        pending = [arg for arg in node.args if arg._facts is None and arg.sort.kind is SortKind.BV]
        if pending:
            stack.extend(pending)
            continue
        stack.pop()
        node._facts = _combined(*handler(node), node.mask)
    found: Facts = root._facts
    return found


def _get(node: Expr, index: int) -> Facts:
    known: Facts = node.args[index]._facts
    return known


def _combined(low: int, high: int, zeros: int, ones: int, mask: int) -> Facts:
    """Let interval and bits sharpen each other."""
    low = max(low, ones)
    high = min(high, mask & ~zeros)
    prefix = mask & ~((1 << (low ^ high).bit_length()) - 1)
    return low, high, zeros | (prefix & ~low), ones | (prefix & low)


def _const(e: Expr) -> Facts:
    value = e.value
    assert isinstance(value, int)
    return value, value, e.mask & ~value, value


def _trailing_zeros(zeros: int) -> int:
    """How many low bits are known to be zero."""
    return (~zeros & (zeros + 1)).bit_length() - 1


def _add(e: Expr) -> Facts:
    low = high = 0
    tail = e.width
    for arg in e.args:
        known = arg._facts
        assert known is not None
        low += known[0]
        high += known[1]
        tail = min(tail, _trailing_zeros(known[2]))
    span = e.mask + 1
    if low // span == high // span:  # all sums wrap around equally often
        return low % span, high % span, (1 << tail) - 1, 0
    return 0, e.mask, (1 << tail) - 1, 0


def _neg(e: Expr) -> Facts:
    low, high, zeros, _ = _get(e, 0)
    tail = (1 << _trailing_zeros(zeros)) - 1
    if low > 0:
        return e.mask + 1 - high, e.mask + 1 - low, tail & e.mask, 0
    return (0, 0, e.mask, 0) if high == 0 else (0, e.mask, tail, 0)


def _mul(e: Expr) -> Facts:
    low_a, high_a, zeros_a, _ = _get(e, 0)
    low_b, high_b, zeros_b, _ = _get(e, 1)
    tail = (1 << min(e.width, _trailing_zeros(zeros_a) + _trailing_zeros(zeros_b))) - 1
    if high_a * high_b <= e.mask:
        return low_a * low_b, high_a * high_b, tail, 0
    return 0, e.mask, tail, 0


def _udiv(e: Expr) -> Facts:
    low_a, high_a, _, _ = _get(e, 0)
    low_b, high_b, _, _ = _get(e, 1)
    if low_b == 0:
        return 0, e.mask, 0, 0
    return low_a // high_b, high_a // low_b, 0, 0


def _urem(e: Expr) -> Facts:
    high_a = _get(e, 0)[1]
    low_b, high_b, _, _ = _get(e, 1)
    return 0, (high_a if low_b == 0 else min(high_a, high_b - 1)), 0, 0


def _and(e: Expr) -> Facts:
    _, high_a, zeros_a, ones_a = _get(e, 0)
    _, high_b, zeros_b, ones_b = _get(e, 1)
    return 0, min(high_a, high_b), zeros_a | zeros_b, ones_a & ones_b


def _or(e: Expr) -> Facts:
    low_a, _, zeros_a, ones_a = _get(e, 0)
    low_b, _, zeros_b, ones_b = _get(e, 1)
    return max(low_a, low_b), e.mask, zeros_a & zeros_b, ones_a | ones_b


def _xor(e: Expr) -> Facts:
    _, _, zeros_a, ones_a = _get(e, 0)
    _, _, zeros_b, ones_b = _get(e, 1)
    return 0, e.mask, (zeros_a & zeros_b) | (ones_a & ones_b), (zeros_a & ones_b) | (ones_a & zeros_b)


def _not(e: Expr) -> Facts:
    low, high, zeros, ones = _get(e, 0)
    return e.mask - high, e.mask - low, ones, zeros


def _shl(e: Expr) -> Facts:
    low, high, zeros, ones = _get(e, 0)
    least, most, _, _ = _get(e, 1)
    if least != most:
        return 0, e.mask, (1 << min(least, e.width)) - 1, 0
    if least >= e.width:
        return 0, 0, e.mask, 0
    zeros = ((zeros << least) | ((1 << least) - 1)) & e.mask
    ones = (ones << least) & e.mask
    return (low << least, high << least, zeros, ones) if high << least <= e.mask else (0, e.mask, zeros, ones)


def _lshr(e: Expr) -> Facts:
    low, high, _, _ = _get(e, 0)
    least, most, _, _ = _get(e, 1)
    return low >> min(most, e.width), high >> min(least, e.width), 0, 0


def _zext(e: Expr) -> Facts:
    low, high, zeros, ones = _get(e, 0)
    return low, high, zeros | (e.mask & ~e.args[0].mask), ones


def _sext(e: Expr) -> Facts:
    arg = e.args[0]
    low, high, zeros, ones = _get(e, 0)
    sign = 1 << (arg.width - 1)
    extension = e.mask & ~arg.mask
    if high < sign:
        return low, high, zeros | extension, ones
    if low >= sign:
        return low + extension, high + extension, zeros, ones | extension
    return 0, e.mask, zeros & ~sign, ones & ~sign


def _extract(e: Expr) -> Facts:
    assert isinstance(e.value, tuple)
    lo = e.value[1]
    low, high, zeros, ones = _get(e, 0)
    zeros = (zeros >> lo) & e.mask
    ones = (ones >> lo) & e.mask
    low >>= lo
    high >>= lo
    if low >> e.width == high >> e.width:  # the bits cut off above are the same throughout
        return low & e.mask, high & e.mask, zeros, ones
    return 0, e.mask, zeros, ones


def _concat(e: Expr) -> Facts:
    low = high = zeros = ones = 0
    for arg in e.args:
        known = arg._facts
        assert known is not None
        low = (low << arg.width) | known[0]
        high = (high << arg.width) | known[1]
        zeros = (zeros << arg.width) | known[2]
        ones = (ones << arg.width) | known[3]
    return low, high, zeros, ones


def _ite(e: Expr) -> Facts:
    low_a, high_a, zeros_a, ones_a = _get(e, 1)
    low_b, high_b, zeros_b, ones_b = _get(e, 2)
    return min(low_a, low_b), max(high_a, high_b), zeros_a & zeros_b, ones_a & ones_b


_HANDLERS: Final[dict[Op, Callable[[Expr], Facts]]] = {
    Op.CONST: _const,
    Op.ADD: _add,
    Op.NEG: _neg,
    Op.MUL: _mul,
    Op.UDIV: _udiv,
    Op.UREM: _urem,
    Op.AND: _and,
    Op.OR: _or,
    Op.XOR: _xor,
    Op.NOT: _not,
    Op.SHL: _shl,
    Op.LSHR: _lshr,
    Op.ZEXT: _zext,
    Op.SEXT: _sext,
    Op.EXTRACT: _extract,
    Op.CONCAT: _concat,
    Op.ITE: _ite,
}
