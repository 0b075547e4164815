"""Descriptors beside reading and writing: copies, pipes, flags, which of them are ready.

Which descriptors are ready is an input: any of those asked about may be, or none in time, or a signal comes first.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv
from clew.models import files, streams
from clew.models.errno import EBADF, EINTR, EINVAL, set_errno
from clew.models.streams import EOF, Contents, Descriptor
from clew.models.texts import truth

_ALWAYS_REPORTED = 0x38
"""POLLERR, POLLHUP, POLLNVAL."""
_MOST_ASKED = 64
_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL = range(5)


def _opened(call: Invocation, number: Any) -> Descriptor | None:
    """An open file; ``errno`` says if there is none."""
    found = streams.descriptor(call, call.concrete(number, 32))
    set_errno(call, EBADF, found is None)
    return found


@model("dup", effect=WRITES_OWN.but(exact=True))
def dup(call: Invocation, number: Any) -> int:
    """Its position is its own from then on, which that of a real copy is not: only what cannot be moved is the same."""
    opened = _opened(call, number)
    if opened is None:
        return EOF
    fresh = files.next_descriptor(call)
    _copy(call, opened, fresh)
    return fresh


@model("dup2", "dup3", effect=WRITES_OWN.but(exact=True))
def dup2(call: Invocation, number: Any, target: Any, *_: Any) -> int:
    opened, place = _opened(call, number), call.concrete(target, 32)
    if opened is None:
        return EOF
    if call.concrete(number, 32) != place:
        _copy(call, opened, place)
    return place


def _copy(call: Invocation, opened: Descriptor, number: int) -> None:
    movable = opened.file not in (streams.STDOUT, streams.STDERR) and not opened.sink
    if movable:
        what = f"{call.name}(): a position that two descriptors share, where both are used"
        call.state.run.note_loss("bounded", what, call.state)
    streams.keep_descriptor(call, number, opened)


@model("pipe", "pipe2", effect=WRITES_ARGUMENTS)
def pipe(call: Invocation, ends: Any, *_: Any) -> int:
    """A file that is read from its start and written at its end; reading what was not written yet finds the end."""
    where = call.pointer(ends)
    numbers = files.next_descriptor(call), files.next_descriptor(call)
    name = f"pipe {numbers[0]}"
    call.store(where, numbers[0], 4)
    call.store(where + 4, numbers[1], 4)
    streams.keep_contents(call, name, Contents())
    streams.keep_descriptor(call, numbers[0], Descriptor(name))
    streams.keep_descriptor(call, numbers[1], Descriptor(name, False, True, True))
    return 0


@model("fcntl", "fcntl64", effect=WRITES_OWN)
def fcntl(call: Invocation, number: Any, command: Any, *rest: Any) -> int:
    opened, what = _opened(call, number), call.concrete(command, 32)
    if opened is None:
        return EOF
    if what == _F_DUPFD:
        return int(dup(call, number))
    if what == _F_GETFL:
        access = 2 if opened.readable and opened.writable else int(opened.writable)
        return access | (0o2000 if opened.append else 0)
    if what in (_F_GETFD, _F_SETFD, _F_SETFL):
        return 0
    call.state.run.note_loss("bounded", f"fcntl() with command {what}: taken to fail", call.state)
    set_errno(call, EINVAL)
    return EOF


# Which are ready


def _interrupted(call: Invocation) -> bool:
    """Whether a signal comes first. (Kept before it forks, so that the input is read once.)"""
    count = int(call.recall("waits", 0))
    comes = call.kept(f"signal {count}", lambda: read_input(call.state, f"{call.name} is interrupted", "_Bool", 1,
                                                           InputKind.NONDET))  # fmt: skip
    interrupted = truth(call, comes)
    call.remember("waits", count + 1)
    set_errno(call, EINTR, interrupted)
    return interrupted


def _sum(conditions: list[Any]) -> Any:
    total: Any = 0
    for condition in conditions:
        total = build.add(total, build.bool_to_bv(condition, 32), 32)
    return total


@model("poll", "ppoll", effect=WRITES_ARGUMENTS.but(reads_input=True))
def poll(call: Invocation, asked: Any, count: Any, timeout: Any, *_: Any) -> Any:
    where, number = call.pointer(asked), call.pointer(count)
    if number > _MOST_ASKED:
        set_errno(call, EINVAL)
        return EOF
    wanted = [call.load(where + 8 * place + 4, 2) for place in range(number)]
    call.touch(where, 8 * number)
    endless = truth(call, build.slt(timeout, 0, 32)) if call.name == "poll" else call.pointer(timeout) == 0
    if _interrupted(call):
        return EOF
    ready = []
    for place, events in enumerate(wanted):
        said: Any = read_input(call.state, f"poll events {place}", "short", 16, InputKind.NONDET)
        said = build.and_(said, build.or_(events, _ALWAYS_REPORTED, 16), 16)
        unused = build.slt(call.load(where + 8 * place, 4), 0, 32)
        said = build.ite(unused, 0, said, bv(16))
        call.store(where + 8 * place + 6, said, 2)
        ready.append(build.ne(said, 0, 16))
    if endless:
        call.assume(build.disjunction(ready))
    return _sum(ready)


@model("select", "pselect", effect=WRITES_ARGUMENTS.but(reads_input=True))
def select(call: Invocation, count: Any, reading: Any, writing: Any, failing: Any, timeout: Any, *_: Any) -> Any:
    """The sets that come back are parts of those that were given."""
    number = call.concrete(count, 32)
    if number > 1024:
        set_errno(call, EINVAL)
        return EOF
    sets = [where for where in map(call.pointer, (reading, writing, failing)) if where]
    size = (number + 7) // 8
    for where in sets:
        call.touch(where, size)
    endless = call.pointer(timeout) == 0
    if _interrupted(call):
        return EOF
    ready = []
    for which, where in enumerate(sets):
        for place in range(size):
            mask = (1 << min(8, number - 8 * place)) - 1
            asked = call.load(where + place, 1)
            if asked == 0 and isinstance(asked, int):
                continue
            said = read_input(call.state, f"select set {which} byte {place}", "unsigned char", 8, InputKind.NONDET)
            said = build.and_(said, build.and_(asked, mask, 8), 8)
            call.store(where + place, said, 1)
            ready += [build.eq(build.extract(said, bit, bit), 1, 1) for bit in range(8)]
    if endless:
        call.assume(build.disjunction(ready))
    return _sum(ready)


@model("getdtablesize", effect=WRITES_OWN)
def getdtablesize(call: Invocation) -> int:
    return 1024
