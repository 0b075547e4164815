"""The text of a file from a place on that nothing has looked at: what ``scanf`` reads there is the input.

A number may be written in many ways, of which a program sees none: so ``%d`` at such a place takes the number itself
for an input, beside the way it ends. The file's text gets ``numerals.numeral_width`` bytes for it: a blank, then

* nothing: the file ends here, or behind the blank;
* ``0``, and the number follows, written in full in the file of a test. No digit comes after it;
* what begins a number, and is none: it is read, and what comes after it is open;
* anything else that begins none: it is not read.

What a program sees of any text, it sees of one of these: white space, leading zeros and digits out of range give no
other values. A word that ``%s`` reads is an input in the same way: there is one, or the file ends. Who asks where the
file is read up to, learns it for this text alone, which is a loss; and so it is to look at the text of a number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.base.numerals import BASES, PRESENT, SPELLED, WORD, input_name, numeral_width, word_width
from clew.execute.inputs import InputKind, read_input, read_object
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.models import streams
from clew.models.open_numerals import REALS, from_text, looks_behind, syntax_of, type_of
from clew.models.parsing import digit_value, is_space, one_of
from clew.models.streams import Contents, Numeral, Stream
from clew.models.supplies import Supply
from clew.models.texts import LENGTH_BITS, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_BLANK = ord(" ")
MOST_CHARACTERS = 256
"""Of a word, or of what else is read at once."""
_GROWTH = 64
"""Bytes that a file gets longer by when numbers are read from it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a conversion came upon, how far the text is read, and if the end was seen."""

    value: Any
    """A number, the characters of a word and what follows them, or None."""
    end: int
    ended: Any
    missing: bool = False
    """There was no text left."""


class OpenText(Supply):
    """What a file has to read, as far as it is asked for: by ``present`` for a byte, by ``reach`` for several."""

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
        while stop > len(self._inside.data) and self._inside.growths:
            size = len(self._inside.data)
            wanted = min(max(stop, size + _GROWTH), size + streams.LARGEST_GROWTH)
            streams.reaching(self._call, self._file, wanted, True)
            self._refresh()

    def _longer(self, position: int) -> Any:
        """Whether there is a byte at a position."""
        return build.ult(position, self._inside.length, LENGTH_BITS)

    def reach(self, start: int, stop: int | None) -> int:
        if stop is None or stop > MOST_CHARACTERS:
            streams.bounded(self._call, self._file)
            streams.look(self._call, self._file, self._start + start, streams.FAR)
        else:
            self._grow(self._start + stop)
        return super().reach(start, stop)

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

    # Numbers

    def number(self, place: int, conversion: str, size: int) -> Found | None:
        """What a conversion reads, white space before it included; None where the bytes tell. May fork."""
        at = self._start + place
        if conversion not in BASES or (conversion == "f" and size not in REALS):
            return None
        if at < self._inside.looked_at and self._record(at) is None:
            return self._known_to_fail(at, conversion)
        record = self._record(at) or self._new(at, conversion, size)
        if record is None or (record.conversion, record.size) != (conversion, size):
            return None
        return self._outcome(record)

    def _known_to_fail(self, at: int, conversion: str) -> Found | None:
        """Of a byte that was looked at: at the end, and with one that begins no number, there is none."""
        place = at - self._start
        if not truth(self._call, self.present(place)):
            return Found(None, place, True, True)
        byte = self.values[place]
        syntax = syntax_of(conversion)
        begins = build.lor(one_of(byte, syntax.others + syntax.partial), digit_value(byte, BASES[conversion])[0])
        begins = build.lor(begins, is_space(byte))
        return None if truth(self._call, begins) else Found(None, place, False)

    def _new(self, at: int, conversion: str, size: int) -> Numeral | None:
        """Make what is at a place a number, or none, as said above; None where the file may not get longer."""
        stop = at + numeral_width(conversion, size)
        self._grow(stop + 1)
        if not self._is_open(at):
            return None
        call, inside, base = self._call, self._inside, BASES[conversion]
        name, syntax = input_name(streams.spoken(self._file), conversion, at), syntax_of(conversion)
        value = read_input(call.state, name, type_of(conversion, size), 8 * size, InputKind.NONDET)
        first, second, behind = (inside.data[position] for position in (at + 1, at + 2, stop))
        self._usually({first: PRESENT, second: SPELLED, behind: _BLANK})
        number = build.eq(first, PRESENT, 8)
        call.assume(build.lnot(build.lor(is_space(first), one_of(first, syntax.others))))
        call.assume(build.lor(number, build.lnot(digit_value(first, base)[0])))
        call.assume(build.lnot(syntax.goes_on(first, second, base)))
        if conversion == "f":
            call.assume(from_text(value, size))
        longer = build.land(digit_value(behind, base)[0], looks_behind(conversion, size, value, second))
        call.assume(build.lnot(build.land(number, longer)))
        there = build.ule(stop, inside.length, LENGTH_BITS)
        call.assume(build.disjunction([build.lnot(self._longer(at + 1)), build.lnot(number), there]))
        return self._recorded(Numeral(at, stop, conversion, size, value))

    def _usually(self, usual: dict[Any, int]) -> None:
        """What the first path reads, where it is free to."""
        model = self._call.state.model
        fresh = {symbol: value for symbol, value in usual.items() if isinstance(symbol, Expr)}
        fresh = {symbol: value for symbol, value in fresh.items() if symbol not in model.values}
        self._call.state.model = model.updated(fresh)

    def _recorded(self, record: Numeral) -> Numeral:
        """Keep what is read at a place, behind a blank."""
        inside, at = self._inside, record.start
        data = (*inside.data[:at], _BLANK, *inside.data[at + 1 :])
        self._keep(replace(inside, data=data, numerals=(*inside.numerals, record), looked_at=at + 2))
        return record

    def _outcome(self, record: Numeral) -> Found:
        call, at, place = self._call, record.start, record.start - self._start
        first = self._inside.data[at + 1]
        if self._is_missing(record):
            return Found(None, place + 1, True, True)
        if truth(call, build.eq(first, PRESENT, 8)):
            self._settle(record, record.stop, record.stop)
            looks = looks_behind(record.conversion, record.size, record.value, self._inside.data[at + 2])
            ended = build.land(looks, build.lnot(self._longer(record.stop)))
            return Found(record.value, record.stop - self._start, ended)
        syntax = syntax_of(record.conversion)
        if truth(call, one_of(first, syntax.partial)):
            stop = at + 1 + syntax.read_in_vain
            self._settle(record, at + 1, stop)
            return Found(None, stop - self._start, build.lnot(self._longer(at + 2)))
        self._settle(record, at + 1, at + 2)
        return Found(None, place + 1, False)

    def _is_missing(self, record: Numeral) -> bool:
        """Whether the file ends before what was to be read. Forks."""
        missing = not truth(self._call, self._longer(record.start + 1))
        if missing:
            self._settle(record, record.start + 1, record.start + 2)
        return missing

    # Words

    def word(self, place: int, size: int, cut: bool) -> Found | None:
        """Up to ``size`` characters that ``%s`` reads, white space before them included; None where the bytes tell.

        ``cut``: the word may go on behind them; otherwise words of more are as good as those. May fork.
        """
        at = self._start + place
        record = self._record(at)
        if record is None and self._is_open(at):
            record = self._new_word(at, size, cut)
        if record is None or (record.conversion, record.size) != (WORD, size):
            return None
        if self._is_missing(record):
            return Found(None, place + 1, True, True)
        self._settle(record, record.stop, record.stop)
        looks_behind = build.lor(not cut, _is_shorter(record.value))
        ended = build.land(looks_behind, build.lnot(self._longer(record.stop)))
        return Found(record.value, record.stop - self._start, ended)

    def _new_word(self, at: int, size: int, cut: bool) -> Numeral | None:
        stop = at + word_width(size)
        self._grow(stop + 1)
        if not self._is_open(at):
            return None
        call, inside = self._call, self._inside
        name = input_name(streams.spoken(self._file), WORD, at)
        value = read_object(call.state, name, f"char[{size}]", size)
        first, behind = inside.data[at + 1], inside.data[stop]
        self._usually({**dict.fromkeys(value, _BLANK), value[0]: ord("a"), first: PRESENT, behind: _BLANK})
        call.assume(build.land(build.eq(first, PRESENT, 8), build.lnot(is_space(value[0]))))
        goes_on = build.land(cut, build.lnot(_is_shorter(value)))
        call.assume(build.disjunction([goes_on, is_space(behind), build.lnot(self._longer(stop))]))
        call.assume(build.lor(build.lnot(self._longer(at + 1)), build.ule(stop, inside.length, LENGTH_BITS)))
        return self._recorded(Numeral(at, stop, WORD, size, value))

    def _settle(self, record: Numeral, stop: int, looked_at: int) -> None:
        """Whether it is a number is decided: the bytes up to ``stop`` are its text, and what is behind is open."""
        inside = self._inside
        numerals = tuple(replace(item, stop=stop) if item is record else item for item in inside.numerals)
        self._keep(replace(inside, numerals=numerals, looked_at=max(inside.looked_at, looked_at)))


def _is_shorter(word: tuple[Any, ...]) -> Any:
    """Whether there is white space among the characters of a word: it ends there."""
    return build.disjunction([is_space(character) for character in word])


def word_length(word: tuple[Any, ...]) -> Any:
    """How many characters come before the first white space."""
    length: Any = len(word)
    for place in reversed(range(len(word))):
        length = build.ite(is_space(word[place]), place, length, bv(LENGTH_BITS))
    return length


def open_text(call: Invocation, stream: Stream) -> OpenText | None:
    """What a stream has to read, if it is a file of which it is open how it goes on, or was. May fork."""
    opened = streams.descriptor(call, stream.descriptor)
    if opened is None or not opened.readable or stream.pushed:
        return None
    inside = call.recall(f"file {opened.file}")
    if opened.file == streams.STDIN and inside is None:
        inside = streams.contents(call, opened.file)
    of_a_test = opened.file == streams.STDIN or call.recall(f"unread {opened.file}") is not None
    if not isinstance(inside, Contents) or not (inside.numerals or (inside.growths and of_a_test)):
        return None
    return OpenText(call, opened.file, call.concrete(opened.position, LENGTH_BITS))
