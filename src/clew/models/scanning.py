"""The scanf family on known and symbolic text.

Where a conversion begins, and whether it succeeds, forks; what it reads does not: the digits of a number make one
formula whatever their count, and a word goes to memory with a symbolic length. The position behind it is made
concrete only when the scan goes on from there. All stores happen at the end, when nothing forks any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

from clew.analysis.model_effect import ANYTHING, WRITES_ARGUMENTS
from clew.base.errors import Unsupported
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv
from clew.memory.floats import encoded, sort_of_float
from clew.models import numbers, streams, texts
from clew.models.cstrings import one_of
from clew.models.open_text import MOST_CHARACTERS, OpenText, open_text, word_length
from clew.models.scan_formats import BASES, DIRECTIVE, NUMBERED, SIZES, SPACES, members_of, skips_space
from clew.models.stdio_input import supply_of
from clew.models.streams import EOF
from clew.models.supplies import StringSupply, Supply
from clew.models.texts import LENGTH_BITS, truth
from clew.models.varargs import Arguments, forms
from clew.program.types import FloatKind


class _Stopped(Exception):
    """The scan ends early; ``ended``: because the input did."""

    def __init__(self, ended: bool) -> None:
        super().__init__(ended)
        self.ended = ended


class Scan:
    """One call: the input, how far it is read, and what is to be stored."""

    def __init__(self, call: Invocation, source: Supply, arguments: Arguments) -> None:
        self._call = call
        self._source = source
        self._arguments = arguments
        self.position: Any = 0
        """How much of the input is read."""
        self._stores: list[Callable[[], None]] = []
        self.assigned = 0
        self.hit_end: Any = False
        self._allocates = False
        """Of the present directive: characters go to an object of their own."""

    def run(self, form: bytes) -> Any:
        """Scan, store, and say what the function returns."""
        result: Any = None
        if NUMBERED.search(form):
            raise Unsupported("numbered arguments in a scanf format")
        try:
            directives = list(DIRECTIVE.finditer(form))
            for match, following in zip_longest(directives, directives[1:]):
                if not (match["space"] and following is not None and skips_space(following)):
                    self._directive(match)
        except _Stopped as stop:
            result = EOF if stop.ended and not self.assigned else self.assigned
        stores, self._stores = self._stores, []  # they hold this scan: a cycle, which nobody may look for
        for store in stores:
            store()
        return self.assigned if result is None else result

    def _here(self) -> int:
        self.position = self._call.concrete(self.position, LENGTH_BITS)
        return int(self.position)

    # Directives

    def _directive(self, match: re.Match[bytes]) -> None:
        if match["space"]:
            self._space()
        elif match["literal"]:
            self._literal(match["literal"][0])
        elif match["kind"] == b"%":
            self._skip_space()
            self._literal(ord("%"))
        else:
            self._conversion(match)

    def _literal(self, char: int) -> None:
        place = self._here()
        self._need(place)
        if not truth(self._call, build.eq(self._source.values[place], char, 8)):
            raise _Stopped(False)
        self.position = place + 1

    def _conversion(self, match: re.Match[bytes]) -> None:
        kind, length = match["kind"], match["length"] or b""
        if length == b"l" and kind[:1] in b"cs[":
            raise Unsupported("wide characters in a scanf format")
        self._allocates = match["allocate"] is not None
        width = int(match["width"]) if match["width"] else None
        target = None
        if kind == b"n":
            if match["skip"] is None:
                self._count(self._call.pointer(self._arguments.integer(self._call.pointer_bits)), self._size(length))
            return
        if match["skip"] is None:
            target = self._call.pointer(self._arguments.integer(self._call.pointer_bits))
        if kind == b"c":
            self._characters(width or 1, target)
        elif kind == b"s":
            if not self._open_word(width, target):
                self._skip_space()
                self._word(width, SPACES, False, target)
        elif kind[:1] == b"[":
            self._word(width, *members_of(kind), target)
        elif kind in b"fFeEgGaA":
            if not self._open_number("f", width, {b"l": 8, b"": 4}.get(length, 0), target):
                self._skip_space()
                self._real(width, length, target)
        elif not self._open_number(kind.decode().lower(), width, self._size(length), target):
            self._skip_space()
            self._integer(kind, width, self._size(b"z" if kind == b"p" else length), target)
        if target is not None:
            self.assigned += 1

    def _size(self, length: bytes) -> int:
        return SIZES.get(length, self._call.state.run.layout.pointer_bytes)

    def _need(self, place: int) -> None:
        """There must be another byte."""
        if not truth(self._call, self._source.present(place)):
            self.hit_end = True
            raise _Stopped(True)

    def _space(self) -> None:
        place = self._here()
        found = self._source.blanks(place) if isinstance(self._source, OpenText) else None
        if found is None:
            self.position = self._run(place, None, SPACES, False)
        else:
            self.position = found[0]
            self.hit_end = build.lor(self.hit_end, found[1])

    def _skip_space(self) -> None:
        self._space()
        self._here()

    def _run(self, start: int, width: int | None, members: bytes, inverted: bool) -> Any:
        """Where a run of characters that are (not, if ``inverted``) ``members`` ends."""
        source = self._source
        stop = source.reach(start, None if width is None else start + width)
        end: Any = stop
        ended: Any = width is None or stop < start + width
        for place in reversed(range(start, stop)):
            present = source.present(place)
            inside = build.land(present, belongs(source.values[place], members, inverted))
            end = build.ite(inside, end, place, bv(LENGTH_BITS))
            # The run looks at the byte behind it: is that the end of the input?
            ended = build.lor(build.lnot(present), build.land(inside, ended))
        self.hit_end = build.lor(self.hit_end, ended)
        return end

    # Conversions

    def _count(self, target: int, size: int) -> None:
        self._source.counted()
        value = texts.resized(self.position, 8 * size)
        self._stores.append(lambda: self._call.store(target, value, size))

    def _characters(self, width: int, target: int | None) -> None:
        start = self._here()
        self._need(start)
        count = 1
        while count < width and truth(self._call, self._source.present(start + count)):
            count += 1
        self.hit_end = build.lor(self.hit_end, count < width)
        values = self._source.values[start : start + count]
        self.position = start + count
        if target is not None:
            self._put(target, texts.of_values(values), False)

    def _word(self, width: int | None, members: bytes, wanted: bool, target: int | None) -> None:
        start = self._here()
        self._need(start)
        if not truth(self._call, belongs(self._source.values[start], members, not wanted)):
            raise _Stopped(False)
        width = self._most(width, target)
        end = self._run(start, width, members, not wanted)
        self.position = end
        if target is not None:
            stop = self._source.reach(start, None if width is None else start + width)
            text = texts.of_values(self._source.values[start:stop], build.sub(end, start, LENGTH_BITS), 1)
            self._put(target, text, True)

    def _most(self, width: int | None, target: int | None) -> int | None:
        """How many characters of a word are of interest: one that does not fit in memory fails, however long it is."""
        if target is None or self._allocates:
            return width
        room = self._call.room(target, write=True)
        return room if width is None else min(width, room)

    def _put(self, target: int, text: texts.Text, terminator: bool) -> None:
        """Store characters, in a new object if the format asks for that; fails where there is no room for them."""
        call = self._call
        if self._allocates:
            values = text.values()[: call.concrete(text.length, LENGTH_BITS)]
            self._stores.append(lambda: self._put_new(target, [*values, *[0] * terminator]))
            return
        extra = int(terminator)
        texts.fits(call, target, build.add(text.length, extra, LENGTH_BITS), text.most + extra)
        self._stores.append(lambda: texts.store_text(call, target, text, terminator))

    def _put_new(self, target: int, values: list[Any]) -> None:
        address = self._call.allocate(len(values))
        self._call.write_bytes(address, values)
        self._call.store(target, address, self._call.state.run.layout.pointer_bytes)

    def _open_word(self, width: int | None, target: int | None) -> bool:
        """Read a word whose text nobody has looked at, white space before it included; False where it is not so."""
        if not isinstance(self._source, OpenText):
            return False
        size = width or 1
        if target is not None:
            found = self._call.state.memory.find(target)
            if self._allocates or found is None or found[0].base in self._call.state.memory.extents:
                return False
            room = found[0].size - found[1]
            size = min(width or room, room)
        if not 0 < size <= MOST_CHARACTERS:
            return False
        word = self._source.word(self._here(), size, target is not None or width is not None)
        if word is None:
            return False
        self.position = word.end
        self.hit_end = build.lor(self.hit_end, word.ended)
        if word.missing:
            raise _Stopped(True)
        if target is not None:
            self._put(target, texts.of_values(word.value, word_length(word.value), 1), True)
        return True

    def _open_number(self, conversion: str, width: int | None, size: int, target: int | None) -> bool:
        """Read a number whose text nobody has looked at, white space before it included; False where it is not so."""
        if not isinstance(self._source, OpenText) or width is not None:
            return False
        found = self._source.number(self._here(), conversion, size)
        if found is None:
            return False
        self.position = found.end
        if found.missing:
            self.hit_end = True
            raise _Stopped(True)
        self._converted(found.value, found.end, found.ended, size, target)
        return True

    def _integer(self, kind: bytes, width: int | None, size: int, target: int | None) -> None:
        call, start = self._call, self._here()
        self._need(start)
        # libc converts with strtol, or strtoll for 8 bytes, and stores the low part of that.
        bits = 64 if size == 8 else call.pointer_bits
        base, signed = BASES[kind], kind in b"di"
        if kind == b"p" and truth(call, build.eq(self._source.values[start], ord("("), 8)):
            self._null_pointer(start, width, size, target)
            return
        value, end, ended = numbers.read_integer(call, self._source, start, width, base, signed, bits, 8 * size)
        self._converted(value, end, ended, size, target)

    def _null_pointer(self, start: int, width: int | None, size: int, target: int | None) -> None:
        """``(nil)`` stands for null, in any case of letters; what differs from it is put back."""
        for place, letter in enumerate(b"(nil)"):
            if place == width:
                raise _Stopped(False)
            at = self.position = start + place
            if not truth(self._call, self._source.present(at)):
                self._converted(None, at, True, size, target)
            if not truth(self._call, build.eq(build.or_(self._source.values[at], letter & 32, 8), letter, 8)):
                raise _Stopped(False)
        self._converted(0, start + 5, False, size, target)

    def _real(self, width: int | None, length: bytes, target: int | None) -> None:
        start = self._here()
        self._need(start)
        long_double = self._call.state.run.target.long_double
        kind = {b"l": FloatKind.DOUBLE, b"L": long_double}.get(length, FloatKind.FLOAT)
        sort = sort_of_float(kind)
        number, end, ended = numbers.read_real(self._call, self._source, start, width, sort)
        value = None if number is None else encoded(number, kind)
        self._converted(value, end, ended, -(-sort.width // 8), target)

    def _converted(self, value: Any, end: Any, ended: Any, size: int, target: int | None) -> None:
        """A number was read, or, if the value is None, something that is none; ``ended``: and the end of the input."""
        self.hit_end = build.lor(self.hit_end, ended)
        self.position = end
        if value is None:
            raise _Stopped(False)
        if target is not None:
            self._stores.append(lambda: self._call.store(target, value, size))


def belongs(value: Any, members: bytes, inverted: bool) -> Any:
    """Whether a byte is one of ``members``, or is not."""
    inside = one_of(value, members, 8)
    return build.lnot(inside) if inverted else inside


# The functions


def _scan_stream(call: Invocation, address: Any, form: Any, arguments: Arguments) -> Any:
    where, stream = streams.stream_at(call, address)
    text = texts.one_value(call, form)
    source = open_text(call, stream)
    scan = Scan(call, supply_of(call, where, stream) if source is None else source, arguments)
    result = scan.run(text)
    streams.consume_from(call, where, stream, scan.position, scan.hit_end)
    return result


def _scan_string(call: Invocation, address: Any, form: Any, arguments: Arguments) -> Any:
    text = texts.c_string(call, call.pointer(address))
    return Scan(call, StringSupply(text.values()), arguments).run(texts.one_value(call, form))


def _scan_input(call: Invocation, form: Any, arguments: Arguments) -> Any:
    return _scan_stream(call, streams.standard_stream(call, 0)[0], form, arguments)


def _family(name: str, handler: Callable[..., Any], leading: int, reads_input: bool) -> None:
    """All forms of a function; glibc's headers rename them, by the version of C that is compiled."""
    direct, listed = forms(handler, leading)
    for prefix in ("", "__isoc99_", "__isoc23_"):
        model(f"{prefix}{name}", effect=WRITES_ARGUMENTS.but(reads_input=reads_input))(direct)
        model(f"{prefix}v{name}", effect=ANYTHING.but(reads_input=reads_input))(listed)


_family("scanf", _scan_input, 0, True)
_family("fscanf", _scan_stream, 1, True)
_family("sscanf", _scan_string, 1, False)
