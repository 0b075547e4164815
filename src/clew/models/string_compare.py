"""string.h and strings.h: comparisons.

The result is the difference of the first two bytes that differ, as unsigned chars: what glibc and musl return on
the targets Clew knows, though the standard promises the sign alone. It is built as

    ite(equal, 0, ite(less, 0xffffff:low, zext(low - 1) + 1))

so that ``strcmp(a, b) == 0`` is plainly ``equal``, a conjunction of equations of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.analysis.model_effect import READS
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.rewrite.choice import ite_bool, ite_bv
from clew.models.cstrings import Span, folded_equal, lowered, settle, settle_whole
from clew.models.spans import block, text


@model("strcmp", "strcoll", "strncmp", effect=READS)
def strcmp(call: Invocation, a: Any, b: Any, count: Any = None) -> Any:
    return _strings(call, a, b, count, False)


@model("strcasecmp", "strncasecmp", effect=READS)
def strcasecmp(call: Invocation, a: Any, b: Any, count: Any = None) -> Any:
    return _strings(call, a, b, count, True)


@model("memcmp", "bcmp", effect=READS)
def memcmp(call: Invocation, a: Any, b: Any, count: Any) -> Any:
    """Unlike for strings, all the bytes must be there, also behind the first difference."""
    left, right = block(call, a, count), block(call, b, count)
    for span in (left, right):
        settle_whole(call, span, count)
    size = min(left.length, right.length)
    if not isinstance(count, Expr) and left.concrete and right.concrete:
        return _plain(left.values, right.values)
    same = [build.eq(x, y, 8) for x, y in zip(left.values, right.values, strict=False)]
    return _difference(call, left.values[:size], right.values[:size], same, [False] * size, count)


def _plain(a: Sequence[BV], b: Sequence[BV]) -> int:
    for x, y in zip(a, b, strict=False):
        if x is not y and x != y:
            assert not isinstance(x, Expr) and not isinstance(y, Expr)
            return (x - y) & 0xFFFFFFFF
    return 0


def _strings(call: Invocation, a: Any, b: Any, count: BV | None, fold: bool) -> Any:
    left, right = _both(call, a, b, count)
    xs, ys, same, ends = _pairs(left, right, fold)
    stops = [build.lor(build.lnot(equal), end) for equal, end in zip(same, ends, strict=True)]
    settle(call, stops, [left, right], count)
    return _difference(call, xs, ys, same, ends, count)


def _both(call: Invocation, a: Any, b: Any, count: BV | None) -> tuple[Span, Span]:
    """The strings; of one behind a symbolic pointer, no more than the other has."""
    if isinstance(a, Expr) and not isinstance(b, Expr):
        right, left = _both(call, b, a, count)
        return left, right
    left = text(call, a, count)
    ends = bool(left.zero) and left.zero[-1] is True
    return left, text(call, b, left.length if ends and isinstance(b, Expr) else count)


def _pairs(left: Span, right: Span, fold: bool) -> tuple[list[BV], list[BV], list[Bool], list[Bool]]:
    """Bytes side by side, whether they are equal, and whether both strings end there if so."""
    xs: list[BV] = []
    ys: list[BV] = []
    same: list[Bool] = []
    ends: list[Bool] = []
    for index in range(min(left.length, right.length)):
        x, y = left.values[index], right.values[index]
        same.append(folded_equal(x, y) if fold else build.eq(x, y, 8))
        known = left.zero[index] if isinstance(y, Expr) else right.zero[index]
        ends.append(known)
        xs.append(lowered(x, 8) if fold else x)
        ys.append(lowered(y, 8) if fold else y)
        if same[-1] is False or (known is True and same[-1] is True):
            break
    return xs, ys, same, ends


def _difference(
    call: Invocation, a: Sequence[BV], b: Sequence[BV], same: Sequence[Bool], ends: Sequence[Bool], limit: BV | None
) -> BV:
    """The result of a comparison that is known to stop in time."""
    equal: Bool = True
    less: Bool = False
    low: BV = 0
    for index in range(len(same) - 1, -1, -1):
        equal = build.land(same[index], build.lor(ends[index], equal))
        if limit is not None:
            equal = build.lor(build.ule(limit, index, call.pointer_bits), equal)
        less = ite_bool(same[index], less, build.ult(a[index], b[index], 8))
        low = ite_bv(same[index], low, build.sub(a[index], b[index], 8), 8)
    above = build.add(build.zext(build.sub(low, 1, 8), 8, 32), 1, 32)
    below = build.concat(0xFFFFFF, 24, low, 8)
    return ite_bv(equal, 0, ite_bv(less, below, above, 32), 32)
