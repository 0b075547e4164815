"""string.h: taking strings apart. Where a token ends stays symbolic; where it begins is told by forking."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import BV, Bool
from clew.expr.sort import bv
from clew.models.cstrings import earlier, first, is_zero, settle, settle_whole
from clew.models.spans import place, reach, text
from clew.models.string_copy import write_where
from clew.models.string_search import members, strspn

_SAVED = "strtok"


@model("strtok", effect=ANYTHING)
def strtok(call: Invocation, pointer: Any, charset: Any) -> Any:
    token, rest = _token(call, call.pointer(pointer) or call.recall(_SAVED, 0), charset)
    call.remember(_SAVED, rest)
    return token


@model("strtok_r", "__strtok_r", effect=ANYTHING)
def strtok_r(call: Invocation, pointer: Any, charset: Any, saved: Any) -> Any:
    size = call.pointer_bits // 8
    where = _cell(call, saved)
    start = call.pointer(pointer) or call.load(where, size)
    token, rest = _token(call, start, charset)
    call.store(where, rest, size)
    return token


@model("strsep", "__strsep", effect=ANYTHING)
def strsep(call: Invocation, cell: Any, charset: Any) -> Any:
    """Like ``strtok_r``, but tokens may be empty and the last one leaves null."""
    size, bits = call.pointer_bits // 8, call.pointer_bits
    where = _cell(call, cell)
    start = call.pointer(call.load(where, size))
    if start == 0:
        return 0
    end, is_last = _separate(call, start, charset)
    rest = build.ite(is_last, 0, build.add(start, build.add(end, 1, bits), bits), bv(bits))
    call.store(where, rest, size)
    return start


def _cell(call: Invocation, pointer: Any) -> int:
    """The address of a pointer variable that is there: nothing may fail or fork after the string is changed."""
    size = call.pointer_bits // 8
    where = place(call, pointer, size, write=True)
    settle_whole(call, reach(call, where, True), size)
    return where


def _token(call: Invocation, start: Any, charset: Any) -> tuple[int, BV]:
    """The next token, or null, and where the search for another goes on."""
    bits = call.pointer_bits
    begin = call.pointer(start)
    begin += call.pointer(strspn(call, begin, charset))
    at_end = build.bool_to_bv(is_zero(call, call.load(begin, 1)), 8)
    if call.concrete(at_end, 8):
        return 0, begin
    end, is_last = _separate(call, begin, charset)
    beyond = build.add(end, build.bool_to_bv(build.lnot(is_last), bits), bits)
    return begin, build.add(begin, beyond, bits)


def _separate(call: Invocation, start: int, charset: Any) -> tuple[BV, Bool]:
    """End the string at the first separator: yields its offset, and whether there is none but the terminator."""
    belongs = members(call, charset)
    span = text(call, start)
    separators = [belongs(value) for value in span.values]
    stops = [build.lor(zero, hit) for zero, hit in zip(span.zero, separators, strict=True)]
    settle(call, stops, [span])
    is_last: Bool = True
    for zero, hit in zip(reversed(span.zero), reversed(separators), strict=True):
        is_last = build.lor(zero, build.land(build.lnot(hit), is_last))
    written = [build.land(on, hit) for on, hit in zip(earlier(stops), separators, strict=False)]
    write_where(call, span, [0] * span.length, written)
    return first(stops, max(0, span.length - 1), call.pointer_bits), is_last
