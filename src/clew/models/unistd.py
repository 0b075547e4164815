"""unistd.h and fcntl.h: reading and writing by descriptor, and who the process is."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import NOTHING, PURE, READS, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.entropy import note_entropy
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.models import files, streams, texts
from clew.models.errno import EBADF, EINVAL, ENOTTY, set_errno
from clew.models.stdio import write_memory
from clew.models.stdio_input import read_block

_WRITE_ONLY, _READ_WRITE, _CREATE, _TRUNCATE, _APPEND = 0o1, 0o2, 0o100, 0o1000, 0o2000


def _failed(call: Invocation, why: int = EBADF) -> int:
    set_errno(call, why)
    return (1 << call.result_bits) - 1


@model("read", "__read", "__read_chk", effect=WRITES_ARGUMENTS.but(reads_input=True))
def read(call: Invocation, number: Any, target: Any, count: Any, *_: Any) -> Any:
    descriptor, total = call.concrete(number, 32), call.pointer(count)
    address = call.pointer(target)
    source = streams.supply(call, descriptor, (), total, grows=True)
    if source is None:
        return _failed(call)
    if total == 0:
        return 0
    got = read_block(call, source, address, total)
    streams.consume(call, descriptor, min(total, streams.FAR))
    return texts.resized(got, call.pointer_bits)


@model("write", "__write", effect=WRITES_OWN.but(exact=True))
def write(call: Invocation, number: Any, source: Any, count: Any) -> Any:
    descriptor, total = call.concrete(number, 32), call.pointer(count)
    opened = streams.descriptor(call, descriptor)
    if opened is None or not opened.writable:
        return _failed(call)
    write_memory(call, descriptor, source, total)
    return count


@model("open", "open64", effect=WRITES_OWN.but(reads_input=True))
def open_(call: Invocation, path: Any, flags: Any, *_: Any) -> int:
    how = call.concrete(flags, 32)
    writes = bool(how & (_WRITE_ONLY | _READ_WRITE))
    number = files.open_file(
        call,
        files.path_of(call, path),
        not how & _WRITE_ONLY,
        writes,
        bool(how & _CREATE),
        bool(how & _TRUNCATE) and writes and bool(how & _CREATE),
        bool(how & _APPEND),
    )
    return streams.EOF if number < 0 else number


@model("close", effect=WRITES_OWN.but(exact=True))
def close(call: Invocation, number: Any) -> int:
    descriptor = call.concrete(number, 32)
    if streams.descriptor(call, descriptor) is None:
        return _failed(call)
    streams.keep_descriptor(call, descriptor, None)
    return 0


@model("lseek", "lseek64", effect=WRITES_OWN.but(exact=True))
def lseek(call: Invocation, number: Any, offset: Any, origin: Any) -> Any:
    bits = call.result_bits
    descriptor = call.concrete(number, 32)
    place = files.seek(call, descriptor, offset, bits, call.concrete(origin, 32))
    if place is None:
        return _failed(call, EINVAL if streams.descriptor(call, descriptor) is not None else EBADF)
    return texts.resized(place, bits)


@model("isatty", effect=WRITES_OWN)
def isatty(call: Invocation, number: Any) -> int:
    """Nothing is a terminal: tests feed programs from files and pipes."""
    set_errno(call, ENOTTY if streams.descriptor(call, call.concrete(number, 32)) is not None else EBADF)
    return 0


@model("access", effect=WRITES_OWN.but(reads_input=True))
def access(call: Invocation, path: Any, mode: Any) -> int:
    return 0 if files.exists(call, files.path_of(call, path)) else streams.EOF


@model("fsync", "fdatasync", effect=READS)
def fsync(call: Invocation, number: Any) -> int:
    return 0


# Who the process is: inputs, the same each time they are asked for, but for what can change


@model("getpid", "getppid", "getpgrp", "gettid", "getuid", "geteuid", "getgid", "getegid", effect=NOTHING)
def identity(call: Invocation) -> Any:
    """A number that is not negative, and positive for a process."""

    def ask() -> Any:
        number = read_input(call.state, call.name, "int", 32, InputKind.NONDET)
        lowest = 1 if call.name in ("getpid", "getppid", "getpgrp", "gettid") else 0
        call.assume(build.sge(number, lowest, 32))
        if lowest:
            note_entropy(call.state, number)
        return number

    return call.kept(call.name, ask)


@model("getpagesize", effect=PURE)
def getpagesize(call: Invocation) -> int:
    return 4096


@model("sched_yield", "sync", effect=NOTHING)
def nothing(call: Invocation) -> Any:
    return 0 if call.call.result is not None else None
