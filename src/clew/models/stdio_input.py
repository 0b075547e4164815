"""stdio.h: input by characters, lines and blocks.

What is read from symbolic standard input, or a symbolic file, goes to memory as it is: how much there is decides,
byte by byte, between the new value and the old one. Only the end of the file before a line begins is a fork.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.analysis.model_effect import ANYTHING, COPIES, READS, WRITES_ARGUMENTS
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.models import streams, texts
from clew.models.streams import EOF, Stream
from clew.models.supplies import Supply
from clew.models.texts import LENGTH_BITS, truth

NEWLINE = 10
LINE_ROOM = 120
"""Bytes glibc's ``getline`` allocates first."""


def supply_of(call: Invocation, where: int, stream: Stream, wanted: int = streams.FAR, grows: bool = False) -> Supply:
    """What a stream has to read, of which so much is of interest; nothing, and an error, where it cannot be read."""
    found = streams.supply(call, stream.descriptor, stream.pushed, wanted, grows)
    if found is None:
        streams.keep_stream(call, where, replace(stream, failed=True))
        return Supply((), (), 0, 0)
    return found


# Characters


def _get_char(call: Invocation, where: int, stream: Stream) -> Any:
    source = supply_of(call, where, stream, 1)
    present = source.present(0)
    value: Any = EOF
    if len(source):
        value = build.ite(present, build.zext(source.values[0], 8, 32), EOF, bv(32))
    streams.consume_from(call, where, stream, 1, build.lnot(present))
    return value


@model("getchar", effect=READS.but(reads_input=True))
@model("getchar_unlocked", overrides=True, effect=READS.but(reads_input=True))
def getchar(call: Invocation) -> Any:
    return _get_char(call, *streams.standard_stream(call, 0))


@model("getc", "fgetc", "_IO_getc", effect=READS.but(reads_input=True))
@model("getc_unlocked", "fgetc_unlocked", overrides=True, effect=READS.but(reads_input=True))  # in glibc's header
def getc(call: Invocation, stream: Any) -> Any:
    return _get_char(call, *streams.stream_at(call, stream))


@model("ungetc", effect=READS)
def ungetc(call: Invocation, char: Any, stream: Any) -> Any:
    """Push a character back; the end of the file is not one."""
    where, held = streams.stream_at(call, stream)
    if truth(call, build.eq(char, EOF, 32)):
        return EOF
    byte = build.extract(char, 7, 0)
    streams.keep_stream(call, where, replace(held, pushed=(byte, *held.pushed), ended=False))
    return build.zext(byte, 8, 32)


# Lines


def line(source: Supply, limit: int, delimiter: int = NEWLINE) -> tuple[Any, Any]:
    """How many of the next bytes are the rest of the line, at most ``limit``, and whether the file ends it.

    There is a first byte.
    """
    most = min(limit, len(source))
    count: Any = most
    ended: Any = most < limit and build.ne(source.values[most - 1], delimiter, 8)
    for place in reversed(range(1, most)):
        complete = build.eq(source.values[place - 1], delimiter, 8)
        missing = build.lnot(source.present(place))
        count = build.ite(build.lor(complete, missing), place, count, bv(LENGTH_BITS))
        ended = build.land(build.lnot(complete), build.lor(missing, ended))
    return count, ended


def _line_begins(call: Invocation, where: int, stream: Stream, source: Supply) -> bool:
    """Whether there is anything to read; forks. At the end of the file the stream remembers that."""
    if truth(call, source.present(0)):
        return True
    streams.consume_from(call, where, stream, 0, True)
    return False


@model("fgets", "fgets_unlocked", effect=COPIES.but(reads_input=True))
def fgets(call: Invocation, target: Any, size: Any, stream: Any) -> int:
    where, held = streams.stream_at(call, stream)
    address, limit = call.pointer(target), call.concrete(size, 32)
    if limit >> 31 or limit == 0:
        return 0
    if limit == 1:
        call.store(address, 0, 1)
        return address
    source = supply_of(call, where, held, limit - 1)
    if not _line_begins(call, where, held, source):
        return 0
    count, ended = line(source, limit - 1)
    texts.store_text(call, address, texts.of_values(source.values[: limit - 1], count, 1))
    streams.consume_from(call, where, held, count, ended)
    return address


@model("__fgets_chk", effect=COPIES.but(reads_input=True))
def fgets_chk(call: Invocation, target: Any, room: Any, *rest: Any) -> Any:
    return fgets(call, target, *rest)


@model("gets", "__gets_chk", effect=COPIES.but(reads_input=True))
def gets(call: Invocation, target: Any, *_: Any) -> int:
    """Reads a line of any length, without its newline."""
    where, held = streams.standard_stream(call, 0)
    address = call.pointer(target)
    source = supply_of(call, where, held)
    if not _line_begins(call, where, held, source):
        return 0
    count, ended = line(source, len(source) + 1)
    kept = build.ite(ended, count, build.sub(count, 1, LENGTH_BITS), bv(LENGTH_BITS))
    texts.store_text(call, address, texts.of_values(source.values, kept))
    streams.consume_from(call, where, held, count, ended)
    return address


@model("getline", "__getline", effect=ANYTHING.but(reads_input=True))
def getline(call: Invocation, line_place: Any, size_place: Any, stream: Any) -> Any:
    return getdelim(call, line_place, size_place, NEWLINE, stream)


@model("getdelim", "__getdelim", effect=ANYTHING.but(reads_input=True))
def getdelim(call: Invocation, line_place: Any, size_place: Any, delimiter: Any, stream: Any) -> Any:
    """Reads a line into a heap object, which it makes or makes larger where need be."""
    where, held = streams.stream_at(call, stream)
    word = call.state.run.layout.pointer_bytes
    places = call.pointer(line_place), call.pointer(size_place)
    old = call.pointer(call.load(places[0], word))
    room = call.pointer(call.load(places[1], word)) if old else 0
    stop = call.concrete(delimiter, 32) & 255
    source = supply_of(call, where, held)
    if not _line_begins(call, where, held, source):
        return (1 << call.pointer_bits) - 1
    count, ended = line(source, len(source) + 1, stop)
    text = texts.of_values(source.values, count, 1)
    target = old
    if room < text.most + 1:
        room = max(LINE_ROOM, text.most + 1)
        target = call.state.memory.allocate(room, "heap", "", 16, call.location)
        if old:
            call.state.memory.free(old)
        call.store(places[0], target, word)
        call.store(places[1], room, word)
    texts.store_text(call, target, text)
    streams.consume_from(call, where, held, count, ended)
    return texts.resized(count, call.pointer_bits)


# Blocks


def read_block(call: Invocation, source: Supply, address: int, total: int) -> Any:
    """Copy up to ``total`` bytes to memory; how many there were."""
    count = source.available(total)
    if min(total, len(source)):
        text = texts.of_values(source.values[:total], count)
        texts.store_text(call, address, text, terminator=False)
    return count


@model("fread", "fread_unlocked", effect=WRITES_ARGUMENTS.but(reads_input=True))
def fread(call: Invocation, target: Any, size: Any, count: Any, stream: Any) -> Any:
    where, held = streams.stream_at(call, stream)
    unit = call.pointer(size)
    total = unit * call.pointer(count)
    address = call.pointer(target)
    if total == 0:
        return 0
    got = read_block(call, supply_of(call, where, held, total, True), address, total)
    missing = got < total if not isinstance(got, Expr) else build.ult(got, total, LENGTH_BITS)
    streams.consume_from(call, where, held, got if held.pushed else min(total, streams.FAR), missing)
    bits = call.pointer_bits
    return build.udiv(texts.resized(got, bits), unit, bits)


@model("__fread_chk", effect=WRITES_ARGUMENTS.but(reads_input=True))
def fread_chk(call: Invocation, target: Any, room: Any, *rest: Any) -> Any:
    return fread(call, target, *rest)


# Indicators


@model("feof", effect=READS.but(reads_input=True))
@model("feof_unlocked", overrides=True, effect=READS)
def feof(call: Invocation, stream: Any) -> Any:
    ended = streams.stream_at(call, stream)[1].ended
    return build.bool_to_bv(ended, 32)


@model("ferror", effect=READS.but(reads_input=True))
@model("ferror_unlocked", overrides=True, effect=READS)
def ferror(call: Invocation, stream: Any) -> int:
    return int(streams.stream_at(call, stream)[1].failed)


@model("clearerr", "clearerr_unlocked", effect=READS)
def clearerr(call: Invocation, stream: Any) -> None:
    where, held = streams.stream_at(call, stream)
    streams.keep_stream(call, where, replace(held, ended=False, failed=False))
