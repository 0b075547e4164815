"""Open files of a path: contents, descriptors and stdio streams, kept as immutable values in its environment.

    FILE * (address) -> Stream -> descriptor number -> Descriptor -> name of a file -> Contents

Contents have a symbolic length at most: byte n is there if n < length. A position may run past the end, which
reads the same as being at the end; so reading does not fork, and a position stays a number as long as what was
read has a fixed size. A symbolic position is made concrete when the file is used again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.numerals import PLACES
from clew.execute.arguments import LENGTH, STANDARD_INPUT, STANDARD_STREAMS, read_length
from clew.execute.ends import BEYOND
from clew.execute.inputs import InputKind, read_input, read_object
from clew.expr import build
from clew.expr.node import Expr
from clew.memory.globals import MADE_UP
from clew.models.supplies import Supply
from clew.models.texts import LENGTH_BITS

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

STDIN = "standard input"
STDOUT = "standard output"
STDERR = "standard error"
_STANDARD = (STDIN, STDOUT, STDERR)
EOF = (1 << 32) - 1
FAR = 1 << 20
"""Bytes one read moves on at most: further than any symbolic file is long."""
LARGEST_GROWTH = 256
"""Bytes that a file may get longer by when a program reads a block; who asks for more takes what there is."""
FILE_SIZE = 16
"""Symbolic bytes of a file the program reads, before it grows."""
GROWTHS = 16
LONGEST = FILE_SIZE + GROWTHS * LARGEST_GROWTH + 1
"""More than is ever read: a file that goes on is as good as this one, unless the program asks how long it is."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """Bytes of a file that were read as a number, which is an input, or, without a conversion, as white space."""

    start: int
    stop: int
    conversion: str
    size: int
    value: Any


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's bytes, of which the first ``length`` are there."""

    data: tuple[Any, ...] = ()
    length: Any = 0
    growths: int = 0
    """How often a file may still get longer than ``data``: as long as it may, its length may be more than that."""
    looked_at: int = 0
    """The bytes from here on have been of no account so far; at most the first of them is known not to be a digit."""
    numerals: tuple[Numeral, ...] = ()
    """Where numbers were read without a look at their text: see ``open_text``."""
    spaced: int = -1
    """Here all white space has been read: no more is to come."""


UNKNOWN = "unknown"
"""In place of contents: text of symbolic length was written, or between numbers that were read."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    """An open file."""

    file: str
    readable: bool = True
    writable: bool = False
    append: bool = False
    position: Any = 0
    sink: bool = False
    """What is written goes elsewhere: it is not what is read."""
    overrun: bool = False
    """The position was reached by reading: past the end, it stands for the end."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What a ``FILE *`` stands for."""

    descriptor: int
    pushed: tuple[Any, ...] = ()
    """Characters pushed back, the next one first."""
    ended: Any = False
    failed: bool = False


def stream_at(call: Invocation, address: Any) -> tuple[int, Stream]:
    """The stream a ``FILE *`` leads to; fails for one that is null, closed or no stream."""
    where = call.pointer(address)
    stream = call.recall(f"stream {where}")
    if stream is None:
        standard = call.recall(STANDARD_STREAMS, ())
        if where not in standard:
            call.room(where)  # null, freed or wild: reported as the access to the stream it is
            found = call.state.memory.find(where)
            kind = BEYOND if found is not None and found[0].kind in (MADE_UP, "input") else "other"
            call.fail(kind, f"{call.name}() is given a pointer to something that is no stream")
        stream = Stream(standard.index(where))
    return where, stream


def standard_stream(call: Invocation, number: int) -> tuple[int, Stream]:
    """``stdin``, ``stdout`` or ``stderr``."""
    standard = call.recall(STANDARD_STREAMS, ())
    where = standard[number]
    return where, call.recall(f"stream {where}") or Stream(number)


def keep_stream(call: Invocation, where: int, stream: Stream | None) -> None:
    call.remember(f"stream {where}", stream)


def descriptor(call: Invocation, number: int) -> Descriptor | None:
    """The open file of a number."""
    known = call.recall(f"descriptor {number}")
    if known is None and number < len(_STANDARD) and not call.recall(f"closed {number}"):
        known = Descriptor(_STANDARD[number], number == 0, number > 0)
    return known if isinstance(known, Descriptor) else None


def keep_descriptor(call: Invocation, number: int, value: Descriptor | None) -> None:
    call.remember(f"descriptor {number}", value)
    if value is None:
        call.remember(f"closed {number}", True)


def contents(call: Invocation, file: str) -> Contents:
    """What is in a file."""
    known = call.recall(f"file {file}")
    if known == UNKNOWN:
        raise Unsupported("the contents of a file written with text, or among numbers, of symbolic length")
    if known is None and file == STDIN:
        given = call.recall(STANDARD_INPUT)
        known = any_contents(call, STDIN) if given is None else Contents(*given)
        keep_contents(call, STDIN, known)
    return known if isinstance(known, Contents) else Contents()


def any_contents(call: Invocation, file: str) -> Contents:
    """What may be in a file that the program has not seen: inputs, of which there may be more."""
    name = spoken(file)
    length = read_length(call.state, LENGTH if file == STDIN else f"{name} length", FILE_SIZE, LONGEST)
    return Contents(read_object(call.state, name, f"char[{FILE_SIZE}]", FILE_SIZE), length, GROWTHS)


def spoken(file: str) -> str:
    """What the inputs call a file."""
    return "stdin" if file == STDIN else file


def keep_contents(call: Invocation, file: str, value: Contents) -> None:
    call.remember(f"file {file}", value)


def true_position(call: Invocation, opened: Descriptor) -> Any:
    """Where the next byte would be read or written."""
    length = contents(call, opened.file).length
    shown_places(call, opened.file)
    if not opened.overrun or opened.position == 0:
        return opened.position
    if not isinstance(length, Expr) and not isinstance(opened.position, Expr):
        return min(opened.position, length)
    return build.umin(opened.position, length, LENGTH_BITS)


def supply(
    call: Invocation, number: int, pushed: tuple[Any, ...] = (), wanted: int = FAR, grows: bool = False
) -> Supply | None:
    """What a descriptor has to read; None where it cannot be read. May fork over its position.

    ``wanted``: no more than so many bytes are of interest; if need be the file ``grows`` to have them.
    """
    opened = descriptor(call, number)
    if opened is None or not opened.readable:
        return None
    position = call.concrete(opened.position, LENGTH_BITS)
    stop = position + max(0, wanted - len(pushed))
    inside = reaching(call, opened.file, stop, grows)
    look(call, opened.file, position, stop)
    return Supply(pushed, inside.data, position, inside.length)


def reaching(call: Invocation, file: str, end: int, grows: bool) -> Contents:
    """A file's contents up to a position: its next bytes become inputs where the program has not read so far yet."""
    inside = contents(call, file)
    missing = end - len(inside.data)
    if missing <= 0 or not inside.growths:
        return inside
    if missing > LARGEST_GROWTH or not grows:
        return bounded(call, file)
    name = f"{spoken(file)} from {len(inside.data)}"
    more = read_object(call.state, name, f"char[{missing}]", missing)
    inside = replace(inside, data=(*inside.data, *more), growths=inside.growths - 1)
    keep_contents(call, file, inside)
    return inside if inside.growths else bounded(call, file)


def bounded(call: Invocation, file: str) -> Contents:
    """A file's contents, which end where they were read up to, or before that: a loss, where they might go on."""
    inside = contents(call, file)
    if inside.growths:
        size = len(inside.data)
        what = f"files of more than {size} bytes: a file the program reads is given that many at most"
        if file == STDIN:
            what = f"standard inputs of more than {size} bytes: --stdin N gives it up to N"
        call.state.run.note_loss("bounded", what, call.state)
        call.assume(build.ule(inside.length, size, LENGTH_BITS))
        inside = replace(inside, growths=0)
        keep_contents(call, file, inside)
    return inside


def full_length(call: Invocation, file: str) -> Any:
    """How long a file is, for a program that asks."""
    shown_places(call, file)
    return bounded(call, file).length


def look(call: Invocation, file: str, start: int, stop: int) -> None:
    """The program looks at bytes of a file from ``start`` up to ``stop``, which must not be those of a number."""
    inside = contents(call, file)
    stop = min(stop, len(inside.data))
    if any(numeral.start < stop and start < numeral.stop for numeral in inside.numerals):
        raise Unsupported("the text of numbers that scanf has read from a file, read once more")
    if stop > inside.looked_at and inside.growths:
        keep_contents(call, file, replace(inside, looked_at=stop))


def shown_places(call: Invocation, file: str) -> None:
    """The program asks where in a file it is, or how long that is: a loss, where numbers may be longer or shorter.

    Tests are to know of it, as they leave out blanks otherwise.
    """
    if contents(call, file).numerals:
        if not call.recall(f"{PLACES} {file}"):
            call.remember(f"{PLACES} {file}", True)
            read_input(call.state, f"{spoken(file)} {PLACES}", "unsigned char", 8, InputKind.NONDET)
        what = "numbers in files that are written otherwise: the program asks how far it has read"
        call.state.run.note_loss("bounded", what, call.state)


def consume(call: Invocation, number: int, count: Any) -> None:
    """``count`` bytes of the file were read, or less where it has ended."""
    opened = descriptor(call, number)
    assert opened is not None
    position = call.concrete(opened.position, LENGTH_BITS)
    moved = build.add(position, count, LENGTH_BITS)
    keep_descriptor(call, number, replace(opened, position=moved, overrun=True))


def consume_from(call: Invocation, where: int, stream: Stream, count: Any, hit_end: Any) -> None:
    """``count`` bytes of a stream were read: first those pushed back. ``hit_end``: it tried to read past the end."""
    if stream.pushed:
        count = call.concrete(count, LENGTH_BITS)
        used = min(count, len(stream.pushed))
        stream = replace(stream, pushed=stream.pushed[used:])
        count -= used
    if (isinstance(count, Expr) or count) and descriptor(call, stream.descriptor) is not None:
        consume(call, stream.descriptor, count)
    keep_stream(call, where, replace(stream, ended=build.lor(stream.ended, hit_end)))


def put(call: Invocation, number: int, values: Sequence[Any] | None, shown: bytes, count: Any) -> None:
    """Write bytes to a descriptor; ``values`` None where they are symbolic in number.

    What goes to standard output is the program's output; other files keep what was written. Never forks.
    """
    opened = descriptor(call, number)
    if opened is None or not opened.writable:
        return
    if opened.file == STDOUT:
        call.write(shown)
        return
    if opened.file in _STANDARD or opened.sink:
        return
    if values is None or call.recall(f"file {opened.file}") == UNKNOWN:
        call.remember(f"file {opened.file}", UNKNOWN)
        return
    old = bounded(call, opened.file)
    position = old.length if opened.append else true_position(call, opened)
    if isinstance(position, Expr) or old.numerals:
        call.remember(f"file {opened.file}", UNKNOWN)
        return
    data = [*old.data[:position], *([0] * (position - len(old.data))), *values, *old.data[position + len(values) :]]
    length: Any = old.length
    if not isinstance(length, Expr):
        length = max(length, position + len(values))
    else:
        length = build.umax(length, position + len(values), LENGTH_BITS)
    keep_contents(call, opened.file, Contents(tuple(data), length))
    keep_descriptor(call, number, replace(opened, position=position + len(values), overrun=False))
