"""Constructors of arrays from bit-vectors to bit-vectors: constants, store and select.

    select(store(a, i, v), i) -> v          select(store(a, i, v), i + 1) -> select(a, i + 1)

A select walks down the chain of stores as long as each index is provably another one. Arrays with layers on top are
``clew.expr.comprehension``'s.
"""

from __future__ import annotations

from typing import Final

from clew.expr.node import BV, Expr, as_bv, intern, intern_with, lower
from clew.expr.op import ADD, ARRAY_BYTES, COMPREHENSION, CONST, CONST_ARRAY, SELECT, STORE
from clew.expr.ranges import facts
from clew.expr.rewrite.linear import sub
from clew.expr.sort import array, bv

MAX_PROOFS: Final = 64
"""How many stores at other, not constant indices one select looks through."""


def const_array(value: BV, iw: int, ew: int) -> Expr:
    """The array that holds ``value`` everywhere."""
    return intern_with(CONST_ARRAY, array(iw, ew), (as_bv(value, ew),), None)


def array_from_bytes(data: bytes, iw: int) -> Expr:
    """The array that holds ``data`` from index 0 on, and 0 elsewhere."""
    return intern_with(ARRAY_BYTES, array(iw, 8), (), bytes(data))


def store(arr: Expr, idx: BV, val: BV) -> Expr:
    """``arr`` with ``val`` at ``idx``."""
    sort = arr.sort
    index = as_bv(idx, sort.index_width)
    assert arr.op is not COMPREHENSION
    if arr.op is STORE and arr.args[1] is index:
        arr = arr.args[0]
    return intern(STORE, sort, (arr, index, as_bv(val, sort.element_width)))


def select(arr: Expr, idx: BV) -> BV:
    """The element at ``idx``."""
    sort = arr.sort
    index = as_bv(idx, sort.index_width)
    proofs = 0
    while arr.op is STORE:
        at = arr.args[1]
        if at is index:
            return plain(arr.args[2])
        if at.op is not CONST or index.op is not CONST:
            proofs += 1
            if proofs > MAX_PROOFS or not _differ(at, index):
                break
        arr = arr.args[0]
    assert arr.op is not COMPREHENSION
    if arr.op is CONST_ARRAY:
        return plain(arr.args[0])
    if arr.op is ARRAY_BYTES and index.op is CONST:
        data, position = arr.value, index.value
        assert isinstance(data, bytes) and isinstance(position, int)
        return data[position] if position < len(data) else 0
    return intern(SELECT, bv(sort.element_width), (arr, index))


def plain(element: Expr) -> BV:
    """An index or element as a value."""
    value: BV = lower(element)
    return value


def _differ(a: Expr, b: Expr) -> bool:
    """Are the two indices never equal?"""
    low_a, high_a, zeros_a, ones_a = facts(a)
    low_b, high_b, zeros_b, ones_b = facts(b)
    if high_a < low_b or high_b < low_a or (zeros_a & ones_b) | (ones_a & zeros_b):
        return True
    if a.op is ADD or b.op is ADD:
        difference = sub(plain(a), plain(b), a.width)
        return type(difference) is not Expr and difference != 0
    return False
