"""stdio.h: opening and closing files, and moving in them.

A file opened for reading that the program has not written itself is missing, or holds some symbolic bytes, or
fewer, or more: it grows with each block that the program reads, a number of times, and is bounded by what was
read if the program asks for its length, or for more at once (see ``streams``). Inputs, in the order of the first
opening of each name: ``NAME exists``, ``NAME length``, ``NAME``; and, as it grows, ``NAME from POSITION``.
Opening a file for writing always works; what is written is there when it is read again on the same path. An empty name
names no file. What fails leaves ``errno`` as Linux does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.analysis.model_effect import ANYTHING, READS, WRITES_OWN
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.models import mirrors, streams, texts
from clew.models.errno import EBADF, EINVAL, ENOENT, set_errno
from clew.models.streams import Contents, Descriptor, Stream
from clew.models.texts import LENGTH_BITS, truth

STREAM_SIZE = 16
FIRST_DESCRIPTOR = 3
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


def path_of(call: Invocation, address: Any) -> str:
    """The name of a file; a symbolic one is cut down to one of its values at a time."""
    return texts.one_value(call, address).decode("utf-8", "replace")


def exists(call: Invocation, name: str) -> bool:
    """Whether there is a file to read; asks for its contents when the path first wants to know. May fork.

    Leaves ``errno`` behind where there is none.
    """
    there = bool(name) and _is_there(call, name)
    set_errno(call, ENOENT, not there)
    return there


def _is_there(call: Invocation, name: str) -> bool:
    if call.recall(f"file {name}") is not None:
        return True
    if call.recall(f"removed {name}"):
        return False
    there = call.recall(f"exists {name}")
    if there is None:
        # Kept before the fork, so that the sibling does not read the inputs a second time.
        there = read_input(call.state, f"{name} exists", "_Bool", 1, InputKind.NONDET)
        call.remember(f"exists {name}", there)
        call.remember(f"unread {name}", streams.any_contents(call, name))
    if not truth(call, there):
        return False
    streams.keep_contents(call, name, call.recall(f"unread {name}"))
    return True


def open_file(call: Invocation, name: str, read: bool, write: bool, create: bool, clear: bool, append: bool) -> int:
    """A new descriptor, or -1."""
    if not name:
        set_errno(call, ENOENT)
        return -1
    untouched = call.recall(f"file {name}") is None and call.recall(f"exists {name}") is None
    if clear or (create and (untouched or not _is_there(call, name))):
        streams.keep_contents(call, name, Contents())
    elif not create and not exists(call, name):
        return -1
    number = next_descriptor(call)
    streams.keep_descriptor(call, number, Descriptor(name, read, write, append))
    return number


def next_descriptor(call: Invocation) -> int:
    """The number of the next file that is opened."""
    number = int(call.recall("next descriptor", FIRST_DESCRIPTOR))
    call.remember("next descriptor", number + 1)
    return number


def stream_on(call: Invocation, number: int, name: str) -> int:
    """A new ``FILE *`` for a descriptor."""
    address = call.state.memory.allocate(STREAM_SIZE, "stream", name, 16, call.location, b"", constant=True)
    streams.keep_stream(call, address, Stream(number))
    return address


@model("fopen", "fopen64", effect=WRITES_OWN.but(reads_input=True))
def fopen(call: Invocation, path: Any, mode: Any) -> int:
    name = path_of(call, path)
    how = path_of(call, mode)
    both, letter = "+" in how, how[:1]
    if letter not in ("r", "w", "a"):
        set_errno(call, EINVAL)
        return 0
    number = open_file(
        call, name, both or letter == "r", both or letter != "r", letter != "r", letter == "w", letter == "a"
    )
    return 0 if number < 0 else stream_on(call, number, name)


@model("fdopen", effect=WRITES_OWN)
def fdopen(call: Invocation, number: Any, mode: Any) -> int:
    descriptor = call.concrete(number, 32)
    opened = streams.descriptor(call, descriptor)
    if opened is None:
        set_errno(call, EBADF)
        return 0
    return stream_on(call, descriptor, opened.file)


@model("tmpfile", "tmpfile64", effect=WRITES_OWN.but(reads_input=True))
def tmpfile(call: Invocation) -> int:
    name = f"temporary file {call.recall('next descriptor', FIRST_DESCRIPTOR)}"
    return stream_on(call, open_file(call, name, True, True, True, True, False), name)


@model("freopen", "freopen64", effect=ANYTHING.but(reads_input=True))
def freopen(call: Invocation, path: Any, mode: Any, stream: Any) -> int:
    where, held = streams.stream_at(call, stream)
    opened = fopen(call, path, mode) if call.pointer(path) else 0
    if not opened:
        return 0
    streams.keep_descriptor(call, held.descriptor, None)
    fresh = call.recall(f"stream {opened}")
    streams.keep_stream(call, where, fresh)
    return where


@model("fclose", effect=ANYTHING)
def fclose(call: Invocation, stream: Any) -> int:
    """The stream's object is gone afterwards: using it again is reported like any use of freed memory."""
    where, held = streams.stream_at(call, stream)
    _show(call, held.descriptor)
    streams.keep_descriptor(call, held.descriptor, None)
    streams.keep_stream(call, where, None)
    call.state.memory.free(where)
    return 0


@model("fflush", "fflush_unlocked", effect=ANYTHING)
def fflush(call: Invocation, stream: Any = 0) -> int:
    if call.pointer(stream):
        _show(call, streams.stream_at(call, stream)[1].descriptor)
    return 0


def _show(call: Invocation, number: int) -> None:
    opened = streams.descriptor(call, number)
    if opened is not None:
        mirrors.flush(call, opened.file)


@model("setvbuf", "setbuf", "setlinebuf", "setbuffer", effect=ANYTHING)
def setvbuf(call: Invocation, stream: Any, *_: Any) -> int | None:
    """Nothing is buffered here."""
    streams.stream_at(call, stream)
    return 0 if call.name == "setvbuf" else None


@model("flockfile", "funlockfile", "ftrylockfile", effect=READS)
def flockfile(call: Invocation, stream: Any) -> int | None:
    """There are no others that a stream could be kept from."""
    streams.stream_at(call, stream)
    return 0 if call.name == "ftrylockfile" else None


@model("fileno", "fileno_unlocked", effect=READS)
def fileno(call: Invocation, stream: Any) -> int:
    return streams.stream_at(call, stream)[1].descriptor


# Positions


def seek(call: Invocation, number: int, offset: Any, bits: int, origin: int) -> Any:
    """Move a descriptor; the new position, or None where there is no such place."""
    opened = streams.descriptor(call, number)
    if opened is None or opened.file in (streams.STDOUT, streams.STDERR) or origin not in (0, 1, 2):
        return None
    base: Any = 0
    if origin == SEEK_CUR:
        base = streams.true_position(call, opened)
    elif origin == SEEK_END:
        base = streams.full_length(call, opened.file)
    elif offset != 0:
        streams.shown_places(call, opened.file)
    distance = build.trunc(offset, LENGTH_BITS) if bits > LENGTH_BITS else offset
    place = build.add(base, distance, LENGTH_BITS)
    if truth(call, build.slt(place, 0, LENGTH_BITS)):
        return None
    streams.keep_descriptor(call, number, replace(opened, position=place, overrun=False))
    return place


@model("fseek", "fseeko", "fseeko64", effect=READS.but(reads_input=True))
def fseek(call: Invocation, stream: Any, offset: Any, origin: Any) -> int:
    where, held = streams.stream_at(call, stream)
    start = call.concrete(origin, 32)
    bits = call.argument_bits(1)
    if start == SEEK_CUR and held.pushed:
        offset = build.sub(offset, len(held.pushed), bits)
    if seek(call, held.descriptor, offset, bits, start) is None:
        return streams.EOF
    streams.keep_stream(call, where, replace(held, pushed=(), ended=False))
    return 0


@model("rewind", effect=READS)
def rewind(call: Invocation, stream: Any) -> None:
    where, held = streams.stream_at(call, stream)
    seek(call, held.descriptor, 0, 32, SEEK_SET)
    streams.keep_stream(call, where, replace(held, pushed=(), ended=False, failed=False))


@model("ftell", "ftello", "ftello64", effect=READS.but(reads_input=True))
def ftell(call: Invocation, stream: Any) -> Any:
    _, held = streams.stream_at(call, stream)
    opened = streams.descriptor(call, held.descriptor)
    bits = call.result_bits
    if opened is None:
        return (1 << bits) - 1
    place = build.sub(streams.true_position(call, opened), len(held.pushed), LENGTH_BITS)
    return texts.resized(place, bits)


# Names


@model("remove", "unlink", effect=ANYTHING)
def remove(call: Invocation, path: Any) -> int:
    name = path_of(call, path)
    if not exists(call, name):
        return streams.EOF
    call.remember(f"file {name}", None)
    call.remember(f"removed {name}", True)
    return 0


@model("rename", effect=ANYTHING)
def rename(call: Invocation, old: Any, new: Any) -> int:
    name, target = path_of(call, old), path_of(call, new)
    if not exists(call, name):
        return streams.EOF
    streams.keep_contents(call, target, streams.bounded(call, name))
    if name != target:
        call.remember(f"file {name}", None)
        call.remember(f"removed {name}", True)
    return 0
