"""string.h: lengths and searches. Results are formulas over the bytes; a position found is a symbolic pointer.

The one requirement is that the search ends inside the object: at a hit, at the terminator or at its limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.analysis.model_effect import READS, SEARCHES
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.expr.sort import bv
from clew.models.cstrings import Span, cut, earlier, first, folded_equal, length, one_of, settle, settle_whole
from clew.models.spans import block, place, reach, scan, text

MATRIX_LIMIT = 1 << 16
"""Comparisons of single bytes that one search makes; with more, lengths are told apart by forking."""


@model("strlen", effect=READS)
def strlen(call: Invocation, pointer: Any) -> Any:
    span = scan(call, pointer)
    settle(call, span.zero, [span])
    return length(span, max(0, span.length - 1), call.pointer_bits)


@model("strnlen", effect=READS)
def strnlen(call: Invocation, pointer: Any, limit: Any) -> Any:
    span = text(call, pointer, limit)
    settle(call, span.zero, [span], limit)
    bits = call.pointer_bits
    return build.umin(length(span, span.length, bits), limit, bits)


def _low(char: Any) -> BV:
    """A character argument: an int, of which the low byte counts."""
    return build.extract(char, 7, 0)


def _pointer(call: Invocation, found: Bool, span: Span, position: BV) -> Any:
    """The address of a position, or null."""
    bits = call.pointer_bits
    return build.ite(found, build.add(span.address, position, bits), 0, bv(bits))


def first_stop(call: Invocation, span: Span, stops: Sequence[Bool]) -> BV:
    """Where a search stops that has to stop in the span."""
    settle(call, stops, [span])
    return first(stops, max(0, span.length - 1), call.pointer_bits)


def _hits(span: Span, char: Any) -> list[Bool]:
    byte = _low(char)
    return span.masked([build.eq(value, byte, 8) for value in span.values])


def _first_hit(call: Invocation, span: Span, hits: Sequence[Bool], limit: BV | None = None) -> Any:
    """A pointer to the first hit before the end, or null. The terminator itself can be hit."""
    settle(call, [build.lor(hit, zero) for hit, zero in zip(hits, span.zero, strict=True)], [span], limit)
    found: Bool = False
    for index in range(span.length - 1, -1, -1):
        found = build.lor(hits[index], build.land(build.lnot(span.zero[index]), found))
        if limit is not None:
            found = build.land(build.ult(index, limit, call.pointer_bits), found)
    return _pointer(call, found, span, first(hits, 0, call.pointer_bits))


@model("strchr", "index", effect=SEARCHES)
def strchr(call: Invocation, pointer: Any, char: Any) -> Any:
    span = scan(call, pointer)
    return _first_hit(call, span, _hits(span, char))


@model("strchrnul", effect=SEARCHES)
def strchrnul(call: Invocation, pointer: Any, char: Any) -> Any:
    span = scan(call, pointer)
    stops = [build.lor(hit, zero) for hit, zero in zip(_hits(span, char), span.zero, strict=True)]
    return _pointer(call, True, span, first_stop(call, span, stops))


@model("memchr", effect=SEARCHES)
def memchr(call: Invocation, pointer: Any, char: Any, count: Any) -> Any:
    span = block(call, pointer, count)
    return _first_hit(call, span, _hits(span, char), count)


@model("rawmemchr", effect=SEARCHES)
def rawmemchr(call: Invocation, pointer: Any, char: Any) -> Any:
    span = block(call, pointer, reach(call, place(call, pointer)).length + 1)
    return _pointer(call, True, span, first_stop(call, span, _hits(span, char)))


@model("strrchr", "rindex", effect=SEARCHES)
def strrchr(call: Invocation, pointer: Any, char: Any) -> Any:
    span = scan(call, pointer)
    settle(call, span.zero, [span])
    live = earlier(span.zero)
    return _last_hit(call, span, [build.land(on, hit) for on, hit in zip(live, _hits(span, char), strict=False)])


@model("memrchr", effect=SEARCHES)
def memrchr(call: Invocation, pointer: Any, char: Any, count: Any) -> Any:
    span = block(call, pointer, count)
    settle_whole(call, span, count)
    bits = call.pointer_bits
    inside = [build.ult(index, count, bits) for index in range(span.length)]
    return _last_hit(call, span, [build.land(on, hit) for on, hit in zip(inside, _hits(span, char), strict=True)])


def _last_hit(call: Invocation, span: Span, hits: Sequence[Bool]) -> Any:
    position: Any = 0
    for index, hit in enumerate(hits):
        position = build.ite(hit, index, position, bv(call.pointer_bits))
    return _pointer(call, build.disjunction(hits), span, position)


# Sets of characters


def members(call: Invocation, charset: Any) -> Callable[[BV], Bool]:
    """The test for a byte to be in the string ``charset``; NUL never is."""
    span = text(call, charset)
    settle(call, span.zero, [span])
    if span.concrete:
        numbers = {int(value) for value in span.values if not isinstance(value, Expr)} - {0}
        return lambda byte: one_of(byte, numbers, 8)
    # A byte counts if the terminator comes neither before it nor there.
    usable = list(zip(earlier(span.zero)[1:], span.values, strict=True))
    return lambda byte: build.disjunction([build.land(on, build.eq(byte, value, 8)) for on, value in usable])


def _prefix(call: Invocation, pointer: Any, charset: Any, inside: bool) -> BV:
    """How many bytes come before the first that is (not) in the set."""
    belongs, bits = members(call, charset), call.pointer_bits
    span = scan(call, pointer)
    hits = [belongs(value) for value in span.values]
    others = span.masked(hits if inside else [build.lnot(hit) for hit in hits])
    stops = [build.lor(zero, other) for zero, other in zip(span.zero, others, strict=True)]
    return build.sub(first_stop(call, span, stops), span.start, bits)


@model("strspn", effect=READS)
def strspn(call: Invocation, pointer: Any, charset: Any) -> Any:
    return _prefix(call, pointer, charset, False)


@model("strcspn", effect=READS)
def strcspn(call: Invocation, pointer: Any, charset: Any) -> Any:
    return _prefix(call, pointer, charset, True)


@model("strpbrk", effect=SEARCHES)
def strpbrk(call: Invocation, pointer: Any, charset: Any) -> Any:
    belongs = members(call, charset)
    span = scan(call, pointer)
    return _first_hit(call, span, span.masked([belongs(value) for value in span.values]))


# Strings in strings


@model("strstr", effect=SEARCHES)
def strstr(call: Invocation, haystack: Any, needle: Any) -> Any:
    return _string_in(call, haystack, needle, lambda a, b: build.eq(a, b, 8))


@model("strcasestr", effect=SEARCHES)
def strcasestr(call: Invocation, haystack: Any, needle: Any) -> Any:
    return _string_in(call, haystack, needle, folded_equal)


def _string_in(call: Invocation, haystack: Any, needle: Any, same: Callable[[BV, BV], Bool]) -> Any:
    wanted = text(call, needle)
    settle(call, wanted.zero, [wanted])
    span = scan(call, haystack)
    if span.length * wanted.length > MATRIX_LIMIT:
        count = call.pointer(length(wanted, wanted.length - 1, call.pointer_bits))
        wanted = cut(call, wanted, count)
    return _first_hit(call, span, span.masked(_matches(span, wanted, same)))


def _matches(span: Span, wanted: Span, same: Callable[[BV, BV], Bool]) -> list[Bool]:
    """Where the whole of ``wanted`` is found; past the terminator it never matches, as its bytes are not NUL."""
    result = []
    for start in range(span.length):
        hit: Bool = False
        last = min(wanted.length, span.length - start) - 1
        # The end of the needle may come right after the last byte there is.
        if last + 1 < wanted.length:
            hit = wanted.zero[last + 1]
        for index in range(last, -1, -1):
            both = build.land(same(span.values[start + index], wanted.values[index]), hit)
            hit = build.lor(wanted.zero[index], both)
        result.append(hit)
    return result


@model("memmem", effect=SEARCHES)
def memmem(call: Invocation, haystack: Any, count: Any, needle: Any, size: Any) -> Any:
    wanted = block(call, needle, call.pointer(size))
    settle_whole(call, wanted, call.pointer(size))
    whole = call.pointer(count)
    if wanted.length > whole:
        return 0
    if wanted.length == 0:
        return haystack
    span = block(call, haystack, whole)
    settle_whole(call, span, whole)
    hits: list[Bool] = []
    for start in range(span.length - wanted.length + 1):
        pairs = zip(span.values[start:], wanted.values, strict=False)
        hits.append(build.conjunction([build.eq(a, b, 8) for a, b in pairs]))
    return _pointer(call, build.disjunction(hits), span, first(hits, 0, call.pointer_bits))
