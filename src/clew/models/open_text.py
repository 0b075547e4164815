"""The text of a file from a place on that nothing has looked at: what ``scanf`` reads there is the input.

A number may be written in many ways, of which a program sees none: so ``%d`` at such a place takes the number itself
for an input, beside the way it ends. The file's text gets ``numerals.numeral_width`` bytes for it: a blank, then

* nothing: the file ends here, or behind the blank;
* ``0``, and the number follows, written in full in the file of a test. No digit comes after it;
* a sign that no digit follows: it is read, and is no number;
* anything else but blanks and digits: it is not read.

All that a file may hold is one of these, up to white space, leading zeros, signs and digits out of range, which give no
other values. Who asks where the file is read up to, learns it for this text alone, which is a loss; and so it is to
look at the text of a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.base.numerals import BASES, PRESENT, input_name, numeral_width
from clew.execute.inputs import InputKind, read_input
from clew.expr import build
from clew.expr.node import Expr
from clew.models import streams
from clew.models.parsing import digit_value, is_space, one_of
from clew.models.streams import Contents, Numeral, Stream, Supply
from clew.models.texts import LENGTH_BITS, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_TYPES = {1: "char", 2: "short", 4: "int", 8: "long long"}
_BLANK = ord(" ")
_GROWTH = 64
"""Bytes that a file gets longer by when numbers are read from it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a conversion came upon: a number, or None, how far the text is read, and if the end was seen."""

    value: Any
    end: int
    ended: Any
    missing: bool = False
    """There was no text left."""


class OpenText(Supply):
    """What a file has to read, as far as it is asked for: ``present`` is, and ``len`` asks for all there is."""

    def __init__(self, call: Invocation, file: str, position: int) -> None:
        super().__init__((), (), 0, 0)
        self._call = call
        self._file = file
        self._start = position
        self._refresh()

    @property
    def _inside(self) -> Contents:
        return streams.contents(self._call, self._file)

    def _refresh(self) -> None:
        self.values = list(self._inside.data[self._start :])

    def _keep(self, inside: Contents) -> None:
        streams.keep_contents(self._call, self._file, inside)
        self._refresh()

    def _grow(self, stop: int) -> None:
        """Have bytes up to a position, unless the file may not get longer."""
        if stop > len(self._inside.data):
            streams.reaching(self._call, self._file, max(stop, len(self._inside.data) + _GROWTH), True)
            self._refresh()

    def _longer(self, position: int) -> Any:
        """Whether there is a byte at a position."""
        return build.ult(position, self._inside.length, LENGTH_BITS)

    def __len__(self) -> int:
        streams.bounded(self._call, self._file)
        streams.look(self._call, self._file, self._start, streams.FAR)
        return len(self.values)

    def present(self, place: int) -> Any:
        at = self._start + place
        self._grow(at + 1)
        streams.look(self._call, self._file, at, at + 1)
        return at < len(self._inside.data) and self._longer(at)

    def counted(self) -> None:
        streams.shown_places(self._call, self._file)

    def _record(self, at: int) -> Numeral | None:
        return next((numeral for numeral in self._inside.numerals if numeral.start == at), None)

    def _is_open(self, at: int) -> bool:
        return at >= self._inside.looked_at and self._inside.growths > 0

    # White space

    def blanks(self, place: int) -> tuple[int, Any] | None:
        """Where white space ends, and if the file does there; None where its bytes tell."""
        at = self._start + place
        if at == self._inside.spaced:
            return place, build.lnot(self._longer(at))
        record = self._record(at)
        if record is None and self._is_open(at):
            self._grow(at + 2)
            if not self._is_open(at):
                return None
            inside = self._inside
            self._call.assume(build.eq(inside.data[at], _BLANK, 8))
            self._call.assume(build.lnot(is_space(inside.data[at + 1])))
            record = Numeral(at, at + 1, "", 0, 0)
            numerals = (*inside.numerals, record)
            self._keep(replace(inside, numerals=numerals, looked_at=at + 1, spaced=at + 1))
        if record is None or record.conversion:
            return None
        return place + 1, build.lnot(self._longer(at + 1))

    # Integers

    def integer(self, place: int, conversion: str, size: int) -> Found | None:
        """What a conversion reads, white space before it included; None where the bytes tell. May fork."""
        at = self._start + place
        if conversion not in BASES:
            return None
        if at < self._inside.looked_at and self._record(at) is None:
            return self._known_to_fail(at)
        record = self._record(at) or self._new(at, conversion, size)
        if record is None or (record.conversion, record.size) != (conversion, size):
            return None
        return self._outcome(record)

    def _known_to_fail(self, at: int) -> Found | None:
        """Of a byte that was looked at: at the end, and with one that begins no number, there is none."""
        place = at - self._start
        if not truth(self._call, self.present(place)):
            return Found(None, place, True, True)
        byte = self.values[place]
        begins = build.disjunction([is_space(byte), one_of(byte, "+-"), digit_value(byte, 16)[0]])
        return None if truth(self._call, begins) else Found(None, place, False)

    def _new(self, at: int, conversion: str, size: int) -> Numeral | None:
        """Make what is at a place a number, or none, as said above; None where the file may not get longer."""
        stop = at + numeral_width(conversion, size)
        self._grow(stop + 1)
        if not self._is_open(at):
            return None
        call, inside, base = self._call, self._inside, BASES[conversion]
        ctype = _TYPES[size]
        ctype = f"unsigned {ctype}" if conversion != "d" else "signed char" if size == 1 else ctype
        name = input_name(self._file, conversion, at)
        value = read_input(call.state, name, ctype, 8 * size, InputKind.NONDET)
        first, second, behind = (inside.data[position] for position in (at + 1, at + 2, stop))
        for symbol, usual in ((first, PRESENT), (behind, _BLANK)):
            if isinstance(symbol, Expr) and symbol not in call.state.model.values:
                # The first path reads a number.
                call.state.model = call.state.model.updated({symbol: usual})
        number = build.eq(first, PRESENT, 8)
        call.assume(build.lnot(is_space(first)))
        call.assume(build.lor(number, build.lnot(digit_value(first, base)[0])))
        call.assume(build.lnot(build.land(one_of(first, "+-"), digit_value(second, base)[0])))
        call.assume(build.lnot(build.land(number, digit_value(behind, base)[0])))
        there = build.ule(stop, inside.length, LENGTH_BITS)
        call.assume(build.disjunction([build.lnot(self._longer(at + 1)), build.lnot(number), there]))
        record = Numeral(at, stop, conversion, size, value)
        data = (*inside.data[:at], _BLANK, *inside.data[at + 1 :])
        self._keep(replace(inside, data=data, numerals=(*inside.numerals, record), looked_at=at + 2))
        return record

    def _outcome(self, record: Numeral) -> Found:
        call, at, place = self._call, record.start, record.start - self._start
        first = self._inside.data[at + 1]
        if not truth(call, self._longer(at + 1)):
            self._settle(record, at + 1, at + 2)
            return Found(None, place + 1, True, True)
        if truth(call, build.eq(first, PRESENT, 8)):
            self._settle(record, record.stop, record.stop)
            return Found(record.value, record.stop - self._start, build.lnot(self._longer(record.stop)))
        self._settle(record, at + 1, at + 2)
        if truth(call, one_of(first, "+-")):
            return Found(None, place + 2, build.lnot(self._longer(at + 2)))
        return Found(None, place + 1, False)

    def _settle(self, record: Numeral, stop: int, looked_at: int) -> None:
        """Whether it is a number is decided: the bytes up to ``stop`` are its text, and what is behind is open."""
        inside = self._inside
        numerals = tuple(replace(item, stop=stop) if item is record else item for item in inside.numerals)
        self._keep(replace(inside, numerals=numerals, looked_at=max(inside.looked_at, looked_at)))


def open_text(call: Invocation, stream: Stream) -> OpenText | None:
    """What a stream has to read, if it is a file of which it is open how it goes on, or was. May fork."""
    opened = streams.descriptor(call, stream.descriptor)
    if opened is None or not opened.readable or stream.pushed:
        return None
    inside = call.recall(f"file {opened.file}")
    of_a_test = call.recall(f"unread {opened.file}") is not None
    if not isinstance(inside, Contents) or not (inside.numerals or (inside.growths and of_a_test)):
        return None
    return OpenText(call, opened.file, call.concrete(opened.position, LENGTH_BITS))
