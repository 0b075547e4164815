"""When two ranges of memory have nothing in common: what functions with ``restrict`` arguments require of them."""

from __future__ import annotations

from clew.expr import build
from clew.expr.node import BV, Bool


def are_apart(target: BV, written: BV, source: BV, read: BV, bits: int) -> Bool:
    """The condition that none of ``written`` bytes at an address is among ``read`` bytes at another.

    Both ranges are inside of objects, so that no sum wraps. A range without bytes has nothing in common with any.
    """
    is_before = build.ult(source, target, bits)
    behind = build.ule(read, build.sub(target, source, bits), bits)
    before = build.ule(written, build.sub(source, target, bits), bits)
    distinct = build.lor(build.land(is_before, behind), build.land(build.lnot(is_before), before))
    return build.disjunction([distinct, build.eq(written, 0, bits), build.eq(read, 0, bits)])
