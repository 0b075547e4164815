"""Strings whose bytes and length may be symbolic: what formatted output is put together from.

A ``Text`` of symbolic length has room for its longest form; bytes past the length mean nothing. Joining two
texts selects, byte by byte, by the length of the first: no path forks. Bytes are made only when asked for, so
that output nobody reads back costs no formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.solver.interface import Answer

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

LENGTH_BITS = 32
"""Width of formulas for lengths."""
LIMIT = 4096
"""Bytes of a symbolic string that are looked at."""
JOIN_LIMIT = 1 << 14
"""Selections one join may cost; beyond that the length of its left side is made concrete."""
CHUNK = 64
"""Bytes read at a time while looking for the end of a string."""
UNKNOWN = b"?"
"""How a symbolic part of the output is shown."""


class Text:
    """``least`` to ``most`` bytes: ``length`` of those that ``values()`` gives."""

    __slots__ = ("_make", "_values", "least", "length", "most", "shown")

    def __init__(
        self, length: Any, least: int, most: int, make: Callable[[], Sequence[Any]], shown: bytes = UNKNOWN
    ) -> None:
        self.length = length
        fixed = not isinstance(length, Expr)
        self.least: int = length if fixed else least
        self.most: int = length if fixed else most
        self.shown = shown
        """For people: what is printed, as far as it is known."""
        self._make = make
        self._values: Sequence[Any] | None = None

    def values(self) -> Sequence[Any]:
        """``most`` bytes, ints or bit-vectors of 8 bits; only the first ``length`` count."""
        if self._values is None:
            self._values = self._make()[: self.most]
        return self._values

    @property
    def fixed(self) -> bool:
        """Whether the length is a number."""
        return not isinstance(self.length, Expr)


def literal(data: bytes) -> Text:
    """Text that is known."""
    return Text(len(data), len(data), len(data), lambda: data, data)


EMPTY = literal(b"")


def of_values(values: Sequence[Any], length: Any = None, least: int = 0) -> Text:
    """Text of given bytes; ``length`` None: all of them."""
    if length is None:
        data = bytes(values) if not any(isinstance(value, Expr) for value in values) else None
        if data is not None:
            return literal(data)
        return Text(len(values), len(values), len(values), lambda: values, UNKNOWN * len(values))
    if not isinstance(length, Expr):
        return of_values(values[:length])
    return Text(length, least, len(values), lambda: values)


def choose(condition: Any, yes: Text, no: Text) -> Text:
    """One text or the other."""
    if isinstance(condition, bool):
        return yes if condition else no
    most = max(yes.most, no.most)

    def make() -> list[Any]:
        left, right = _padded(yes.values(), most), _padded(no.values(), most)
        return [build.ite(condition, a, b, bv(8)) for a, b in zip(left, right, strict=True)]

    length = build.ite(condition, yes.length, no.length, bv(LENGTH_BITS))
    return Text(length, min(yes.least, no.least), most, make)


def _padded(values: Sequence[Any], size: int) -> list[Any]:
    return [*values, *([0] * (size - len(values)))]


def repeated(char: int, count: Any, most: int) -> Text:
    """A character over and over: padding."""
    if not isinstance(count, Expr):
        return literal(bytes([char]) * count)
    return Text(count, 0, most, lambda: [char] * most)


def append(first: Text, second: Text) -> Text:
    """One text after the other."""
    if not first.most:
        return second
    if not second.most:
        return first
    length = build.add(first.length, second.length, LENGTH_BITS)
    return Text(
        length,
        first.least + second.least,
        first.most + second.most,
        lambda: _joined(first, second),
        first.shown + second.shown,
    )


def _joined(first: Text, second: Text) -> Sequence[Any]:
    left, right = first.values(), second.values()
    if first.fixed:
        return [*left, *right]
    result = []
    for place in range(first.most + second.most):
        value: Any = left[place] if place < len(left) else 0
        for length in range(first.least, min(place, first.most) + 1):
            if place - length < len(right):
                here = build.eq(first.length, length, LENGTH_BITS)
                value = build.ite(here, right[place - length], value, bv(8))
        result.append(value)
    return result


def join(texts: Iterable[Text], call: Invocation) -> Text:
    """All texts one after the other; forks only where the formula would get too large."""
    result = EMPTY
    for text in texts:
        cost = (result.most - result.least + 1) * (result.most + text.most)
        if not result.fixed and cost > JOIN_LIMIT:
            result = of_values(result.values(), call.concrete(result.length, LENGTH_BITS))
        result = append(result, text)
    return result


def padded(text: Text, width: int, char: int = 32, left: bool = True) -> Text:
    """At least ``width`` bytes; padding goes to the left, or else to the right."""
    if text.least >= width:
        return text
    missing: Any = build.sub(width, text.length, LENGTH_BITS)
    if not text.fixed and text.most > width:
        enough = build.ule(width, text.length, LENGTH_BITS)
        missing = build.ite(enough, 0, missing, bv(LENGTH_BITS))
    padding = repeated(char, missing, width - text.least)
    return append(padding, text) if left else append(text, padding)


def c_string(call: Invocation, address: int, limit: int | None = None) -> Text:
    """The string at an address, at most ``limit`` bytes of it; fails where it is not ended inside its object."""
    known = call.text(address)
    if known is not None:
        return literal(known if limit is None else known[:limit])
    if limit == 0:
        return EMPTY
    values, ended = _up_to_nul(call, address, LIMIT if limit is None else min(limit, LIMIT))
    call.read_text(values)
    if not ended and (limit is None or len(values) < limit):
        terminated = build.disjunction([build.eq(value, 0, 8) for value in values])
        if len(values) < LIMIT:
            call.require(terminated, "out-of-bounds", f"{call.name}() reads a string that is not ended in its object")
        else:
            call.state.run.note_loss("bounded", f"strings longer than {LIMIT} bytes", call.state, call.location)
            call.assume(terminated)
    length: Any = len(values)
    for place in reversed(range(len(values))):
        length = build.ite(build.eq(values[place], 0, 8), place, length, bv(LENGTH_BITS))
    least = next((place for place, value in enumerate(values) if isinstance(value, Expr)), len(values))
    return of_values(values, length, least)


def _up_to_nul(call: Invocation, address: int, limit: int) -> tuple[list[Any], bool]:
    """Bytes up to the first that is surely zero, and whether the string surely ends in them or there.

    Behind the end of a string in a buffer are bytes that nobody has set: at the first of them the solver is asked.
    """
    room = min(call.room(address), limit)
    undefined = call.state.run.undefined
    values: list[Any] = []
    asked = False
    while len(values) < room:
        for value in call.read_bytes(address + len(values), min(CHUNK, room - len(values))):
            if value == 0 and not isinstance(value, Expr):
                return values, True
            if not asked and isinstance(value, Expr) and not value.symbols.isdisjoint(undefined):
                if not _may_go_on(call, values):
                    return values, True
                asked = True
            values.append(value)
    return values, False


def _may_go_on(call: Invocation, values: Sequence[Any]) -> bool:
    """Whether the path leaves it open that none of the bytes before ends a string."""
    open_ended = build.conjunction([build.ne(value, 0, 8) for value in values])
    if not isinstance(open_ended, Expr):
        return open_ended
    return call.state.model_is_fixed or call.state.feasible(open_ended).answer is not Answer.UNSAT


def store_text(call: Invocation, address: int, text: Text, terminator: bool = True) -> None:
    """Put a text into memory, with a NUL after it; what lies behind it keeps its value.

    Fails, as the C function would, where the object is too small. Bytes behind a text of symbolic length that had
    no value become 0: as undefined ones they would be asked about in every decision on the text.
    """
    extra = 1 if terminator else 0
    if text.fixed:
        if text.length + extra:
            call.room(address, write=True)  # an object of symbolic size has to have one before it is written
            call.write_bytes(address, [*text.values(), *([0] * extra)])
        return
    most = text.most + extra
    fits(call, address, build.add(text.length, extra, LENGTH_BITS), most)
    most = min(most, call.room(address, write=True))
    old = call.read_bytes(address + text.least, most - text.least)
    values = list(text.values()[: text.least])
    for place in range(text.least, most):
        value = old[place - text.least]
        if value in call.state.run.undefined:
            value = 0
        if terminator:
            value = build.ite(build.eq(text.length, place, LENGTH_BITS), 0, value, bv(8))
        if place < text.most:
            inside = build.ult(place, text.length, LENGTH_BITS)
            value = build.ite(inside, text.values()[place], value, bv(8))
        values.append(value)
    call.write_bytes(address, values)


def fits(call: Invocation, address: int, count: Any, most: int) -> None:
    """Check that ``count`` (at most ``most``) bytes can be written at an address."""
    room = call.room(address, write=True)
    if most > room:
        enough = build.ule(count, room, LENGTH_BITS)
        message = f"{call.name}() writes past the end of an object: {room} bytes are left there"
        call.require(enough, "out-of-bounds", message)


def resized(count: Any, bits: int) -> Any:
    """A length as an integer of the target's."""
    if bits == LENGTH_BITS:
        return count
    return build.zext(count, LENGTH_BITS, bits) if bits > LENGTH_BITS else build.trunc(count, bits)


def truth(call: Invocation, condition: Any) -> bool:
    """Decide a condition; the other case becomes a sibling."""
    if isinstance(condition, bool):
        return condition
    return bool(call.concrete(build.bool_to_bv(condition, 8), 8))


def one_value(call: Invocation, address: Any) -> bytes:
    """The C string at an address; a symbolic one is cut down to one of its values, others are siblings."""
    where = call.pointer(address)
    text = call.text(where)
    if text is None:
        symbolic = c_string(call, where)
        length = call.concrete(symbolic.length, LENGTH_BITS)
        text = bytes(call.concrete(value, 8) for value in symbolic.values()[:length])
    return text


# Symbolic integers as text: the digits of a number by division, selected by how many there are


def numeral(value: Expr, base: int, upper: bool = False) -> Text:
    """An unsigned number, without sign, prefix or padding; 0 is ``0``."""
    bits = value.width
    lowest, highest = interval(value)
    least, most = _digits_of(lowest, base), _digits_of(highest, base)
    # length: 1 if value < base, else 2 if value < base**2, ...
    length: Any = most
    for count in reversed(range(least, most)):
        length = build.ite(build.ult(value, base**count, bits), count, length, bv(LENGTH_BITS))

    def make() -> list[Any]:
        digits = [_digit(value, base, place, upper) for place in range(most)]
        result = []
        for place in range(most):
            char: Any = digits[most - 1 - place]
            for count in reversed(range(max(least, place + 1), most)):
                char = build.ite(build.ult(value, base**count, bits), digits[count - 1 - place], char, bv(8))
            result.append(char)
        return result

    return Text(length, least, most, make)


def _digits_of(number: int, base: int) -> int:
    count = 1
    while number >= base:
        number //= base
        count += 1
    return count


def _digit(value: Expr, base: int, place: int, upper: bool) -> Any:
    """The character for the digit of weight ``base ** place``."""
    bits = value.width
    if base == 10:
        digit = build.urem(build.udiv(value, 10**place, bits), 10, bits)
    else:
        shift = (base.bit_length() - 1) * place
        digit = build.and_(build.lshr(value, shift, bits), base - 1, bits)
    small = build.trunc(digit, 8) if bits > 8 else digit
    char = build.add(small, ord("0"), 8)
    if base <= 10:
        return char
    letter = build.add(small, ord("A" if upper else "a") - 10, 8)
    return build.ite(build.ult(small, 10, 8), char, letter, bv(8))
