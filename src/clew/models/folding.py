"""Letters without regard to case, in the C locale."""

from __future__ import annotations

from typing import Any

from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.sort import bv
from clew.models.cstrings import one_of

UPPER = range(ord("A"), ord("Z") + 1)
LOWER = range(ord("a"), ord("z") + 1)
_GAP = ord("a") - ord("A")


def lowered(value: BV, width: int) -> Any:
    """tolower."""
    return build.ite(one_of(value, UPPER, width), build.add(value, _GAP, width), value, bv(width))


def raised(value: BV, width: int) -> Any:
    """toupper."""
    return build.ite(one_of(value, LOWER, width), build.sub(value, _GAP, width), value, bv(width))


def folded_equal(a: BV, b: BV) -> Bool:
    """Whether two bytes are the same letter; against a constant that takes two plain equations."""
    if isinstance(a, Expr) and isinstance(b, Expr):
        return build.eq(lowered(a, 8), lowered(b, 8), 8)
    if isinstance(a, Expr):
        a, b = b, a
    low, high = lowered(a, 8), raised(a, 8)
    return build.lor(build.eq(b, low, 8), build.eq(b, high, 8))
