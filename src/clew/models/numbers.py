"""Numbers in text: what scanf reads for ``%d`` and ``%f``.

An integer is the formula that ``strtol`` has for it (see ``parsing``). A floating-point number in symbolic text is cut
down to one value, and the loss is reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import Sort, bv
from clew.models.conversion import parse_float
from clew.models.parsing import known_integer, one_of, saturated, scan_integer
from clew.models.texts import LENGTH_BITS, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation
    from clew.models.streams import Supply

_UNFINISHED = re.compile(rb"[+-]?(?:0x[0-9a-f.]*p[+-]?|(?:\d+\.?\d*|\.\d+)e[+-]?)", re.IGNORECASE)


def read_integer(
    call: Invocation, source: Supply, start: int, width: int | None, base: int, signed: bool, bits: int, kept: int
) -> tuple[Any, Any, Any]:
    """The low ``kept`` bits of an integer of ``bits`` bits, its end, and whether the input was found to end.

    The value is None if there is no number; whether there is one forks. There is a byte at ``start``, and no blank.
    """
    stop = len(source) if width is None else min(len(source), start + width)

    def byte(index: int) -> Any:
        place = start + index
        return build.ite(source.present(place), source.values[place], 0, bv(8)) if place < stop else 0

    found = known_integer(byte, base, bits, True) or scan_integer(byte, base, bits, LENGTH_BITS, True)
    looked_at = range(start + 1, stop + 1 if width is None else min(len(source) + 1, start + width))
    missing = {place: build.lnot(source.present(place)) for place in looked_at}
    if not truth(call, found.any_digits):
        return None, start, build.land(one_of(source.values[start], "+-"), missing.get(start + 1, False))
    end: Any = build.add(start, found.end, LENGTH_BITS)
    ended = build.disjunction([build.land(build.eq(end, at, LENGTH_BITS), gone) for at, gone in missing.items()])
    return saturated(found, bits, signed, kept)[0], end, ended


def read_real(call: Invocation, source: Supply, start: int, width: int | None, sort: Sort) -> tuple[float | None, int]:
    """A floating-point number, None if there is none, and where it ends."""
    stop = len(source) if width is None else min(len(source), start + width)
    model = call.state.model
    present = start
    while present < stop and model.eval(source.present(present)):
        present += 1
    data = bytes(int(model.eval(value)) for value in source.values[start:present])
    value, length, _ = parse_float(data, sort)
    # glibc also takes an exponent that lacks its digits, and ignores it.
    unfinished = _UNFINISHED.match(data)
    used = max(length, unfinished.end() if unfinished else 0)
    looked_at = min(used + 1, len(data))
    _pin(call, source, start, looked_at)
    return (value, start + used) if length else (None, start + looked_at)


def _pin(call: Invocation, source: Supply, start: int, count: int) -> None:
    """Explore only the bytes the model has."""
    model = call.state.model
    pinned = False
    for place in range(start, start + count + 1):
        present = source.present(place)
        conditions = [present if model.eval(present) else build.lnot(present)]
        if place < start + count:
            value = source.values[place]
            conditions.append(build.eq(value, int(model.eval(value)), 8))
        for condition in conditions:
            if isinstance(condition, Expr) and not call.state.implies(condition):
                call.assume(condition)
                pinned = True
    if pinned:
        what = "all but one value of a floating-point number that is read from text"
        call.state.run.note_loss("bounded", what, call.state, call.location)
