"""Numbers in text: what scanf reads for ``%d`` and ``%f``.

An integer is the formula that ``strtol`` has for it (see ``parsing``), a floating-point number one for each shape that
it may have (see ``float_shapes``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.expr import build
from clew.expr.sort import Sort, bv
from clew.models.float_shapes import ShapedNumeral
from clew.models.parsing import LIMIT, known_integer, one_of, saturated, scan_integer
from clew.models.texts import LENGTH_BITS, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation
    from clew.models.supplies import Supply


def read_integer(
    call: Invocation, source: Supply, start: int, width: int | None, base: int, signed: bool, bits: int, kept: int
) -> tuple[Any, Any, Any]:
    """The low ``kept`` bits of an integer of ``bits`` bits, its end, and whether the input was found to end.

    The value is None if there is no number, and the end is that of what was read in vain; whether there is one forks.
    There is a byte at ``start``, and no blank. Even with a width, libc looks at the byte behind the number.
    """
    stop = source.reach(start, None if width is None else start + width + 1)
    stop = stop if width is None else min(stop, start + width)

    def byte(index: int) -> Any:
        place = start + index
        return build.ite(source.present(place), source.values[place], 0, bv(8)) if place < stop else 0

    found = known_integer(byte, base, bits, True) or scan_integer(byte, base, bits, LENGTH_BITS, True)
    missing = {place: build.lnot(source.present(place)) for place in range(start + 1, stop + 1)}
    if not truth(call, found.any_digits):
        sign = one_of(source.values[start], "+-")  # which is read, and not put back
        return None, build.ite(sign, start + 1, start, bv(LENGTH_BITS)), build.land(sign, missing.get(start + 1, False))
    end: Any = build.add(start, found.end, LENGTH_BITS)
    ended = build.disjunction([build.land(build.eq(end, at, LENGTH_BITS), gone) for at, gone in missing.items()])
    return saturated(found, bits, signed, kept)[0], end, ended


def read_real(call: Invocation, source: Supply, start: int, width: int | None, sort: Sort) -> tuple[Any, int, bool]:
    """A floating-point number, None if there is none, where it ends, and whether the input was found to end.

    Of what it is made forks.
    """
    stop = source.reach(start, None if width is None else start + width)
    ended = False

    def byte(index: int) -> Any:
        nonlocal ended
        place = start + index
        if place < stop and truth(call, source.present(place)):
            return source.values[place]
        ended = ended or width is None or index < width
        return None

    numeral = ShapedNumeral(call, byte, sort, scanf=LIMIT if width is None else width)
    found = numeral.read()
    if found.end:
        return found.value, start + found.end, ended
    *_, last = read = [byte(index) for index in range(numeral.looked_at)]
    named = any(value is not None and truth(call, one_of(value, "iInN")) for value in read[:-1])
    # The last byte is put back, unless it is in the midst of a name (inf, nan).
    return None, start + len(read) - (not named or last is None), ended
